package migrate

import (
	"encoding/json"
	"errors"
	"net/http"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate/internal/refusal"
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

// Error returns what is wrong, in English. Names come from the client, so they are quoted and
// cut.
func (e *Error) Error() string { return (*refusal.Refusal)(e).Error() }

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

// asError returns the error of a request as services know it. One that a function of the service
// has returned stays.
func asError(err error) error {
	r, ok := err.(*refusal.Refusal) //nolint:errorlint // as it was made
	if !ok {
		return err
	}
	var own *Error
	if errors.As(r.Err, &own) {
		return own
	}
	return (*Error)(r)
}
