package versochi_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versochi"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

// program is a service of chi: what it has in subrouters is chi's own with Verso, too.
func program(r chi.Router) {
	guard := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Api-Key") == "" {
				http.Error(w, "no key", http.StatusUnauthorized)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
	answer := func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprint(w, r.Method, " ", chi.RouteContext(r.Context()).RoutePattern(), " ", chi.URLParam(r, "id"), chi.URLParam(r, "*"))
	}
	say := func(status int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }
	}
	sub := chi.NewRouter()
	sub.Use(guard)
	sub.Get("/", answer)
	sub.With(middleware.NoCache).Delete("/{id}", answer)
	sub.Mount("/files", guard(http.HandlerFunc(answer)))
	sub.Mount("/deeper/", sub2(answer, say))
	sub.Post("/deeper", answer)
	sub.Get("/{path:.+}", answer)

	r.Route("/projects", func(r chi.Router) {
		r.Use(middleware.StripSlashes, guard)
		r.NotFound(say(http.StatusTeapot))
		r.Get("/", answer)
		r.With(middleware.GetHead).Group(func(r chi.Router) { r.Put("/{id}", answer) })
		r.Mount("/mounted", sub)
		r.Mount("/guarded", guard(sub2(answer, say)))
		r.Route("/{id:[0-9]+}", func(r chi.Router) { r.Handle("/", http.HandlerFunc(answer)); r.Patch("/x", answer) })
	})
	r.MethodNotAllowed(say(http.StatusPaymentRequired))
}

func sub2(answer http.HandlerFunc, say func(int) http.HandlerFunc) *chi.Mux {
	r := chi.NewRouter()
	r.Get("/", answer)
	r.Get("/{id}", answer)
	r.MethodNotAllowed(say(http.StatusConflict))
	return r
}

// TestTree compares a service of chi with the same service in versions, and with one whose v1 has ended.
func TestTree(t *testing.T) {
	plain, versioned, each := chi.NewRouter(), chi.NewRouter(), chi.NewRouter()
	program(plain)
	v := versochi.New(versioned, verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v1")}))
	program(v.Router())
	ended := versochi.New(each, verso.MustNew(verso.PathPrefix("/api/{version}"), verso.Config{
		Catalogue: catalogue.MustNew(catalogue.Config{
			Versions:    []catalogue.Entry{{Version: "v1", Sunset: catalogue.MustDate("2025-12-31")}, {Version: "v2"}},
			AfterSunset: catalogue.Gone,
		}),
	}))
	ended.EachVersion().Router().Route("/api", program)
	for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"} {
		for _, path := range []string{
			"", "/", "/nope", "/7", "/7/", "/7/x", "/mounted", "/mounted/", "/mounted/7", "/mounted/files", "/mounted/files/", "/mounted/files/a/b", "/mounted/deeper",
			"/mounted/deeper/", "/mounted/deeper/7", "/mounted/a/b", "/guarded", "/guarded/", "/guarded/7", "/guarded/7/8",
		} {
			for _, key := range []string{"", "k"} {
				ask := func(handler http.Handler, prefix, version string) string {
					w, r := httptest.NewRecorder(), httptest.NewRequest(method, prefix+"/projects"+path, nil)
					r.Header.Set("Api-Key", key)
					if version != "" {
						r.Header.Set("Api-Version", version)
					}
					handler.ServeHTTP(w, r)
					return fmt.Sprint(w.Code, " ", strings.ReplaceAll(w.Body.String(), prefix+"/projects", "/projects"), " ", w.Header()["Allow"])
				}
				request, want := method+" "+path+" "+key, ask(plain, "", "")
				assert.Equal(t, want, ask(versioned, "", ""), request)
				assert.Equal(t, want, ask(each, "/api/v2", ""), request)
				if !strings.HasPrefix(want, "200") && !strings.HasPrefix(path, "/guarded") {
					assert.Equal(t, want, ask(versioned, "", "v9"), request)
					assert.Equal(t, want, ask(each, "/api/v1", ""), request)
				} else if strings.HasPrefix(want, "200") {
					assert.Contains(t, ask(versioned, "", "v9"), "400 ", request)
					assert.Contains(t, ask(each, "/api/v1", ""), "410 ", request)
				}
			}
		}
	}
	assert.Equal(t, http.StatusNotFound, send(each, http.MethodGet, "/api/v3/projects").Code)
}

