package versochi_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versochi"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/scheme"
)

var twoVersions = verso.Config{AllowedVersions: []string{"v1", "v2"}}

// send returns what a handler answers.
func send(handler http.Handler, method, target string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest(method, target, nil))
	return w
}

func get(handler http.Handler, target string) (status int, body string) {
	w := send(handler, http.MethodGet, target)
	return w.Code, w.Body.String()
}

// answerVersion is a handler that answers with the version.
func answerVersion(w http.ResponseWriter, r *http.Request) {
	_, _ = io.WriteString(w, versochi.Version(r).String())
}

// answerLink is a handler that answers with the URL of a target, or the error.
func answerLink(target verso.Target) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		link, err := versochi.Link(r, target)
		if err != nil {
			link = "error: " + err.Error()
		}
		_, _ = io.WriteString(w, link)
	}
}

func TestSubrouters(t *testing.T) {
	r := chi.NewRouter()
	r.Use(middleware.StripSlashes)
	v := versochi.New(r, verso.Must(scheme.NewNamespace(twoVersions)))
	for _, namespace := range []string{"v1", "v2", "v9"} {
		r.Route("/{tenant}/"+namespace, func(r chi.Router) {
			inner := v.In("/{tenant}/"+namespace, r).Namespace(namespace).Group("", middleware.NoCache)
			inner.Get("/here", answerLink(verso.Target{
				Name: "file", Params: verso.Params{"tenant": "acme", "kind": "report", "*": "a/b c"},
			}))
			inner.Name("file").Get("/{kind:[a-z]+}/*", answerVersion)
		})
	}
	for target, want := range map[string]string{
		"/acme/v1/here":             "http://example.com/acme/v1/report/a/b%20c",
		"/acme/v2/here/":            "http://example.com/acme/v2/report/a/b%20c",
		"/acme/v2/report/a/b%20c":   "v2",
		"/acme/v2/report/a%2Fb%20c": "v2",
	} {
		status, body := get(r, target)
		assert.Equal(t, http.StatusOK, status, target)
		assert.Equal(t, want, body, target)
	}
	status, body := get(r, "/acme/v9/here")
	assert.Equal(t, http.StatusNotFound, status)
	assert.Contains(t, body, "Does not match any version namespace.")
}

func TestParametersAreDecodedOnce(t *testing.T) {
	r := chi.NewRouter()
	v := versochi.New(r, verso.Must(scheme.NewURLPath("version", verso.Config{AnyVersion: true})))
	answer := func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintf(w, "%s %s", versochi.Version(r), versochi.Param(r, "name"))
	}
	v.Get("/{version}/{name}", answer)
	v.Get("/parts/of/{version}-{name}-{rest}", answer)
	for target, want := range map[string]string{
		// Go keeps only the decoded path of what it would have written itself.
		"/v1/100%25":    "v1 100%",
		"/a%2525/plain": "a%25 plain",
		"/v1/caf%C3%A9": "v1 café",

		// Of all else it keeps the path as it was sent too.
		"/v%31/100%25":         "v1 100%",
		"/v%2B1/a%2Fb%2525":    "v+1 a/b%25",
		"/a%2525%2F/caf%C3%A9": "a%25/ café",

		"/parts/of/v%31-a%2Fb%2525-x": "v1 a/b%25",
	} {
		_, body := get(r, target)
		assert.Equal(t, want, body, target)
	}
	assert.Empty(t, versochi.Param(httptest.NewRequest(http.MethodGet, "/", nil), "name"), "chi has not seen the request")

	for name, test := range map[string]struct {
		decoding func(http.Handler) http.Handler // gives chi the decoded path
		texts    map[string]string
	}{
		"StripSlashes": {middleware.StripSlashes, map[string]string{
			"/v1/100%25/": "v1 100%", "/v1/é%2525/": "v1 é%25", "/v1/é%2525": "v1 é%25", "/parts/of/v1-é%2525-x/": "v1 é%25",
		}},
		"URLFormat": {middleware.URLFormat, map[string]string{
			"/v1/100%25.json": "v1 100%", "/v1/é%2525.json": "v1 é%25", "/parts/of/v1-é%2525-x.json": "v1 é%25",
		}},
	} {
		decoded := chi.NewRouter()
		decoded.Use(test.decoding)
		decoded.Mount("/", r)
		for target, want := range test.texts {
			_, body := get(decoded, target)
			assert.Equal(t, want, body, "%s %s", name, target)
		}
	}
}

