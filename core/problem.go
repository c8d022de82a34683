package verso

import (
	"encoding/json"
	"errors"
	"net/http"
)

// Problem is the body of a rejection: problem details (RFC 9457, section 3), with
// extension members. It contains nothing that the client sent.
type Problem struct {
	Type   string `json:"type"`   // URI of the kind of problem: see [ProblemURI]
	Title  string `json:"title"`  // the kind of problem, in the client's language
	Status int    `json:"status"` // HTTP status
	Detail string `json:"detail"` // the message, in the client's language

	// Code is the reason, for programs.
	Code MessageID `json:"code"`

	// AllowedVersions are the versions that the service serves, at most the
	// newest 100, as RFC 9110, section 15.5.7, asks for status 406. It is empty
	// for an unknown host.
	AllowedVersions []string `json:"allowed_versions,omitempty"`

	// Sunset and Successor are those of [Error].
	Sunset    string `json:"sunset,omitempty"`
	Successor string `json:"successor,omitempty"`
}

// String returns the detail, for error handlers that print the message of an error.
func (p *Problem) String() string { return p.Detail }

// ProblemType is the media type of problem details (RFC 9457, section 3).
const ProblemType = "application/problem+json"

// Answer is the response to a rejected request. Its status is that of the problem, its
// Content-Type is [ProblemType]. Requests share its Body, whose bytes callers must not modify.
type Answer struct {
	Problem  Problem
	Body     []byte   // the problem in JSON
	Language string   // for Content-Language: "de", or "de, en" if only a part is translated; may be ""
	Vary     []string // request headers that the answer depends on, besides those of the decision
}

// MarshalJSON returns the body, for frameworks that encode responses.
func (a *Answer) MarshalJSON() ([]byte, error) { return a.Body, nil }

var problemTypes = []string{ProblemType}

// ServeHTTP writes the response to a rejected request: the headers and the status of the
// answer, the Content-Type application/problem+json and, unless the method of the request
// is HEAD, the body.
func (a *Answer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	a.SetFields(header)
	header["Content-Type"] = problemTypes
	w.WriteHeader(a.Problem.Status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(a.Body) // the client may have disconnected
	}
}

// SetFields adds what the answer depends on to the Vary field of a response of
// net/http, and sets Content-Language if the answer has a language.
func (a *Answer) SetFields(header http.Header) {
	if len(a.Vary) > 0 {
		AddVary(header, a.Vary...)
	}
	if a.Language != "" {
		header["Content-Language"] = []string{a.Language}
	}
}

// Rejected returns the error of a request that a [Rewriter] rejects, for the ErrorHandler of
// an adapter. cause is what [AnswerFor] was given; [errors.As] finds it. It is nil if cause
// is not about the request.
func (a *Answer) Rejected(cause error) *Error {
	if a.Problem.Status >= http.StatusInternalServerError {
		return nil
	}
	return &Error{Status: a.Problem.Status, MessageID: a.Problem.Code, Message: a.Problem.Detail, Cause: cause}
}

// AnswerFor returns the answer to a request that a [Rewriter] rejects, or whose response
// it cannot rewrite: what the method Problem() Problem of err returns, otherwise status
// 500 without a reason.
func AnswerFor(err error) *Answer {
	p := Problem{Type: "about:blank", Title: "Internal Server Error", Status: http.StatusInternalServerError,
		Detail: "Internal Server Error", Code: "internal_server_error"}
	if refused := (interface{ Problem() Problem })(nil); errors.As(err, &refused) {
		p = refused.Problem()
	}
	body, _ := json.Marshal(p) // which cannot fail
	return &Answer{Problem: p, Body: body}
}