// TestOptions gives options to routes in a tree.
func TestOptions(t *testing.T) {
	r := chi.NewRouter()
	v := versochi.New(r, verso.MustNew(verso.PathPrefix("/api/{version}"), verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}, DefaultVersion: verso.V("v1")}))
	var asked []string
	api := v.EachVersion().Group("/api").PerRoute(func(v *versochi.Routes, method, pattern string) *versochi.Routes {
		asked = append(asked, method+" "+pattern)
		switch pattern {
		case "/users/hook":
			return v.Neutral()
		case "/all/new/x":
			return v.Since("v2")
		}
		return v
	}).Router()
	api.Get("/all/*", answerVersion)
	api.Route("/all/new", func(r chi.Router) { r.Get("/x", answerVersion) }) // which hides /all/* in each version
	users := api.Route("/users", func(r chi.Router) {
		r.Get("/", answerVersion)
		versochi.On(r).Since("v2").Name("search").Get("/search", answerVersion)
		versochi.On(r).RemovedIn("v3").HandleVersions("GET", "/old", versochi.Handlers{"v1": answerVersion, "v2": nil})
		r.Post("/hook", answerVersion)
		versochi.On(r).Route("/deep/", func(v *versochi.Routes) { v.Get("/", answerVersion) })
	})
	users.Get("/late", answerVersion) // a router of chi takes it
	own := versochi.New(r, verso.MustNew(verso.Header("Own"), twoVersions)).In("/own", chi.NewRouter()).Router()
	own.Get("/x", answerVersion)
	v.EachVersion().Group("/api").Router().Mount("/own", own)
	assert.Equal(t, []string{"GET /all/*", "GET /all/new/x", "GET /users/", "GET /users/search", "GET /users/old", "POST /users/hook", "GET /users/deep/", "GET /users/late"}, asked)

	for target, want := range map[string]string{
		"/api/users": "200 v1", "/api/users/": "200 v1", "/api/v2/users": "200 v2", "/api/v3/users/": "200 v3", "/api/v1/users/search": "404 404 page",
		"/api/v2/users/search": "200 v2", "/api/v1/users/old": "200 v1", "/api/v3/users/old": "404 ", "/api/v3/users/late": "200 v3",
		"/api/v2/users/deep/": "200 v2", "/api/v2/users/deep": "404 404 page", "/api/v4/users": "404 404 page", "/api/v2/own/x": "400 ",
		"/api/v1/all/new/x": "404 404 page", "/api/v2/all/new/x": "200 v2", "/api/v1/all/x": "200 v1",
	} {
		status, body := get(r, target)
		assert.True(t, strings.HasPrefix(fmt.Sprint(status, " ", body), want), "%s: %d %s", target, status, body)
	}
	assert.Equal(t, http.StatusOK, send(r, http.MethodPost, "/api/v2/users/hook").Code)
	var lines []string
	for _, info := range v.Explain().Routes {
		lines = append(lines, info.Method+" "+info.Pattern)
	}
	assert.Contains(t, lines, "GET /api/users") // once, without a slash
	assert.Contains(t, lines, "GET /api/users/deep/")
	link, err := v.Link(verso.Target{Name: "search", Version: verso.V("v3")})
	assert.NoError(t, err)
	assert.Equal(t, "/api/v3/users/search", link)
}

