// Package refusal finds what went wrong while a request of an older version was read: of five kinds,
// one for each code of an error of package migrate. It is above rewrite, and below params.
package refusal

import (
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/goverso/verso/migrate/internal/jsontext"
	"github.com/goverso/verso/migrate/internal/rewrite"
)

// Kind is what is wrong with a request. The codes of [github.com/goverso/verso/migrate.Error] are their
// names for clients.
type Kind uint8

// The kinds.
const (
	InvalidBody Kind = iota
	InvalidValue
	UnsupportedMediaType
	UnsupportedEncoding
	BodyTooLarge
)

// Refusal is the reason to refuse a request. Package migrate makes its error of it, with a status, a code and
// a text.
type Refusal struct {
	Kind      Kind
	Pointer   string // to the wrong value, "" for the body
	Parameter string // the wrong one, or ""
	Err       error  // the cause
}

// Error returns the cause, which is for logs.
func (r *Refusal) Error() string { return fmt.Sprintf("the request is refused: %v", r.Err) }

// Unwrap returns the cause.
func (r *Refusal) Unwrap() error { return r.Err }

// New returns a refusal of a kind.
func New(kind Kind, cause error) error { return &Refusal{Kind: kind, Err: cause} }

// Parameter names the parameter. Its value stays out of the error, which is sent to the client
// and logged: a query may have a secret in it.
func Parameter(name string, cause error) error {
	return &Refusal{Kind: InvalidValue, Parameter: name, Err: cause}
}

// Encoded returns the error of a compressed body, which the tokenizer takes for invalid JSON.
func Encoded(err error, encoding string) error {
	var refused *Refusal
	if errors.As(err, &refused) && refused.Kind == InvalidBody && IsEncoded(encoding) {
		return New(UnsupportedEncoding, err)
	}
	return err
}

// IsEncoded reports whether a Content-Encoding means that a body is compressed.
func IsEncoded(encoding string) bool { return encoding != "" && encoding != "identity" }

// Of returns what is wrong with the body of a request. The error of its reader
// stays.
// A client that disconnects has not sent an invalid body, and a timeout stays one.
func Of(err error) error {
	var value *rewrite.ValueError
	isValue := errors.As(err, &value)
	isLarge := errors.As(err, new(*http.MaxBytesError))
	isSyntax := errors.As(err, new(*jsontext.SyntacticError))
	refused := &Refusal{Kind: BodyTooLarge, Err: err}
	if isValue {
		refused.Pointer, refused.Err = value.Pointer[:min(len(value.Pointer), rewrite.MaxPointer)], value.Err
	}
	isRefused := errors.As(err, new(*Refusal))
	switch {
	case isRefused:
		return err
	// These are limits: of a middleware, of what an edit may hold, and of what is dropped.
	case isLarge, errors.Is(err, rewrite.ErrHeld), errors.Is(err, rewrite.ErrReads),
		errors.Is(err, rewrite.ErrDropped):
	case isValue && !errors.Is(err, jsontext.ErrTwice):
		refused.Kind = InvalidValue
	case isSyntax, errors.Is(err, jsontext.ErrTwice), err == rewrite.ErrValues, errors.Is(err, io.ErrUnexpectedEOF), err == io.EOF: //nolint:errorlint // own ones
		refused.Kind = InvalidBody
	default:
		return err
	}
	return refused
}
