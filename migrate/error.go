package migrate

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate/internal/jsontext"
	"github.com/goverso/verso/migrate/internal/rewrite"
)

// The codes of an [Error].
const (
	InvalidBody          = "invalid_body"           // no JSON, several values, a member twice, invalid UTF-8
	InvalidValue         = "invalid_value"          // a value that the client's version does not have
	UnsupportedMediaType = "unsupported_media_type" // not JSON, though the type has edits
	UnsupportedEncoding  = "unsupported_encoding"   // compressed, though the type has edits
	BodyTooLarge         = "body_too_large"         // a limit outside was reached
)

// Error is a request whose body cannot be lifted. Its text has nothing that the
// client sent.
// It may be logged and sent as it is. The pointer is the exception: its names are quoted and bounded.
type Error struct {
	Status  int    // HTTP status: 400, 413 or 415
	Code    string // [InvalidBody] or another
	Pointer string // to the value that is wrong, in the client's version (RFC 6901); "" for the body
	Err     error  // the cause, for logs

	// Parameter is the parameter of the query, the header or the form that is wrong, "" if the
	// body is.
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
func (e *Error) Error() string {
	if e.Parameter != "" {
		return fmt.Sprintf("the parameter has a value that this version does not have: %q",
			e.Parameter[:min(len(e.Parameter), rewrite.MaxPointer)])
	}
	if e.Pointer != "" {
		return fmt.Sprintf("%s: %q", details[e.Code], e.Pointer)
	}
	return details[e.Code]
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// StatusCode returns the HTTP status.
func (e *Error) StatusCode() int { return e.Status }

// Problem returns the problem details of the response (RFC 9457). It has no type URI: unlike a
// rejection, the mistake concerns the body, which the service documents.
func (e *Error) Problem() verso.Problem {
	return verso.Problem{Type: "about:blank", Title: http.StatusText(e.Status), Status: e.Status, Detail: e.Error(),
		Code: verso.MessageID(e.Code)}
}

// MarshalJSON returns the problem, for frameworks that encode errors.
// Without it encoding/json would write the fields, with the cause.
func (e *Error) MarshalJSON() ([]byte, error) { return json.Marshal(e.Problem()) }

// refusal returns what is wrong with the body of a request. The error of its reader
// stays.
// A client that disconnects has not sent an invalid body, and a timeout stays one.
func refusal(err error) error {
	value, isValue := errors.AsType[*rewrite.ValueError](err)
	_, isLarge := errors.AsType[*http.MaxBytesError](err)
	_, isSyntax := errors.AsType[*jsontext.SyntacticError](err)
	refused := &Error{Status: http.StatusRequestEntityTooLarge, Code: BodyTooLarge, Err: err}
	if isValue {
		refused.Pointer, refused.Err = value.Pointer[:min(len(value.Pointer), rewrite.MaxPointer)], value.Err
	}
	_, isRefused := errors.AsType[*Error](err)
	switch {
	case isRefused:
		return err
	// These are limits: of a middleware, of what an edit may hold, and of what is dropped.
	case isLarge, errors.Is(err, rewrite.ErrHeld), errors.Is(err, rewrite.ErrDropped):
	case isValue && !errors.Is(err, jsontext.ErrTwice):
		refused.Status, refused.Code = http.StatusBadRequest, InvalidValue
	case isSyntax, errors.Is(err, jsontext.ErrTwice), err == rewrite.ErrValues, errors.Is(err, io.ErrUnexpectedEOF), err == io.EOF: //nolint:errorlint // own ones
		refused.Status, refused.Code = http.StatusBadRequest, InvalidBody
	default:
		return err
	}
	return refused
}
