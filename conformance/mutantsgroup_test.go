package conformance_test

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"testing"

	"github.com/goverso/verso/conformance"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/source"
)

// groupMutants break the groups of the reference adapter, and its Mount.
var groupMutants = []mutant{
	{
		"Group drops its middleware", grouping("Group", func(outer, made *scope) { made.before = outer.before }),
		[]string{"groups/middleware", "groups/each", "groups/each-within", "mount/middleware"},
	},
	{
		"Group drops the middleware of the outer group",
		grouping("Group", func(outer, made *scope) { made.before = made.before[len(outer.before):] }),
		[]string{"groups/middleware", "groups/each", "mount/each"},
	},
	{"Group appends to the memory of the outer group", grouping("Group", func(outer, made *scope) { made.before = append(outer.before, made.before[len(outer.before):]...) }), []string{"groups/siblings"}},
	{"Group drops the prefix of the outer group", grouping("Group", func(outer, made *scope) { made.prefix = made.prefix[len(outer.prefix):] }), []string{"groups/middleware", "groups/each", "groups/each-within"}},
	{"EachVersion drops its middleware", grouping("EachVersion", func(outer, made *scope) { made.before = outer.before }), []string{"groups/each", "mount/each"}},
	{
		"EachVersion drops the middleware of its group", grouping("EachVersion", func(outer, made *scope) { made.before = made.before[len(outer.before):] }),
		[]string{"groups/each-within", "groups/each-outside", "groups/each-again"},
	},
	{"EachVersion does nothing", grouping("EachVersion", func(_, made *scope) { made.each = false }), []string{"groups/each", "groups/each-without-default", "groups/mistakes/each-outside"}},
	{"AfterCheck replaces that of the outer group", grouping("AfterCheck", func(outer, made *scope) { made.after = made.after[len(outer.after):] }), []string{"groups/middleware"}},
	{"AfterCheck in reverse", grouping("AfterCheck", func(_, made *scope) { slices.Reverse(made.after) }), []string{"groups/middleware"}},
	{
		"AfterCheck in front of the check", grouping("AfterCheck", func(_, made *scope) { made.before, made.after = slices.Concat(made.before, made.after), nil }),
		[]string{"groups/middleware", "groups/each", "groups/each-without-default", "mount/middleware"},
	},
	{"the check in front of the middleware of groups", grouping("Group", func(_, made *scope) {
		made.before, made.after = nil, slices.Concat(made.after, made.before)
	}), []string{"groups/middleware", "groups/each"}},
	{"With replaces the options of the outer group", grouping("With", func(outer, made *scope) { made.options = made.options[len(outer.options):] }), []string{"groups/options", "mount/options"}},
	{"With does nothing", grouping("With", func(outer, made *scope) { made.options = outer.options }), []string{"groups/options", "groups/mistakes/contradicting", "mount/options"}},
	{"Namespace replaces that of the outer group", grouping("Namespace", func(outer, made *scope) {
		if outer.namespace != "" {
			made.namespace = made.namespace[len(outer.namespace)+1:]
		}
	}), []string{"groups/names"}},
	{"EachVersion without namespaces", grouping("Namespace", func(_, made *scope) {
		if made.each {
			made.namespace = ""
		}
	}), []string{"groups/each"}},
	{"Namespace does nothing", grouping("Namespace", func(outer, made *scope) { made.namespace = outer.namespace }), []string{"groups/namespaces", "groups/names"}},
	{"the middleware of routes dropped", always(mutation{early: func(r *matched, next func()) {
		if r.route.in != nil {
			r.route.Middleware = r.route.in.before
		}
		next()
	}}), []string{"groups/middleware", "groups/each"}},
	{"the middleware of versions dropped", always(mutation{versions: func(r *recorder) { r.middleware = nil }}), []string{"mount/middleware", "mount/ended", "mount/each"}},
	{"the middleware of routes of versions dropped", always(mutation{versions: func(r *recorder) {
		r.routes = slices.Clone(r.routes)
		for i := range r.routes {
			r.routes[i].Middleware = nil
		}
	}}), []string{"mount/middleware", "mount/ended", "mount/each"}},
	{"a route of a version for any method registered for GET alone", always(mutation{versions: func(r *recorder) {
		r.routes = slices.Clone(r.routes)
		for i := range r.routes {
			r.routes[i].Method = cmp.Or(r.routes[i].Method, http.MethodGet)
		}
	}}), []string{"mount/any-method"}},
	{"a context without the result", always(mutation{context: func(r *matched) context.Context { return r.Context() }}), []string{"groups/context"}},
	{"a result with another request", always(mutation{context: func(r *matched) context.Context {
		var other source.Request
		other.SetHTTP(&http.Request{Method: http.MethodGet, Host: "127.0.0.1"}, nil, nil)
		return adapter.NewContext(r.result, other)
	}}), []string{"groups/context"}},
	{"a result in every context", always(mutation{context: func(r *matched) context.Context { return adapter.NewContext(r.result, r.request) }}), []string{"groups/no-context"}},
	{"With tracks nothing", always(mutation{untracked: true}), []string{"groups/overlooked/unused-options", "groups/overlooked/unused-middleware", "groups/overlooked/unused-group"}},
	{"With drops what tracks it", grouping("With", func(_, made *scope) { made.options = made.options[:len(made.options)-1] }), []string{"groups/overlooked/used"}},
	{"path parameters not renamed", always(mutation{rename: true}), []string{"mount/parameters"}},
	{"mistakes in Mount passed over", always(mutation{lax: true}), []string{"mount/mistakes/no-route", "mount/mistakes/unknown-version", "mount/twice", "mount/nil-handler", "groups/mistakes/each-parameter", "groups/mistakes/each-without-prefix"}},
	{"Link and Explain missing", always(mutation{server: func(_ *reference, s *conformance.Server) { s.Link, s.Explain = nil, nil }}), []string{"groups/names", "groups/each", "surface/link", "surface/explain"}},
	{"middleware that stops a request passed over", always(mutation{unstopped: true}), []string{"groups/middleware", "groups/each", "groups/each-within", "mount/middleware", "mount/each"}},
}

// grouping returns a mutation of what a method of groups makes.
func grouping(method string, change func(outer, made *scope)) func(*testing.T) mutation {
	return always(mutation{group: func(of string, outer, made *scope) {
		if of == method {
			change(outer, made)
		}
	}})
}
