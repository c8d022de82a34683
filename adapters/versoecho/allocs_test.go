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
		mw := versoecho.Middleware(api)
		for _, host := range []string{"", "v1.example.com"} {
			t.Run(fmt.Sprintf("%s/router of %q", name, host), func(t *testing.T) {
				assert.Equal(t, allocs(t, host, keep), allocs(t, host, mw))
			})
		}
	}
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

// allocs counts the allocations of a request through a middleware to a route of
// a host. It does what Echo#ServeHTTP does, but for the pool of contexts, which
// loses some under the race detector.
func allocs(t *testing.T, host string, mw echo.MiddlewareFunc) float64 {
	t.Helper()
	e := echo.New()
	group, router := e.Group(""), e.Router()
	if host != "" {
		group = e.Host(host)
		router = e.Routers()[host]
	}
	ran := false
	for i := range 10 {
		group.GET(fmt.Sprintf("/:version/users/:id/%d", i), func(echo.Context) error {
			ran = true
			return nil
		}).Name = "v1:user"
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
		assert.NoError(t, mw(c.Handler())(c))
	}
	count := testing.AllocsPerRun(1000, run)
	assert.True(t, ran)
	return count
}
