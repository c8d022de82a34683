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
	verso "github.com/goverso/verso/core"
)

func only(role string) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Role") != role {
				w.WriteHeader(http.StatusForbidden)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

func say(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, text) }
}

func none(next http.Handler) http.Handler { return next }

// ask returns the status and the body of an answer.
func ask(handler http.Handler, method, path, version string) string {
	w, r := httptest.NewRecorder(), httptest.NewRequest(method, path, nil)
	if version != "" {
		r.Header.Set("Api-Version", version)
	}
	handler.ServeHTTP(w, r)
	return fmt.Sprint(w.Code, " ", w.Body)
}

// preflight asks whether a method may be sent to a path.
func preflight(handler http.Handler, method, path, version string) *httptest.ResponseRecorder {
	w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodOptions, path, nil)
	r.Header.Set("Api-Version", version)
	r.Header.Set("Origin", "https://example.com")
	r.Header.Set("Access-Control-Request-Method", method)
	handler.ServeHTTP(w, r)
	return w
}

func byHeader() *verso.Versioning {
	return verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
}

func byPath() *verso.Versioning {
	return verso.MustNew(verso.PathPrefix("/api/{version}"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
}

// service is a router of chi in a type of its own, which has a guard of its own.
type service struct{ *chi.Mux }

func (s service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	only("admin")(s.Mux).ServeHTTP(w, r)
}

// database is a router of chi in a type that has more than routes.
type database struct {
	*chi.Mux
	_ int
}

// TestMountAsItIs compares what a router does where chi mounts it with what it does where Verso mounts it.
func TestMountAsItIs(t *testing.T) {
	pages := []string{"page around", "page", "own", "of older code"} // of NotFound
	for name, test := range map[string]struct {
		build    func(r *chi.Mux) http.Handler
		requests []string
	}{
		"a guard in front of NotFound": {func(r *chi.Mux) http.Handler {
			r.Use(only("admin"))
			r.With(none).NotFound(say("of older code"))
			return r
		}, []string{"GET /api/secret"}},
		"the NotFound of chi, instead of the page around": {func(r *chi.Mux) http.Handler {
			r.NotFound(http.NotFound)
			r.Get("/x", say("x"))
			return r
		}, []string{"GET /api/nope", "GET /api/x"}},
		"the NotFound of a group is not that of its subrouters": {func(r *chi.Mux) http.Handler {
			r.Group(func(r chi.Router) {
				r.NotFound(say("page"))
				r.Route("/a", func(r chi.Router) { r.Get("/x", say("x")) })
			})
			return r
		}, []string{"GET /api/a/nope", "GET /api/nope"}},
		"a ServeHTTP": {func(r *chi.Mux) http.Handler {
			r.Get("/secret", say("secret"))
			return service{r}
		}, []string{"GET /api/secret", "GET /api/nope"}},
		"a ServeHTTP further down": {func(r *chi.Mux) http.Handler {
			sub := chi.NewRouter()
			sub.Get("/secret", say("secret"))
			r.Mount("/sub", service{sub})
			return r
		}, []string{"GET /api/sub/secret", "GET /api/sub", "GET /api/sub/"}},
		"other types further down": {func(r *chi.Mux) http.Handler {
			sub, with := chi.NewRouter(), chi.NewRouter()
			sub.Get("/x", say("x"))
			with.Get("/x", say("x"))
			r.Mount("/sub", database{Mux: sub})
			r.Mount("/{with}", with.With(none, none))
			return r
		}, []string{"GET /api/sub/x", "GET /api/a/x", "POST /api/a/x"}},
		"a NotFound in another type": {func(r *chi.Mux) http.Handler {
			r.NotFound(say("own"))
			r.Get("/x", say("x"))
			return database{Mux: r}
		}, []string{"GET /api/nope", "GET /api/x"}},
		"order": {func(r *chi.Mux) http.Handler {
			r.With(only("admin")).Get("/{id:[0-9]+}/keys", say("keys"))
			r.Route("/{slug:[a-z0-9-]+}", func(r chi.Router) { r.Get("/{file}", say("file")) })
			r.With(only("admin")).Get("/{from}-{to}", say("transfers"))
			r.Route("/{name}.json", func(r chi.Router) { r.Get("/", say("public")) })
			return r
		}, []string{"GET /api/7/keys", "GET /api/a-b.json"}},
		"a slash": {func(r *chi.Mux) http.Handler {
			r.Get("/users", say("list"))
			r.Route("/users/", func(r chi.Router) { r.Post("/", say("created")) })
			r.Route("/{id:[0-9]+}/", func(r chi.Router) { r.Get("/", say("user")) })
			r.With(only("admin")).Delete("/{kind}", say("deleted"))
			r.With(only("admin")).Get("/{kind}", say("kind"))
			return r
		}, []string{"GET /api/users", "POST /api/users", "POST /api/users/", "DELETE /api/users", "GET /api/7", "GET /api/7/"}},
		"a route in the place of a mount": {func(r *chi.Mux) http.Handler {
			r.Route("/users", func(r chi.Router) { r.Get("/{id}", say("user")) })
			r.With(only("user")).Get("/{kind}", say("kind"))
			r.With(only("admin")).Get("/users", say("list"))
			r.With(only("admin")).Post("/users", say("created"))
			return r
		}, []string{"GET /api/users", "POST /api/users", "GET /api/users/7"}},
		"two mounts in a place": {func(r *chi.Mux) http.Handler {
			sub := chi.NewRouter()
			sub.Get("/x", say("first"))
			r.Get("/{id:[0-9]+}", say("id"))
			r.Mount("/{sub}", sub)
			r.Mount("/{sub}", say("second"))
			return r
		}, []string{"GET /api/a/x", "GET /api/a", "PUT /api/a/"}},
	} {
		t.Run(name, func(t *testing.T) {
			plain, own := chi.NewRouter(), chi.NewRouter()
			plain.NotFound(say("page around"))
			own.NotFound(say("page around"))
			plain.Mount("/api", test.build(chi.NewRouter()))
			versochi.New(own, byHeader()).Mount("/api", test.build(chi.NewRouter()))
			for _, request := range test.requests {
				var method, path string
				_, _ = fmt.Sscan(request, &method, &path)
				want := ask(plain, method, path, "")
				assert.Equal(t, want, ask(own, method, path, "v2"), request)
				if strings.HasPrefix(want, "200") && !slices.Contains(pages, want[4:]) {
					assert.Contains(t, ask(own, method, path, "v9"), "400 ", request)
				}
			}
		})
	}
}

// TestMountTwice: a router has its checks where Verso mounts it, those of each place, and none elsewhere.
func TestMountTwice(t *testing.T) {
	sub, deep := chi.NewRouter(), chi.NewRouter()
	deep.Get("/x", func(w http.ResponseWriter, r *http.Request) {
		version := "-"
		if r.URL.Path[:4] != "/old" {
			version = versochi.Version(r).String()
		}
		_, _ = fmt.Fprint(w, version, " ", chi.RouteContext(r.Context()).RoutePattern())
	})
	sub.Mount("/a", deep)
	sub.Mount("/b/a", deep)
	deep.Mount("/files", say("deep files"))
	sub.Get("/new", say("new"))
	sub.Get("/users/{id}", func(w http.ResponseWriter, r *http.Request) { _, _ = fmt.Fprint(w, chi.URLParam(r, "id")) })
	sub.Mount("/files", say("files"))
	var pattern, value string
	r := chi.NewRouter()
	r.Use(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(w, r)
			pattern, value = r.Pattern, r.PathValue("id")
		})
	})
	v := versochi.New(r, byPath())
	v.EachVersion().PerRoute(func(v *versochi.Routes, method, pattern string) *versochi.Routes {
		switch pattern {
		case "/api/sub/new":
			return v.Since("v2")
		case "/api/sub/b/a/x", "/api/sub/b/a/files":
			return v.Group("", only("nobody"))
		}
		return v
	}).Mount("/api/sub", sub)
	r.Mount("/old", sub)
	for path, want := range map[string]string{
		"/api/v1/sub/a/x": "200 v1 /api/v1/sub/a/x", "/api/v2/sub/a/x": "200 v2 /api/v2/sub/a/x", "/old/a/x": "200 - /old/a/x",
		"/api/v2/sub/new": "200 new", "/api/v1/sub/new": "404 404 page not found\n", "/old/new": "200 new",
		"/api/v1/sub/b/a/x": "403 ", "/api/v1/sub/b/a/files/": "403 ", "/api/v1/sub/a/files/": "200 deep files",
		"/old/b/a/x": "200 - /old/b/a/x", "/api/v2/sub/files": "200 files", "/api/v2/sub/files/y": "200 files",
	} {
		assert.Equal(t, want, ask(r, "GET", path, ""), path)
	}
	assert.Equal(t, "200 7", ask(r, "GET", "/api/v2/sub/users/7", ""))
	assert.Equal(t, "/api/v2/sub/users/{id} 7", pattern+" "+value)
	var lines []string
	for _, info := range v.Explain().Routes {
		lines = append(lines, info.Method+" "+info.Pattern)
	}
	assert.Subset(t, lines, []string{"GET /api/{version}/sub/a/x", "GET /api/{version}/sub/new", " /api/{version}/sub/files"})
	assert.NotContains(t, lines, "GET /api/v1/sub/new")
}

