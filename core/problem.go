package verso

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/goverso/verso/core/internal/roster"

	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/text"
	"github.com/goverso/verso/core/source"
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
	// for an unknown host. All rejections share the slice: callers must not
	// modify its elements.
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
// Content-Type is [ProblemType]. Requests share answers, so callers must not modify
// them.
type Answer struct {
	Problem  Problem
	Body     []byte   // the problem in JSON
	Language string   // for Content-Language; may be ""
	Vary     []string // request headers that the answer depends on, besides those of the decision
}

// MarshalJSON returns the body, for frameworks that encode responses.
func (a *Answer) MarshalJSON() ([]byte, error) { return a.Body, nil }

// answer returns the answer to a rejected request, with a translator in the language
// that suits the request's Accept-Language best. It is made once for each rejection
// and language.
func (v *engine) answer(c *Call, rejected *Error) *Answer {
	if v.config.Translator == nil {
		return v.answers.in("", nil, rejected, c.rejection, c.lists)
	}
	accepted, _ := c.Request.Header("Accept-Language")
	language, messages := v.config.Translator.Messages(accepted)
	if !isLanguageTag(language) {
		return v.answers.build("", messages, rejected, c.lists)
	}
	return v.answers.in(language, messages, rejected, c.rejection, c.lists)
}

// answers are the answers to rejections that were made already.
type answers struct {
	allowed []string // the versions in problem details
	hidden  bool     // they are left out
	vary    []string
	made    sync.Map // of answerKey to *Answer
	count   atomic.Int32
}

// answerKey is what an answer depends on.
type answerKey struct {
	rejection         *source.Rejection
	status            int
	lists             *catalogue.Lists
	sunset, successor string
	language          string
}

// maxAnswers bounds how many answers are stored, in case a user's translator returns the
// client's own text as a language.
const maxAnswers = 4096

func newAnswers(v *engine) *answers {
	a := new(answers)
	if a.hidden = v.config.HideAllowedVersions; !a.hidden {
		a.allowed = slices.Clip(v.set.Known) // appending makes a copy
	}
	if v.config.Translator != nil {
		a.vary = []string{"Accept-Language"}
	}
	return a
}

// in returns the answer in a language.
func (a *answers) in(language string, messages map[MessageID]string, rejected *Error, rejection *source.Rejection, lists *catalogue.Lists) *Answer {
	key := answerKey{rejection, rejected.Status, lists, rejected.Sunset, rejected.Successor, language}
	if made, ok := a.made.Load(key); ok {
		return made.(*Answer)
	}
	answer := a.build(language, messages, rejected, lists)
	if rejection != nil && a.count.Add(1) <= maxAnswers {
		a.made.Store(key, answer)
	}
	return answer
}

// build makes an answer.
func (a *answers) build(language string, messages map[MessageID]string, rejected *Error, lists *catalogue.Lists) *Answer {
	allowed := a.allowed
	switch {
	case rejected.MessageID == UnknownHost, rejected.MessageID == RouteGone: // no version would help
		allowed = nil
	case lists != nil && !a.hidden:
		allowed = lists.Allowed
	}
	if more := len(allowed) - roster.MaxNamed; more > 0 {
		allowed = allowed[more:]
	}
	title := ProblemTitle(rejected.MessageID)
	problem := Problem{
		Type: ProblemURI(rejected.MessageID), Title: cmp.Or(messages[title], texts[title]),
		Status: rejected.Status, Code: rejected.MessageID, Detail: cmp.Or(messages[rejected.MessageID], rejected.Message),
		AllowedVersions: allowed, Sunset: rejected.Sunset, Successor: rejected.Successor,
	}
	body, _ := json.Marshal(problem) // text and numbers: it cannot fail
	return &Answer{Problem: problem, Body: body, Language: language, Vary: a.vary}
}

// isLanguageTag reports whether a tag, which a translator of the user's returned,
// can be in a header as a language tag (RFC 5646, section 2.1): letters, digits
// and hyphens.
func isLanguageTag(tag string) bool {
	return text.All(tag, func(c byte) bool { return c == '-' || text.IsAlphanumeric(c) })
}

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
	p := Problem{Type: "about:blank", Title: "Internal Server Error", Status: http.StatusInternalServerError, Detail: "Internal Server Error", Code: "internal_server_error"}
	if refused := (interface{ Problem() Problem })(nil); errors.As(err, &refused) {
		p = refused.Problem()
	}
	body, _ := json.Marshal(p) // which cannot fail
	return &Answer{Problem: p, Body: body}
}
