package adapter

import (
	"errors"
	"math"
	"net/http"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/internal/finding"
	"github.com/goverso/verso/core/internal/nils"
	"github.com/goverso/verso/core/source"
)

// Seam is what checks the requests of a framework, for its adapter. It fixes the order of
// a check: decide, store the result, write the headers, call the next handler or answer
// the rejection, and report the outcome. The result is stored before the headers are
// written, since an error handler may ask for it, and the outcome is reported last, since
// the handler's panic is one. C is the framework's context of a request, H what comes
// after a check. [NewSeam] makes it.
//
//	var call adapter.Call
//	call.Request.SetHTTP(r, c, registration.Route())
//	err := seam.Check(c, &call, next)
//
// A Seam does not allocate: none of its functions takes the [Call], which would then
// escape to the heap.
type Seam[C, H any] struct {
	*Binding

	// Load returns the result that Store has put last into the framework's store for the
	// request, or nil.
	Load  func(c C) *verso.Result
	Store func(c C, result *verso.Result)

	// Header returns the response headers, for a framework over net/http. For another
	// framework, Write writes the headers of a decision, and Restore writes those again
	// that next has removed. Set Header, or Write and, if next may remove headers,
	// Restore.
	Header  func(c C) http.Header
	Write   func(c C, fields Fields)
	Restore func(c C, fields Fields)

	// Current returns the request as middleware has replaced it, for a framework whose
	// context keeps a request of net/http.
	// Optional. Default value: nil, the request of the call.
	Current func(c C) *http.Request

	// Binder is how the framework's binder reads parameters, for [Seam.Bound].
	// Optional. Default value: names byte for byte.
	Binder verso.Binder

	// Next calls what comes after the check, before it returns if [Binding.Follows].
	Next func(c C, next H) error

	// NoContent answers a CORS preflight that no handler may serve with status 204.
	NoContent func(c C) error

	// Reject answers a rejected request. Fail answers a programming error: status 500,
	// without details for the client.
	Reject func(c C, rejected *verso.Error, answer *verso.Answer) error
	Fail   func(c C, err error) error

	// OwnAnswers is true if an error handler of the service may answer what Reject gets.
	OwnAnswers bool

	// ProblemType is the media type in which Reject sends the body of the answer,
	// for Explain.
	// Optional. Default value: "", that of problem details, and not known with OwnAnswers.
	ProblemType string

	// Skipper reports whether a middleware of the adapter leaves a request alone, which then
	// names no version where only routes of other code have its path.
	// Optional. Default value: nil, none.
	Skipper func(c C) bool

	// ExemptFromSunset reports whether a request is exempt from sunsets and brownouts. It
	// is not called for routes registered by other code.
	// Optional. Default value: nil, no request is exempt.
	ExemptFromSunset func(c C) bool

	// Client returns the name of the client that sent a request, for [verso.Observation].
	// Optional. Default value: nil, clients are not known.
	Client func(c C) string
}

// NewSeam returns the Seam s after checking it. It panics if a function is missing, and
// with a [*verso.Finding] if Client is set without [verso.Config.Observe] and [verso.Config.Counters], so that nothing would call it.
func NewSeam[C, H any](s Seam[C, H]) *Seam[C, H] {
	switch {
	case s.Binding == nil || s.Load == nil || s.Store == nil || (s.Header == nil) == (s.Write == nil) ||
		s.Next == nil || s.NoContent == nil || s.Reject == nil || s.Fail == nil:
		panic(errors.New("verso: a Seam needs Binding, Load, Store, Next, NoContent, Reject, Fail, and either Header or Write: set them"))
	case s.Client != nil && !s.Observes():
		panic(finding.Mistake(codes.ClientNotRead))
	}
	s.explanations.nameless = s.Client == nil && s.Observes()
	if s.OwnAnswers || s.ProblemType != "" {
		s.explanations.problemType = s.ProblemType
	}
	return &s
}

// noteStoredNow is [Binding.NoteStored] after a handler.
func (s *Seam[C, H]) noteStoredNow(c C, r source.Request) {
	if s.Current != nil {
		r.SetHTTP(s.Current(c), r.Unwrap(), r.Route())
	}
	s.decisions.noteStored(&r)
}

// NoteStored logs once if a value was stored for a request after the
// decision. It is for frameworks in which each middleware makes a new request.
func (b *Binding) NoteStored(decided, now *http.Request) {
	if len(b.api.stored) == 0 || decided == now {
		return
	}
	var before, after source.Request
	before.SetHTTP(decided, decided, nil)
	after.SetHTTP(now, now, nil)
	if !b.decisions.isStored(&before) {
		b.decisions.noteStored(&after)
	}
}

// Follows reports whether a check has something to do when the handler has returned.
func (b *Binding) Follows() bool { return b.Observes() || len(b.api.stored) > 0 }

// NoteReset records that the framework has emptied its store since a check, because a
// handler has passed the request on. A result that is in the store then is that of a later
// check, which reports the outcome.
func (s *Seam[C, H]) NoteReset(c C) {
	if last := s.Load(c); last != nil {
		later := *last
		in(&later).Depth = math.MaxInt
		s.Store(c, &later)
	}
}

// SetTestVersion stores a version as a check does, for a test that calls a handler
// without the check. The errors are those of [Binding.Result].
func (s *Seam[C, H]) SetTestVersion(c C, version verso.Version) error {
	result, err := s.Result(version)
	if err != nil {
		return err
	}
	set := *result
	in(&set).IsSet = true
	if before := s.Load(c); before != nil {
		in(&set).Depth = in(before).Depth // not a check, so the depth of the last one stays
	}
	s.Store(c, &set)
	return nil
}

// Refuse answers a request that cannot be rewritten, if an error handler of the service answers those
// that are rejected. Otherwise it returns the other error.
func (s *Seam[C, H]) Refuse(c C, err, other error) error {
	answer := verso.AnswerFor(err)
	if rejected := answer.Rejected(err); rejected != nil && s.OwnAnswers {
		return s.Reject(c, rejected, answer)
	}
	return other
}

// Pass calls next for a request to a rewritten route that its rewriter leaves alone. It fails if result, of
// the check, is nil: an older client would get the newest form.
func (s *Seam[C, H]) Pass(c C, result *verso.Result, next func(c C) error) error {
	if result == nil {
		return s.Fail(c, errors.New("middleware behind the check has removed the version of a request: let it keep it"))
	}
	return next(c)
}

// Bound returns a rewriter for routes of the framework, nil for a nil pointer.
func (s *Seam[C, H]) Bound(rewriter verso.Rewriter) verso.Rewriter {
	if nils.Is(rewriter) {
		return nil
	}
	if b, ok := rewriter.(verso.BinderRewriter); ok {
		return b.ForBinder(s.Binder)
	}
	return rewriter
}
