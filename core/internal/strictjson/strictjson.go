// Package strictjson decodes the JSON of configuration files. It is stricter than
// encoding/json, and its errors have the place of a mistake and what to change.
package strictjson

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/goverso/verso/core/internal/codes"
)

// Error is a mistake in the form of JSON text.
type Error struct {
	Code    string // json_malformed, json_type, json_key_unknown or json_key_twice
	Message string // what is wrong and what to change
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

func mistake(r codes.Row, args ...any) *Error { return &Error{r.Code, r.Text(args...)} }

// Unmarshal is like [json.Unmarshal], but also fails for an unknown key, for a
// duplicate key in an object, ignoring case, for a key with upper case, and for invalid UTF-8. The
// error is an [*Error], or the error of an UnmarshalJSON method.
func Unmarshal(data []byte, into any) error {
	if !utf8.Valid(data) {
		return mistake(codes.JSONNotUTF8)
	}
	if bytes.HasPrefix(data, []byte("\ufeff")) {
		return mistake(codes.JSONMarked)
	}
	var raw json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return malformed(data, err)
	}
	keys := json.NewDecoder(bytes.NewReader(data))
	keys.UseNumber() // a number may be too large for a float64
	var odd error    // the first key with upper case
	if err := checkKeys(data, keys, &odd); err != nil {
		return err
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(into)
	var mismatch *json.UnmarshalTypeError
	if errors.As(err, &mismatch) {
		return mistyped(mismatch)
	}
	if err != nil && strings.HasPrefix(err.Error(), "json: unknown field ") {
		return mistake(codes.JSONKeyUnknown, strings.TrimPrefix(err.Error(), "json: "))
	}
	if err == nil {
		err = odd
	}
	return err
}

// malformed returns the error for text that is not valid JSON.
func malformed(data []byte, err error) *Error {
	var syntax *json.SyntaxError
	ok := errors.As(err, &syntax)
	if !ok || int(syntax.Offset) > len(data) || len(bytes.TrimSpace(data)) == 0 {
		return mistake(codes.JSONNone, err)
	}
	before := bytes.TrimRight(data[:max(syntax.Offset-1, 0)], " \t\r\n")
	if bytes.HasSuffix(before, []byte(",")) && strings.IndexByte("}]", data[syntax.Offset-1]) >= 0 {
		return mistake(codes.JSONComma, position(data[:len(before)]))
	}
	return mistake(codes.JSONMalformed, position(data[:syntax.Offset]), err)
}

// position returns the line, and the column in bytes, of the last byte of text.
func position(text []byte) string {
	return fmt.Sprintf("line %d, column %d", bytes.Count(text, []byte("\n"))+1,
		len(text)-bytes.LastIndexByte(text, '\n')-1)
}

// checkKeys reads a value of valid JSON and returns an error for a duplicate key in
// an object, and sets odd for a key with upper case. In encoding/json the last one wins, and
// case is ignored.
func checkKeys(data []byte, decoder *json.Decoder, odd *error) error {
	token, err := decoder.Token()
	delim, ok := token.(json.Delim)
	if err != nil || !ok {
		return err
	}
	seen := make(map[string]bool)
	for decoder.More() {
		if delim == '{' {
			key, _ := decoder.Token() // the JSON is valid
			name := fmt.Sprint(key)
			if seen[folded(name)] {
				return mistake(codes.JSONKeyTwice, position(data[:decoder.InputOffset()]), name)
			}
			if seen[folded(name)] = true; name != folded(name) && *odd == nil {
				*odd = mistake(codes.JSONKeyCase, position(data[:decoder.InputOffset()]), name, folded(name))
			}
		}
		if err := checkKeys(data, decoder, odd); err != nil {
			return err
		}
	}
	_, err = decoder.Token() // the end of the object or array
	return err
}

// folded returns the same string for all keys that are equal under encoding/json's folding to
// a key that can be known, which is ASCII: a long s is an s, and the sign for Kelvin a k.
func folded(key string) string { return strings.ToLower(strings.ToUpper(key)) }

// embedded finds the Go types in the path of a field, which are not keys.
var embedded = regexp.MustCompile(`\w*[A-Z]\w*\.`)

// mistyped returns the error for a value of another type.
func mistyped(mismatch *json.UnmarshalTypeError) *Error {
	want := cmp.Or(kinds[mismatch.Type.Kind()], mismatch.Type.String())
	where := cmp.Or(embedded.ReplaceAllString(mismatch.Field, ""), "the value")
	return mistake(codes.JSONType, where, mismatch.Value, want)
}

// kinds are the values that keys of a Go type take.
var kinds = map[reflect.Kind]string{
	reflect.Struct: "an object",
	reflect.Map:    "an object",
	reflect.Slice:  "a list",
	reflect.String: "a string in quotes",
	reflect.Bool:   "true or false",
	reflect.Int:    "a whole number",
}
