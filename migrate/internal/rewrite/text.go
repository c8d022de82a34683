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

// bound lets the next token have as much as may be held. One byte more distinguishes a token of
// exactly the bound from a longer one.
func (r *Rewriter) bound() {
	if r.in != nil {
		r.in.left = max(0, MaxHeld-len(r.dec.UnreadBuffer())) + 1
	}
}

// MinText is how much of a string of a response has come when it passes in pieces, in bytes.
const MinText = 4 << 10

// Begun returns the begin of a value that the decoder has not read.
func (r *Rewriter) Begun() []byte { return bytes.TrimLeft(r.dec.UnreadBuffer(), " \t\r\n:,") }

// next reads a value, or the begin of a long string, such as a file in base64, and lets
// [Rewriter.copyText] go on with it. The decoder keeps the begin, up to where a character ends:
// with the closing quote it is a valid string.
func (r *Rewriter) next() ([]byte, error) {
	for {
		raw, err := r.dec.ReadValue()
		if err == nil || r.in == nil {
			return raw, err
		}
		isMore := errors.Is(err, ErrMore)
		switch begun := r.Begun(); {
		case !isMore && !errors.Is(err, ErrHeld) || len(begun) < MinText || begun[0] != '"':
			return raw, err
		case Characters(begun[1:]) == len(begun)-1:
			r.in.text = make([]byte, 0, 2*MinText)
			return begun, nil
		case isMore:
			return raw, err
		}
		r.in.left = 1 // up to where the character ends
	}
}

// copyText copies a string past the decoder, as far as it has come. The decoder gets
// the quote at the end, or the first invalid part, and reports it.
func (r *Rewriter) copyText() error {
	s := r.in
	n := Characters(s.text)
	// Each piece is checked by itself, since it ends where a character does.
	s.piece = append(append(append(s.piece[:0], '"'), s.text[:n]...), '"')
	isValid := jsontext.IsValid(s.piece, r.options()...)
	if isValid {
		r.Out = append(r.Out, s.text[:n]...)
		s.text = append(s.text[:0], s.text[n:]...)
	}
	if isValid && (len(s.text) == 0 || s.text[0] != '"') {
		n, err := s.Reader.Read(s.text[len(s.text):cap(s.text)])
		switch s.text = s.text[:len(s.text)+n]; {
		case n > 0 || err == nil:
			return nil
		case errors.Is(err, ErrMore):
			return err
		}
	}
	s.left = len(s.text) + 1
	s.Reader, s.text = io.MultiReader(bytes.NewReader(s.text), s.Reader), nil
	if _, err := r.dec.ReadValue(); err != nil {
		return err
	}
	r.Out = append(r.Out, '"')
	r.done()
	return nil
}

// Characters returns how many bytes inside a JSON string, up to its quote, make whole
// characters and escapes. A piece that ends within a character would be invalid by itself.
func Characters(text []byte) (n int) {
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
