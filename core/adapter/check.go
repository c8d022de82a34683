package adapter

import (
	"net/url"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/internal/codes"
)

// These are the ways into a check: of a route with options, of one with a handler for each version, of a route of other
// code, and of no route. In comes a Call with the request; each decides, in decide.go, and then proceeds, in one order
// for all frameworks: see [Seam].

// Check decides on call.Request, and calls next unless it is rejected. The route of the
// request comes from a [Registration], a [Scope] or [Binding.Lookup], and may be nil if it
// is not known. Check returns the error of Next, or of what answers instead: Reject, Fail or
// NoContent.
func (s *Seam[C, H]) Check(c C, call *Call, next H) error {
	s.Decide(c, call)
	return s.Proceed(c, call, next)
}

// HandleVersions is [Seam.Check] for a route with a handler for each version: see
// [Picker]. The handler is picked without the framework's store, which other
// code could overwrite.
func (s *Seam[C, H]) HandleVersions(c C, call *Call, pick func(result *verso.Result) H) error {
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
	if at := call.Request.Route(); s.ExemptFromSunset != nil && at != nil && !at.Foreign {
		call.exemptFromSunset = s.ExemptFromSunset(c)
	}
	s.decisions.decide(call)
	if !call.exempt && !s.isReviewed() {
		s.review()
	}
}

// CheckForeign is [Seam.Check] for a middleware: see [Binding.Lookup]. If a check of the
// same binding has already decided, for example because the middleware is installed
// twice, it only calls next.
func (s *Seam[C, H]) CheckForeign(c C, call *Call, next H) error {
	if before := s.Load(c); before != nil && s.isOwn(before) && !in(before).IsSet && !in(before).Rejected {
		return s.Next(c, next)
	}
	return s.Check(c, call, next)
}

// CheckUnmatched answers a request that matches no route, if it names a version that is
// unknown or has ended, so that a service can delete an ended version's routes and still
// answer 410. A path that only routes without a version have names none, whatever the
// method, and an unlisted text in the place of a path parameter is a version only if a
// route with that parameter has the path: /favicon.ico names none. escapedPath is the path
// as the client sent it. If CheckUnmatched reports false, the framework answers, with the
// Vary field of the decision and with the methods of [Call.Allow], which an Allow field that
// is there has then. err is what Reject returns.
func (s *Seam[C, H]) CheckUnmatched(c C, call *Call, escapedPath string) (rejected bool, err error) {
	path, err := url.PathUnescape(escapedPath)
	if err != nil {
		return false, nil //nolint:nilerr // such a path has no version
	}
	if s.decisions.unmatched(call, path, s.Skipper != nil && s.Skipper(c)) {
		if s.Header != nil {
			s.Header(c).Del("Allow") // of a framework's 405
		}
		var none H
		return true, s.Proceed(c, call, none)
	}
	if s.Header == nil {
		s.Write(c, call.fields)
		return false, nil
	}
	header := s.Header(c)
	call.fields.Set(header)
	if len(header["Allow"]) > 0 {
		header.Set("Allow", call.Allow(header.Get("Allow")))
	}
	return false, nil
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
			in(&deeper).Depth = in(before).Depth + 1
			result = &deeper
		}
	}
	s.Store(c, result) // it replaces the result of an earlier check
	hasFields := !call.fields.isEmpty()
	switch {
	case !hasFields:
	case s.Header != nil:
		call.fields.Set(s.Header(c))
	default:
		s.Write(c, call.fields)
	}
	if observes && !call.exempt {
		defer s.end(c, call, in(result).Depth)
	}
	switch {
	case call.err != nil:
		if rejected, ok := call.err.(*verso.Error); ok { //nolint:errorlint // as in preflight
			return s.Reject(c, rejected, s.api.answers.to(&call.Request, rejected, call.rejection, call.fields.lists))
		}
		return s.Fail(c, call.err)
	case call.unanswered:
		return s.NoContent(c)
	}
	isLate := len(s.api.stored) > 0 && !call.exempt && !s.decisions.isStored(&call.Request)
	err := s.Next(c, next)
	if isLate {
		s.noteStoredNow(c, call.Request)
	}
	if hasFields && s.Restore != nil {
		s.Restore(c, call.fields)
	}
	return err
}

// end reports the outcome once the handler or the rejection has returned or panicked,
// unless a later check of the same binding reports it.
func (s *Seam[C, H]) end(c C, call *Call, depth int) {
	if last := s.Load(c); last != nil && s.isOwn(last) && in(last).Depth > depth {
		return // the handler has passed the request on to another route
	}
	s.decisions.observe(call, s.clientOf(c))
}

// isOwn reports whether a result is of this binding.
func (s *Seam[C, H]) isOwn(result *verso.Result) bool { return in(result).Links == any(s.links) }

// clientOf returns the name of the client, "" if Client is not set, panics or returns a secret.
func (s *Seam[C, H]) clientOf(c C) (name string) {
	if s.Client != nil {
		defer s.api.journal.logPanic("Client")
		name = boundedClient(s.Client(c))
		if scheme, _, found := strings.Cut(name, " "); found && strings.EqualFold(scheme, "Bearer") {
			s.api.journal.say(codes.ClientSecret)
			return ""
		}
	}
	return name
}
