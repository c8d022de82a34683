package api

import (
	"errors"
	"net/http"
)

// ErrNotFound matches the error for a user, an order or a page that is not there.
var ErrNotFound = errors.New("not found")

// ProblemType is the media type of a [Problem].
const ProblemType = "application/problem+json"

// Problem is the body of an error: problem details (RFC 9457).
type Problem struct {
	Title  string `json:"title"`
	Status int    `json:"status"`
}

// ProblemOf returns what a client is told of an error: of one on our side, that
// there is one.
func ProblemOf(err error) Problem {
	status := http.StatusInternalServerError
	if errors.Is(err, ErrNotFound) {
		status = http.StatusNotFound
	}
	return Problem{http.StatusText(status), status}
}
