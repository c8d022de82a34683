package adapter

import verso "github.com/goverso/verso/core"

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
	if hasFields {
		s.write(c, &call.fields)
	}
	if observes && !call.exempt {
		defer s.end(c, call, in(result).Depth)
	}
	switch {
	case call.err != nil:
		if rejected, ok := call.err.(*verso.Error); ok { //nolint:errorlint // as in preflight
			return s.Reject(c, rejected, s.api.answers.to(&call.Request, rejected, call.rejection, call.lists))
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

// write writes the headers of a decision.
func (s *Seam[C, H]) write(c C, fields *Fields) {
	if s.Header != nil {
		fields.Set(s.Header(c))
		return
	}
	s.Write(c, *fields)
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

// clientOf returns the name of the client, "" if Client is not set or panics.
func (s *Seam[C, H]) clientOf(c C) (name string) {
	if s.Client != nil {
		defer s.api.journal.logPanic("Client")
		name = boundedClient(s.Client(c))
	}
	return name
}
