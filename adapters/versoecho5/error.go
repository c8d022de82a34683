package versoecho5

import (
	"encoding/json"

	"github.com/labstack/echo/v5"

	verso "github.com/goverso/verso/core"
)

// HTTPError is a refusal on Echo's error path: an error with a status and a
// body. Echo's own [*echo.HTTPError] has no place for a body other than
// {"message": ...}.
type HTTPError struct {
	Err     *verso.Error  // the refusal
	Problem verso.Problem // the body, its texts translated
}

// What Echo's default error handler asks of an error that has a status and a
// body.
var (
	_ echo.HTTPStatusCoder = (*HTTPError)(nil)
	_ json.Marshaler       = (*HTTPError)(nil)
)

// Error returns the English message of the refusal.
func (e *HTTPError) Error() string { return e.Err.Error() }

// Unwrap returns the refusal.
func (e *HTTPError) Unwrap() error { return e.Err }

// StatusCode returns the HTTP status of the refusal.
func (e *HTTPError) StatusCode() int { return e.Err.StatusCode() }

// MarshalJSON returns the problem details (RFC 9457).
func (e *HTTPError) MarshalJSON() ([]byte, error) { return json.Marshal(e.Problem) }

// httpError puts a refusal on Echo's error path.
func httpError(_ *echo.Context, err *verso.Error, problem verso.Problem) error {
	return &HTTPError{Err: err, Problem: problem}
}
