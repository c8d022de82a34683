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
	"github.com/goverso/verso/core/scheme"
)

// TestDeterminationAllocatesNothing compares requests to routes that carry a check, and
// requests through the middleware, with requests through a middleware that only keeps a
// pointer with Context#Set.
func TestDeterminationAllocatesNothing(t *testing.T) {
	for name, api := range map[string]*verso.Versioning{
		"accept_header":   verso.Must(scheme.NewAcceptHeader("version", twoVersions)),
		"url_path":        verso.Must(scheme.NewURLPath("version", twoVersions)),
		"namespace":       verso.Must(scheme.NewNamespace(twoVersions)),
		"hostname":        verso.Must(scheme.NewHostName("", twoVersions)),
		"query_parameter": verso.Must(scheme.NewQueryParameter("version", twoVersions)),
		"header":          verso.MustNew(verso.Header("Api-Version"), twoVersions),
		"first":           verso.MustNew(verso.First(verso.Header("Missing"), verso.PathParam("version")), twoVersions),
		"agree":           verso.MustNew(verso.Agree(verso.Header("Api-Version"), verso.PathParam("version")), twoVersions),
	} {
		ofV := func(_ *echo.Echo, v *versoecho5.Routes) adder { return v }
		behind := func(e *echo.Echo, v *versoecho5.Routes) adder { return e.Group("", v.Middleware()) }
		plain := func(e *echo.Echo, _ *versoecho5.Routes) adder { return e.Group("", keep) }
		for _, method := range []string{http.MethodGet, echo.RouteAny} {
			for routerName, router := range map[string]func() echo.Router{"default": defaultRouter, "concurrent": routers["concurrent"]} {
				t.Run(name+"/"+method+"/"+routerName, func(t *testing.T) {
					kept := allocs(t, api, router(), method, plain)
					assert.Equal(t, kept, allocs(t, api, router(), method, ofV), "a route of v")
					if name != "namespace" { // through the middleware a result of its own says which route was assumed
						assert.Equal(t, kept, allocs(t, api, router(), method, behind), "the middleware")
					}
				})
			}
		}
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

// allocs counts the allocations of a request to one of many routes. It does what
// Echo#ServeHTTP does, but for the pool of contexts, which loses some under the race
// detector.
func allocs(t *testing.T, api *verso.Versioning, router echo.Router, method string, install func(*echo.Echo, *versoecho5.Routes) adder) float64 {
	t.Helper()
	e := echo.NewWithConfig(echo.Config{Router: router})
	routes := install(e, versoecho5.New(e, api))
	ran := false
	for i := range 10 { // without a slash before it, which Echo adds
		add(t, routes, method, fmt.Sprintf(":version/users/:id/%d", i), func(*echo.Context) error {
			ran = true
			return nil
		}, fmt.Sprintf("v1:user-%d", i))
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/v1/users/7/0?version=v1", nil)
	r.Host = "v1.example.com"
	r.Header.Set("Accept", "application/json; version=v1")
	r.Header.Set("Api-Version", "v1")
	response := httptest.NewRecorder()
	c := e.NewContext(r, response)
	count := testing.AllocsPerRun(1000, func() {
		clear(response.Header())
		c.Reset(r, response)
		assert.NoError(t, e.Router().Route(c)(c))
	})
	assert.True(t, ran)
	return count
}
