package versochi_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versochi"
	verso "github.com/goverso/verso/core"
)

// TestMountLate: what a router gets before the first request has a check.
func TestMountLate(t *testing.T) {
	r, sub := chi.NewRouter(), chi.NewRouter()
	sub.Get("/x", say("x"))
	versochi.New(r, byHeader()).Since("v2").AfterCheck(only("admin")).Mount("/api", sub)
	sub.Get("/late", say("late"))
	assert.Equal(t, "403 ", ask(r, "GET", "/api/late", "v2"))
	assert.Contains(t, ask(r, "GET", "/api/late", "v1"), "404 ")
}

// TestMountLateInUse: what a router gets after a request has a check in front of the router's middleware.
func TestMountLateInUse(t *testing.T) {
	for name, explain := range map[string]func(v *versochi.Routes){
		"told":   func(v *versochi.Routes) { v.Explain() },
		"untold": func(*versochi.Routes) {},
	} {
		t.Run(name, func(t *testing.T) {
			r, sub, deep, later := chi.NewRouter(), chi.NewRouter(), chi.NewRouter(), chi.NewRouter()
			sub.Use(middleware.StripSlashes, only("user"))
			sub.Get("/x", say("x"))
			sub.Mount("/deep", deep)
			deep.Get("/", say("deep"))
			later.Get("/x", say("later"))
			v := versochi.New(r, byPath())
			each := v.EachVersion().PerRoute(func(v *versochi.Routes, _, pattern string) *versochi.Routes {
				if pattern == "/api/sub/new" {
					return v.Since("v2").Group("", only("admin"))
				}
				return v.AfterCheck(func(next http.Handler) http.Handler {
					return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
						w.Header().Set("Seen", versochi.Version(r).String()+" ")
						next.ServeHTTP(w, r)
					})
				})
			})
			each.Mount("/api/sub", sub)
			explain(v)
			request := func(method, path, role string) string {
				w, request := httptest.NewRecorder(), httptest.NewRequest(method, "/api"+path, nil)
				request.Header.Set("Role", role)
				r.ServeHTTP(w, request)
				return fmt.Sprint(w.Code, " ", w.Header().Get("Seen"), strings.TrimSpace(w.Body.String()))
			}
			assert.Equal(t, "200 v1 x", request("GET", "/v1/sub/x", "user"))
			assert.Equal(t, "404 404 page not found", request("GET", "/v1/sub/late", "user"))
			sub.Get("/late", say("late"))
			sub.Get("/new", say("new"))
			deep.Get("/late/{id}", func(w http.ResponseWriter, r *http.Request) { _, _ = fmt.Fprint(w, chi.URLParam(r, "id")) })
			sub.Mount("/later", later)
			sub.Mount("/files", say("files"))
			explain(v)
			for _, path := range []string{"/late", "/late/", "/deep/late/7", "/later/x", "/files", "/files/y"} {
				want := map[string]string{"/late": "late", "/late/": "late", "/deep/late/7": "7", "/later/x": "later"}[path]
				if want == "" {
					want = "files"
				}
				for range 2 {
					assert.Equal(t, "200 v2 "+want, request("GET", "/v2/sub"+path, "user"), path)
					assert.Equal(t, "403 v2 ", request("GET", "/v2/sub"+path, ""), path)
				}
			}
			assert.Equal(t, "404 404 page not found", request("GET", "/v1/sub/new", "user"))
			assert.Equal(t, "403 ", request("GET", "/v2/sub/new", "user"))
			assert.Equal(t, "403 ", request("GET", "/v2/sub/new", "admin"), "of the router's own guard")
			assert.Equal(t, "404 404 page not found", request("GET", "/v2/sub/later/none", "user"))
			assert.Equal(t, "405 ", request("POST", "/v2/sub/late", "user"))
			sub.Get("/x", say("another"))
			assert.Equal(t, "200 v1 another", request("GET", "/v1/sub/x", "user"))
			assert.Equal(t, "403 v1 ", request("GET", "/v1/sub/x", ""))
			assert.Contains(t, request("GET", "/v9/sub/x", "user"), "404 ")
		})
	}
}

// TestMountLateByHeader: an unserved version reaches nothing of what came after the first request.
func TestMountLateByHeader(t *testing.T) {
	r, sub := chi.NewRouter(), chi.NewRouter()
	sub.Get("/x", say("x"))
	v := versochi.New(r, byHeader())
	v.Mount("/api", sub)
	assert.Equal(t, "200 x", ask(r, "GET", "/api/x", "v1"))
	v.In("/api", sub).Get("/own", say("own"))
	sub.Get("/late", say("late"))
	sub.Get("/x/", say("with a slash"))
	sub.With(none).Get("/{id}/late", say("of an id"))
	var started sync.WaitGroup
	for range 8 {
		started.Go(func() {
			for path, want := range map[string]string{"late": "late", "7/late": "of an id", "own": "own", "x/": "with a slash", "x": "x"} {
				assert.Equal(t, "200 "+want, ask(r, "GET", "/api/"+path, "v1"))
				assert.Contains(t, ask(r, "GET", "/api/"+path, "v9"), "400 ")
			}
		})
	}
	started.Wait()
	assert.Empty(t, v.Explain().Findings)
}

