package adapter

import (
	"net/url"

	verso "github.com/goverso/verso/core"
)

// Check decides on call.Request, and calls next unless it is rejected. The route of the
// request is that of a [Registration] or a [Scope], or what [Binding.Lookup] returned,
// which may be nil if it is not known.
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
	if !call.exempt && !s.isReviewed.Load() {
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
// Vary field of the decision and with the methods of [Call.Allow].
func (s *Seam[C, H]) CheckUnmatched(c C, call *Call, escapedPath string) (rejected bool, err error) {
	path, err := url.PathUnescape(escapedPath)
	if err != nil {
		return false, nil //nolint:nilerr // such a path has no version
	}
	if !s.decisions.unmatched(call, path, s.Skipper != nil && s.Skipper(c)) {
		s.write(c, &call.fields)
		return false, nil
	}
	if s.Header != nil {
		s.Header(c).Del("Allow") // of a framework's 405
	}
	var none H
	return true, s.Proceed(c, call, none)
}
