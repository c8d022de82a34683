package conformance_test

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"reflect"
	"strings"

	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
)

// rewritingMutation breaks how the reference adapter rewrites bodies, and what it does with
// errors. Each field changes one thing.
type rewritingMutation struct {
	place       func(outside, all int) int                    // how much of AfterCheck is outside of the rewriting
	insists     bool                                          // a default rewriter is for handlers for each version too
	unsaid      bool                                          // the binding does not know of it
	shell       bool                                          // RewriteErrors has no effect
	inner       bool                                          // inside of RewriteErrors each route rewrites alone
	refused     bool                                          // a refused request reaches the handler
	unrecovered bool                                          // Recover is not deferred
	unfinished  bool                                          // the answer to what cannot be rewritten is not sent
	keepsFields bool                                          // the answer to it has the fields of the handler
	rest        bool                                          // compression inside writes the rest of a discarded body
	unanswered  bool                                          // there is no such answer
	always      bool                                          // RewriteErrors is installed unasked
	writer      func(http.ResponseWriter) http.ResponseWriter // what the handler writes to
	swallows    bool                                          // the error of a handler whose response is rewritten is lost
	unreported  bool                                          // the error of a rewriting that fails is lost
	unasked     bool                                          // the error handler is not called for a refused request
	unhandled   bool                                          // the error handler of the service is not called
	silent      bool                                          // what the error handler leaves is not answered
	unnoted     bool                                          // a rewriting outside RewriteErrors is not noted
	keeps       func(*conformance.Call, readBefore)           // what handlers get of what was read before the rewriting
	media       string                                        // the media type that is said, "" for the right one
	unbound     bool                                          // the rewriter does not learn of the binder
	binds       func(*verso.Binder)                           // changes what the adapter declares of the binder
}

// binder is what the adapter declares of bind.
func (m *rewritingMutation) binder() verso.Binder {
	b := verso.Binder{IgnoresCase: true, Separator: func(reflect.StructField) string { return "," }}
	if m.binds != nil {
		m.binds(&b)
	}
	return b
}

// bind is a binder that ignores case and splits lists.
func (r *matched) bind(place string) func(into any) error {
	return func(into any) error {
		_ = r.ParseMultipartForm(1 << 20) // what is no form has no parameters
		sent := map[string]map[string][]string{"query": r.URL.Query(), "form": r.PostForm, "header": r.Header}[place]
		for _, field := range reflect.VisibleFields(reflect.TypeOf(into).Elem()) {
			to := reflect.ValueOf(into).Elem().FieldByIndex(field.Index)
			for name, values := range sent {
				switch {
				case !strings.EqualFold(name, field.Tag.Get(place)):
				case to.Kind() == reflect.Slice:
					to.Set(reflect.ValueOf(strings.Split(values[0], ",")))
				default:
					to.SetString(values[0])
				}
			}
		}
		return nil
	}
}

// readBefore is what middleware in front of the rewriting has read, or nil.
type readBefore struct{ query, form url.Values }

// shell is a writer outside of a route that may rewrite.
type shell struct {
	http.ResponseWriter
	rewriting verso.Rewriting // nil: the body stays
	outside   adapter.BodyFields
}

func (s *shell) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// failure is the error of a handler, for what is around the adapter.
type failure struct{ err error }

type failureKey struct{}

type shellKey struct{}

// fail notes the error of a handler.
func (r *matched) fail(err error) {
	swallowed := r.of.rewriting.swallows && r.result.Version().Is("v1")
	if failed, ok := r.Context().Value(failureKey{}).(*failure); ok && !swallowed {
		failed.err = err
	}
}

// rewriteErrors is what is in front of everything: RewriteErrors, and Around of the application.
func (a *reference) rewriteErrors(w http.ResponseWriter, r *http.Request) {
	if (a.app.RewriteErrors || a.rewriting.always) && !a.rewriting.shell {
		s := &shell{ResponseWriter: w, outside: adapter.BodyFieldsOf(w.Header())}
		w, r = s, r.WithContext(context.WithValue(r.Context(), shellKey{}, s))
		defer s.end(a, r)
	}
	if a.app.Around == nil {
		a.find(w, r, nil)
		return
	}
	failed := new(failure)
	r = r.WithContext(context.WithValue(r.Context(), failureKey{}, failed))
	_ = a.app.Around(func() error { a.find(w, r, nil); return failed.err }, conformance.WriteTo(w))
}

// behindCheck runs the middleware of AfterCheck, and the rewriting within it.
func (a *reference) behindCheck(r *matched, next func()) {
	in := r.route.in
	if in.rewriter == nil {
		a.run(in.after, r, a.seam, next)
		return
	}
	outside := in.outside
	if a.rewriting.place != nil {
		outside = a.rewriting.place(outside, len(in.after))
	}
	a.run(in.after[:outside], r, a.seam, func() {
		a.rewrite(r, in.rewriter, func() { a.run(in.after[outside:], r, a.seam, next) })
	})
}

// rewrite calls a handler whose response is rewritten.
func (a *reference) rewrite(r *matched, rewriter verso.Rewriter, next func()) {
	outer := r.w
	s, shelled := r.Context().Value(shellKey{}).(*shell)
	shelled = shelled && !a.rewriting.inner
	if shelled {
		outer = s.ResponseWriter
	}
	fields := adapter.BodyFieldsOf(outer.Header())
	rewriting, err := rewriter.Begin(r.result.Version(), outer, r.Request)
	if rewriting == nil {
		next()
		return
	}
	if !shelled {
		if !a.rewriting.unnoted {
			a.seam.NoteRewrite()
		}
		s = &shell{outside: fields}
		r.w = s
		defer func() {
			s.end(a, r.Request)
			r.w = outer
		}()
	}
	s.ResponseWriter, s.rewriting = rewriting, rewriting
	if a.rewriting.writer != nil {
		s.ResponseWriter = a.rewriting.writer(rewriting)
	}
	if err != nil && !a.rewriting.refused {
		answer := verso.AnswerFor(err)
		if rejected := answer.Rejected(err); a.app.ErrorHandler != nil && !a.rewriting.unasked {
			a.app.ErrorHandler(rejected, answer).Write(s)
		} else {
			answer.ServeHTTP(s, r.Request)
		}
		return
	}
	if !a.rewriting.unrecovered {
		defer rewriting.Recover(func() {
			if a.rewriting.keepsFields {
				return
			}
			if s.outside.Abandon(rewriting.Header(), fields) && !a.rewriting.rest {
				s.ResponseWriter = adapter.Discard{}
			}
		})
	}
	next()
}

// end sends the response.
func (s *shell) end(a *reference, r *http.Request) {
	if s.rewriting == nil {
		return
	}
	err := errors.New("compressed")
	if s.ResponseWriter != http.ResponseWriter(adapter.Discard{}) {
		err = s.rewriting.Finish()
	}
	if failed, ok := r.Context().Value(failureKey{}).(*failure); ok && err != nil && !a.rewriting.unreported {
		failed.err = err
	}
	if err == nil || a.rewriting.unanswered {
		return
	}
	if !a.rewriting.keepsFields {
		s.outside.Restore(s.rewriting.Header())
	}
	verso.AnswerFor(err).ServeHTTP(s.rewriting, r)
	if !a.rewriting.unfinished {
		_ = s.rewriting.Finish()
	}
}