// TestMovedInSubrouters: Middleware checks what a subrouter serves at another path or for another method.
func TestMovedInSubrouters(t *testing.T) {
	for name, test := range map[string]struct {
		use            func(http.Handler) http.Handler
		method, target string
	}{
		"StripSlashes": {middleware.StripSlashes, "GET", "/api/rooms/7/"},
		"GetHead":      {middleware.GetHead, "HEAD", "/api/rooms/7"},
		"URLFormat":    {middleware.URLFormat, "GET", "/api/rooms/7.json"},
	} {
		t.Run(name, func(t *testing.T) {
			var observed []string
			api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1"},
				Observe: func(_ context.Context, o verso.Observation) { observed = append(observed, o.Route+" "+o.Outcome) }})
			r := chi.NewRouter()
			r.Use(versochi.New(r, api).Middleware())
			r.Route("/api", func(r chi.Router) {
				r.Route("/rooms", func(r chi.Router) {
					r.Use(test.use)
					r.Get("/{id}", func(w http.ResponseWriter, r *http.Request) { w.Header().Set("Ran", chi.URLParam(r, "id")) })
				})
			})
			for version, want := range map[string]int{"v1": http.StatusOK, "v9": http.StatusBadRequest} {
				w, request := httptest.NewRecorder(), httptest.NewRequest(test.method, test.target, nil)
				request.Header.Set("Api-Version", version)
				r.ServeHTTP(w, request)
				assert.Equal(t, want, w.Code, version)
				assert.Equal(t, version == "v1", w.Header().Get("Ran") == "7", version)
			}
			assert.ElementsMatch(t, []string{"/api/rooms/{id} served", "/api/rooms/{id} invalid_header_version"}, observed)
		})
	}
}

// TestMovedBehindMiddleware: Middleware checks what its own router serves at another path or for another method.
func TestMovedBehindMiddleware(t *testing.T) {
	for name, test := range map[string]struct {
		before, behind func(http.Handler) http.Handler
		method, target string
		want           [2]int // in v1, and in one that is not listed
	}{
		"StripSlashes":        {middleware.NoCache, middleware.StripSlashes, "GET", "/rooms/7/", [2]int{200, 400}},
		"CleanPath":           {middleware.NoCache, middleware.CleanPath, "GET", "//rooms//7", [2]int{200, 400}},
		"GetHead":             {middleware.NoCache, middleware.GetHead, "HEAD", "/rooms/7", [2]int{200, 400}},
		"URLFormat":           {middleware.NoCache, middleware.URLFormat, "GET", "/rooms/7.json", [2]int{200, 400}},
		"URLFormat, in front": {middleware.URLFormat, middleware.NoCache, "GET", "/rooms/7.rooms.json", [2]int{200, 400}},
		"both":                {middleware.StripSlashes, middleware.URLFormat, "GET", "/rooms/7.json/", [2]int{200, 400}},
		"RedirectSlashes":     {middleware.NoCache, middleware.RedirectSlashes, "GET", "/rooms/7/", [2]int{301, 301}},
		"no route":            {middleware.NoCache, middleware.StripSlashes, "GET", "/halls/7/", [2]int{404, 404}},
	} {
		t.Run(name, func(t *testing.T) {
			r := chi.NewRouter()
			r.Use(test.before, versochi.New(r, byHeader()).Middleware(), test.behind)
			r.Get("/rooms/{id}", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
			for i, version := range []string{"v1", "v9"} {
				w, request := httptest.NewRecorder(), httptest.NewRequest(test.method, test.target, nil)
				request.Header.Set("Api-Version", version)
				r.ServeHTTP(w, request)
				assert.Equal(t, test.want[i], w.Code, version)
			}
		})
	}
}

// TestTwoAPIs: on one router, the NotFound of an API answers for its own routes alone.
func TestTwoAPIs(t *testing.T) {
	ended := verso.Config{Catalogue: catalogue.MustNew(catalogue.Config{AfterSunset: catalogue.Gone, Versions: []catalogue.Entry{
		{Version: "v0", Deprecated: catalogue.MustDate("2020-01-01"), Sunset: catalogue.MustDate("2021-01-01")}, {Version: "v1"},
	}})}
	r := chi.NewRouter()
	public, internal := versochi.New(r, verso.MustNew(verso.PathParam("version"), ended)), versochi.New(r, verso.MustNew(verso.Header("Api-Version"), ended))
	say := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }
	public.Get("/api/{version}/users", say)
	internal.Get("/internal/users", say)
	r.MethodNotAllowed(public.NotFound(internal.NotFound(nil)))
	for target, want := range map[string]string{"/api/v1/users": "405 ", "/internal/users": "410 Api-Version"} {
		w, request := httptest.NewRecorder(), httptest.NewRequest(http.MethodDelete, target, nil)
		request.Header.Set("Api-Version", "v0")
		r.ServeHTTP(w, request)
		assert.Equal(t, want, fmt.Sprint(w.Code, " ", w.Header().Get("Vary")), target)
	}
}

