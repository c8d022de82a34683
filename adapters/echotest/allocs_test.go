package echotest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"

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
		for placeName, place := range places {
			t.Run(name+"/"+placeName, func(t *testing.T) {
				ofEcho := func(g *Group, _ *Routes, h HandlerFunc) (adder, HandlerFunc) { return g, keep(h) }
				ofV := func(_ *Group, v *Routes, h HandlerFunc) (adder, HandlerFunc) { return v, h }
				assert.Equal(t, allocs(t, api, place, ofEcho), allocs(t, api, place, ofV), "a route of v")
				if name == "namespace" {
					return // through the middleware a result of its own says which route was assumed
				}
				withKeep := func(g *Group, _ *Routes, h HandlerFunc) (adder, HandlerFunc) { return g.Group("", keep), h }
				withCheck := func(g *Group, v *Routes, h HandlerFunc) (adder, HandlerFunc) { return g.Group("", v.Middleware()), h }
				assert.Equal(t, allocs(t, api, place, withKeep), allocs(t, api, place, withCheck), "the middleware")
			})
		}
	}
}

// place is where Echo keeps routes.
type place struct {
	e              *Echo
	group          *Group
	method, prefix string              // of its routes
	serve          func(Context) error // routes a request, and runs it
}

// kept is what the middleware keep keeps.
var kept = new(int)

// keep is a middleware that keeps a pointer.
func keep(next HandlerFunc) HandlerFunc {
	return func(c Context) error {
		c.Set("kept", kept)
		return next(c)
	}
}

// allocs counts the allocations of a request to one of many routes. It does what
// Echo#ServeHTTP does, but for the pool of contexts, which loses some under the race
// detector.
func allocs(t *testing.T, api *verso.Versioning, newPlace func() place,
	install func(*Group, *Routes, HandlerFunc) (adder, HandlerFunc)) float64 {
	t.Helper()
	at, ran := newPlace(), false
	routes, handler := install(at.group, New(at.e, api).In(at.group), func(Context) error {
		ran = true
		return nil
	})
	for i := range 10 {
		add(t, routes, at.method, fmt.Sprintf("%s/users/:id/%d", at.prefix, i), handler, fmt.Sprintf("v1:user-%d", i))
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/v1/users/7/0?version=v1", nil)
	r.Host = "v1.example.com"
	r.Header.Set("Accept", "application/json; version=v1")
	r.Header.Set("Api-Version", "v1")
	response := httptest.NewRecorder()
	c := at.e.NewContext(r, response)
	count := testing.AllocsPerRun(1000, func() {
		clear(response.Header())
		c.Reset(r, response)
		assert.NoError(t, at.serve(c))
	})
	assert.True(t, ran)
	return count
}
