package snippets_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
	echo5 "github.com/labstack/echo/v5"
	middleware5 "github.com/labstack/echo/v5/middleware"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versoecho5"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

// TestSinglePage: Echo's files of a single-page application answer each 404 with the page, unless
// they skip the API.
func TestSinglePage(t *testing.T) {
	dist := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dist, "index.html"), []byte("<html>"), 0o600))
	api := verso.MustNew(verso.PathPrefix("/api/{version}"), verso.Config{Catalogue: catalogue.MustParse([]byte(`{"after_sunset": "gone", "versions": [
		{"version": "v1", "sunset": "2026-01-01"}, {"version": "v2"}, {"version": "v3"}]}`)), Clock: func() time.Time { return catalogue.MustDate("2026-06-01") }})

	e := echo.New()
	e.Use(middleware.StaticWithConfig(middleware.StaticConfig{Root: dist, HTML5: true, Skipper: func(c echo.Context) bool {
		return strings.HasPrefix(c.Request().URL.Path, "/api/")
	}}))
	v := versoecho.New(e, api)
	v.EachVersion().Since("v3").GET("/api/users", func(c echo.Context) error { return c.String(http.StatusOK, "users") })
	e.HTTPErrorHandler = v.NotFound()

	// Without the Skipper, WriteProblem saves the rejections of routes, and not those of NotFound.
	written := echo.New()
	written.Use(middleware.StaticWithConfig(middleware.StaticConfig{Root: dist, HTML5: true}))
	v = versoecho.New(written, verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v2", "v3"}}), versoecho.Config{ErrorHandler: versoecho.WriteProblem})
	v.GET("/api/:version/users", func(c echo.Context) error { return c.String(http.StatusOK, "users") })
	written.HTTPErrorHandler = v.NotFound()

	e5 := echo5.New()
	e5.Use(middleware5.StaticWithConfig(middleware5.StaticConfig{Root: ".", Filesystem: os.DirFS(dist), HTML5: true, Skipper: func(c *echo5.Context) bool {
		return strings.HasPrefix(c.Request().URL.Path, "/api/")
	}}))
	v5 := versoecho5.New(e5, api)
	v5.EachVersion().Since("v3").GET("/api/users", func(c *echo5.Context) error { return c.String(http.StatusOK, "users") })
	e5.HTTPErrorHandler = v5.NotFound()

	for name, service := range map[string]http.Handler{"v4": e, "v5": e5} {
		for target, want := range map[string]int{"/": 200, "/settings": 200, "/api/v3/users": 200, "/api/v2/users": 404, "/api/v1/users": 410, "/api/v1/gone": 410, "/api/none": 404} {
			w := httptest.NewRecorder()
			service.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
			assert.Equal(t, want, w.Code, "%s: %s: %s", name, target, w.Body)
			assert.Equal(t, !strings.HasPrefix(target, "/api/"), w.Body.String() == "<html>", "%s: %s: %s", name, target, w.Body)
		}
	}
	w := httptest.NewRecorder()
	written.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/api/v9/users", nil))
	assert.Equal(t, http.StatusNotFound, w.Code, w.Body)
}
