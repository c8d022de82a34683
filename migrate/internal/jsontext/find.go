package jsontext

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"unicode"
)

// Decoded returns a value of the document, or of a constant. Numbers stay as they were written: 1.0
// must not become 1.
func Decoded(raw []byte) (value any) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	_ = d.Decode(&value) // it is JSON
	return value
}

// EscapePointer escapes a token of a JSON pointer (RFC 6901, section 3).
var EscapePointer = strings.NewReplacer("~", "~0", "/", "~1")

// UnescapePointer is the reverse of [EscapePointer].
var UnescapePointer = strings.NewReplacer("~1", "/", "~0", "~")

// Null is JSON null.
var Null = []byte("null")

// IsNull reports whether a value is null or absent.
func IsNull(raw []byte) bool { return raw == nil || raw[0] == 'n' }

// Member returns a copy of a member's value, nil if the object has none or is null.
func Member(object []byte, name string, folds bool) (value []byte, err error) {
	if IsNull(object) {
		return nil, nil
	}
	if object[0] != '{' {
		return nil, errors.New("the value is not an object")
	}
	begin, end, err := Find(object, name, folds)
	if begin < 0 || err != nil {
		return nil, err
	}
	return bytes.Clone(object[begin:end]), nil
}

// Find returns where in an object the value of a member is. begin is negative if the object
// lacks it. The names of a client may be spelled in another way, but not in two.
func Find(object []byte, name string, folds bool) (begin, end int, err error) {
	var d Decoder
	d.Reset(bytes.NewBuffer(object), Lenient...)
	if begin = -1; d.PeekKind() != '{' {
		return begin, 0, nil
	}
	_, err = d.ReadToken()
	for err == nil && d.PeekKind() == '"' {
		key, _ := d.ReadToken()
		isHere := key.String() == name || folds && Fold(key.String()) == Fold(name)
		var value []byte
		if value, err = d.ReadValue(); !isHere || err != nil {
			continue
		}
		if begin >= 0 {
			return 0, 0, ErrTwice
		}
		end = int(d.InputOffset())
		if begin = end - len(value); !folds {
			break
		}
	}
	return begin, end, nil
}

// IsName reports whether a member has a name, by its name in the text, with its quotes.
func IsName(quoted []byte, name string, folds bool) bool {
	text := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(text, '\\') >= 0 {
		text, _ = Unquote(quoted)
	}
	return string(text) == name || folds && Fold(string(text)) == Fold(name)
}

// Key returns a name as it is written: once for a plan, and not with each body.
func Key(name string) []byte { return append(Quote(name), ':') }

// Fold folds a name as encoding/json does: each rune to the smallest rune that differs
// only in case.
// The handler's decoder takes "PLAN" for plan, so an older client could otherwise set a member that
// its version lacks. Responses are written by encoding/json, with exact names.
func Fold(name string) string {
	return strings.Map(func(r rune) rune {
		for {
			next := unicode.SimpleFold(r)
			if next <= r {
				return next
			}
			r = next
		}
	}, name)
}

// ErrTwice is the error of [Find].
var ErrTwice = errors.New("a member is there twice, in two spellings")

// TextOf returns the text of a value, "" if it is not a text.
func TextOf(raw []byte) string {
	if raw == nil || raw[0] != '"' {
		return ""
	}
	text, _ := Unquote(raw) // with replacement characters, if it is not valid
	return string(text)
}

// NumberOf returns a number as it is written, "" for another value.
func NumberOf(raw []byte) string {
	if raw == nil || raw[0] != '-' && (raw[0] < '0' || raw[0] > '9') {
		return ""
	}
	return string(raw)
}
