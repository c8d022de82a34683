package verso

import (
	"errors"
	"net/http"
	"net/url"
)

// Seam is what checks the requests of a framework, for its adapter. It says in one place
// in which order a check decides, keeps its result, writes headers, calls what comes next
// or answers a rejection, and tells what became of the request. C is the framework's
// context of a request, H what comes after a check. [NewSeam] makes it.
//
//	var call verso.Call
//	call.Request.SetHTTP(r, c, registration.Route())
//	err := seam.Check(c, &call, next)
//
// A Seam allocates nothing, and no function of it sees the [Call], which would escape.
type Seam[C, H any] struct {
	*Binding

	// Load returns what Keep has kept last in the framework's store for the
	// request, nil for none.
	Load  func(c C) *Result
	Store func(c C, result *Result)

	// Header returns the response headers, for a framework over net/http. For another
	// one, Write writes those of a decision, and Restore writes again what next has
	// removed of them. Set Header, or Write and, where next may do so, Restore.
	Header  func(c C) http.Header
	Write   func(c C, fields Fields)
	Restore func(c C, fields Fields)

	// Next calls what comes after the check.
	Next func(c C, next H) error

	// NoContent answers with status 204 a CORS preflight that no handler is for.
	NoContent func(c C) error

	// Reject answers a rejected request. Fail answers with status 500, and tells
	// the client nothing of the error, which is a programming error.
	Reject func(c C, rejected *Error, answer *Answer) error
	Fail   func(c C, err error) error

	// ProblemType is the media type in which Reject sends the body of the answer,
	// for Explain.
	// Optional. Default value: "", an error handler of the service answers.
	ProblemType string

	// ExemptFromSunset names the requests that no sunset and no brownout rejects or
	// moves to another version. It is not asked for routes that others register.
	// Optional. Default value: nil, no request is kept.
	ExemptFromSunset func(c C) bool

	// Client names who sent a request, for [Observation].
	// Optional. Default value: nil, clients are not known.
	Client func(c C) string
}

// NewSeam returns a Seam that is complete. It panics if a function is missing, and with a
// [*Finding] if there is a Client without a [Config.Observe], since nothing would call it.
func NewSeam[C, H any](s Seam[C, H]) *Seam[C, H] {
	switch {
	case s.Binding == nil || s.Load == nil || s.Store == nil || (s.Header == nil) == (s.Write == nil) || s.Next == nil || s.NoContent == nil || s.Reject == nil || s.Fail == nil:
		panic(errors.New("verso: a Seam needs Binding, Load, Keep, Next, NoContent, Reject, Fail, and either Header or Write: set them"))
	case s.Client != nil && !s.Observes():
		panic(mistake("client_not_read", "Client", "nothing calls Client, since Config.Observe is nil: set it, or remove Client"))
	}
	if s.Client == nil && s.Observes() {
		s.explanations.nameless = true
	}
	s.explanations.problemType = s.ProblemType
	return &s
}

// Check decides on call.Request, and calls next unless it is rejected. The route of the
// request is that of a [Registration] or a [Scope], or what [Binding.Lookup] returned,
// which may be nil if it is not known.
func (s *Seam[C, H]) Check(c C, call *Call, next H) error {
	s.Decide(c, call)
	return s.Proceed(c, call, next)
}

// HandleVersions is [Seam.Check] for a route with a handler for each version: see [Handlers.Picker].
// No store of a framework takes part, in which other code may keep something else.
func (s *Seam[C, H]) HandleVersions(c C, call *Call, pick func(result *Result) H) error {
	s.Decide(c, call)
	var next H
	if call.result != nil && !call.unanswered {
		next = pick(call.result)
	}
	return s.Proceed(c, call, next)
}