// TestMountLateMistake: a route that came late, and cannot have a check, is served to nobody, and all others are.
func TestMountLateMistake(t *testing.T) {
	r, sub := chi.NewRouter(), chi.NewRouter()
	v := versochi.New(r, byHeader())
	sub.Get("/a/{id}", say("first"))
	v.Name("x").Mount("/p", sub)
	v.Post("/p/own", say("own"))
	assert.Equal(t, "200 first", ask(r, "GET", "/p/a/7", "v1"))
	sub.HandleFunc("/own", say("late"))
	sub.Get("/b/{id}", say("late"))
	assert.PanicsWithError(t, `versochi: route GET /p/b/{id}: verso: Routes: no reverse match: the name "x" means both "/p/a/{id}" and "/p/b/{id}": rename one of them`,
		func() { ask(r, "GET", "/p/b/7", "v1") })
	assert.Panics(t, func() { v.Explain() })
	assert.Equal(t, "200 own", ask(r, "POST", "/p/own", "v1"))
	assert.Equal(t, "200 first", ask(r, "GET", "/p/a/7", "v1"))
}

// TestLatePreflights: a route that came after the first request is not known to be for OPTIONS alone.
func TestLatePreflights(t *testing.T) {
	for path, add := range map[string]func(r, sub *chi.Mux){
		"/rooms":  func(r, _ *chi.Mux) { r.Handle("/rooms", say("late")) }, // behind Middleware
		"/files/": func(r, _ *chi.Mux) { r.Options("/files", say("preflights")); r.Mount("/files", say("late")) },
		"/sub/late/7/in/": func(_, sub *chi.Mux) { // in a mounted router
			inner := chi.NewRouter()
			inner.Mount("/{id}/in", http.StripPrefix("", say("late")))
			sub.Mount("/late", inner)
		},
	} {
		t.Run(path, func(t *testing.T) {
			r, sub := chi.NewRouter(), chi.NewRouter()
			v := versochi.New(r, byHeader())
			if !strings.HasPrefix(path, "/sub") {
				r.Use(v.Middleware())
			}
			r.Post("/rooms", say("early"))
			sub.Get("/early", say("early"))
			v.Mount("/sub", sub)
			assert.Equal(t, "200 early", ask(r, http.MethodGet, "/sub/early", "v1"))
			add(r, sub)
			for version, want := range map[string]int{"v1": http.StatusOK, "v9": http.StatusBadRequest} {
				assert.Equal(t, want, preflight(r, http.MethodGet, path, version).Code, version)
			}
		})
	}
}

// TestLateOptions: a handler for OPTIONS alone that came after the first request gets each preflight, too, at the path of
// another method.
func TestLateOptions(t *testing.T) {
	r := chi.NewRouter()
	r.Use(versochi.New(r, byHeader()).Middleware())
	r.Post("/rooms", say("early"))
	assert.Equal(t, "200 early", ask(r, http.MethodPost, "/rooms", "v1"))
	r.Options("/rooms", say("preflights"))
	assert.Equal(t, "preflights", preflight(r, http.MethodPost, "/rooms", "v9").Body.String())
}

// TestLateOptionsOfMount: a late handler for OPTIONS takes the preflights from a handler that is mounted there.
func TestLateOptionsOfMount(t *testing.T) {
	r, sub := chi.NewRouter(), chi.NewRouter()
	sub.Mount("/a", say("mounted"))
	versochi.New(r, byHeader()).Mount("/p", sub)
	assert.Equal(t, "200 mounted", ask(r, http.MethodOptions, "/p/a/", "v1"))
	sub.Options("/a/", say("preflights"))
	for version, want := range map[string]int{"v1": http.StatusOK, "v9": http.StatusBadRequest} {
		got := preflight(r, http.MethodGet, "/p/a/", version)
		assert.Equal(t, "preflights", got.Body.String())
		assert.Empty(t, got.Header().Get("Vary"))
		for _, path := range []string{"/p/a", "/p/a/b"} {
			assert.Equal(t, want, preflight(r, http.MethodGet, path, version).Code, path)
		}
	}
}

