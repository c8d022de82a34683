package versohttp_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versohttp"
	"github.com/goverso/verso/conformance"
	"github.com/goverso/verso/conformance/twins"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

// preflight are the fields of a CORS preflight.
var preflight = http.Header{"Origin": {"https://app.example"}, "Access-Control-Request-Method": {"GET"}}

// bothWays are the routes of v alone, and behind the middleware.
var bothWays = map[string]func(v *versohttp.Routes) http.Handler{
	"routes":     func(v *versohttp.Routes) http.Handler { return v },
	"middleware": func(v *versohttp.Routes) http.Handler { return v.Middleware()(v) },
}

// override is a middleware that lets a client change the method and the host.
func override(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if method := r.Header.Get("X-Method"); method != "" {
			r.Method = method
		}
		if host := r.Header.Get("X-Host"); host != "" {
			r.Host = host
		}
		next.ServeHTTP(w, r)
	})
}

// TestPreflights asks a route with a handler for each version, for any method.
func TestPreflights(t *testing.T) {
	for way, install := range bothWays {
		v := newRoutes(verso.Must(scheme.NewURLPath("version", twoVersions)))
		v.HandleVersions("/{version}/choose", versohttp.Handlers{"v2": answerVersion})
		for target, want := range map[string]string{"/v2/choose": "v2", "/v1/choose": "not_in_version", "/v9/choose": "invalid_url_path_version"} {
			assert.Contains(t, send(t, install(v), "OPTIONS", target, preflight).Body, want, "%s %s", way, target)
			assert.Contains(t, send(t, install(v), "GET", target, nil).Body, want, "%s %s", way, target)
		}
	}
}

// TestChangedRequests lets middleware change the method and the host of a request
// that the ServeMux has matched.
func TestChangedRequests(t *testing.T) {
	for way, install := range bothWays {
		t.Run(way, func(t *testing.T) {
			v := newRoutes(verso.Must(scheme.NewQueryParameter("version", twoVersions)))
			g := v.Group("", override)
			g.RemovedIn("v2").HandleFunc("POST /x", answerVersion)
			g.HandleFunc("PUT /x", answerVersion)
			g.Neutral().HandleFunc("DELETE /x", answerVersion)
			g.Since("v2").HandleFunc("GET public.example/status", answerVersion)
			g.Neutral().HandleFunc("GET admin.example/status", answerVersion)
			handler := install(v)
			for _, test := range []struct {
				method, target, changed, host string
				status                        int
			}{
				{"POST", "/x?version=v1", "PUT", "", 200},
				{"POST", "/x?version=v2", "PUT", "", 405},
				{"POST", "/x?version=v9", "DELETE", "", 404},
				{"GET", "/status?version=v1", "", "admin.example", 404},
				{"GET", "/status?version=v2", "", "admin.example", 200},
			} {
				header := http.Header{"Host": {"public.example"}, "X-Method": {test.changed}, "X-Host": {test.host}}
				assert.Equal(t, test.status, send(t, handler, test.method, test.target, header).Status, "%v", test)
			}
		})
	}
}

// TestTwoAPIs has routes of two APIs on one ServeMux, each behind the middleware of
// both.
func TestTwoAPIs(t *testing.T) {
	mux := http.NewServeMux()
	versions := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}, DefaultVersion: verso.V("v1")})
	schemas := verso.MustNew(verso.QueryParam("schema"), verso.Config{AllowedVersions: []string{"2024", "2025", "2026"}, DefaultVersion: verso.V("2024")})
	a, b := versohttp.New(mux, versions), versohttp.New(mux, schemas)
	a.HandleVersions("GET /a", versohttp.Handlers{"v1": mounted("first", ""), "v2": mounted("second", ""), "v3": mounted("third", "")})
	b.HandleVersions("GET /b", versohttp.Handlers{"2024": mounted("old", ""), "2026": mounted("new", "")})
	a.HandleFunc("GET /in/", func(w http.ResponseWriter, r *http.Request) {
		http.StripPrefix("/in", mux).ServeHTTP(w, r)
		assert.Equal(t, "v2", versohttp.Version(r).String(), "of its own API")
	})
	for name, handler := range map[string]http.Handler{"routes": mux, "middleware": a.Middleware()(b.Middleware()(mux))} {
		header := http.Header{"Api-Version": {"v2"}}
		assert.Equal(t, "v2 second ", send(t, handler, http.MethodGet, "/a?schema=2026", header).Body, name)
		assert.Equal(t, "2026 new ", send(t, handler, http.MethodGet, "/b?schema=2026", header).Body, name)
		assert.Equal(t, "2026 new ", send(t, handler, http.MethodGet, "/in/b?schema=2026", header).Body, name)
	}
}