// TestMountCallsNothing: a handler in the place of a router is told from it without a call.
func TestMountCallsNothing(t *testing.T) {
	calls := 0
	count := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			calls++
			next.ServeHTTP(w, r)
		})
	}
	for _, mount := range []func(r chi.Router){
		func(r chi.Router) { r.With(count).Mount("/{sub}", say("second")) },
		func(r chi.Router) { r.Mount("/{sub}", count(say("second"))) },
	} {
		calls = 0
		r, sub, first := chi.NewRouter(), chi.NewRouter(), chi.NewRouter()
		first.Get("/x", say("first"))
		sub.Get("/{id:[0-9]+}", say("id"))
		sub.Mount("/{sub}", first)
		mount(sub)
		v := versochi.New(r, byHeader())
		v.Mount("/api", sub)
		v.Explain()
		assert.Equal(t, 0, calls)
		assert.Equal(t, "200 second", ask(r, "GET", "/api/a/x", "v1"))
		assert.Equal(t, 1, calls)
		assert.Contains(t, ask(r, "GET", "/api/a/x", "v9"), "400 ")
	}
}

// TestMountPathValue: middleware around reads the parameters of a mounted router, as without a check.
func TestMountPathValue(t *testing.T) {
	var value string
	r, sub := chi.NewRouter(), chi.NewRouter()
	r.Use(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(w, r)
			value = r.Pattern + " " + r.PathValue("id")
		})
	})
	sub.Get("/users/{id}", say("user"))
	versochi.New(r, byHeader()).Mount("/api", sub)
	assert.Equal(t, "200 user", ask(r, "GET", "/api/users/7", "v1"))
	assert.Equal(t, "/api/users/{id} 7", value)
	sub.Get("/late/{id}", say("late"))
	assert.Equal(t, "200 late", ask(r, "GET", "/api/late/8", "v1"))
	assert.Equal(t, "/api/late/{id} 8", value)
}