// TestPerRouteAsked: the function of PerRoute gets the method as it is, and the pattern.
func TestPerRouteAsked(t *testing.T) {
	var asked []string
	note := func(v *versochi.Routes, method, pattern string) *versochi.Routes {
		asked = append(asked, method+" "+pattern)
		return v
	}
	v := versochi.New(chi.NewRouter(), verso.MustNew(verso.Header("Api-Version"), twoVersions)).Group("/internal").PerRoute(note)
	v.Router().MethodFunc("delete", "/users", answerVersion)
	v.In("/a", chi.NewRouter()).Get("/b", answerVersion)
	v.In("/internals", chi.NewRouter()).Get("/b", answerVersion)
	v.In("/internal/c", chi.NewRouter()).Get("/b", answerVersion)
	v.In("/a", chi.NewRouter()).In("/internal/d", chi.NewRouter()).Get("/b", answerVersion)
	assert.Equal(t, []string{"DELETE /users", "GET /a/b", "GET /internals/b", "GET /c/b", "GET /d/b"}, asked)
	assert.PanicsWithError(t, "versochi: PerRoute: the routes have a function already: join the two", func() { v.PerRoute(note) })
}

// TestMiddlewareAtMounts: Middleware checks what chi serves, and nothing else.
func TestMiddlewareAtMounts(t *testing.T) {
	for name, api := range map[string]*verso.Versioning{"header": byHeader(), "path": byPath()} {
		t.Run(name, func(t *testing.T) {
			r := chi.NewRouter()
			r.Use(versochi.New(r, api).Middleware())
			r.Route("/api/v1", func(r chi.Router) { r.Get("/users", say("users")) })
			r.Route("/api/v1/app", func(r chi.Router) { r.Get("/x", say("x")) })
			r.Get("/api/v1/app/*", say("files"))
			sub := chi.NewRouter()
			sub.Get("/x", say("first"))
			r.Get("/api/v1/{id:[0-9]+}", say("id"))
			r.Mount("/api/v1/{sub}", sub)
			r.Mount("/api/v1/{sub}", say("second"))
			for _, path := range []string{"/api/v1", "/api/v1/", "/api/v1/app", "/api"} {
				assert.Equal(t, "404 404 page not found\n", ask(r, "GET", path, ""), path)
				assert.Equal(t, "404 404 page not found\n", ask(r, "GET", path, "v9"), path)
			}
			for path, want := range map[string]string{"/api/v1/app/y": "200 files", "/api/v1/app/x": "200 files", "/api/v1/a/y": "200 second"} {
				assert.Equal(t, want, ask(r, "GET", path, "v1"), path)
				if name == "header" {
					assert.Contains(t, ask(r, "GET", path, "v9"), "400 ", path)
				}
			}
		})
	}
}

// TestNotFoundOfMethods: chi answers 405 to methods that it does not know.
func TestNotFoundOfMethods(t *testing.T) {
	r := chi.NewRouter()
	v := versochi.New(r, byHeader())
	r.NotFound(v.NotFound(nil))
	r.MethodNotAllowed(v.NotFound(nil))
	v.Get("/users", say("users"))
	for request, want := range map[string]string{"BREW /nope": "405 ", "BREW /users": "405 ", "PUT /users": "405 ", "PUT /nope": "404 404 page not found\n"} {
		var method, path string
		_, _ = fmt.Sscan(request, &method, &path)
		assert.Equal(t, want, ask(r, method, path, "v1"), request)
	}
}

// TestNotFoundOfEmptyRouters: chi answers 404 for a router without routes, and behind its With what the routers around it
// have found.
func TestNotFoundOfEmptyRouters(t *testing.T) {
	for _, isInUse := range []bool{false, true} {
		for mount, at := range map[string][2]string{"/": {"/users/{id}", "/users/7"}, "/{x}": {"/a/", "/a/"}} {
			bare, own := chi.NewRouter(), chi.NewRouter()
			v := versochi.New(own, byHeader())
			own.NotFound(v.NotFound(nil))
			own.MethodNotAllowed(v.NotFound(nil))
			v.Post(at[0], say("created"))
			bare.Post(at[0], say("created"))
			for _, r := range []chi.Router{bare, own} {
				empty := chi.NewRouter()
				if isInUse {
					empty.With(none)
				}
				r.Mount(mount, empty)
			}
			assert.Equal(t, ask(bare, "GET", at[1], "v1"), ask(own, "GET", at[1], "v1"), mount, isInUse)
		}
	}
}

