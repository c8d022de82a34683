package echotest

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
)

func prefixed(t *testing.T, config verso.Config) (*Echo, *Routes) {
	t.Helper()
	config.AllowedVersions = []string{"v1", "v2"}
	e := newEcho()
	return e, New(e, verso.MustNew(verso.PathPrefix("/api/{version}"), config))
}

// needs lets requests through that have a header field.
func needs(name string) MiddlewareFunc {
	return func(next HandlerFunc) HandlerFunc {
		return func(c Context) error {
			if c.Request().Header.Get(name) == "" {
				return ErrUnauthorized
			}
			return next(c)
		}
	}
}

// TestEachVersionUnmatched asks for what no route of a group has: its middleware runs
// as that of Echo's groups does, in each version.
func TestEachVersionUnmatched(t *testing.T) {
	plain := newEcho()
	plain.Group("/api", needs("A")).Group("/admin", needs("B")).GET("/x", func(c Context) error { return c.String(http.StatusOK, "v1") })
	for name, routes := range map[string]func(*Echo, *Routes) *Routes{
		"group": func(_ *Echo, v *Routes) *Routes {
			return v.EachVersion().Group("/api", needs("A"))
		},
		"group of Echo": func(e *Echo, v *Routes) *Routes {
			return v.In(e.Group("/api")).EachVersion(needs("A"))
		},
		"use": func(_ *Echo, v *Routes) *Routes {
			g := v.EachVersion().Group("/api")
			g.Use(needs("A"))
			return g
		},
	} {
		e, v := prefixed(t, verso.Config{DefaultVersion: verso.V("v1")})
		routes(e, v).Group("/admin", needs("B")).GET("/x", answerVersion)
		for _, path := range []string{"", "/", "/y", "/admin", "/admin/x", "/admin/y"} {
			for _, method := range []string{"GET", "POST"} {
				for _, header := range []http.Header{{}, {"A": {"x"}}, {"A": {"x"}, "B": {"x"}}} {
					want, got := send(t, plain, method, "/api"+path, header), send(t, e, method, "/api"+path, header)
					assert.Equal(t, want.Status, got.Status, "%s: %s %s with %v", name, method, path, header)
					assert.Equal(t, want.Body, got.Body, "%s: %s %s with %v", name, method, path, header)
					got = send(t, e, method, "/api/v2"+path, header)
					assert.Equal(t, want.Status, got.Status, "%s: %s %s of v2 with %v", name, method, path, header)
				}
			}
		}
		assert.Len(t, v.Explain().Routes, 1, "what is registered for requests without a route is none")
	}
}

// TestInBehindEachVersion: a route of an existing group keeps the middleware of EachVersion.
func TestInBehindEachVersion(t *testing.T) {
	e, v := prefixed(t, verso.Config{DefaultVersion: verso.V("v1")})
	v.EachVersion(needs("A")).In(e.Group("/api")).GET("/x", answerVersion)
	for path, version := range map[string]string{"/api/x": "v1", "/api/v2/x": "v2"} {
		assert.NotEqual(t, http.StatusOK, send(t, e, "GET", path, nil).Status, path)
		got := send(t, e, "GET", path, http.Header{"A": {"x"}})
		assert.Equal(t, http.StatusOK, got.Status, path)
		assert.Contains(t, got.Body, version, path)
	}
}

// TestEachVersionSince: Echo gives the last parameter of a path the rest of it, but not
// beside a longer route. One that only v2 has takes nothing from the clients of v1, also if a
// header may name v2 at a path without a prefix.
func TestEachVersionSince(t *testing.T) {
	prefix := verso.PathPrefix("/api/{version}")
	for name, from := range map[string]source.Source{"prefix": prefix, "prefix or header": verso.First(prefix, verso.Header("Api-Version"))} {
		e := newEcho()
		v := New(e, verso.MustNew(from, verso.Config{AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v1")}))
		each := v.EachVersion().Group("/api")
		each.GET("/files/:name", answerVersion)
		each.Since("v2").GET("/files/:name/stats", answerVersion)
		for _, target := range []string{"/api/files/a", "/api/v1/files/a/b", "/api/v1/files/a/", "/api/v1/files/a/stats"} {
			assert.Equal(t, "v1", send(t, e, "GET", target, nil).Body, "%s: %s", name, target)
		}
		assert.Equal(t, "v2", send(t, e, "GET", "/api/v2/files/a/stats", nil).Body, name)
	}
	e, v := prefixed(t, verso.Config{DefaultVersion: verso.V("v1")})
	each := v.EachVersion()
	each.GET("/api/files/:name", answerVersion)
	each.Since("v2").GET("/api/files/:name/stats", answerVersion)
	for _, target := range []string{"/api/files/a/b", "/api/files/a/stats", "/api/files/a/"} {
		assert.Equal(t, "v1", send(t, e, "GET", target, nil).Body, target)
	}
}

// TestEachVersionEmptyPath: at the root it is /v1, as in a group of Echo.
func TestEachVersionEmptyPath(t *testing.T) {
	e := newEcho()
	v := New(e, verso.MustNew(verso.PathPrefix("/{version}"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	v.EachVersion().POST("", answerVersion)
	assert.Equal(t, http.StatusOK, send(t, e, http.MethodPost, "/v1", nil).Status)
}

// TestRegisteredUnmatched: the middleware of a function's group also runs where no route is, in each version and without one.
func TestRegisteredUnmatched(t *testing.T) {
	e, v := prefixed(t, verso.Config{DefaultVersion: verso.V("v1")})
	v.EachVersion().Group("/api").Register(func(g *Group) {
		g.Use(needs("A"))
		g.GET("/x", answerVersion)
	})
	for _, path := range []string{"/api/none", "/api/v1/none", "/api/v2/none", "/api/v2/"} {
		assert.Equal(t, http.StatusUnauthorized, send(t, e, "GET", path, nil).Status, path)
		assert.Equal(t, http.StatusNotFound, send(t, e, "GET", path, http.Header{"A": {"x"}}).Status, path)
	}
}

// TestRouteNotFoundBehindEachVersion: a page of RegisterVersions, that of the first version for all, has the middleware of
// the groups around it.
func TestRouteNotFoundBehindEachVersion(t *testing.T) {
	e, v := prefixed(t, verso.Config{})
	v.EachVersion().Group("/api/users", needs("A")).RegisterVersions(map[string]func(*Group){
		"v1": func(g *Group) {
			g.GET("/x", answerVersion)
			g.RouteNotFound("/*", func(c Context) error { return c.String(http.StatusNotFound, "page") })
		},
		"v2": func(g *Group) {
			g.GET("/x", answerVersion)
			g.RouteNotFound("/*", func(c Context) error { return c.String(http.StatusNotFound, "page of v2") })
		},
	})
	for _, path := range []string{"/api/v1/users/none", "/api/v2/users/none"} {
		assert.Equal(t, http.StatusUnauthorized, send(t, e, "GET", path, nil).Status, path)
		assert.Equal(t, "page", send(t, e, "GET", path, http.Header{"A": {"x"}}).Body, path)
	}
}
