package migrate

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate/internal/refusal"
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

// kinds are the codes by the kind of a refusal, with the statuses and with what clients read. The texts
// quote nothing of the body, which may be a secret.
var kinds = map[refusal.Kind]struct {
	code   string
	status int
	detail string
}{
	refusal.InvalidBody:  {InvalidBody, http.StatusBadRequest, "the body is not one valid JSON value, or not a valid form"},
	refusal.InvalidValue: {InvalidValue, http.StatusBadRequest, "the body has a value that this version does not have"},
	refusal.UnsupportedMediaType: {UnsupportedMediaType, http.StatusUnsupportedMediaType,
		"the body has a type that this version does not take: send application/json, or a form where the route takes one"},
	refusal.UnsupportedEncoding: {UnsupportedEncoding, http.StatusUnsupportedMediaType,
		"the body is compressed, which this version does not take: send it without Content-Encoding"},
	refusal.BodyTooLarge: {BodyTooLarge, http.StatusRequestEntityTooLarge, "the body is too large"},
}

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
func (e *Error) Error() string {
	detail := http.StatusText(e.Status) // of an error that a service has made
	for _, kind := range kinds {
		if kind.code == e.Code {
			detail = kind.detail
		}
	}
	switch {
	case e.Parameter != "":
		return fmt.Sprintf("the parameter has a value that this version does not have: %q",
			e.Parameter[:min(len(e.Parameter), rewrite.MaxPointer)])
	case e.Pointer != "":
		return fmt.Sprintf("%s: %q", detail, e.Pointer)
	}
	return detail
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

// asError returns the error of a request as services know it. An error that a function of the service has
// returned keeps its status and its code, and has the place of the value.
func asError(err error) error {
	r, ok := err.(*refusal.Refusal) //nolint:errorlint // as it was made
	if !ok {
		return err
	}
	kind, own := kinds[r.Kind], new(Error)
	if errors.As(r.Err, &own) {
		return &Error{Status: own.Status, Code: own.Code, Pointer: cmp.Or(own.Pointer, r.Pointer),
			Parameter: cmp.Or(own.Parameter, r.Parameter), Err: own}
	}
	return &Error{Status: kind.status, Code: kind.code, Pointer: r.Pointer, Parameter: r.Parameter, Err: r.Err}
}
