package servertest

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
)

func prefixed(t *testing.T, config verso.Config) (*Echo, *Routes) {
	t.Helper()
	config.AllowedVersions = []string{"v1", "v2"}
	e := newEcho()
	return e, New(e, verso.Must(verso.New(verso.PathPrefix("/api/{version}"), config)))
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

// TestEachVersion registers routes once, in groups that have middleware.
func TestEachVersion(t *testing.T) {
	e, v := prefixed(t, verso.Config{DefaultVersion: verso.V("v1"), Links: verso.LinkConfig{Relative: true}})
	all := v.EachVersion(needs("A"))
	add(t, all, "GET", "/api/lists", answerVersion, "lists")
	admin := all.Group("/api/admin", needs("B"))
	add(t, admin, "GET", "/lists/:id", answerVersion, "list")
	deep := admin.Group("/deep")
	deep.Use(needs("C"))
	deep.EachVersion(needs("F")).POST("/x", answerVersion)
	v.Group("/api", needs("D")).EachVersion().GET("/own", answerVersion)
	v.In(e.Group("/api", needs("E"))).EachVersion().GET("/in", answerVersion)

	for _, test := range []struct{ method, behind, needs string }{
		{"GET", "/lists", "A"}, {"GET", "/admin/lists/7", "AB"}, {"POST", "/admin/deep/x", "ABCF"}, {"GET", "/own", "D"}, {"GET", "/in", "E"},
	} {
		for prefix, version := range map[string]string{"/api": "v1", "/api/v1": "v1", "/api/v2": "v2"} {
			header := http.Header{}
			for _, name := range test.needs {
				assert.Equal(t, http.StatusUnauthorized, send(t, e, test.method, prefix+test.behind, header).status, "%s without %c", prefix+test.behind, name)
				header.Set(string(name), "x")
			}
			assert.Equal(t, version, send(t, e, test.method, prefix+test.behind, header).body, prefix+test.behind)
		}
	}
	assert.Equal(t, http.StatusNotFound, send(t, e, "GET", "/api/v9/lists", http.Header{"D": {"x"}, "E": {"x"}}).status)
	assert.Len(t, v.Explain().Routes, 5, "a route in each version is one route")
	for version, want := range map[string]string{"v1": "/api/admin/lists/7", "v2": "/api/v2/admin/lists/7"} {
		link, err := v.Link(verso.Target{Name: "list", Params: verso.Params{"id": 7}, Version: verso.V(version)})
		require.NoError(t, err)
		assert.Equal(t, want, link)
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
					assert.Equal(t, want.status, got.status, "%s: %s %s with %v", name, method, path, header)
					assert.Equal(t, want.body, got.body, "%s: %s %s with %v", name, method, path, header)
					got = send(t, e, method, "/api/v2"+path, header)
					assert.Equal(t, want.status, got.status, "%s: %s %s of v2 with %v", name, method, path, header)
				}
			}
		}
		assert.Len(t, v.Explain().Routes, 1, "what is registered for requests without a route is none")
	}
}