// TestReplacedOptions: a handler that takes the place of another one has its check, so that both or none are for OPTIONS
// alone.
func TestReplacedOptions(t *testing.T) {
	preflights := func(r *chi.Mux) { r.Options("/x", say("preflights")) }
	all := func(r *chi.Mux) { r.HandleFunc("/x", say("all")) }
	for name, registers := range map[string][2]func(r *chi.Mux){"by all": {preflights, all}, "of all": {all, preflights}} {
		for _, isServing := range []bool{false, true} {
			t.Run(fmt.Sprint(name, " ", isServing), func(t *testing.T) {
				r, sub := chi.NewRouter(), chi.NewRouter()
				sub.Get("/y", say("y"))
				registers[0](sub)
				versochi.New(r, byHeader()).Mount("/p", sub)
				if isServing {
					assert.Equal(t, "200 y", ask(r, http.MethodGet, "/p/y", "v1"))
				}
				registers[1](sub)
				assert.PanicsWithError(t, notAlike, func() { ask(r, http.MethodOptions, "/p/x", "v1") })
			})
		}
	}
}

const notAlike = "versochi: Mount /p: the handler for OPTIONS at /x was for OPTIONS alone and is for more methods, " +
	"or the other way round: register the methods of the path before the mount"

// TestKeptOptions: where the handler for OPTIONS is as it was, a preflight of an unknown version does not run one for
// more methods, whatever takes those methods.
func TestKeptOptions(t *testing.T) {
	h := say("h")
	for name, test := range map[string]struct {
		before, after func(r *chi.Mux)
		refused       bool
	}{
		"loses a method": {func(r *chi.Mux) { r.Get("/x", h); r.Options("/x", h) },
			func(r *chi.Mux) { r.Get("/x", say("another")) }, false},
		"gets a method": {func(r *chi.Mux) { r.Options("/x", h) }, func(r *chi.Mux) { r.Get("/x", h) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			r, sub := chi.NewRouter(), chi.NewRouter()
			test.before(sub)
			versochi.New(r, byHeader()).Mount("/p", sub)
			test.after(sub)
			if test.refused {
				assert.PanicsWithError(t, notAlike, func() { ask(r, http.MethodOptions, "/p/x", "v1") })
				return
			}
			assert.Equal(t, "200 another", ask(r, http.MethodGet, "/p/x", "v1"))
			for version, want := range map[string]int{"v1": http.StatusOK, "v9": http.StatusBadRequest} {
				assert.Equal(t, want, preflight(r, http.MethodGet, "/p/x", version).Code, version)
			}
		})
	}
}

// TestOptionsNoLongerAlone: a handler for OPTIONS alone that gets another method while its router serves runs for no
// preflight of an unknown version.
func TestOptionsNoLongerAlone(t *testing.T) {
	h := say("h")
	for name, isLate := range map[string]bool{"before": false, "late": true} {
		t.Run(name, func(t *testing.T) {
			r, sub := chi.NewRouter(), chi.NewRouter()
			sub.Get("/y", say("y"))
			v := versochi.New(r, byHeader())
			if !isLate {
				sub.Options("/x", h)
			}
			v.Mount("/p", sub)
			assert.Equal(t, "200 y", ask(r, http.MethodGet, "/p/y", "v1"))
			if isLate {
				sub.Options("/x", h)
			}
			sub.Post("/x", say("another"))
			for range 2 {
				assert.Equal(t, "h", preflight(r, http.MethodGet, "/p/x", "v9").Body.String())
			}
			sub.Get("/x", h)
			for range 2 {
				assert.PanicsWithError(t, notAlike, func() { preflight(r, http.MethodGet, "/p/x", "v9") })
			}
			assert.Equal(t, "200 h", ask(r, http.MethodGet, "/p/x", "v1"))
		})
	}
}

// TestOptionsOfRootNoLongerAlone: the root of a subrouter has its path with a slash, too.
func TestOptionsOfRootNoLongerAlone(t *testing.T) {
	h := say("h")
	for _, mounted := range []string{"/x", "/x/"} {
		r, sub, inner := chi.NewRouter(), chi.NewRouter(), chi.NewRouter()
		inner.Options("/", h)
		sub.Mount(mounted, inner)
		versochi.New(r, byHeader()).Mount("/p", sub)
		assert.Equal(t, "h", preflight(r, http.MethodGet, "/p/x/", "v9").Body.String(), mounted)
		inner.Get("/", h)
		assert.Panics(t, func() { preflight(r, http.MethodGet, "/p/x/", "v9") }, mounted)
		assert.Equal(t, "200 h", ask(r, http.MethodGet, "/p/x/", "v1"), mounted)
	}
}

// TestMountedTwiceOptions: a handler that has lost a method between two mounts is for OPTIONS alone in neither.
func TestMountedTwiceOptions(t *testing.T) {
	h := say("h")
	r, sub := chi.NewRouter(), chi.NewRouter()
	sub.Get("/x", h)
	sub.Options("/x", h)
	v := versochi.New(r, byHeader())
	v.Mount("/a", sub)
	sub.Get("/x", say("another"))
	v.Mount("/b", sub)
	for _, path := range []string{"/a/x", "/b/x"} {
		for version, want := range map[string]int{"v1": http.StatusOK, "v9": http.StatusBadRequest} {
			assert.Equal(t, want, preflight(r, http.MethodGet, path, version).Code, path+" "+version)
		}
	}
}