// TestMountedElsewhere has a subrouter whose prefix Verso is not given.
func TestMountedElsewhere(t *testing.T) {
	r, sub := chi.NewRouter(), chi.NewRouter()
	v := versochi.New(r, verso.Must(scheme.NewURLPath("version", twoVersions)))
	v.In("", sub).Name("users").Get("/users", answerLink(verso.Target{Name: "users"}))
	r.Mount("/api/{version}", sub)
	_, body := get(r, "/api/v2/users")
	assert.Equal(t, "http://example.com/api/v2/users", body)
}

func TestRegisterVersions(t *testing.T) {
	answer := func(text, param string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, text+" "+chi.URLParam(r, param)+" "+r.PathValue(param))
		}
	}
	around := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, "around "+versochi.Version(r).String()+" ")
			next.ServeHTTP(w, r)
		})
	}
	r := chi.NewRouter()
	v := versochi.New(r, verso.MustNew(verso.PathParam("version"), twoVersions))
	v.Group("/{version}").RegisterVersions(map[string]func(chi.Router){
		"v1": func(r chi.Router) {
			r.Use(around)
			r.Route("/users", func(r chi.Router) { r.Get("/{id}", answer("one", "id")) })
		},
		"v2": func(r chi.Router) { r.With(around).Get("/users/{name}", answer("two", "name")) },
	})
	_, body := get(r, "/v2/users/7")
	assert.Equal(t, "around v2 two 7 7", body)
	_, body = get(r, "/v1/users/7")
	assert.True(t, strings.HasPrefix(body, "around v1 one 7"), body)
}

// TestRegisterVersionsMountAtRoot: a router mounted at "/" of a subrouter answers what the subrouter's root does not, and
// the root has its 405, as in chi.
func TestRegisterVersionsMountAtRoot(t *testing.T) {
	register := func(r chi.Router) {
		r.Route("/api", func(r chi.Router) {
			r.Get("/", answerVersion)
			r.Route("/", func(r chi.Router) {
				r.Get("/inner/", answerVersion)
				r.Route("/", func(r chi.Router) { r.Get("/deep", answerVersion) })
			})
		})
	}
	bare, r := chi.NewRouter(), chi.NewRouter()
	register(bare)
	versochi.New(r, verso.MustNew(verso.Header("Api-Version"), twoVersions)).
		RegisterVersions(map[string]func(chi.Router){"v1": register, "v2": register})
	for _, target := range []string{"/api", "/api/", "/api/inner/", "/api/deep", "/api/x"} {
		want, got := send(bare, http.MethodPost, target), send(r, http.MethodPost, target)
		assert.Equal(t, want.Code, got.Code, target)
		assert.Equal(t, want.Header()["Allow"], got.Header()["Allow"], target)
	}
}

// TestRoutesOfRouter: code may register something for each route that is there, such as OPTIONS for CORS.
func TestRoutesOfRouter(t *testing.T) {
	register := func(r chi.Router) {
		r.Get("/health", answerVersion)
		r.Group(func(r chi.Router) {
			for _, at := range r.Routes() {
				r.Options(at.Pattern, answerVersion)
			}
		})
	}
	for name, with := range map[string]func(v *versochi.Routes){
		"Route":                func(v *versochi.Routes) { v.EachVersion().Router().Route("/api", register) },
		"Group":                func(v *versochi.Routes) { register(v.Group("/api/v1").Router()) },
		"Group of EachVersion": func(v *versochi.Routes) { register(v.EachVersion().Group("/api").Router()) },
		"With of Group":        func(v *versochi.Routes) { register(v.EachVersion().Group("/api").Router().With()) },
	} {
		t.Run(name, func(t *testing.T) {
			for _, unversioned := range []verso.Version{{}, verso.V("v1")} {
				config := twoVersions
				config.DefaultVersion = unversioned
				r := chi.NewRouter()
				r.Get("/other", answerVersion)
				with(versochi.New(r, verso.MustNew(verso.PathPrefix("/api/{version}"), config)))
				assert.Equal(t, http.StatusOK, send(r, http.MethodOptions, "/api/v1/health").Code)
			}
		})
	}
}

// guardedRouter is a router of the service that Go cannot compare.
type guardedRouter struct {
	chi.Router
	guards []string
}

