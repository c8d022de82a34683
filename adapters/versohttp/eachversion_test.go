package versohttp_test

import (
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
)

func prefixed(config verso.Config) *versohttp.Routes {
	config.AllowedVersions = []string{"v1", "v2"}
	return newRoutes(verso.MustNew(verso.PathPrefix("/api/{version}"), config))
}

// TestGuardByPath has a guard in front of the mux: one of the path that the service had
// before lets the other forms of the route pass, and one of all that Explain lists does not.
func TestGuardByPath(t *testing.T) {
	v := prefixed(verso.Config{DefaultVersion: verso.V("v1")})
	each := v.EachVersion()
	each.HandleFunc("GET /api/admin/export", answerVersion)
	each.Since("v2").HandleFunc("GET /api/admin/search", answerVersion)
	each.HandleFunc("GET /api/lists", answerVersion)
	guarding := func(paths ...string) http.Handler {
		guard := http.NewServeMux()
		guard.Handle("/", v)
		for _, path := range paths {
			guard.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
		}
		return guard
	}
	all := []string{"/api/admin/export", "/api/v1/admin/export", "/api/v2/admin/export", "/api/v2/admin/search"}
	var listed []string
	for _, r := range v.Explain().Routes {
		if strings.Contains(r.Pattern, "/admin/") {
			listed = append(listed, r.Forms...)
		}
	}
	require.Equal(t, all, listed)
	for _, path := range all {
		assert.Equal(t, http.StatusUnauthorized, send(t, guarding(listed...), "GET", path, nil).Status, path)
	}
	assert.Equal(t, http.StatusOK, send(t, guarding("/api/admin/"), "GET", "/api/v1/admin/export", nil).Status, "the forms are open to who guards one")
	assert.Equal(t, http.StatusOK, send(t, guarding(listed...), "GET", "/api/v2/lists", nil).Status)
}

func TestEachVersionMistakes(t *testing.T) {
	v := prefixed(verso.Config{DefaultVersion: verso.V("v1")})
	for pattern, code := range map[string]string{
		"GET /api/{kind}": "prefix_parameter", "/api/{kind}/{id}": "prefix_parameter", "/api/{kind}/": "prefix_parameter",
	} {
		err := panicked(func() { v.EachVersion().HandleFunc(pattern, answerVersion) })
		var mistake *verso.Finding
		require.ErrorAs(t, err, &mistake, pattern)
		assert.Equal(t, code, mistake.Code, pattern)
		assert.ErrorContains(t, err, "route "+pattern)
	}
}

// TestEachVersionOfTheRest: a ServeMux prefers /api/v1/{rest...} to /api/{rest...}, which may be
// beside EachVersion too.
func TestEachVersionOfTheRest(t *testing.T) {
	rest := func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, versohttp.Version(r).String()+" "+r.PathValue("rest"))
	}
	for pattern, test := range map[string]struct {
		register       func(v *versohttp.Routes, mux *http.ServeMux, pattern string)
		v2, unprefixed string // what /api/v2/files and /api/x/files get
	}{
		"GET /api/{rest...}":        {func(v *versohttp.Routes, _ *http.ServeMux, p string) { v.EachVersion().HandleFunc(p, rest) }, "v2 files", "v1 x/files"},
		"GET /api/":                 {func(v *versohttp.Routes, _ *http.ServeMux, p string) { v.EachVersion().HandleFunc(p, rest) }, "v2 ", "v1 "},
		"/api/{rest...}":            {func(_ *versohttp.Routes, mux *http.ServeMux, p string) { mux.HandleFunc(p, rest) }, " v2/files", " x/files"},
		"GET /api/{kind}/{rest}":    {func(_ *versohttp.Routes, mux *http.ServeMux, p string) { mux.HandleFunc(p, rest) }, " files", " files"},
		"GET /{api}/{rest...}":      {func(v *versohttp.Routes, _ *http.ServeMux, p string) { v.HandleFunc(p, rest) }, "v1 v2/files", "v1 x/files"},
		"GET /api/{kind}/{rest...}": {func(v *versohttp.Routes, _ *http.ServeMux, p string) { v.Neutral().HandleFunc(p, rest) }, " files", " files"},
	} {
		mux := http.NewServeMux()
		v := versohttp.New(mux, verso.MustNew(verso.PathPrefix("/api/{version}"), verso.Config{AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v1"), Logger: slog.New(slog.DiscardHandler)}))
		v.EachVersion().HandleFunc("GET /api/users", rest)
		test.register(v, mux, pattern)
		for target, want := range map[string]string{"/api/users": "v1 ", "/api/v1/users": "v1 ", "/api/v2/users": "v2 ", "/api/v2/files": test.v2, "/api/x/files": test.unprefixed} {
			assert.Equal(t, want, send(t, mux, "GET", target, nil).Body, "%s: %s", pattern, target)
		}
	}
}

func panicked(call func()) (err error) {
	defer func() { err, _ = recover().(error) }()
	call()
	return nil
}

// TestNotFoundOnTheServeMux has NotFound around the handler of "/", which other routes do
// not reach.
func TestNotFoundOnTheServeMux(t *testing.T) {
	mux := http.NewServeMux()
	v := versohttp.New(mux, verso.MustNew(verso.PathParam("version"), twoVersions))
	v.HandleFunc("GET /{version}/users", answerVersion)
	mux.Handle("/", v.NotFound()(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		assert.Empty(t, versohttp.Version(r))
		w.WriteHeader(http.StatusTeapot)
	})))
	for target, status := range map[string]int{"/v1/users": 200, "/v9/gone": http.StatusTeapot, "/favicon.ico": http.StatusTeapot, "/v1/gone": http.StatusTeapot, "/": http.StatusTeapot} {
		assert.Equal(t, status, send(t, mux, http.MethodGet, target, nil).Status, target)
	}
}

