package versochi_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versochi"
)

// TestRegisterMethodLater registers a method with chi when another router has answered 405 already.
func TestRegisterMethodLater(t *testing.T) {
	build := func(method string) http.Handler {
		r := chi.NewRouter()
		v := versochi.New(r, byHeader())
		r.NotFound(v.NotFound(nil))
		r.MethodNotAllowed(v.NotFound(nil))
		v.Method(method, "/dav", say("dav"))
		return r
	}
	allow := func(handler http.Handler, method string) []string {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest(method, "/dav", nil))
		assert.Equal(t, http.StatusMethodNotAllowed, w.Code)
		return w.Header()["Allow"]
	}
	before := build("PUT")
	assert.Equal(t, []string{"PUT"}, allow(before, "GET"))
	assert.Empty(t, allow(before, "VERSOTEST"), "as in chi, which does not know the method")
	chi.RegisterMethod("VERSOTEST")
	assert.Equal(t, []string{"PUT"}, allow(before, "VERSOTEST"))
	assert.Equal(t, []string{"VERSOTEST"}, allow(build("VERSOTEST"), "GET"))
}

// TestAllowIsSorted: each method once, whatever the order of routes.
func TestAllowIsSorted(t *testing.T) {
	r := chi.NewRouter()
	v := versochi.New(r, byHeader())
	r.MethodNotAllowed(v.NotFound(nil))
	for _, method := range []string{"PUT", "DELETE", "POST", "GET", "PATCH"} {
		v.Method(method, "/x", say("x"))
	}
	w := httptest.NewRecorder()
	r.ServeHTTP(w, httptest.NewRequest(http.MethodHead, "/x", nil))
	assert.Equal(t, http.StatusMethodNotAllowed, w.Code)
	assert.Equal(t, []string{"DELETE, GET, PATCH, POST, PUT"}, w.Header()["Allow"])
}

// TestLateInPlaceOfMount registers a route in the place of a mount after a request: Middleware is in front of it, too.
func TestLateInPlaceOfMount(t *testing.T) {
	for name, late := range map[string]func(r chi.Router){
		"its path":                   func(r chi.Router) { r.Get("/x", say("late")) },
		"its path with a slash":      func(r chi.Router) { r.Get("/x/", say("late")) },
		"all below it":               func(r chi.Router) { r.Get("/x/*", say("late")) },
		"behind middleware":          func(r chi.Router) { r.With(none).Get("/x", say("late")) },
		"for any method":             func(r chi.Router) { r.Handle("/x", say("late")) },
		"in a subrouter":             func(r chi.Router) { within(r, "/x/*").Get("/in", say("late")) },
		"beside it":                  func(r chi.Router) { r.Get("/y", say("late")) },
		"a handler at its parameter": func(r chi.Router) { r.Mount("/p/{y}", say("late")) },
		"a router at its parameter": func(r chi.Router) {
			r.Route("/p/{y}", func(r chi.Router) { r.Get("/in", say("late")); r.Get("/", say("root")) })
		},
	} {
		for _, around := range []bool{false, true} {
			t.Run(fmt.Sprint(name, around), func(t *testing.T) {
				bare, r := chi.NewRouter(), chi.NewRouter()
				check, handler := versochi.New(r, byHeader()).Middleware(), http.Handler(r)
				if around {
					handler = check(r)
				} else {
					r.Use(check)
				}
				paths := []string{"/x", "/x/", "/x/7", "/x/7/8", "/x/in", "/x/in/", "/x/in/7", "/y", "/p/7/in", "/p/7/8", "/p/7/", "/p/7"}
				for _, r := range []chi.Router{bare, r} {
					r.With(none).Route("/x", func(r chi.Router) {
						r.Get("/{id}", say("id"))
						r.Route("/in", func(r chi.Router) { r.Get("/{id}", say("id")) })
					})
					r.Get("/p/{n:[0-9]+}/number", say("number")) // so that chi does not see that a mount is there
					r.Route("/p/{x}", func(r chi.Router) { r.Get("/{id}", say("id")) })
				}
				for _, path := range paths {
					ask(bare, "GET", path, "v1")
					ask(handler, "GET", path, "v1")
				}
				late(bare)
				late(r)
				for _, path := range paths {
					want := ask(bare, "GET", path, "")
					assert.Equal(t, want, ask(handler, "GET", path, "v1"), path)
					if strings.HasPrefix(want, "200 ") {
						want = "400 "
					}
					assert.Contains(t, ask(handler, "GET", path, "v9"), want, path)
				}
			})
		}
	}
}

// TestMountOverSubrouterOfAType mounts a handler where an expression keeps chi from seeing that a subrouter is there.
func TestMountOverSubrouterOfAType(t *testing.T) {
	for name, r := range map[string]chi.Router{"of chi": chi.NewRouter(), "in a type": typed{Mux: chi.NewRouter()}} {
		r.Route("/{y}/s", func(chi.Router) {})
		r.Patch("/{id:[0-9]+}", say("patched"))
		r.Mount("/{y}/s", say("mounted"))
		handler := versochi.New(r, byHeader()).Middleware()(r)
		for _, path := range []string{"/x/s", "/x%2Fy/s", "/x/s/", "/x/s/a"} {
			w, request := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, path, nil)
			request.Header.Set("Api-Version", "v9")
			handler.ServeHTTP(w, request)
			assert.Equal(t, http.StatusBadRequest, w.Code, "%s %s", name, path)
		}
	}
}

// within returns the router that is mounted at a pattern.
func within(r chi.Router, pattern string) *chi.Mux {
	at := slices.IndexFunc(r.Routes(), func(at chi.Route) bool { return at.Pattern == pattern })
	return r.Routes()[at].SubRoutes.(*chi.Mux)
}