// TestRootsThatGoCannotCompare: Explain of a service looks at the routers of all services, such as the one before a reload.
func TestRootsThatGoCannotCompare(t *testing.T) {
	var all []*versochi.Routes
	for range 2 {
		r := guardedRouter{chi.NewRouter(), []string{"admin"}}
		all = append(all, versochi.New(r, verso.MustNew(verso.Header("Api-Version"), twoVersions)))
		all[len(all)-1].Get("/users", answerVersion)
	}
	for _, v := range all {
		assert.Empty(t, v.Explain().Findings)
	}
}

// TestMount mounts a router, whose routes are checked one by one behind its middleware, and another handler.
func TestMount(t *testing.T) {
	sub := chi.NewRouter()
	sub.Use(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("In", "sub")
			next.ServeHTTP(w, r)
		})
	})
	sub.Get("/", answerVersion)
	sub.With(middleware.NoCache).Get("/{id}", answerVersion)
	sub.MethodNotAllowed(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	r := chi.NewRouter()
	v := versochi.New(r, verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v2")}))
	v.Since("v2").Mount("/users", sub)
	v.Mount("/files", http.HandlerFunc(answerVersion))
	v.Group("/all").Mount("/", http.HandlerFunc(answerVersion))
	for target, status := range map[string]int{
		"/users": http.StatusOK, "/users/": http.StatusOK, "/users/7": http.StatusOK, "/users/7/x": http.StatusNotFound, "/filesx": http.StatusNotFound,
		"/files": http.StatusOK, "/files/": http.StatusOK, "/files/a/b": http.StatusOK, "/all/": http.StatusOK, "/all/x/y": http.StatusOK,
	} {
		w := send(r, http.MethodGet, target)
		assert.Equal(t, status, w.Code, target)
		assert.Equal(t, strings.HasPrefix(target, "/users"), w.Header().Get("In") == "sub", target)
	}
	assert.Equal(t, http.StatusTeapot, send(r, http.MethodPost, "/users/7").Code)
	since := 0
	for _, info := range v.Explain().Routes {
		if strings.HasPrefix(info.Pattern, "/users") {
			assert.Contains(t, info.String(), "since v2")
			since++
		}
	}
	assert.Equal(t, 2, since)
}

// TestOrder lists the methods of a path by name, wherever they are registered: chi has them in a map.
func TestOrder(t *testing.T) {
	register := func(r chi.Router) { r.HandleFunc("/any", answerVersion) }
	r, sub := chi.NewRouter(), chi.NewRouter()
	v := versochi.New(r, verso.MustNew(verso.Header("Api-Version"), twoVersions))
	register(r)
	register(sub)
	v.Mount("/mounted", sub)
	v.Group("/joined").RegisterVersions(map[string]func(chi.Router){"v1": register})
	methods := make(map[string][]string)
	for _, info := range v.Explain().Routes {
		methods[info.Pattern] = append(methods[info.Pattern], info.Method)
	}
	assert.Len(t, methods, 3)
	for pattern, listed := range methods {
		assert.IsIncreasing(t, listed, pattern)
		assert.Contains(t, listed, http.MethodTrace, pattern)
	}
}

// TestAllow has the methods of the version in the Allow field of a 405, also below a subrouter, and
// the link of a 410 only to a path that there is.
func TestAllow(t *testing.T) {
	r := chi.NewRouter()
	v := versochi.New(r, verso.MustNew(verso.QueryParam("v"), verso.Config{Catalogue: catalogue.MustNew(catalogue.Config{
		Versions:    []catalogue.Entry{{Version: "v1", Sunset: catalogue.MustDate("2025-12-31"), Successor: "v2"}, {Version: "v2"}, {Version: "v3"}},
		AfterSunset: catalogue.Gone, SuccessorLinks: true,
	})}))
	r.NotFound(v.NotFound(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "own 404", http.StatusNotFound) }))
	r.MethodNotAllowed(v.NotFound(nil))
	r.Get("/health", answerVersion)
	r.Route("/api", func(r chi.Router) {
		api := v.In("/api", r)
		api.Get("/users", answerVersion)
		api.Since("v3").Post("/users", answerVersion)
		r.Get("/own", answerVersion)
	})
	for _, test := range []struct {
		name, method, target string
		status               int
		allow                []string
		body                 string // part of it
		link                 string
	}{
		{"the methods of a version", http.MethodDelete, "/api/users?v=v2", 405, []string{"GET"}, "", ""},
		{"one more in another version", http.MethodDelete, "/api/users?v=v3", 405, []string{"GET, POST"}, "", ""},
		{"a method that its version lacks", http.MethodPost, "/api/users?v=v2", 405, []string{"GET"}, "method_not_in_version", ""},
		{"an ended version", http.MethodDelete, "/api/users?v=v1", 410, nil, "version_gone", `<http://example.com/api/users?v=v2>; rel="successor-version"`},
		{"an unknown version", http.MethodDelete, "/api/users?v=v9", 404, nil, "invalid_query_parameter_version", ""},
		{"a route of chi alone", http.MethodDelete, "/health?v=v9", 405, []string{"GET"}, "", ""},
		{"one of chi in a subrouter", http.MethodDelete, "/api/own?v=v1", 405, []string{"GET"}, "", ""},
		{"no path", http.MethodGet, "/nothing?v=v2", 404, nil, "own 404", ""},
		{"no path in an ended version", http.MethodGet, "/nothing?v=v1", 410, nil, "version_gone", ""},
		{"HEAD, as chi serves it", http.MethodHead, "/api/users?v=v2", 405, []string{"GET"}, "", ""},
		{"a method that chi does not know", "BREW", "/api/users?v=v2", 405, nil, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := send(r, test.method, test.target)
			assert.Equal(t, test.status, w.Code)
			assert.Equal(t, test.allow, w.Header()["Allow"])
			assert.Contains(t, w.Body.String(), test.body)
			assert.Equal(t, test.link, w.Header().Get("Link"))
		})
	}
}

