// Package refusal finds the status and the code of what went wrong while a request of an older version
// was read.
package refusal

import (
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/goverso/verso/migrate/internal/jsontext"
	"github.com/goverso/verso/migrate/internal/rewrite"
)

// The codes of a [Refusal], those of [github.com/goverso/verso/migrate.Error].
const (
	InvalidBody          = "invalid_body"
	InvalidValue         = "invalid_value"
	UnsupportedMediaType = "unsupported_media_type"
	UnsupportedEncoding  = "unsupported_encoding"
	BodyTooLarge         = "body_too_large"
)

// Refusal is a [github.com/goverso/verso/migrate.Error], which has the same fields.
type Refusal struct {
	Status    int
	Code      string
	Pointer   string
	Err       error
	Parameter string
}

// details are what clients read. They quote nothing of the body, which may be a secret. The
// codes are for programs, and these for people who read a log.
var details = map[string]string{
	InvalidBody:          "the body is not one valid JSON value, or not a valid form",
	InvalidValue:         "the body has a value that this version does not have",
	UnsupportedMediaType: "the body has a type that this version does not take: send application/json, or a form where the route takes one",
	UnsupportedEncoding:  "the body is compressed, which this version does not take: send it without Content-Encoding",
	BodyTooLarge:         "the body is too large",
}

// Error returns what is wrong, in English. Names come from the client, so they are quoted and
// cut.
func (r *Refusal) Error() string {
	if r.Parameter != "" {
		return fmt.Sprintf("the parameter has a value that this version does not have: %q",
			r.Parameter[:min(len(r.Parameter), rewrite.MaxPointer)])
	}
	if r.Pointer != "" {
		return fmt.Sprintf("%s: %q", details[r.Code], r.Pointer)
	}
	return details[r.Code]
}

// Unwrap returns the cause.
func (r *Refusal) Unwrap() error { return r.Err }

// New returns a refusal with a status.
func New(status int, code string, cause error) error {
	return &Refusal{Status: status, Code: code, Err: cause}
}

// Parameter names the parameter. Its value stays out of the error, which is sent to the client
// and logged: a query may have a secret in it.
func Parameter(name string, cause error) error {
	return &Refusal{Status: http.StatusBadRequest, Code: InvalidValue, Parameter: name, Err: cause}
}

// Encoded returns the error of a compressed body, which the tokenizer takes for invalid JSON.
func Encoded(err error, encoding string) error {
	var refused *Refusal
	if errors.As(err, &refused) && refused.Code == InvalidBody && IsEncoded(encoding) {
		return New(http.StatusUnsupportedMediaType, UnsupportedEncoding, err)
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
	refused := &Refusal{Status: http.StatusRequestEntityTooLarge, Code: BodyTooLarge, Err: err}
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
		refused.Status, refused.Code = http.StatusBadRequest, InvalidValue
	case isSyntax, errors.Is(err, jsontext.ErrTwice), err == rewrite.ErrValues, errors.Is(err, io.ErrUnexpectedEOF), err == io.EOF: //nolint:errorlint // own ones
		refused.Status, refused.Code = http.StatusBadRequest, InvalidBody
	default:
		return err
	}
	return refused
}