// Decide is the first half of [Seam.Check], for an adapter that looks at the request once
// more before [Seam.Proceed]: see [Call.Fail].
func (s *Seam[C, H]) Decide(c C, call *Call) {
	if at := call.Request.route; s.ExemptFromSunset != nil && at != nil && !at.Foreign {
		call.exemptFromSunset = s.ExemptFromSunset(c)
	}
	_ = s.begin(call) // Proceed answers it
}

// CheckForeign is [Seam.Check] for a middleware: see [Binding.Lookup]. It calls next alone
// if a check of the same binding has decided already, as where the middleware is installed
// twice.
func (s *Seam[C, H]) CheckForeign(c C, call *Call, next H) error {
	if before := s.Load(c); before != nil && before.links == s.links && !before.isSet && !before.rejected {
		return s.Next(c, next)
	}
	return s.Check(c, call, next)
}

// CheckUnmatched answers a request that matches no route, if it names a version that is
// unknown or has ended, so that a service can delete the routes of a version that has
// ended. escapedPath is the path as the client sent it. If it reports false, the
// framework answers.
func (s *Seam[C, H]) CheckUnmatched(c C, call *Call, escapedPath string) (rejected bool, err error) {
	path, err := url.PathUnescape(escapedPath)
	if err != nil || !s.decisions.unmatched(call, path) {
		return false, nil //nolint:nilerr // such a path has no version
	}
	var none H
	return true, s.Proceed(c, call, none)
}

// Proceed is the second half of [Seam.Check].
func (s *Seam[C, H]) Proceed(c C, call *Call, next H) error {
	observes := s.Observes()
	result := call.result
	if result == nil {
		result = &s.decisions.rejected
	}
	if observes {
		if before := s.Load(c); before != nil {
			deeper := *result
			deeper.depth = before.depth + 1
			result = &deeper
		}
	}
	s.Store(c, result) // nothing of an earlier check stays
	hasFields := !call.fields.isEmpty()
	switch {
	case !hasFields:
	case s.Header != nil:
		call.fields.Set(s.Header(c))
	default:
		s.Write(c, call.fields)
	}
	if observes {
		defer s.end(c, call, result.depth)
	}
	switch {
	case call.err != nil:
		return s.reject(c, call)
	case call.unanswered:
		return s.NoContent(c)
	}
	err := s.Next(c, next)
	if hasFields && s.Restore != nil {
		s.Restore(c, call.fields)
	}
	return err
}

func (s *Seam[C, H]) reject(c C, call *Call) error {
	rejected, ok := call.err.(*Error) //nolint:errorlint // as in preflight
	if !ok {
		return s.Fail(c, call.err)
	}
	return s.Reject(c, rejected, s.api.answer(&call.Request, rejected))
}

// end tells what became of a request when the handler or the rejection has returned or
// panicked, unless a check of the same binding has decided on it since, which tells it.
func (s *Seam[C, H]) end(c C, call *Call, depth int) {
	if call.exempt || s.decidedSince(c, depth) {
		return
	}
	client := ""
	if s.Client != nil {
		client = s.clientOf(c)
	}
	s.decisions.observe(call, client)
}

// decidedSince reports whether a check of the same binding has decided on a request after
// the one at a depth: a handler may pass a request on to another route.
func (s *Seam[C, H]) decidedSince(c C, depth int) bool {
	last := s.Load(c)
	return last != nil && last.links == s.links && last.depth > depth
}

// clientOf returns the name of the client, "" if Client panics.
func (s *Seam[C, H]) clientOf(c C) (name string) {
	defer s.journal.logPanic("Client")
	return boundedClient(s.Client(c))
}

// SetTestVersion keeps a version as a check does, for a test that calls a handler without the
// check. The errors are those of [Binding.Result].
func (s *Seam[C, H]) SetTestVersion(c C, version Version) error {
	result, err := s.Result(version)
	if err != nil {
		return err
	}
	set := *result
	set.isSet = true
	if before := s.Load(c); before != nil {
		set.depth = before.depth // it is no check, and hides none
	}
	s.Store(c, &set)
	return nil
}