// TestPassedOn passes requests to the ServeMux again: each route has the version of
// the request that it gets.
func TestPassedOn(t *testing.T) {
	for way, install := range bothWays {
		t.Run(way, func(t *testing.T) {
			v := newRoutes(verso.Must(scheme.NewURLPath("version", twoVersions)))
			handler := install(v)
			rewritten := func(w http.ResponseWriter, r *http.Request) {
				inner := r.Clone(r.Context())
				inner.URL = &url.URL{Path: r.URL.Query().Get("to")}
				handler.ServeHTTP(w, inner)
				_, _ = io.WriteString(w, " in "+versohttp.Version(r).String())
			}
			v.HandleFunc("GET /{version}/old", rewritten)
			v.HandleFunc("GET /{version}/users", answerVersion)
			v.HandleFunc("GET /users/{tenant}/{version}", answerVersion)
			v.Since("v2").HandleFunc("GET /{version}/new", answerVersion)
			for target, want := range map[string]string{
				"/v1/old?to=/v2/users":    "v2 in v1",
				"/v1/old?to=/users/v1/v2": "v2 in v1",
				"/v2/old?to=/v2/new":      "v2 in v2",
			} {
				assert.Equal(t, want, send(t, handler, http.MethodGet, target, nil).Body, target)
			}
			assert.Contains(t, send(t, handler, http.MethodGet, "/v2/old?to=/v1/new", nil).Body, "not_in_version")
			assert.Contains(t, send(t, handler, http.MethodGet, "/v2/old?to=/v9/users", nil).Body, "invalid_url_path_version")
		})
	}
}

// TestBatch answers many requests in one, at once. What rewrites the whole does not rewrite them.
func TestBatch(t *testing.T) {
	var told sync.Map
	config := twoVersions
	config.Observe = func(_ context.Context, u verso.Observation) {
		count, _ := told.LoadOrStore(u.Route+" "+u.Version.String(), new(sync.Map))
		count.(*sync.Map).Store(new(int), true)
	}
	v := newRoutes(verso.Must(scheme.NewURLPath("version", config))).Rewrite(twins.Same{})
	v.HandleFunc("GET /{version}/users/{n}", answerVersion)
	v.HandleFunc("POST /{version}/batch", func(w http.ResponseWriter, r *http.Request) {
		var group sync.WaitGroup
		for n := range 50 {
			group.Go(func() {
				version := fmt.Sprintf("v%d", 1+n%2)
				one, answer := r.Clone(r.Context()), httptest.NewRecorder()
				one.Method, one.URL = http.MethodGet, &url.URL{Path: fmt.Sprintf("/%s/users/%d", version, n)}
				v.ServeHTTP(answer, one)
				assert.Equal(t, version, answer.Body.String())
			})
		}
		group.Wait()
		answerVersion(w, r)
	})
	for way, install := range bothWays {
		told.Clear()
		assert.Equal(t, "v1", send(t, v.RewriteErrors()(install(v)), http.MethodPost, "/v1/batch", nil).Body, way)
		for key, want := range map[string]int{"/{version}/batch v1": 1, "/{version}/users/{n} v1": 25, "/{version}/users/{n} v2": 25} {
			got := 0
			if count, ok := told.Load(key); ok {
				count.(*sync.Map).Range(func(any, any) bool { got++; return true })
			}
			assert.Equal(t, want, got, "%s %s", way, key)
		}
	}
}

