package versohttp

import (
	"context"
	"net/http"
	"slices"

	verso "github.com/goverso/verso/core"
)

// Rewrite rewrites the bodies of older versions. Middleware that [Routes.AfterCheck]
// added before, such as compression, sees the rewritten body; middleware that it adds
// afterwards sees the handler's. The answer to a request or a response that cannot be
// rewritten is that of [verso.AnswerFor]; the error of a response goes to the log of
// the server.
func (r *Routes) Rewrite(rewriter verso.Rewriter) *Routes {
	r.seam.CheckRewrite(r.rewriter, rewriter)
	return r.With(r.seam.Track()).with(func(g *Routes) {
		g.rewriter, g.after = rewriter, slices.Concat(r.after, []func(http.Handler) http.Handler{g.rewriting})
	})
}

// RewriteErrors returns a middleware for what [Routes.Rewrite] rewrites: install it inside
// compression, and outside middleware that answers panics, so that these responses
// are rewritten too.
func (r *Routes) RewriteErrors() func(http.Handler) http.Handler {
	r.seam.NoteRewriteErrors()
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			s := &outerWriter{ResponseWriter: w}
			next.ServeHTTP(s, req.WithContext(context.WithValue(req.Context(), outerKey{}, s)))
			s.end(req)
		})
	}
}

// outerWriter is the writer of middleware around the rewriting of a route.
type outerWriter struct {
	http.ResponseWriter                 // rewriting, when there is one
	rewriting           verso.Rewriting // nil: the body stays
}

type outerKey struct{}

// Unwrap is for [http.ResponseController].
func (s *outerWriter) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// Flush implements [http.Flusher].
func (s *outerWriter) Flush() { _ = http.NewResponseController(s.ResponseWriter).Flush() }

// rewriting is the middleware of a route whose bodies are rewritten.
func (r *Routes) rewriting(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		outer := w
		s, hasOuter := req.Context().Value(outerKey{}).(*outerWriter)
		if hasOuter {
			outer = s.ResponseWriter
		}
		rewriting, err := r.rewriter.Begin(Version(req), outer, req)
		if rewriting == nil {
			next.ServeHTTP(w, req)
			return
		}
		if !hasOuter {
			s = new(outerWriter)
			w = rewriting
			r.seam.NoteRewrite()
			defer s.end(req)
		}
		s.ResponseWriter, s.rewriting = rewriting, rewriting
		if err != nil {
			answer := verso.AnswerFor(err)
			r.answer(w, req, answer.Rejected(err), answer)
			return
		}
		defer rewriting.Recover(func() {})
		next.ServeHTTP(w, req)
	})
}

// end sends the response.
func (s *outerWriter) end(r *http.Request) {
	if s.rewriting == nil {
		return
	}
	if err := s.rewriting.Finish(); err != nil {
		logError(r.Context(), "rewriting the response", err)
		verso.AnswerFor(err).ServeHTTP(s, r)
		_ = s.rewriting.Finish() // of a problem that cannot be rewritten, as the error above reports
	}
}
