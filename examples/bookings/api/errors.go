package api

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/bookings/store"
	"github.com/goverso/verso/migrate"
)

// The errors of the service. That of a booking that is not there is
// store.ErrNotFound.
var (
	ErrMalformed = errors.New("malformed body")
	ErrNoPage    = errors.New("no such page")
)

// ProblemOf returns what a client is told of an error. Of one that is not the
// client's business, that is no more than that there was one.
func ProblemOf(err error) verso.Problem {
	switch {
	case errors.Is(err, store.ErrNotFound), errors.Is(err, ErrNoPage):
		return Problem(http.StatusNotFound, err.Error())
	case errors.Is(err, ErrMalformed):
		return Problem(http.StatusBadRequest, err.Error())
	}
	return Problem(http.StatusInternalServerError, "")
}

// ProblemOfRejection returns what a client is told of a request that Verso rejects: of a body
// that cannot be brought into the newest form, what handlers say of one.
func ProblemOfRejection(rejected *verso.Error, answer *verso.Answer) verso.Problem {
	if errors.As(rejected, new(*migrate.Error)) {
		return Problem(http.StatusBadRequest, ErrMalformed.Error())
	}
	return answer.Problem
}

// Problem returns a problem of the service itself. Without a detail it says no
// more than the status does.
func Problem(status int, detail string) verso.Problem {
	title := http.StatusText(status)
	if detail == "" {
		detail = title
	}
	code := verso.MessageID(strings.ReplaceAll(strings.ToLower(title), " ", "_"))
	return verso.Problem{Type: "about:blank", Title: title, Status: status, Detail: detail, Code: code}
}

// ErrorV1 is the body of an error in v1 and v2.
type ErrorV1 struct {
	Error string `json:"error"`
}

func oldError(p verso.Problem) (ErrorV1, error) { return ErrorV1{p.Detail}, nil }

// problemIn returns a problem as a version has it: ErrorV1 in v1 and v2, problem
// details (RFC 9457) since v3. Tokens are checked before the version, so a request
// without one gets ErrorV1 in every version, which the oldest clients read.
func problemIn(v verso.Version, p verso.Problem) (contentType string, body any) {
	if v.Is("v1") || v.Is("v2") || p.Status == http.StatusUnauthorized {
		return "application/json", ErrorV1{p.Detail}
	}
	return verso.ProblemType, p
}

// WriteProblem answers with a problem, of Verso or of the service. v is the
// version that the client asked for: so clients of v1 understand also why they
// are rejected.
func WriteProblem(w http.ResponseWriter, v verso.Version, p verso.Problem) {
	contentType, body := problemIn(v, p)
	w.Header().Set("Content-Type", contentType)
	if p.Status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", "Bearer") // RFC 9110, section 11.6.1
	}
	w.WriteHeader(p.Status)
	_ = json.NewEncoder(w).Encode(body) // the client may have disconnected
}