// TestBesideRests has no /users among the paths of /users/*, as chi: a route of v has that path, and the version
// counts.
func TestBesideRests(t *testing.T) {
	r := chi.NewRouter()
	v := versochi.New(r, verso.MustNew(verso.Header("Api-Version"), twoVersions))
	v.Post("/{id}", answerVersion)
	r.Delete("/users/*", answerVersion)
	r.NotFound(v.NotFound(nil))
	r.MethodNotAllowed(v.NotFound(nil))
	for target, status := range map[string]int{"/users": 400, "/users/": 405, "/users/7": 405, "/rooms": 400} {
		request, w := httptest.NewRequest(http.MethodPut, target, nil), httptest.NewRecorder()
		request.Header.Set("Api-Version", "v9")
		r.ServeHTTP(w, request)
		assert.Equal(t, status, w.Code, target)
	}
}

// TestMiddlewareByUse installs the middleware where chi has not matched the route yet.
func TestMiddlewareByUse(t *testing.T) {
	api := verso.MustNew(verso.PathParam("version"), twoVersions)
	newRouter := func(outer, inner bool) (http.Handler, *versochi.Routes) {
		r := chi.NewRouter()
		v := versochi.New(r, api)
		r.Use(middleware.StripSlashes)
		if outer {
			r.Use(v.Middleware(), v.Middleware())
		}
		r.Route("/api/{version}", func(r chi.Router) {
			if inner {
				r.Use(v.Middleware())
			}
			r.Get("/users/*", answerVersion)
			v.In("/api/{version}", r).Neutral().Get("/status", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "fine") })
			v.In("/api/{version}", r).RemovedIn("v2").Get("/rooms", answerVersion)
			r.Route("/{version}x", func(r chi.Router) { r.Get("/", answerVersion) })
		})
		return r, v
	}
	root, _ := newRouter(true, false)
	subrouter, _ := newRouter(false, true)
	both, _ := newRouter(true, true)
	plain, v := newRouter(false, false)
	for name, handler := range map[string]http.Handler{
		"root, twice": root, "subrouter": subrouter, "both": both, "around the router": v.Middleware()(plain),
	} {
		for target, want := range map[string]string{
			"/api/v2/users/a%2Fb": "v2", "/api/v9/users/7": "404 invalid_url_path_version", "/api/v9/status": "fine",
			"/api/v2/rooms": "404 not_in_version", "/api/v1/rooms": "v1", "/api/v9/nowhere": "404 404 page", "/api/v1/v2x": "v2", "/nowhere": "404 404 page",
		} {
			w := send(handler, http.MethodGet, target)
			got := w.Body.String()
			if w.Code != http.StatusOK {
				got = fmt.Sprint(w.Code, " ", got)
			}
			code, text, _ := strings.Cut(want, " ")
			assert.Contains(t, got, code, "%s: %s", name, target)
			assert.Contains(t, got, text, "%s: %s", name, target)
		}
	}
}

