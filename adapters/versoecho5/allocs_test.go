package versoecho5_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/labstack/echo/v5"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versoecho5"
	verso "github.com/goverso/verso/core"
)

// TestDeterminationAllocatesNothing compares requests through Verso with
// requests through a middleware that only keeps a pointer with Context#Set.
func TestDeterminationAllocatesNothing(t *testing.T) {
	for name, api := range map[string]*verso.Versioning{
		"accept_header":   verso.Must(verso.NewAcceptHeader(twoVersions)),
		"url_path":        verso.Must(verso.NewURLPath(twoVersions)),
		"namespace":       verso.Must(verso.NewNamespace(twoVersions)),
		"hostname":        verso.Must(verso.NewHostName(twoVersions)),
		"query_parameter": verso.Must(verso.NewQueryParameter(twoVersions)),
		"header":          verso.Must(verso.New(verso.Header("Api-Version"), twoVersions)),
		"first":           verso.Must(verso.New(verso.First(verso.Header("Missing"), verso.PathParam("version")), twoVersions)),
		"agree":           verso.Must(verso.New(verso.Agree(verso.Header("Api-Version"), verso.PathParam("version")), twoVersions)),
	} {
		mw := versoecho5.Middleware(api)
		for _, method := range []string{http.MethodGet, echo.RouteAny} {
			t.Run(name+"/"+method, func(t *testing.T) {
				assert.Equal(t, allocs(t, nil, method, keep, 10), allocs(t, nil, method, mw, 10))
			})
		}
		t.Run(name+"/concurrent", func(t *testing.T) {
			// One more is Context#RouteInfo, for any number of routes.
			router := routers["concurrent"]
			assert.LessOrEqual(t, allocs(t, router(), http.MethodGet, mw, 100), 1+allocs(t, router(), http.MethodGet, keep, 100))
		})
	}
}

// keep is a middleware that keeps a pointer.
func keep(next echo.HandlerFunc) echo.HandlerFunc {
	kept := new(int)
	return func(c *echo.Context) error {
		c.Set("kept", kept)
		return next(c)
	}
}

// allocs counts the allocations of a request through a middleware to one of
// many routes. It does what Echo#ServeHTTP does, but for the pool of contexts,
// which loses some under the race detector.
func allocs(t *testing.T, router echo.Router, method string, mw echo.MiddlewareFunc, routes int) float64 {
	t.Helper()
	e := echo.NewWithConfig(echo.Config{Router: router})
	for i := range routes { // without a slash before it, which Echo adds
		add(t, e, method, fmt.Sprintf(":version/users/:id/%d", i), func(*echo.Context) error { return nil }, "v1:user")
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/v1/users/7/0?version=v1", nil)
	r.Host = "v1.example.com"
	r.Header.Set("Accept", "application/json; version=v1")
	r.Header.Set("Api-Version", "v1")
	response := httptest.NewRecorder()
	c := e.NewContext(r, response)
	ran := false
	handler := mw(func(*echo.Context) error {
		ran = true
		return nil
	})
	count := testing.AllocsPerRun(1000, func() {
		clear(response.Header())
		c.Reset(r, response)
		e.Router().Route(c)
		assert.NoError(t, handler(c))
	})
	assert.True(t, ran)
	return count
}