// BenchmarkNotFound is a request that no route of many matches.
func BenchmarkNotFound(b *testing.B) {
	r := chi.NewRouter()
	v := versochi.New(r, byHeader())
	r.Use(v.Middleware())
	r.NotFound(v.NotFound(nil))
	for i := range 1000 {
		v.Router().Route(fmt.Sprint("/r", i), func(r chi.Router) {
			r.Get("/", say("list"))
			r.Post("/", say("created"))
			r.Get("/{id}", say("one"))
			r.Delete("/{id}", say("deleted"))
		})
	}
	for b.Loop() {
		ask(r, "GET", "/nope", "v1")
	}
}

// TestEndedBehindOwnNotFound: a subrouter may have its own page for what it does not have.
func TestEndedBehindOwnNotFound(t *testing.T) {
	for _, rejects := range []bool{true, false} {
		r := chi.NewRouter()
		v := versochi.New(r, verso.MustNew(verso.PathPrefix("/api/{version}"), verso.Config{
			Catalogue: catalogue.MustNew(catalogue.Config{AfterSunset: catalogue.Gone, Versions: []catalogue.Entry{
				{Version: "v1", Deprecated: catalogue.MustDate("2020-01-01"), Sunset: catalogue.MustDate("2021-01-01")}, {Version: "v2"},
			}}),
		}))
		v.EachVersion().Router().Route("/api", func(r chi.Router) {
			r.NotFound(say("own 404"))
			r.MethodNotAllowed(say("own 405"))
			r.Get("/users", say("users"))
		})
		if rejects {
			r.NotFound(v.NotFound(nil))
		}
		assert.Equal(t, "200 own 404", ask(r, "GET", "/api/v2/deleted", ""))
		assert.Equal(t, "200 own 405", ask(r, "PUT", "/api/v2/users", ""))
		if want := map[bool]string{true: "410 ", false: "200 own 404"}; true {
			assert.Contains(t, ask(r, "GET", "/api/v1/deleted", ""), want[rejects])
			assert.Contains(t, ask(r, "HEAD", "/api/v1/deleted", ""), want[rejects][:3])
		}
	}
}

// TestMiddlewareAround: what is around the router looks the route up by itself, with middleware of subrouters.
func TestMiddlewareAround(t *testing.T) {
	for name, use := range map[string]func(http.Handler) http.Handler{"GetHead": middleware.GetHead, "": none} {
		r := chi.NewRouter()
		handler := versochi.New(r, byPath()).Middleware()(r)
		r.Route("/api/v1", func(r chi.Router) {
			r.Use(use)
			r.Get("/users", say("users"))
			r.Mount("/files", say("files"))
			r.Head("/files", say(""))
			r.Mount("/p/{x}", say("of x"))
			r.HandleFunc("/p/{y}", say("y"))
			r.Route("/all", func(r chi.Router) { r.Get("/*", say("all")) })
			r.Mount("/typed", typed{chi.NewRouter(), nil})
		})
		for path, want := range map[string]string{
			"/api/v1/users": "200 users", "/api/v1/files": "200 files", "/api/v1/files/": "200 files", "/api/v1/files/x": "200 files",
			"/api/v1/all/": "200 all", "/api/v1/all/x": "200 all", "/api/v1/typed/x": "404 404 page not found\n",
			"/api/v1/p/7": "200 y", "/api/v1/p/7/": "200 of x", "/api/v1/p/7/8": "200 of x",
		} {
			assert.Equal(t, want, ask(handler, "GET", path, ""), "%s %s", name, path)
		}
		if name != "" {
			assert.Equal(t, "200 users", ask(handler, "HEAD", "/api/v1/users", ""))
		}
	}
}