// TestMiddlewareBehindTheServeMux has the middleware behind the ServeMux: in a group it
// leaves the decision to the route, around the handlers of others it decides.
func TestMiddlewareBehindTheServeMux(t *testing.T) {
	mux, another := http.NewServeMux(), http.NewServeMux()
	v := versohttp.New(mux, conformance.Retiring(t, func() time.Time { return conformance.Sunset }), versohttp.Config{
		ExemptFromSunset: func(r *http.Request) bool { return r.URL.Query().Has("keep") },
	})
	setsVersion := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r, err := v.SetTestVersion(r, verso.V("v2"))
			assert.NoError(t, err)
			next.ServeHTTP(w, r)
		})
	}
	group := v.Group("", setsVersion, v.Middleware(), recoverer, v.Middleware())
	group.HandleFunc("GET /users", answerVersion)
	group.Neutral().HandleFunc("GET /health", answerJSON)
	group.HandleFunc("/", answerVersion)
	versioned := v.Middleware()(recoverer(http.HandlerFunc(answerVersion)))
	another.Handle("GET /users", versioned)
	another.Handle("/", versioned)
	v.HandleFunc("GET /on", func(w http.ResponseWriter, r *http.Request) {
		r.Header.Set("Api-Version", r.URL.Query().Get("to"))
		versioned.ServeHTTP(w, r)
	})
	for _, test := range []struct {
		name, target, version string
		handler               http.Handler
		status                int
		body                  string
	}{
		{"served", "/users", "v2", mux, 200, "v2"},
		{"ended", "/users", "v1", mux, 410, "version_gone"},
		{"kept", "/users?keep", "v1", mux, 200, "v1"},
		{"unknown", "/users", "v9", mux, 400, "invalid_header_version"},
		{"neutral", "/health", "v9", mux, 200, "null"},
		{"an equal pattern of another ServeMux", "/users", "v2", another, 200, "v2"},
		{"an equal pattern of another ServeMux, unknown", "/users", "v9", another, 400, "invalid_header_version"},
		{"the same literal of another ServeMux, unknown", "/", "v9", another, 400, "invalid_header_version"},
		{"passed on to others", "/on?to=v2", "v2", mux, 200, "v2"},
		{"passed on to others, unknown", "/on?to=v9", "v2", mux, 400, "invalid_header_version"},
	} {
		got := send(t, test.handler, http.MethodGet, test.target, http.Header{"Api-Version": {test.version}})
		assert.Equal(t, test.status, got.Status, test.name)
		assert.Contains(t, got.Body, test.body, test.name)
	}
}

// TestRejectedHasNoVersion answers rejected requests that were given a version before.
func TestRejectedHasNoVersion(t *testing.T) {
	v := newRoutes(verso.Must(scheme.NewQueryParameter("version", twoVersions)), versohttp.Config{
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err *verso.Error, _ *verso.Answer) {
			http.Error(w, "in "+versohttp.Version(r).String()+" instead of "+err.Requested, http.StatusNotFound)
		},
	})
	v.HandleFunc("GET /users", answerVersion)
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r, err := v.SetTestVersion(r, verso.V("v2"))
		assert.NoError(t, err)
		v.ServeHTTP(w, r)
	})
	assert.Equal(t, "in  instead of v9\n", send(t, handler, http.MethodGet, "/users?version=v9", nil).Body)
}

