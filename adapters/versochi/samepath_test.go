package versochi_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versochi"
	verso "github.com/goverso/verso/core"
)

type register = func(r chi.Router)

// in registers in a subrouter.
func in(prefix string, below register) register { return func(r chi.Router) { r.Route(prefix, below) } }

// TestLateOverRoute: what a router that serves gets at the path of a route has a check, in whatever subrouters the two
// are, and whether the route was called before.
func TestLateOverRoute(t *testing.T) {
	routeAt := func(path, text string) register { return func(r chi.Router) { r.HandleFunc(path, say(text)) } }
	mountAt := func(path, text string) register { return func(r chi.Router) { r.Mount(path, say(text)) } }
	for name, c := range map[string]struct {
		first, late register
		is          []string // the paths of the late one
	}{
		"a mount over a route at /":     {in("/", routeAt("/a/b", "first")), mountAt("/a/b", "late"), []string{"/p/a/b", "/p/a/b/", "/p/a/b/c"}},
		"a route over a route at /":     {in("/", routeAt("/a/b", "first")), routeAt("/a/b", "late"), []string{"/p/a/b"}},
		"a route over one in a router":  {in("/a", routeAt("/b", "first")), routeAt("/a/b", "late"), []string{"/p/a/b"}},
		"a router over a route":         {in("/a", routeAt("/b/c", "first")), in("/a/b", routeAt("/c", "late")), []string{"/p/a/b/c"}},
		"a router over one of a router": {in("/a", in("/b", routeAt("/c", "first"))), in("/a/b", routeAt("/c", "late")), []string{"/p/a/b/c"}},
		"a router over one at /":        {in("/", in("/a", routeAt("/b", "first"))), in("/a", routeAt("/b", "late")), []string{"/p/a/b"}},
	} {
		for _, before := range []string{"/p/x", "/p/a/b", "/p/a/b/c"} {
			t.Run(name+" after "+before, func(t *testing.T) {
				root, inner := chi.NewRouter(), chi.NewRouter()
				c.first(inner)
				versochi.New(root, byHeader()).Mount("/p", inner)
				ask(root, http.MethodGet, before, "v2")
				c.late(inner)
				for _, path := range c.is {
					assert.Equal(t, "400", ask(root, http.MethodGet, path, "v9")[:3], path)
					w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, path, nil)
					r.Header.Set("Api-Version", "v2")
					root.ServeHTTP(w, r)
					assert.Equal(t, "late", w.Body.String(), path)
					assert.Equal(t, []string{"Api-Version"}, w.Header()["Vary"], path)
				}
			})
		}
	}
}

// TestShadowedRoute: Explain tells that a route of other code, in another router, has the requests of a route of v.
func TestShadowedRoute(t *testing.T) {
	getAt := func(path string) register { return func(r chi.Router) { r.Get(path, say("")) } }
	mountAt := func(path string) register { return func(r chi.Router) { r.Mount(path, say("")) } }
	for name, c := range map[string]struct {
		own, foreign register
		isShadowed   bool
	}{
		"by a route":                     {in("/", getAt("/a/b")), getAt("/a/b"), true},
		"by a route of a longer pattern": {in("/a", getAt("/b")), getAt("/a/b"), true},
		"by a mount":                     {in("/", getAt("/a")), mountAt("/a"), true},
		"by a mount with a slash":        {in("/", getAt("/a/")), mountAt("/a"), true},
		"by no route without its slash":  {in("/a/", getAt("/")), getAt("/a"), false},
		"by a route with its slash":      {in("/a/", getAt("/")), getAt("/a/"), true},
		"by no route of a subrouter":     {getAt("/a/b"), in("/a", getAt("/b")), false},
		"by no route beside a parameter": {in("/{id}", getAt("/b")), getAt("/a/b"), false},
	} {
		t.Run(name, func(t *testing.T) {
			r := chi.NewRouter()
			v := versochi.New(r, byHeader())
			r.Use(v.Middleware())
			c.own(v.Router())
			c.foreign(r)
			isTold := slices.ContainsFunc(v.Explain().Findings, func(f verso.Finding) bool { return f.Code == "route_unmounted" })
			assert.Equal(t, c.isShadowed, isTold)
		})
	}
}

// TestMountBesideRoute: a mount with a slash at its end leaves the path without it to a route of a subrouter.
func TestMountBesideRoute(t *testing.T) {
	root, inner := chi.NewRouter(), chi.NewRouter()
	inner.Mount("/a/", say("mount"))
	inner.Route("/", func(r chi.Router) { r.Get("/a", say("route")) })
	versochi.New(root, byHeader()).Mount("/p", inner)
	for path, want := range map[string]string{"/p/a": "route", "/p/a/": "mount", "/p/a/b": "mount"} {
		for version, want := range map[string]string{"v2": want, "v9": "invalid_header_version"} {
			assert.Contains(t, ask(root, http.MethodGet, path, version), want, path)
		}
	}
}

// TestRouterOverMount: a mounted handler that a router with a slash at its end has left the path alone has a check there,
// whenever the router that serves it was mounted.
func TestRouterOverMount(t *testing.T) {
	steps := []register{
		func(r chi.Router) { r.Get("/{id:[a-z]}/a", say("expression")) },
		func(r chi.Router) { r.Mount("/{sub}/b", say("mounted")) },
		in("/{sub}/b/", func(r chi.Router) { r.Get("/c", say("route")) }),
	}
	for before := range len(steps) + 1 {
		root, inner := chi.NewRouter(), chi.NewRouter()
		for _, step := range steps[:before] {
			step(inner)
		}
		versochi.New(root, byHeader()).Mount("/p", inner)
		ask(root, http.MethodGet, "/p/x", "v2")
		for _, step := range steps[before:] {
			step(inner)
		}
		for path, want := range map[string]string{"/p/a/b": "200 mounted", "/p/a/b/": "200 mounted", "/p/a/b/c": "200 route"} {
			assert.Equal(t, want, ask(root, http.MethodGet, path, "v2"), "%s, of %d", path, before)
			assert.Contains(t, ask(root, http.MethodGet, path, "v9"), "400 ", "%s, of %d", path, before)
		}
	}
}

// TestMountBeforeRoute: Middleware around the router checks a mount that has the path of a route in another subrouter.
func TestMountBeforeRoute(t *testing.T) {
	r := chi.NewRouter()
	v := versochi.New(r, verso.MustNew(verso.PathPrefix("/{version}"), twoVersions))
	r.Route("/v1", func(r chi.Router) {
		r.Mount("/a", http.HandlerFunc(answerVersion))
		r.Route("/", func(r chi.Router) { r.Get("/a/", http.NotFound) })
	})
	handler := v.Middleware()(r)
	for _, path := range []string{"/v1/a", "/v1/a/", "/v1/a/b"} {
		_, body := get(handler, path)
		assert.Equal(t, "v1", body, path)
	}
}