// TestMountExplained: Explain knows what a router gets before the first request, and the paths of a mount with a slash.
func TestMountExplained(t *testing.T) {
	r, sub := chi.NewRouter(), chi.NewRouter()
	v := versochi.New(r, byPath())
	v.EachVersion().Mount("/api/sub", sub)
	sub.Get("/late", say("late"))
	sub.Mount("/files", say("files"))
	sub.Route("/slash/", func(r chi.Router) { r.Get("/", say("root")); r.Get("/x", say("x")) })
	e := v.Explain()
	assert.Empty(t, e.Findings)
	var patterns []string
	for _, info := range e.Routes {
		patterns = append(patterns, info.Pattern)
	}
	slices.Sort(patterns)
	assert.Equal(t, []string{"/api/{version}/sub/files", "/api/{version}/sub/files/*", "/api/{version}/sub/late",
		"/api/{version}/sub/slash/", "/api/{version}/sub/slash/x"}, slices.Compact(patterns))
}

// TestMountRefused: what cannot be right is a mistake.
func TestMountRefused(t *testing.T) {
	with := func(pattern string, handler http.Handler) *chi.Mux {
		r := chi.NewRouter()
		r.Mount(pattern, handler)
		return r
	}
	own := versochi.New(chi.NewRouter(), byHeader()).Router()
	own.Get("/x", say("x"))
	inner, mounted := chi.NewRouter(), chi.NewRouter()
	inner.Get("/x", say("x"))
	versochi.New(mounted, byHeader()).Mount("/inner", inner)
	v := versochi.New(chi.NewRouter(), byHeader())
	for text, mount := range map[string]func(){
		"the router has checks already":      func() { v.Since("v2").Mount("/a", own) },
		"the router has checks already: set": func() { v.AfterCheck(only("admin")).Mount("/b", with("/own", own)) },
		"Mount /c: the router has checks already": func() {
			v.PerRoute(func(v *versochi.Routes, _, _ string) *versochi.Routes { return v }).Mount("/c", own)
		},
		"Mount /e: the router has checks already": func() { v.AfterCheck(only("admin")).Mount("/e", mounted) },
		"there is a router for each version": func() {
			each := versochi.New(chi.NewRouter(), byPath()).EachVersion().Router()
			each.Mount("/api/people", each.Route("/api/users", func(r chi.Router) { r.Get("/", say("list")) }))
		},
		"Mount /f: the router has checks already": func() {
			r := chi.NewRouter()
			versochi.New(r, byHeader()).Get("/x", say("x"))
			v.Since("v2").Mount("/f", r)
		},
		"Mount /: the group has a route at /h/, whose place the mount would take": func() {
			g := v.Group("/h")
			g.Get("/", say("root"))
			g.Mount("/", inner)
		},
		"route /i/*: the group has a subrouter or a mount at /, which keeps /i/: register the route in it": func() {
			g := v.Group("/i")
			g.Mount("/", inner)
			g.Handle("/*", say("rest"))
		},
		"route GET /api/*: the group has a subrouter or a mount at /, which keeps /api/v1/": func() {
			g := versochi.New(chi.NewRouter(), byPath()).EachVersion().Group("/api")
			g.Mount("/", say("a handler"))
			g.HandleVersions("GET", "/*", versochi.Handlers{"v1": say("rest")})
		},
		"register with Routes.Router": func() { v.Mount("/d", with("/{id:[0-9]+}", say("a handler"))) },
	} {
		assert.Contains(t, panicOf(mount), text)
	}
	v.Group("/g", only("admin")).Mount("/own", own) // middleware runs
	v.Group("/j").Route("/", func(v *versochi.Routes) { v.Get("/*", say("rest of its own")) })
}

