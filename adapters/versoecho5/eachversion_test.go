package versoecho5_test

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/labstack/echo/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho5"
	verso "github.com/goverso/verso/core"
)

func prefixed(t *testing.T, config verso.Config) (*echo.Echo, *versoecho5.Routes) {
	t.Helper()
	config.AllowedVersions = []string{"v1", "v2"}
	e := echo.New()
	return e, versoecho5.New(e, verso.Must(verso.New(verso.PathPrefix("/api/{version}"), config)))
}

// needs lets requests through that have a header field.
func needs(name string) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c *echo.Context) error {
			if c.Request().Header.Get(name) == "" {
				return echo.ErrUnauthorized
			}
			return next(c)
		}
	}
}

// TestEachVersion registers routes once, in groups that have middleware.
func TestEachVersion(t *testing.T) {
	e, v := prefixed(t, verso.Config{DefaultVersion: verso.V("v1"), Links: verso.LinkConfig{Relative: true}})
	all := v.EachVersion(needs("A"))
	all.Name("lists").GET("/api/lists", answerVersion)
	admin := all.Group("/api/admin", needs("B"))
	admin.Name("list").GET("/lists/:id", answerVersion)
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
	plain := echo.New()
	plain.Group("/api", needs("A")).Group("/admin", needs("B")).GET("/x", func(c *echo.Context) error { return c.String(http.StatusOK, "v1") })
	for name, routes := range map[string]func(*echo.Echo, *versoecho5.Routes) *versoecho5.Routes{
		"group": func(_ *echo.Echo, v *versoecho5.Routes) *versoecho5.Routes {
			return v.EachVersion().Group("/api", needs("A"))
		},
		"group of Echo": func(e *echo.Echo, v *versoecho5.Routes) *versoecho5.Routes {
			return v.In(e.Group("/api")).EachVersion(needs("A"))
		},
		"use": func(_ *echo.Echo, v *versoecho5.Routes) *versoecho5.Routes {
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

func TestEachVersionMistakes(t *testing.T) {
	_, v := prefixed(t, verso.Config{DefaultVersion: verso.V("v1")})
	for path, code := range map[string]string{"/health": "prefix_outside", "/api/:kind/x": "prefix_parameter"} {
		var mistake *verso.Finding
		require.ErrorAs(t, panicked(func() { v.EachVersion().GET(path, answerVersion) }), &mistake, path)
		assert.Equal(t, code, mistake.Code, path)
	}
	err := panicked(func() { v.In(echo.New().Group("/api")).EachVersion().GET("/x", answerVersion) })
	require.ErrorContains(t, err, "is in a group of another Echo instance")
}

// TestEachVersionInGroups registers routes in groups of any prefix.
func TestEachVersionInGroups(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte("text"), 0o600))
	e, v := prefixed(t, verso.Config{DefaultVersion: verso.V("v1")})
	v.Group("/api/admin", needs("A")).EachVersion().GET("/x", answerVersion)
	v.In(e.Group("/api/users", needs("A"))).EachVersion().GET("/x", answerVersion)
	v.EachVersion(needs("A")).Group("/api").Static("/files/", dir)
	for target, want := range map[string]string{
		"/api/admin/x": "v1", "/api/v2/admin/x": "v2", "/api/users/x": "v1", "/api/v2/users/x": "v2",
		"/api/files/a.txt": "text", "/api/v1/files/a.txt": "text",
	} {
		assert.Equal(t, http.StatusUnauthorized, send(t, e, "GET", target, nil).status, target)
		assert.Equal(t, want, send(t, e, "GET", target, http.Header{"A": {"x"}}).body, target)
	}
}

func TestEachVersionWithoutDefault(t *testing.T) {
	e, v := prefixed(t, verso.Config{})
	v.EachVersion().GET("/api/lists", answerVersion)
	assert.Equal(t, http.StatusNotFound, send(t, e, "GET", "/api/lists", nil).status)
	assert.Equal(t, "v2", send(t, e, "GET", "/api/v2/lists", nil).body)
}

func panicked(call func()) (err error) {
	defer func() { err, _ = recover().(error) }()
	call()
	return nil
}

// TestNotFound deletes the routes of versions.
func TestNotFound(t *testing.T) {
	for name, config := range map[string]versoecho5.Config{"default": {}, "problem": {ErrorHandler: versoecho5.WriteProblem}} {
		t.Run(name, func(t *testing.T) {
			e := echo.New()
			api := verso.Must(verso.New(verso.First(verso.PathPrefix("/api/{version}"), verso.Header("Api-Version")), twoVersions))
			v := versoecho5.New(e, api, config)
			e.HTTPErrorHandler = v.NotFound()
			v.GET("/api/v2/x", answerVersion)
			v.Group("/group", needs("A")).GET("/x", func(*echo.Context) error { return echo.ErrNotFound })
			header := http.Header{"Api-Version": {"v9"}, "A": {"x"}}
			for _, target := range []string{"/deleted", "/group/deleted"} {
				got := send(t, e, "GET", target, header)
				assert.Equal(t, http.StatusBadRequest, got.status, target)
				assert.Contains(t, got.body, "invalid_header_version", target)
			}
			header.Del("A")
			assert.Equal(t, http.StatusUnauthorized, send(t, e, "GET", "/group/deleted", header).status)
			header.Set("A", "x")
			header.Set("Api-Version", "v2")
			for _, target := range []string{"/deleted", "/group/deleted", "/group/x"} {
				got := send(t, e, "GET", target, header)
				assert.Equal(t, http.StatusNotFound, got.status, target)
				assert.JSONEq(t, `{"message":"Not Found"}`, got.body, target)
			}
			assert.Equal(t, http.StatusMethodNotAllowed, send(t, e, "POST", "/api/v2/x", header).status)
			assert.Equal(t, "v2", send(t, e, "GET", "/api/v2/x", nil).body)
		})
	}
}