// TestObservedOnce installs the middleware in each way in front of routes of v and of
// others, and passes requests on.
func TestObservedOnce(t *testing.T) {
	var told []string
	config := twoVersions
	config.Observe = func(_ context.Context, u verso.Observation) {
		told = append(told, u.Route+" "+u.Version.String()+" "+u.Outcome)
	}
	mux := http.NewServeMux()
	v := versohttp.New(mux, verso.Must(scheme.NewQueryParameter("version", config)))
	v.HandleFunc("GET /plain", answerVersion)
	v.Since("v2").HandleFunc("GET /since", answerVersion)
	v.Group("", v.Middleware()).HandleFunc("GET /group", answerVersion)
	v.Handle("GET /passed/", http.StripPrefix("/passed", mux))
	mux.HandleFunc("GET /others", answerVersion)
	for name, install := range map[string]struct {
		handler http.Handler
		others  string // what is known of the route of others, "-": it is not checked
	}{
		"routes":                  {mux, "-"},
		"around the ServeMux":     {v.Middleware()(mux), "/others"},
		"around v":                {v.Middleware()(v), "/others"},
		"twice":                   {v.Middleware()(v.Middleware()(mux)), "/others"},
		"with another in between": {v.Middleware()(recoverer(mux)), "/others"},
		"with a TimeoutHandler":   {v.Middleware()(http.TimeoutHandler(v.Middleware()(mux), timeout, "")), "/others"},
	} {
		for target, want := range map[string]string{
			"/plain?version=v1":  "/plain v1 served",
			"/since?version=v2":  "/since v2 served",
			"/since?version=v1":  "/since v1 not_in_version",
			"/group?version=v1":  "/group v1 served",
			"/others?version=v2": install.others + " v2 served",

			"/passed/since?version=v2": "/since v2 served",
			"/passed/since?version=v1": "/since v1 not_in_version",
		} {
			told = nil
			send(t, install.handler, http.MethodGet, target, nil)
			if strings.HasPrefix(want, "-") {
				assert.Empty(t, told, "%s %s", name, target)
			} else {
				assert.Equal(t, []string{want}, told, "%s %s", name, target)
			}
		}
	}
}

// TestUsageRouteOfAnotherServeMux has the middleware around a ServeMux that is not that
// of v: its pattern is known when its handler has returned.
func TestUsageRouteOfAnotherServeMux(t *testing.T) {
	var told []string
	config := twoVersions
	config.Observe = func(_ context.Context, u verso.Observation) { told = append(told, u.Method+" "+u.Route+" "+u.Outcome) }
	mux, outer := http.NewServeMux(), http.NewServeMux()
	mux.HandleFunc("GET /users/{id}", answerVersion)
	mux.HandleFunc("CONNECT /files/", answerVersion)
	mux.HandleFunc("GET /panic", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	handler := versohttp.New(http.NewServeMux(), verso.MustNew(verso.Header("Api-Version"), config)).Middleware()(mux)
	outer.Handle("/", handler)
	outer.Handle("/api/", http.StripPrefix("/api", handler))
	for _, test := range []struct{ name, method, target, version, want string }{
		{"served", "GET", "/users/7", "v1", "GET /users/{id} served"},
		{"HEAD", "HEAD", "/users/7", "v1", "HEAD /users/{id} served"},
		{"below a prefix", "GET", "/api/users/7", "v1", "GET /users/{id} served"},
		{"rejected", "GET", "/users/7", "v9", "GET / invalid_header_version"},
		{"panic", "GET", "/panic", "v1", "GET /panic served"},
		{"unmatched", "GET", "/made-up", "v1", "GET  served"},
		{"redirect of a CONNECT", "CONNECT", "/files", "v1", "CONNECT / served"},
	} {
		t.Run(test.name, func(t *testing.T) {
			told = nil
			r, w := httptest.NewRequest(test.method, test.target, nil), httptest.NewRecorder()
			r.Header.Set("Api-Version", test.version)
			func() {
				defer func() { _ = recover() }()
				outer.ServeHTTP(w, r)
			}()
			assert.Equal(t, []string{test.want}, told)
		})
	}
}
