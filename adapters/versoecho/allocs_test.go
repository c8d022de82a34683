package versoecho_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versoecho"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

// TestDeterminationAllocatesNothing compares requests to routes that carry a check
// with requests to routes whose handlers keep a pointer with Context#Set, and
// requests through the middleware with those through one that does.
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
		for _, host := range []string{"", "v1.example.com"} {
			t.Run(fmt.Sprintf("%s/router of %q", name, host), func(t *testing.T) {
				ofV := func(v *versoecho.Routes) (adder, echo.MiddlewareFunc) { return v, nil }
				ofEcho := func(v *versoecho.Routes) (adder, echo.MiddlewareFunc) { return nil, nil }
				assert.Equal(t, allocs(t, api, host, ofEcho), allocs(t, api, host, ofV), "a route of v")
				if name == "namespace" {
					return // through the middleware a result of its own says which route was assumed
				}
				withKeep := func(*versoecho.Routes) (adder, echo.MiddlewareFunc) { return nil, keep }
				withCheck := func(v *versoecho.Routes) (adder, echo.MiddlewareFunc) { return nil, v.Middleware() }
				assert.Equal(t, allocs(t, api, host, withKeep), allocs(t, api, host, withCheck), "the middleware")
			})
		}
	}
}

// adder is what routes are registered with; nil: Echo.
type adder interface {
	GET(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route
}

// kept is what the middleware keep keeps.
var kept = new(int)

// keep is a middleware that keeps a pointer. Echo makes its closure anew for each
// request, as any.
func keep(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		c.Set("kept", kept)
		return next(c)
	}
}

// allocs counts the allocations of a request to a route of a host. It does what
// Echo#ServeHTTP does, but for the pool of contexts, which loses some under the race
// detector.
func allocs(t *testing.T, api *verso.Versioning, host string, install func(*versoecho.Routes) (adder, echo.MiddlewareFunc)) float64 {
	t.Helper()
	e := echo.New()
	v := versoecho.New(e, api)
	group, router := e.Group(""), e.Router()
	if host != "" {
		group = e.Host(host)
		router = e.Routers()[host]
	}
	routes, mw := install(v.In(group))
	ran := false
	handler := func(echo.Context) error {
		ran = true
		return nil
	}
	if routes == nil {
		routes = group
		if mw == nil {
			handler = keep(handler)
		}
	}
	for i := range 10 {
		routes.GET(fmt.Sprintf("/:version/users/:id/%d", i), handler).Name = "v1:user"
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/v1/users/7/0?version=v1", nil)
	r.Host = "v1.example.com"
	r.Header.Set("Accept", "application/json; version=v1")
	r.Header.Set("Api-Version", "v1")
	response := httptest.NewRecorder()
	c := e.NewContext(r, response)
	run := func() {
		clear(response.Header())
		c.Reset(r, response)
		router.Find(r.Method, r.URL.Path, c)
		handler := c.Handler()
		if mw != nil {
			handler = mw(handler)
		}
		assert.NoError(t, handler(c))
	}
	count := testing.AllocsPerRun(1000, run)
	assert.True(t, ran)
	return count
}