// TestUseOfGroup: Use of the router of a group is for its routes.
func TestUseOfGroup(t *testing.T) {
	r := chi.NewRouter()
	v := versochi.New(r, byHeader())
	group := v.Group("/a").Router()
	group.Use(only("admin"))
	group.Get("/x", say("x"))
	v.Get("/b", say("b"))
	v.Router().Group(func(r chi.Router) {
		r.Use(only("admin"))
		r.Get("/c", say("c"))
	})
	for path, want := range map[string]string{"/a/x": "403 ", "/b": "200 b", "/c": "403 "} {
		assert.Equal(t, want, ask(r, "GET", path, "v1"), path)
	}
}

// TestMiddlewareBehindGetHead: HEAD of a route for GET is checked.
func TestMiddlewareBehindGetHead(t *testing.T) {
	r := chi.NewRouter()
	r.Use(middleware.GetHead, versochi.New(r, byHeader()).Middleware())
	r.Get("/x", say(""))
	r.Route("/sub", func(r chi.Router) { r.Get("/x", say("")) })
	for _, path := range []string{"/x", "/sub/x"} {
		assert.Equal(t, "200 ", ask(r, "HEAD", path, "v1"), path)
		assert.Contains(t, ask(r, "HEAD", path, "v9"), "400 ", path)
	}
}

// typed is a router that is no key of a map.
type typed struct {
	*chi.Mux
	_ func()
}

// TestRegisterVersionsOfTypes: a router in a type is a handler, whose ServeHTTP stays.
func TestRegisterVersionsOfTypes(t *testing.T) {
	r, sub := chi.NewRouter(), chi.NewRouter()
	sub.Get("/secret", say("secret"))
	versochi.New(r, byHeader()).RegisterVersions(map[string]func(chi.Router){"v1": func(r chi.Router) {
		r.Mount("/sub", service{sub})
		r.Mount("/open", database{Mux: sub})
	}})
	assert.Equal(t, "403 ", ask(r, "GET", "/sub/secret", "v1"))
	assert.Equal(t, "200 secret", ask(r, "GET", "/open/secret", "v1"))
}

// TestRegisterVersionsInType: a root in another type has its answers below a subrouter, too.
func TestRegisterVersionsInType(t *testing.T) {
	root := struct{ chi.Router }{chi.NewRouter()}
	root.NotFound(say("own 404"))
	root.MethodNotAllowed(say("own 405"))
	versochi.New(root, byHeader()).RegisterVersions(map[string]func(chi.Router){"v1": func(r chi.Router) {
		r.Route("/a", func(r chi.Router) { r.Get("/x", say("x")) })
	}})
	assert.Equal(t, "200 own 404", ask(root, "GET", "/a/none", "v1"))
	assert.Equal(t, "200 own 405", ask(root, "PUT", "/a/x", "v1"))
}

// TestRouteWithoutRoutes: the middleware of a subrouter runs in a version without any of its routes, too.
func TestRouteWithoutRoutes(t *testing.T) {
	r := chi.NewRouter()
	versochi.New(r, byPath()).EachVersion().Route("/api/new", func(v *versochi.Routes) {
		v.Use(only("admin"))
		v.Since("v2").Get("/", say("new"))
	})
	assert.Equal(t, "403 ", ask(r, "GET", "/api/v2/new", ""))
	assert.Equal(t, "403 ", ask(r, "GET", "/api/v1/new", ""))
	assert.Equal(t, "403 ", ask(r, "GET", "/api/v1/new/x", ""))
}

// chi refuses a router mounted in itself, and does not recognize it in [versochi.Routes.Router]: the paths have no
// end, and the first is listed.
func TestRouterWithinItself(t *testing.T) {
	r := chi.NewRouter()
	v := versochi.New(r, verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1"}}))
	v.Get("/{version}/users", func(http.ResponseWriter, *http.Request) {})
	r.Mount("/api", v.Router())
	assert.Contains(t, v.Explain().String(), "/{version}/users")
	for path, want := range map[string]int{"/v1/users": http.StatusOK, "/v9/users": http.StatusNotFound, "/api/v9/users": http.StatusNotFound} {
		w := httptest.NewRecorder()
		r.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		assert.Equal(t, want, w.Code, path)
	}
}
