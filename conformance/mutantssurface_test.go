package conformance_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
)

// surfaceMutants break what the reference adapter offers besides.
var surfaceMutants = []mutant{
	{"AtLeast the wrong way round", calling(func(c *conformance.Call) {
		atLeast := c.AtLeast
		c.AtLeast = func(version string) bool { return !atLeast(version) }
	}), []string{"surface/at-least"}},
	{"AtLeast and ContentType missing", calling(func(c *conformance.Call) { c.AtLeast, c.ContentType = nil, nil }), []string{"surface/at-least", "surface/content-type"}},
	{"AtLeast by the text of versions", calling(func(c *conformance.Call) {
		c.AtLeast = func(version string) bool { return c.Version.String() >= version }
	}), []string{"surface/at-least"}},
	{"ContentType without a version", calling(func(c *conformance.Call) {
		c.ContentType = func(resource string) (string, error) { return "application/vnd.acme." + resource + "+json", nil }
	}), []string{"surface/content-type"}},
	{"SetTestVersion does nothing", always(mutation{unset: true}), []string{"surface/set-version/path", "surface/set-version/header"}},
	{"SetTestVersion for links to the request's own host", linking(func(built string, _ *matched) string { return built[len("http://v1.example.com"):] }), []string{"surface/set-version/host"}},
	{"links outside of a request without their version", serving(func(a *reference, s *conformance.Server) {
		s.Link = func(target verso.Target) (string, error) {
			target.Version = verso.Version{}
			return a.seam.Link(target)
		}
	}), []string{"surface/link", "groups/each"}},
	{"Explain is empty", serving(func(_ *reference, s *conformance.Server) {
		s.Explain = func() *verso.Explanation { return new(verso.Explanation) }
	}), []string{"surface/explain", "surface/added-later", "groups/each", "hosts/routes"}},
	{"Explain leaves out what others register", serving(func(a *reference, s *conformance.Server) {
		s.Explain = func() *verso.Explanation {
			explained := *a.seam.Explain()
			explained.Routes = slices.DeleteFunc(explained.Routes, func(r verso.RouteInfo) bool { return r.Unchecked })
			return &explained
		}
	}), []string{"surface/explain-foreign"}},
	{"a client that is asked in front of the check", always(mutation{early: func(r *matched, next func()) {
		r.of.app.Client(conformance.Step{Header: r.Header.Get, Param: func(string) string { return "" }})
		next()
	}}), []string{"surface/client"}},
	{"what middleware stores is not seen", always(mutation{step: func(s *conformance.Step) { s.Keep = func(string, string) {} }}), []string{"surface/stored-before", "surface/stored"}},
	{"a version kept through a rejection", always(mutation{stale: true}), []string{"mount/client-after"}},
	{"path parameters not named back", always(mutation{lost: true}), []string{"mount/client-after"}},
	{"middleware that Explain does not know of", always(mutation{unsaid: true}), []string{"middleware/explain"}},
	{"the client is not named", always(mutation{nameless: anything}), []string{"surface/client"}},
	{"the client of a rejection is not named", always(mutation{nameless: func(r *matched) bool { return r.Header.Get("X-Caller") == "early" }}), []string{"surface/client"}},
	{"routes that are added later are not checked", serving(func(a *reference, s *conformance.Server) {
		add := s.Add
		s.Add = func(r conformance.Route) {
			r.Foreign = true
			add(r)
		}
	}), []string{"surface/added-later"}},
	{
		"Vary in several lines", always(mutation{writer: func(w http.ResponseWriter) http.ResponseWriter {
			w.Header()["Vary"] = strings.Split(w.Header().Get("Vary"), ", ")
			return w
		}}),
		[]string{"groups/vary"},
	},
	{"errors of handlers dropped by NotFound", always(mutation{dropped: true}), []string{"not-found/header"}},
	{"a route for any method checked for GET alone", always(mutation{exempt: func(r *matched) bool { return r.route.Method == "" && r.Method != http.MethodGet }}), []string{"surface/any-method"}},
	{"only the first of several methods checked", always(mutation{exempt: func(r *matched) bool { return len(r.route.Methods) > 0 && r.Method != r.route.Methods[0] }}), []string{"surface/several-methods"}},
	{"OPTIONS among other methods registered as if alone", always(mutation{route: func(r route.Route) route.Route {
		r.SharesHandler = false
		return r
	}}), []string{"surface/several-preflight"}},
	{"a route registered twice", always(mutation{lax: true}), []string{"surface/twice"}},
	{"a route without a handler", always(mutation{lax: true}), []string{"surface/nil-handler"}},
	{"what a group of the framework cannot have taken", always(mutation{lax: true}), []string{"scopes/each", "scopes/rewriter"}},
	{"the hosts of routes ignored", always(mutation{anyHost: true}), []string{"hosts/routes"}},
	{"405 not checked for its version", unmatching(func(r *matched) (string, bool) { return r.URL.EscapedPath(), r.URL.Path != "/users" }), []string{"not-found/header"}},
	{"unmatched requests checked for GET alone", unmatching(func(r *matched) (string, bool) { return r.URL.EscapedPath(), r.Method == http.MethodGet }), []string{"not-found/header", "not-found/prefix"}},
	{"the path of an unmatched request decoded twice", unmatching(func(r *matched) (string, bool) { return r.URL.Path, true }), []string{"not-found/prefix"}},
	{"the path of an unmatched request not decoded", unmatching(func(r *matched) (string, bool) { return url.PathEscape(r.URL.EscapedPath()), true }), []string{"not-found/prefix"}},
	{"HEAD without a route not checked", unmatching(func(r *matched) (string, bool) { return r.URL.EscapedPath(), r.Method != http.MethodHead }), []string{"not-found/param", "not-found/header"}},
	{"only the first segment of an unmatched path read", unmatching(func(r *matched) (string, bool) {
		first, _, _ := strings.Cut(r.URL.EscapedPath()[1:], "/")
		return "/" + first, true
	}), []string{"not-found/tenant", "not-found/param"}},
	{"another method of a path without versions taken for an unknown path", unmatching(func(*matched) (string, bool) { return "/nowhere", true }), []string{
		"registered/unmatched/neutral-method", "registered/unmatched/neutral-method-gone", "registered/unmatched/outside-method", "not-found/header",
	}},
	{"the text of a path taken for a version where no route has it", unmatching(func(r *matched) (string, bool) { return r.URL.EscapedPath() + "/users", true }), []string{
		"registered/unmatched/neutral-text", "registered/unmatched/outside-text", "registered/unmatched/twin-method", "not-found/param",
	}},
	{"Allow of the framework's 405 for all versions", left(func(_ http.Header, list string) string { return list }), []string{
		"registered/unmatched/method", "registered/unmatched/method-none", "registered/unmatched/path-method",
	}},
	{"no Vary on the framework's 404 and 405", left(func(h http.Header, list string) string {
		h.Del("Vary")
		return list
	}), []string{"registered/unmatched/none", "registered/unmatched/served", "registered/unmatched/method"}},
	{"Allow of the framework's 405 on a rejection", fields(func(h http.Header, rejected bool) {
		if rejected {
			h.Set("Allow", http.MethodGet)
		}
	}), []string{"registered/unmatched/gone-method", "registered/unmatched/path-unlisted-method"}},
	{"middleware of some paths run where no route is", unmatching(func(r *matched) (string, bool) {
		for prefix, name := range map[string]string{"/api/v1/": "c", "/own": "a", "/admin/deep/": "x"} {
			if strings.HasPrefix(r.URL.Path, prefix) {
				r.w.Header().Add("X-Ran", name)
			}
		}
		return r.URL.EscapedPath(), r.of.app.NotFound
	}), []string{"unmatched/each", "unmatched/groups", "in/unmatched", "in/unmatched-versions", "mount/unmatched"}},
	{"a page of the framework without a route", unmatching(func(r *matched) (string, bool) {
		r.w.Header().Add("X-Ran", "page")
		return "/page", true
	}), []string{"unmatched/page"}},
	{"a handler's own 404 taken for an unmatched request", always(mutation{greedy: true}), []string{"not-found/header"}},
}

func calling(change func(*conformance.Call)) func(*testing.T) mutation {
	return always(mutation{called: change})
}

func serving(change func(*reference, *conformance.Server)) func(*testing.T) mutation {
	return always(mutation{server: change})
}

func left(change func(h http.Header, list string) string) func(*testing.T) mutation {
	return always(mutation{left: change})
}

func unmatching(change func(*matched) (string, bool)) func(*testing.T) mutation {
	return always(mutation{unmatched: change})
}