// TestConnect sends CONNECT, which chi routes as any method. An empty version is not a
// missing one.
func TestConnect(t *testing.T) {
	r := chi.NewRouter()
	v := versochi.New(r, verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v1")})))
	v.Connect("/{version}/users", answerVersion)
	for path, status := range map[string]int{"/v2/users": http.StatusOK, "/v9/users": http.StatusNotFound, "//users": http.StatusNotFound} {
		request, w := httptest.NewRequest(http.MethodConnect, "/", nil), httptest.NewRecorder()
		request.URL.Path = path
		r.ServeHTTP(w, request)
		assert.Equal(t, status, w.Code, path)
	}
}

func TestMistakesPanic(t *testing.T) {
	api := verso.Must(scheme.NewURLPath("version", twoVersions))
	v := versochi.New(chi.NewRouter(), api)
	v.Get("/there", answerVersion)
	prefix := versochi.New(chi.NewRouter(), verso.MustNew(verso.PathPrefix("/{version}"), twoVersions))
	for name, mistake := range map[string]func(){
		"no router":                     func() { versochi.New(nil, api) },
		"no versioning":                 func() { versochi.New(chi.NewRouter(), nil) },
		"two configurations":            func() { versochi.New(chi.NewRouter(), api, versochi.Config{}, versochi.Config{}) },
		"no handler":                    func() { v.Get("/users", nil) },
		"no handler to mount":           func() { v.Mount("/users", nil) },
		"twice":                         func() { v.Get("/there", answerVersion) },
		"unknown version":               func() { v.Since("v9").Get("/users", answerVersion) },
		"each version without a prefix": func() { v.EachVersion() },
		"each version of a subrouter":   func() { prefix.EachVersion().In("/api", chi.NewRouter()).Get("/users", answerVersion) },
		"choice of an unknown version":  func() { v.HandleVersions("GET", "/users", versochi.Handlers{"v9": answerVersion}) },
		"no namespace":                  func() { v.Namespace("") },
		"no function":                   func() { v.Route("/users", nil) },
		"no middleware":                 func() { v.Group("/users", nil) },
		"no middleware behind":          func() { v.AfterCheck(nil).Get("/behind", answerVersion) },
		"no handler from a middleware": func() {
			v.AfterCheck(func(http.Handler) http.Handler { return nil }).HandleVersions("GET", "/behind", versochi.Handlers{"v1": answerVersion})
		},
		"in no router":         func() { v.In("/users", nil) },
		"in a router of Verso": func() { v.In("/users", v.Router()) },
		"on a router of chi":   func() { versochi.On(chi.NewRouter()) },
		"no middleware to use": func() { v.Route("/used", func(v *versochi.Routes) { v.Use(nil) }) },
		"nothing registered":   func() { v.RegisterVersions(map[string]func(chi.Router){"v1": func(chi.Router) {}}) },
		"a version with a nil handler": func() {
			v.RegisterVersions(map[string]func(chi.Router){"v1": func(r chi.Router) { r.Get("/x", nil) }})
		},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() { assert.True(t, strings.HasPrefix(fmt.Sprint(recover()), "versochi: ")) }()
			mistake()
		})
	}
}

// TestCompressionInside: the answer to a body compressed inside RewriteErrors is not compressed.
func TestCompressionInside(t *testing.T) {
	r := chi.NewRouter()
	v := versochi.New(r, verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	r.Use(v.RewriteErrors())
	said := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		_, _ = io.WriteString(w, "said")
	}
	v.AfterCheck(middleware.Compress(5)).Rewrite(new(conformance.Shouting)).Get("/outside", said)
	v.Rewrite(new(conformance.Shouting)).AfterCheck(middleware.Compress(5)).Get("/inside", said)
	for _, path := range []string{"/outside", "/inside"} {
		w, request := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, path, http.NoBody)
		request.Header = http.Header{"Api-Version": {"v1"}, "Accept-Encoding": {"gzip"}}
		r.ServeHTTP(w, request)
		assert.Equal(t, http.StatusInternalServerError, w.Code, path)
		assert.Empty(t, w.Header().Get("Content-Encoding"), path)
		assert.Contains(t, strings.ToLower(w.Body.String()), `{"`, path)
	}
}
