// Package jsontext is the one place that names the JSON tokenizer, and finds members in the text of an
// object. With Go 1.27 and later, the module that it imports is encoding/json/jsontext of the standard
// library. It uses no other package of migrate.
package jsontext

import "github.com/go-json-experiment/json/jsontext"

// Decoder reads tokens and values.
type Decoder = jsontext.Decoder

// Kind is the kind of a token, by its first byte.
type Kind = jsontext.Kind

// SyntacticError is an error in the syntax of JSON.
type SyntacticError = jsontext.SyntacticError

// Options configure a [Decoder].
type Options = jsontext.Options

// Lenient accepts names that are there twice, and invalid UTF-8.
var Lenient = []Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

// Quote returns a text as a JSON string.
func Quote(text string) []byte {
	quoted, _ := jsontext.AppendQuote(nil, text) // of invalid UTF-8, with replacement characters
	return quoted
}

// Unquote returns the text of a JSON string.
func Unquote(quoted []byte) ([]byte, error) { return jsontext.AppendUnquote(nil, quoted) }

// IsValid reports whether a text is one valid JSON value.
func IsValid(text []byte, options ...Options) bool {
	return jsontext.Value(text).IsValid(options...)
}
