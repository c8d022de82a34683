package unmatched

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/labstack/echo/v4"
	echo5 "github.com/labstack/echo/v5"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versoecho5"
	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/internal/frameworks"
)

// unchecked returns the patterns of the routes without a check, and the codes of the findings.
func unchecked(x *verso.Explanation) string {
	var all []string
	for _, r := range x.Routes {
		if r.Unchecked {
			all = append(all, r.Pattern)
		}
	}
	slices.Sort(all)
	return strings.Join(append(slices.Compact(all), codes(x)...), " ")
}

// TestMiddlewareStandsForItsRoutes: Middleware on a group, a route or the whole says which routes
// it checks, so that the others are seen.
func TestMiddlewareStandsForItsRoutes(t *testing.T) {
	type where func(api *verso.Versioning) *verso.Explanation
	services := map[string]map[string]where{
		"gin":   {"group": ginBehind(false), "all": ginBehind(true)},
		"echo4": {"group": echo4Behind(false), "all": echo4Behind(true)},
		"echo5": {"group": echo5Behind(false), "all": echo5Behind(true)},
	}
	for framework, behind := range services {
		for at, want := range map[string]string{"group": "/before /dav /plugins-of-others", "all": "/before"} {
			if framework != "gin" && at == "all" { // Echo#Use is for routes that were there before, too
				want = ""
			}
			api := verso.MustNew(verso.Header("Api-Version"), quiet(verso.Config{AllowedVersions: []string{"v1", "v2"}}))
			if got := unchecked(behind[at](api)); got != want {
				t.Errorf("%s, %s: %q, want %q", framework, at, got, want)
			}
		}
	}
}

func ginBehind(all bool) func(*verso.Versioning) *verso.Explanation {
	return func(api *verso.Versioning) *verso.Explanation {
		r := gin.New()
		v := versogin.New(r, api)
		ok := func(c *gin.Context) {}
		v.GET("/users", ok)
		r.GET("/before", ok)
		if all {
			r.Use(v.Middleware())
		}
		plugins := r.Group("/plugins")
		if !all {
			plugins.Use(v.Middleware())
		}
		plugins.GET("/a", ok)
		plugins.Group("/:id").POST("/b", ok)
		r.GET("/plugins-of-others", ok)
		r.GET("/dav", ok)
		if !all {
			r.GET("/one", v.Middleware(), ok)
		}
		return v.Explain()
	}
}

func echo4Behind(all bool) func(*verso.Versioning) *verso.Explanation {
	return func(api *verso.Versioning) *verso.Explanation {
		e := echo.New()
		v := versoecho.New(e, api)
		ok := func(c echo.Context) error { return nil }
		v.GET("/users", ok)
		e.GET("/before", ok)
		if all {
			e.Use(v.Middleware())
		}
		plugins := e.Group("/plugins")
		if !all {
			plugins.Use(v.Middleware())
		}
		plugins.GET("/a", ok)
		plugins.Group("/:id").POST("/b", ok)
		e.GET("/plugins-of-others", ok)
		e.GET("/dav", ok)
		if !all {
			e.GET("/one", ok, v.Middleware())
		}
		return v.Explain()
	}
}

func echo5Behind(all bool) func(*verso.Versioning) *verso.Explanation {
	return func(api *verso.Versioning) *verso.Explanation {
		e := echo5.New()
		v := versoecho5.New(e, api)
		ok := func(c *echo5.Context) error { return nil }
		v.GET("/users", ok)
		e.GET("/before", ok)
		if all {
			e.Use(v.Middleware())
		}
		plugins := e.Group("/plugins")
		if !all {
			plugins.Use(v.Middleware())
		}
		plugins.GET("/a", ok)
		plugins.Group("/:id").POST("/b", ok)
		e.GET("/plugins-of-others", ok)
		e.GET("/dav", ok)
		if !all {
			e.GET("/one", ok, v.Middleware())
		}
		return v.Explain()
	}
}

// TestFilesBehindMiddleware: a browser names no version for a file, so its requests are rejected.
// A finding says so; in net/http, which lists no routes, the log at the first such request.
func TestFilesBehindMiddleware(t *testing.T) {
	for name, test := range map[string]struct {
		config verso.Config
		want   bool
	}{
		"rejected": {verso.Config{AllowedVersions: []string{"v1"}}, true},
		"default":  {verso.Config{AllowedVersions: []string{"v1"}, DefaultVersion: verso.V("v1")}, false},
	} {
		var log bytes.Buffer
		test.config.Logger = slog.New(slog.NewTextHandler(&log, nil))
		for _, framework := range []string{"gin", "echo4", "echo5", "chi", "http"} {
			ok := func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok") }
			service := frameworks.All[framework](verso.MustNew(verso.Header("Api-Version"), test.config), frameworks.App{
				Middleware: true, Routes: []frameworks.Route{
					{Method: http.MethodGet, Path: "/static/{rest...}", Foreign: true, Handle: ok}, {Method: http.MethodGet, Path: "/users", Foreign: true, Handle: ok},
				},
			})
			log.Reset()
			for _, target := range []string{"/users", "/static/a.css", "/static/b.css"} {
				over(service)(httptest.NewRequest(http.MethodGet, target, nil))
			}
			found := slices.Contains(codes(service.Explain()), "files_checked")
			if framework == "http" { // it is in the log, once
				found = strings.Count(log.String(), "files_checked") == 1 && !strings.Contains(log.String(), `"/users`)
			}
			if found != test.want {
				t.Errorf("%s, %s: %s", name, framework, &log)
			}
		}
	}
}