// TestSharedOptionsBehindMiddleware: a handler that chi has for OPTIONS and for another method of the path is not for
// preflights alone.
func TestSharedOptionsBehindMiddleware(t *testing.T) {
	h := say("h")
	r := chi.NewRouter()
	r.Use(versochi.New(r, byHeader()).Middleware())
	r.Get("/x", h)
	r.With(none).Options("/x", h)
	r.Options("/alone", h)
	for path, want := range map[string]int{"/x": http.StatusBadRequest, "/alone": http.StatusOK} {
		assert.Equal(t, want, preflight(r, http.MethodGet, path, "v9").Code, path)
	}
}

// TestMountLateAtRoot: a late route at the root of a subrouter that has been served is checked.
func TestMountLateAtRoot(t *testing.T) {
	r, sub := chi.NewRouter(), chi.NewRouter()
	versochi.New(r, byHeader()).Mount("/p", sub)
	sub.Route("/", func(chi.Router) {})
	assert.Contains(t, ask(r, http.MethodGet, "/p/early", "v1"), "404 ")
	sub.HandleFunc("/", say("late"))
	for _, path := range []string{"/p", "/p/"} {
		assert.Equal(t, "200 late", ask(r, http.MethodGet, path, "v1"), path)
		assert.Contains(t, ask(r, http.MethodGet, path, "v9"), "400 ", path)
	}
}

// TestOptionsBesideMount: a handler for OPTIONS alone in the place of a mount is for it alone.
func TestOptionsBesideMount(t *testing.T) {
	r, sub := chi.NewRouter(), chi.NewRouter()
	sub.Route("/", func(r chi.Router) {
		r.Mount("/", chi.NewRouter())
		r.Options("/*", say("preflights"))
	})
	versochi.New(r, byHeader()).Mount("/p", sub)
	for range 2 {
		assert.Equal(t, "preflights", preflight(r, http.MethodGet, "/p/x", "v9").Body.String())
	}
}

// TestOptionsReplacedByRouter: where a subrouter has taken the place of a handler for OPTIONS alone, it answers.
func TestOptionsReplacedByRouter(t *testing.T) {
	r, sub := chi.NewRouter(), chi.NewRouter()
	sub.Options("/b", say("preflights"))
	versochi.New(r, byHeader()).Mount("/p", sub)
	assert.Equal(t, "preflights", preflight(r, http.MethodGet, "/p/b", "v9").Body.String())
	sub.Route("/b", func(chi.Router) {})
	assert.Equal(t, http.StatusNotFound, preflight(r, http.MethodGet, "/p/b", "v9").Code)
}

// TestMountLateBeside: a mount that came late leaves the routes of its path as they are.
func TestMountLateBeside(t *testing.T) {
	r, sub, inner := chi.NewRouter(), chi.NewRouter(), chi.NewRouter()
	sub.Delete("/b", say("deleted"))
	versochi.New(r, byHeader()).Mount("/p", sub)
	assert.Equal(t, "200 deleted", ask(r, http.MethodDelete, "/p/b", "v1"))
	inner.Mount("/b", say("mounted"))
	sub.Mount("/", inner)
	for method, want := range map[string]string{http.MethodDelete: "200 deleted", http.MethodGet: "200 mounted"} {
		assert.Equal(t, want, ask(r, method, "/p/b", "v1"), method)
		assert.Contains(t, ask(r, method, "/p/b", "v9"), "400 ", method)
	}
}

// TestRouterInPlaceOfRouter: beside a parameter, chi mounts a router in the place of another one, also while it serves.
func TestRouterInPlaceOfRouter(t *testing.T) {
	r, sub := chi.NewRouter(), chi.NewRouter()
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	sub.Route("/{x}", func(chi.Router) {})
	versochi.New(r, api).Mount("/p", sub)
	status := func(target, version string) int {
		w, sent := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, target, nil)
		sent.Header.Set("Api-Version", version)
		r.ServeHTTP(w, sent)
		return w.Code
	}
	assert.Equal(t, http.StatusNotFound, status("/p/a/b", "v1"))
	sub.Options("/{id:[0-9]+}", func(http.ResponseWriter, *http.Request) {})
	sub.Route("/{x}", func(r chi.Router) { r.Get("/b", func(http.ResponseWriter, *http.Request) {}) })
	for version, want := range map[string]int{"v1": 200, "v9": 400} {
		assert.Equal(t, want, status("/p/a/b", version), version)
	}
}
