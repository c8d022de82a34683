package overhttp

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"sync/atomic"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
)

// RewriteErrors returns the middleware for what [Group.Rewrite] rewrites, in front of the
// middleware that answers panics.
func (a *Adapter) RewriteErrors() Middleware {
	a.Seam.NoteRewriteErrors()
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			s := &outerWriter{ResponseWriter: w, adapter: a, outside: adapter.BodyFieldsOf(w.Header())}
			in := r.WithContext(context.WithValue(r.Context(), contextKey[outerWriter]{}, s))
			next.ServeHTTP(s, in)
			r.Pattern = in.Pattern // for what is around
			s.end(r)
		})
	}
}

// outerWriter is the writer of middleware around the rewriting of a route.
type outerWriter struct {
	http.ResponseWriter                 // rewriting, when there is one
	rewriting           verso.Rewriting // nil: the body stays
	adapter             *Adapter
	outside             adapter.BodyFields       // of middleware outside
	panicked            atomic.Pointer[panicked] // behind a timeout
	started             bool                     // the answer is being sent
}

// panicked is a handler that panicked under a timeout.
type panicked struct {
	rewriter verso.Rewriter
	version  verso.Version
	request  *http.Request
}

// attach lets the answer to a panic be rewritten, unless a timeout has answered before. It returns
// what the answer goes to; starts reports whether it begins to be sent.
func (s *outerWriter) attach(starts bool) http.ResponseWriter {
	if p := s.panicked.Swap(nil); p != nil && s.rewriting == nil && !s.started {
		if begun, _ := p.rewriter.Begin(p.version, s.ResponseWriter, p.request); begun != nil {
			s.ResponseWriter, s.rewriting = begun, begun
		}
	}
	s.started = s.started || starts
	return s.ResponseWriter
}

// Header implements [http.ResponseWriter].
func (s *outerWriter) Header() http.Header { return s.attach(false).Header() }

// WriteHeader implements [http.ResponseWriter].
func (s *outerWriter) WriteHeader(status int) { s.attach(status >= http.StatusOK).WriteHeader(status) }

// Write implements [http.ResponseWriter].
func (s *outerWriter) Write(p []byte) (int, error) { return s.attach(true).Write(p) }

// Hijack implements [http.Hijacker].
func (s *outerWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return http.NewResponseController(s.ResponseWriter).Hijack()
}

// Unwrap is for [http.ResponseController].
func (s *outerWriter) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// Flush implements [http.Flusher].
func (s *outerWriter) Flush() { _ = http.NewResponseController(s.ResponseWriter).Flush() }

// rewriting returns the middleware of a route whose bodies are rewritten.
func (a *Adapter) rewriting(rewriter verso.Rewriter) Middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			s, hasOuter := r.Context().Value(contextKey[outerWriter]{}).(*outerWriter)
			isNested := hasOuter && a.isNested(r, s)
			hasOuter = hasOuter && !isNested
			// A response under a timeout is rewritten there: the handler may outlive what is
			// around it.
			isUnderTimeout := hasOuter && w != http.ResponseWriter(s) && adapter.IsTimeout(w)
			outside, outer, isPanic := s, w, true
			if hasOuter && !isUnderTimeout {
				outer = s.ResponseWriter
			}
			result, fields := Result(r), adapter.BodyFieldsOf(outer.Header())
			begun, err := rewriter.Begin(result.Version(), outer, r)
			if begun == nil && result == nil {
				_ = a.Seam.Pass(&State{Context: r.Context(), Request: r, adapter: a, w: w}, nil, nil) // fails
				return
			} else if begun == nil {
				next.ServeHTTP(w, r)
				return
			}
			if !hasOuter && !isNested {
				a.Seam.NoteRewrite()
			}
			if !hasOuter || isUnderTimeout {
				s, w = &outerWriter{adapter: a, outside: fields}, begun
				defer s.end(r)
			}
			s.ResponseWriter, s.rewriting = begun, begun
			if err != nil {
				answer := verso.AnswerFor(err)
				a.Seam.NoteAnswer(adapter.Respond(w, r, answer.Rejected(err), answer, a.ErrorHandler))
				return
			}
			defer func() {
				if isPanic && isUnderTimeout {
					outside.panicked.Store(&panicked{rewriter, result.Version(),
						&http.Request{Method: r.Method, URL: r.URL, Header: http.Header{}}})
				}
			}()
			defer begun.Recover(func() {
				if s.outside.Abandon(begun.Header(), fields) {
					s.ResponseWriter = adapter.Discard{}
				}
			})
			next.ServeHTTP(w, r)
			isPanic = false
		})
	}
}

// isNested reports whether a handler inside s sends the request, for example for a batch: s is not for its response.
func (a *Adapter) isNested(r *http.Request, s *outerWriter) bool {
	k, isChecked := r.Context().Value(a).(*State)
	if !isChecked {
		return false
	}
	outer, isWithin := k.Context.Value(a).(*State)
	for isWithin && outer.InFront {
		outer, isWithin = outer.Context.Value(a).(*State)
	}
	return isWithin && outer.Value(contextKey[outerWriter]{}) == any(s)
}

// end sends the response.
func (s *outerWriter) end(r *http.Request) {
	if s.rewriting == nil {
		return
	}
	err := adapter.ErrEncoded
	if s.ResponseWriter != http.ResponseWriter(adapter.Discard{}) {
		err = s.rewriting.Finish()
	}
	if err != nil {
		s.adapter.logError(r.Context(), "rewriting the response", err)
		s.outside.Restore(s.rewriting.Header())
		verso.AnswerFor(err).ServeHTTP(s.rewriting, r)
		_ = s.rewriting.Finish() // of a problem that cannot be rewritten, as the error above reports
	}
}
