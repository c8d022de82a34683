package versogin_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/source"
)

// TestDeterminationAllocatesNothing compares requests through Verso with requests
// through a middleware that only keeps a pointer in Gin's own store.
func TestDeterminationAllocatesNothing(t *testing.T) {
	three := []source.Source{verso.PathParam("version"), verso.Header("Api-Version"), verso.QueryParam("version")}
	strict := twoVersions
	strict.Strict = verso.Strict()
	strict.Strict.AllowedHosts = []string{"example.com"}
	for _, test := range []struct {
		name   string
		api    *verso.Versioning
		target string
		header http.Header
	}{
		{"accept", verso.Must(scheme.NewAcceptHeader("version", twoVersions)), "/users", http.Header{"Accept": {"application/json; version=v2"}}},
		{"path", verso.Must(scheme.NewURLPath("version", twoVersions)), "/path/v2/users", nil},
		{"namespace", verso.Must(scheme.NewNamespace(twoVersions)), "/v2/users", nil},
		{"host", verso.Must(scheme.NewHostName("", twoVersions)), "http://v2.example.com/users", nil},
		{"query", verso.Must(scheme.NewQueryParameter("version", twoVersions)), "/users?a=b&version=v2", nil},
		{"header", verso.MustNew(verso.Header("Api-Version"), twoVersions), "/users", http.Header{"Api-Version": {"v2"}}},
		{"first of three", verso.MustNew(verso.First(three...), twoVersions), "/users?version=v2", nil},
		{"agreement of three", verso.MustNew(verso.Agree(three...), twoVersions), "/path/v2/users?version=v2", nil},
		{"strict", verso.Must(scheme.NewURLPath("version", strict)), "http://example.com/path/v2/users", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, test.target, nil)
			request.Header = test.header
			kept := new(int)
			keep := func(c *gin.Context) { c.Set("key", kept) }

			r := gin.New()
			v := versogin.New(r, test.api)
			r.Use(v.Middleware())
			register(v, func(c *gin.Context) { assert.Equal(t, verso.V("v2"), versogin.Version(c)) })
			serve(r, request)()

			assert.Equal(t, allocs(keep, test.api, request), allocs(nil, test.api, request))
		})
	}
}

// allocs counts the allocations of a request through a middleware, nil for Verso.
func allocs(middleware gin.HandlerFunc, api *verso.Versioning, request *http.Request) float64 {
	r := gin.New()
	v := versogin.New(r, api)
	if middleware == nil {
		middleware = v.Middleware()
	}
	r.Use(middleware)
	register(v, func(*gin.Context) {})
	return testing.AllocsPerRun(100, serve(r, request))
}

func register(v *versogin.Routes, handler gin.HandlerFunc) {
	v.GET("/users", handler)
	v.GET("/path/:version/users", handler)
	v.Namespace("v2").GET("/v2/users", handler)
}

// serve returns what serves a request without Gin's pool of contexts, which loses
// some under the race detector.
func serve(r *gin.Engine, request *http.Request) func() {
	c := gin.CreateTestContextOnly(httptest.NewRecorder(), r)
	c.Request = request
	return func() { r.HandleContext(c) }
}
