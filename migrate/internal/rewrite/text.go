package rewrite

import (
	"bytes"
	"errors"
	"io"
	"unicode/utf8"

	"github.com/goverso/verso/migrate/internal/jsontext"
)

// Source is the stream of a long body. The decoder holds a token whole, so the source ends
// before one gets too long: clients must not decide how much memory a request takes. Texts are
// the exception: a file in base64 may be long, and no edit reads it, so it goes past the
// decoder in pieces.
type Source struct {
	io.Reader
	left int    // how much the decoder may still read of its token
	text []byte // the part of a long string between the decoder and the output; nil: no string is copied

	piece []byte // of that string, which is checked
}

func (s *Source) Read(p []byte) (int, error) {
	if s.left == 0 {
		return 0, ErrHeld
	}
	n, err := s.Reader.Read(p[:min(len(p), s.left)])
	s.left -= n
	return n, err
}

// input is what a rewriter reads: tokens and, beside the decoder, the pieces of a long string.
type input struct {
	dec *jsontext.Decoder
	in  *Source // of a long body; nil: all is there, and unchanged parts are read at once
	Mode
}

// bound lets the next token have as much as may be held. One byte more distinguishes a token of
// exactly the bound from a longer one.
func (i *input) bound() {
	if i.in != nil {
		i.in.left = max(0, MaxHeld-len(i.dec.UnreadBuffer())) + 1
	}
}

// MinText is how much of a string of a response has come when it passes in pieces, in bytes.
const MinText = 4 << 10

// Begun returns the begin of a value that the decoder has not read.
func (i *input) Begun() []byte { return bytes.TrimLeft(i.dec.UnreadBuffer(), " \t\r\n:,") }

// next reads a value, or the begin of a long string, such as a file in base64, and lets
// [input.copyText] go on with it. The decoder keeps the begin, up to where a character ends:
// with the closing quote it is a valid string.
func (i *input) next() ([]byte, error) {
	for {
		raw, err := i.dec.ReadValue()
		if err == nil || i.in == nil {
			return raw, err
		}
		isMore := errors.Is(err, ErrMore)
		switch begun := i.Begun(); {
		case !isMore && !errors.Is(err, ErrHeld) || len(begun) < MinText || begun[0] != '"':
			return raw, err
		case characters(begun[1:]) == len(begun)-1:
			i.in.text = make([]byte, 0, 2*MinText)
			return begun, nil
		case isMore:
			return raw, err
		}
		i.in.left = 1 // up to where the character ends
	}
}

// copyText copies a string past the decoder to out, as far as it has come. The decoder gets
// the quote at the end, or the first invalid part, and reports it.
func (i *input) copyText(out []byte) (_ []byte, ended bool, err error) {
	s := i.in
	n := characters(s.text)
	// Each piece is checked by itself, since it ends where a character does.
	s.piece = append(append(append(s.piece[:0], '"'), s.text[:n]...), '"')
	isValid := jsontext.IsValid(s.piece, i.options()...)
	if isValid {
		out = append(out, s.text[:n]...)
		s.text = append(s.text[:0], s.text[n:]...)
	}
	if isValid && (len(s.text) == 0 || s.text[0] != '"') {
		n, err := s.Reader.Read(s.text[len(s.text):cap(s.text)])
		switch s.text = s.text[:len(s.text)+n]; {
		case n > 0 || err == nil:
			return out, false, nil
		case errors.Is(err, ErrMore):
			return out, false, err
		}
	}
	s.left = len(s.text) + 1
	s.Reader, s.text = io.MultiReader(bytes.NewReader(s.text), s.Reader), nil
	if _, err := i.dec.ReadValue(); err != nil {
		return out, false, err
	}
	return append(out, '"'), true, nil
}

// Unread returns how many bytes the decoder holds and has not used.
func (i *input) Unread() int { return len(i.dec.UnreadBuffer()) }

// InText reports whether a long string passes beside the decoder.
func (i *input) InText() bool { return i.in != nil && i.in.text != nil }

// characters returns how many bytes inside a JSON string, up to its quote, make whole
// characters and escapes. A piece that ends within a character would be invalid by itself.
func characters(text []byte) (n int) {
	for n < len(text) && text[n] != '"' {
		rest, size := text[n:], 1
		switch {
		case rest[0] >= utf8.RuneSelf:
			if _, size = utf8.DecodeRune(rest); !utf8.FullRune(rest) {
				return n
			}
		case rest[0] != '\\':
		case len(rest) < 2 || rest[1] != 'u':
			size = 2
		// A character beyond 16 bits is two escapes (RFC 8259, section 7), and half of one would
		// be invalid.
		case len(rest) > 3 && rest[2]|0x20 == 'd' && bytes.IndexByte([]byte("89abAB"), rest[3]) >= 0 &&
			(len(rest) < 7 || rest[6] == '\\' && (len(rest) < 8 || rest[7] == 'u')):
			size = 12 // the other half follows
		default:
			size = 6
		}
		if size > len(rest) {
			return n
		}
		n += size
	}
	return n
}

const recordSeparator = 0x1e

// Unseparate makes spaces of record separators, which no JSON text has: the tokenizer does not
// know them.
func Unseparate(body []byte) {
	for i, c := range body {
		if c == recordSeparator {
			body[i] = ' '
		}
	}
}