// TestMountAtGroupPath: a handler of its own type at "/" of a group has its check at the path of the group, too.
func TestMountAtGroupPath(t *testing.T) {
	atRoot := verso.MustNew(verso.PathPrefix("/{version}"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	for name, test := range map[string]struct {
		group func(r chi.Router) *versochi.Routes
		paths []string
	}{
		"group": {func(r chi.Router) *versochi.Routes { return versochi.New(r, byHeader()).Group("/p") },
			[]string{"/p", "/p/", "/p/x"}},
		"versions": {func(r chi.Router) *versochi.Routes { return versochi.New(r, byPath()).EachVersion().Group("/api") },
			[]string{"/api/v1", "/api/v1/", "/api/v1/x"}},
		"root": {func(r chi.Router) *versochi.Routes { return versochi.New(r, atRoot).EachVersion() },
			[]string{"/v1", "/v1/", "/v1/x"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := chi.NewRouter()
			test.group(r).AfterCheck(only("admin")).Mount("/", say("a handler"))
			for _, path := range test.paths {
				assert.Contains(t, ask(r, http.MethodGet, path, "v1"), "403 ", path)
			}
		})
	}
}

func panicOf(do func()) (text string) {
	defer func() { text = fmt.Sprint(recover()) }()
	do()
	return ""
}

// TestLateRoutes: what a function registers after it has returned is told.
func TestLateRoutes(t *testing.T) {
	var kept, sub chi.Router
	v := versochi.New(chi.NewRouter(), byHeader())
	v.RegisterVersions(map[string]func(chi.Router){"v1": func(r chi.Router) {
		kept = r
		r.Get("/users", say("users"))
		r.Route("/sub", func(r chi.Router) { sub = r; r.Get("/", say("sub")) })
	}})
	lost := func() (messages []string) {
		for _, f := range v.Explain().Findings {
			if f.Code == "route_lost" {
				messages = append(messages, f.Message)
			}
		}
		return messages
	}
	assert.Empty(t, lost())
	kept.Get("/rooms/{id}", say("rooms"))
	sub.Get("/late", say("late"))
	if assert.Len(t, lost(), 1) {
		assert.Contains(t, lost()[0], `"/rooms/{id}", "/sub/late" came when the function`)
	}
}

// TestMountPreflights: in a mounted router, a handler for OPTIONS and other methods runs for no CORS preflight in a version
// that was not decided. That for OPTIONS alone gets each.
func TestMountPreflights(t *testing.T) {
	r, sub := chi.NewRouter(), chi.NewRouter()
	both := say("both")
	add := func(prefix string) {
		sub.Handle(prefix+"/any", say("any"))
		sub.With(none).Get(prefix+"/both", both)
		sub.With(none).Options(prefix+"/both", both)
		sub.Mount(prefix+"/mounted", http.StripPrefix("", say("mounted")))
		sub.Options(prefix+"/alone", say("alone"))
		sub.Get(prefix+"/alone", say("other"))
	}
	add("/early")
	versochi.New(r, byHeader()).Mount("/", sub)
	assert.Equal(t, "200 any", ask(r, http.MethodGet, "/early/any", "v1"))
	add("/late")
	for path, want := range map[string][2]string{
		"/any": {"200 any", "400 "}, "/both": {"200 both", "400 "}, "/mounted": {"200 mounted", "400 "}, "/mounted/x": {"200 mounted", "400 "},
		"/alone": {"200 alone", "200 alone"},
	} {
		for _, prefix := range []string{"/early", "/late"} {
			for i, version := range []string{"v1", "v9"} {
				w := preflight(r, http.MethodGet, prefix+path, version)
				got := fmt.Sprint(w.Code, " ", w.Body)
				assert.True(t, got == want[i] || want[i] == "400 " && w.Code == http.StatusBadRequest, "%s%s %s: %s", prefix, path, version, got)
			}
		}
	}
}

// TestMountedPage: a version that lacks a route of a mounted router gets the page of that router.
func TestMountedPage(t *testing.T) {
	api := verso.MustNew(verso.PathPrefix("/{version}"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	r, sub := chi.NewRouter(), chi.NewRouter()
	sub.Get("/late", func(http.ResponseWriter, *http.Request) {})
	sub.NotFound(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	since := func(v *versochi.Routes, _, pattern string) *versochi.Routes {
		if pattern == "/api/late" {
			return v.Since("v2")
		}
		return v
	}
	versochi.New(r, api).EachVersion().PerRoute(since).Mount("/api", sub)
	for target, want := range map[string]int{"/v1/api/late": 418, "/v2/api/late": 200, "/v1/api/x": 418} {
		w := httptest.NewRecorder()
		r.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		assert.Equal(t, want, w.Code, target)
	}
}

// TestMountOverRouter: a handler mounted over a subrouter, which chi takes beside parameters and lists no further, has one
// check.
func TestMountOverRouter(t *testing.T) {
	root, inner := chi.NewRouter(), chi.NewRouter()
	inner.Get("/{id:[0-9]+}", say("expression"))
	inner.Route("/{sub}", func(r chi.Router) { r.Get("/*", say("route")) })
	inner.Mount("/{sub}", say("mounted"))
	versochi.New(root, byHeader()).Mount("/p", inner)
	for _, path := range []string{"/p/a", "/p/a/", "/p/a/b"} {
		for version, want := range map[string]string{"v2": "200 mounted", "v9": "400"} {
			assert.Contains(t, ask(root, http.MethodGet, path, version), want, path)
		}
	}
}

// TestInBehindMiddleware: a router does not run the middleware of a group elsewhere.
func TestInBehindMiddleware(t *testing.T) {
	r := chi.NewRouter()
	v := versochi.New(r, verso.MustNew(verso.Header("Api-Version"), twoVersions))
	const lost = "versochi: In /b: the routes would lose the middleware of their group: call it first, and Group on what it returns"
	passing := func(next http.Handler) http.Handler { return next }
	v.Use(passing) // runs for all routers in r
	assert.PanicsWithError(t, lost, func() { v.Group("/a", passing).In("/b", chi.NewRouter()) })
	assert.PanicsWithError(t, lost, func() { v.In("/a", r.With(passing)).In("/b", chi.NewRouter()) })
	inner, within := r.With(passing), chi.NewRouter()
	inner.Route("/in", func(r chi.Router) { r.Mount("/ner", within) })
	v.In("", inner).In("/in/ner", within)
	sub := chi.NewRouter()
	r.Mount("/sub", sub)
	assert.PanicsWithError(t, strings.Replace(lost, "/b", "/sub", 1), func() { v.In("", inner).In("/sub", sub) })
	group := v.In("/sub", sub)
	since := group.Since("v2")
	group.Use()
	since.In("/b", chi.NewRouter())
	group.Use(passing)
	since.In("/sub/below", chi.NewRouter()) // which is in sub
	since.In("/sub", sub.With(passing)).In("/sub", sub.With(passing, passing).With(passing))
	assert.PanicsWithError(t, lost, func() { since.In("/b", chi.NewRouter()) })
	for _, prefix := range []string{"/a", "/"} {
		v.In("/c"+prefix, chi.NewRouter()).Route(prefix, func(v *versochi.Routes) {
			v.In("/b", chi.NewRouter())
			v.Use(passing)
			assert.PanicsWithError(t, lost, func() { v.In("/b", chi.NewRouter()) })
		})
	}
}

// TestMountOfValues: a preflight is decided unless its handler is for OPTIONS alone, also where Go cannot compare handlers.
func TestMountOfValues(t *testing.T) {
	for want, register := range map[int]func(chi.Router){
		http.StatusBadRequest: func(r chi.Router) { r.Handle("/a", twinValue{say("any")}) },
		http.StatusOK: func(r chi.Router) {
			r.Method(http.MethodPut, "/a", twinValue{say("put")})
			r.Method(http.MethodOptions, "/a", twinValue{say("options")})
		},
	} {
		r, sub := chi.NewRouter(), chi.NewRouter()
		register(sub)
		versochi.New(r, byHeader()).Mount("/p", sub)
		request := httptest.NewRequest(http.MethodOptions, "/p/a", nil)
		for name, value := range map[string]string{"Origin": "https://example.com", "Access-Control-Request-Method": "PUT", "Api-Version": "v9"} {
			request.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		r.ServeHTTP(w, request)
		assert.Equal(t, want, w.Code)
	}
}