// TestAroundOnTheServeMux has what belongs around the ServeMux on it, which calls nothing for ever.
func TestAroundOnTheServeMux(t *testing.T) {
	for name, around := range map[string]func(*versohttp.Routes) func(http.Handler) http.Handler{
		"NotFound": (*versohttp.Routes).NotFound, "Middleware": (*versohttp.Routes).Middleware,
	} {
		mux := http.NewServeMux()
		v := versohttp.New(mux, verso.MustNew(verso.Header("Api-Version"), twoVersions))
		v.HandleFunc("GET /users", answerVersion)
		mux.Handle("/", around(v)(mux))
		for target, status := range map[string]int{"/users": http.StatusOK, "/nowhere": http.StatusNotFound} {
			assert.Equal(t, status, send(t, mux, http.MethodGet, target, http.Header{"Api-Version": {"v1"}}).Status, "%s %s", name, target)
		}
	}
}

// TestExplainBesideNew: Explain of a service looks at those that other goroutines make, as in a reload.
func TestExplainBesideNew(t *testing.T) {
	newService := func() *versohttp.Routes {
		return versohttp.New(http.NewServeMux(), verso.MustNew(verso.Header("Api-Version"), twoVersions))
	}
	v := newService()
	v.HandleFunc("GET /users", answerVersion)
	var making sync.WaitGroup
	making.Go(func() {
		for range 200 {
			newService()
		}
	})
	for range 200 {
		assert.Empty(t, v.Explain().Findings)
	}
	making.Wait()
}

// TestNotFoundBesidePage: a page for all paths is not why an unmatched request has no version.
func TestNotFoundBesidePage(t *testing.T) {
	mux := http.NewServeMux()
	v := versohttp.New(mux, verso.MustNew(verso.Header("Api-Version"), twoVersions))
	v.HandleFunc("GET /users", answerVersion)
	mux.HandleFunc("GET /", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	for _, test := range []struct {
		method, version string
		status          int
	}{{"GET", "v9", http.StatusTeapot}, {"POST", "v9", http.StatusBadRequest}, {"POST", "v1", http.StatusMethodNotAllowed}} {
		header := http.Header{"Api-Version": {test.version}}
		for _, path := range []string{"/", "/nowhere"} {
			assert.Equal(t, test.status, send(t, v.NotFound()(mux), test.method, path, header).Status, "%v %s", test, path)
		}
	}
}

// TestEachVersionOutside: the message has the pattern as it was given.
func TestEachVersionOutside(t *testing.T) {
	api := verso.MustNew(verso.PathPrefix("/api/{version}"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	v := versohttp.New(http.NewServeMux(), api).EachVersion()
	assert.PanicsWithError(t, `versohttp: route /files/: verso: Routes: the path "/files/" is not under "/api/", which precedes the version: register it without EachVersion`,
		func() { v.Handle("/files/", http.NotFoundHandler()) })
}
