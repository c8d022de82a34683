package conformance_test

import (
	"cmp"
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/source"
)

// rewriteMutants break how the reference adapter rewrites bodies, and what it does with errors.
var rewriteMutants = []mutant{
	{"rewriting outside of all AfterCheck", rewriting(rewritingMutation{place: func(int, int) int { return 0 }}), []string{"rewrite/places", "rewrite/behind-errors"}},
	{"rewriting inside of all AfterCheck", rewriting(rewritingMutation{place: func(_, all int) int { return all }}), []string{"rewrite/places", "rewrite/each"}},
	{"Rewrite does nothing", grouping("Rewrite", func(_, made *scope) { made.rewriter = nil }), []string{"rewrite/places", "rewrite/each", "rewrite/mistakes/handlers", "rewrite/mistakes/registered"}},
	{"a default rewriter for handlers for each version", rewriting(rewritingMutation{insists: true}), []string{"rewrite/default"}},
	{"Rewrite tracks nothing", always(mutation{untracked: true}), []string{"rewrite/overlooked/unused-rewriter"}},
	{"rewriting that the binding does not know of", rewriting(rewritingMutation{unsaid: true}), []string{"rewrite/overlooked/errors-not-rewritten", "rewrite/mistakes/handlers"}},
	{"RewriteErrors without effect", rewriting(rewritingMutation{shell: true}), []string{"rewrite/panics-inside", "rewrite/written-inside"}},
	{"RewriteErrors unasked", rewriting(rewritingMutation{always: true}), []string{"rewrite/panics", "rewrite/written-outside", "rewrite/request-fields"}},
	{"routes that rewrite within what RewriteErrors rewrites", rewriting(rewritingMutation{inner: true}), []string{"rewrite/written-inside", "rewrite/panics-inside"}},
	{"a refused request reaches the handler", rewriting(rewritingMutation{refused: true}), []string{"rewrite/places", "rewrite/behind-errors"}},
	{"Recover not deferred", rewriting(rewritingMutation{unrecovered: true}), []string{"rewrite/recovers", "rewrite/panics-inside", "rewrite/panics-without-status"}},
	{"what cannot be rewritten not answered", rewriting(rewritingMutation{unanswered: true}), []string{"rewrite/places"}},
	{"the answer to what cannot be rewritten not sent", rewriting(rewritingMutation{unfinished: true}), []string{"rewrite/places"}},
	{"the answer to what cannot be rewritten with the fields of the handler", rewriting(rewritingMutation{keepsFields: true}), []string{"rewrite/failed-fields", "rewrite/wrapped/holds/inside-errors", "rewrite/wrapped/tags/inside"}},
	{"the rest of a compressed body behind a panic", rewriting(rewritingMutation{rest: true}), []string{"rewrite/wrapped/compresses/inside-errors"}},
	{"a rewriting outside RewriteErrors not noted", rewriting(rewritingMutation{unnoted: true}), []string{"rewrite/errors-not-installed"}},
	{"a query kept from before the rewriting", rewriting(rewritingMutation{keeps: func(call *conformance.Call, read readBefore) {
		if read.query != nil {
			call.Query = read.query.Get
		}
	}}), []string{"rewrite/read-before/query"}},
	{"names of the older query beside the newer ones", rewriting(rewritingMutation{keeps: func(call *conformance.Call, read readBefore) {
		newer := call.Query
		call.Query = func(name string) string { return cmp.Or(newer(name), read.query.Get(name)) }
	}}), []string{"rewrite/read-before/query"}},
	{"values of the older query where all names stay", rewriting(rewritingMutation{keeps: func(call *conformance.Call, read readBefore) {
		if read.query != nil && !read.query.Has("old") {
			call.Query = read.query.Get
		}
	}}), []string{"rewrite/read-before/query"}},
	{"a form kept from before the rewriting", rewriting(rewritingMutation{keeps: func(call *conformance.Call, read readBefore) {
		if read.form != nil {
			call.Form = read.form.Get
		}
	}}), []string{"rewrite/read-before/form"}},
	{"a rewriter that does not learn of the binder", rewriting(rewritingMutation{unbound: true}), []string{"rewrite/spellings"}},
	{"a binder that ignores case, undeclared", rewriting(rewritingMutation{binds: func(b *verso.Binder) { b.IgnoresCase = false }}), []string{"rewrite/spellings"}},
	{"a binder that splits lists, undeclared", rewriting(rewritingMutation{binds: func(b *verso.Binder) { b.Separator = nil }}), []string{"rewrite/spellings"}},
	{"brackets in names declared, which the binder does not know", rewriting(rewritingMutation{binds: func(b *verso.Binder) {
		b.Name = func(name string) string { return strings.ReplaceAll(name, "[]", "") }
	}}), []string{"rewrite/spellings"}},
	{"paths into structs declared, which the binder does not know", rewriting(rewritingMutation{binds: func(b *verso.Binder) { b.Nested = true }}), []string{"rewrite/spellings"}},
	{"the error of a handler swallowed", rewriting(rewritingMutation{swallows: true}), []string{"rewrite/error-passed-on"}},
	{"the error of a rewriting swallowed", rewriting(rewritingMutation{unreported: true}), []string{"rewrite/error-passed-on"}},
	{"each piece written twice", rewriting(rewritingMutation{writer: func(w http.ResponseWriter) http.ResponseWriter { return &twice{w} }}), []string{"rewrite/written-once", "rewrite/places"}},
	{"Flush passes the rewriting", rewriting(rewritingMutation{writer: func(w http.ResponseWriter) http.ResponseWriter { return unflushed{w} }}), []string{"rewrite/places"}},
	{"a panic of the rewriter passed over", always(mutation{around: func(r *http.Request, serve func(*http.Request)) {
		defer func() { _ = recover() }()
		serve(r)
	}}), []string{"rewrite/rewriter-panics/outside", "rewrite/rewriter-panics/inside"}},
	{"nothing sent where the error handler of the service does nothing", rewriting(rewritingMutation{silent: true}), []string{"error-handler/rejected"}},
	{"the error handler of the service not called", rewriting(rewritingMutation{unhandled: true}), []string{"error-handler/rejected", "rewrite/own-errors"}},
	{"the error handler of the service not called for a request that cannot be rewritten", rewriting(rewritingMutation{unasked: true}), []string{"rewrite/own-errors"}},
	{"a media type of rejections that is not theirs", rewriting(rewritingMutation{media: "application/json"}), []string{"surface/problem-type", "error-handler/problem-type"}},
	{"who has decided since forgotten", always(mutation{forgets: true}), []string{"pass-on/observed", "pass-on/set-after"}},
	{"writers compared", always(mutation{exempt: func(r *matched) bool { return r.outer != nil && r.outer.w != r.w }}), []string{"pass-on/incomparable"}},
	{"a request that is passed on not decided again", always(mutation{exempt: func(r *matched) bool { return r.outer != nil }}), []string{"pass-on/observed"}},
	{"the prefix of a group of the framework forgotten", always(mutation{frameless: true}), []string{"in/groups"}},
	{"the middleware of a group forgotten by In", always(mutation{rootless: true}), []string{"in/behind-middleware"}},
	{"routes of a group of the framework without its options", grouping("Scope", func(_, made *scope) { made.options = nil }), []string{"scopes/groups"}},
	{"routes of a group of the framework without AfterCheck", grouping("Scope", func(_, made *scope) { made.after = nil }), []string{"scopes/groups"}},
	{"a context that does not end", always(mutation{context: func(r *matched) context.Context {
		if !r.of.app.InContext {
			return r.Context()
		}
		var endless source.Request
		endless.SetHTTP(r.WithContext(context.WithoutCancel(r.Context())), nil, nil)
		return adapter.NewContext(r.result, endless)
	}}), []string{"groups/context-ends"}},
	{"a context without the parameters of the request", always(mutation{context: func(r *matched) context.Context {
		if !r.of.app.InContext {
			return r.Context()
		}
		var bare source.Request
		bare.SetHTTP(r.Request, nil, nil)
		return adapter.NewContext(r.result, bare)
	}}), []string{"groups/context"}},
	{"a namespace without a name taken", always(mutation{lax: true}), []string{"groups/unnamed"}},
	{"Observe told before the handler of a version has run", always(mutation{ahead: true}), []string{"observe/handlers"}},
	{"a route of others that is added later not checked", always(mutation{exempt: func(r *matched) bool { return r.route.Foreign && r.route.Pattern == "/late" }}), []string{"middleware/added-later"}},
	{"an escaped path not found", always(mutation{early: func(r *matched, next func()) {
		if r.URL.RawPath == "" {
			next()
		}
	}}), []string{"middleware/escaped"}},
	{"an unmatched request with its query", unmatching(func(r *matched) (string, bool) { return r.RequestURI, true }), []string{"not-found/prefix"}},
}

// rewriting returns a mutation of rewriting.
func rewriting(m rewritingMutation) func(*testing.T) mutation { return always(mutation{rewriting: m}) }

// twice writes each piece twice.
type twice struct{ http.ResponseWriter }

func (w *twice) Write(piece []byte) (int, error) {
	_, _ = w.ResponseWriter.Write(piece)
	return w.ResponseWriter.Write(piece)
}

// unflushed does nothing on Flush.
type unflushed struct{ http.ResponseWriter }

func (unflushed) Flush() {}
