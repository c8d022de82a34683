package rewrite_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/gofiber/fiber/v3"
	"github.com/labstack/echo/v4"
	echo5 "github.com/labstack/echo/v5"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versoecho5"
	"github.com/goverso/verso/adapters/versofiber"
	"github.com/goverso/verso/adapters/versogin"
	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
)

// service is a service in a framework, with a route that rewrites.
type service struct {
	explain func() *verso.Explanation
	shell   func()
	choose  func() // a route with a handler for each version
}

var services = map[string]func(api *verso.Versioning, rewriter verso.Rewriter) service{
	"net/http": func(api *verso.Versioning, rewriter verso.Rewriter) service {
		v := versohttp.New(http.NewServeMux(), api)
		v.Rewrite(rewriter).HandleFunc("GET /a", func(http.ResponseWriter, *http.Request) {})
		return service{v.Explain, func() { v.RewriteErrors() }, func() {
			v.Rewrite(rewriter).HandleVersions("GET /b", versohttp.Handlers{"v1": func(http.ResponseWriter, *http.Request) {}})
		}}
	},
	"Echo": func(api *verso.Versioning, rewriter verso.Rewriter) service {
		v := versoecho.New(echo.New(), api)
		v.Rewrite(rewriter).GET("/a", func(echo.Context) error { return nil })
		return service{v.Explain, func() { v.RewriteErrors() }, func() {
			v.Rewrite(rewriter).HandleVersions("GET", "/b", versoecho.Handlers{"v1": func(echo.Context) error { return nil }})
		}}
	},
	"Echo v5": func(api *verso.Versioning, rewriter verso.Rewriter) service {
		v := versoecho5.New(echo5.New(), api)
		v.Rewrite(rewriter).GET("/a", func(*echo5.Context) error { return nil })
		return service{v.Explain, func() { v.RewriteErrors() }, func() {
			v.Rewrite(rewriter).HandleVersions("GET", "/b", versoecho5.Handlers{"v1": func(*echo5.Context) error { return nil }})
		}}
	},
	"Gin": func(api *verso.Versioning, rewriter verso.Rewriter) service {
		v := versogin.New(gin.New(), api)
		v.Rewrite(rewriter).GET("/a", func(*gin.Context) {})
		return service{v.Explain, func() { v.RewriteErrors() }, func() {
			v.Rewrite(rewriter).HandleVersions("GET", "/b", versogin.Handlers{"v1": func(*gin.Context) {}})
		}}
	},
	"Fiber": func(api *verso.Versioning, rewriter verso.Rewriter) service {
		v := versofiber.New(fiber.New(), api)
		v.Rewrite(rewriter).Get("/a", func(fiber.Ctx) error { return nil })
		return service{v.Explain, func() { v.RewriteErrors() }, func() {
			v.Rewrite(rewriter).HandleVersions("GET", "/b", versofiber.Handlers{"v1": func(fiber.Ctx) error { return nil }})
		}}
	},
}

func TestMistakes(t *testing.T) {
	for name, newService := range services {
		t.Run(name, func(t *testing.T) {
			api := api()
			s := newService(api, routeOf(api))
			hasFinding := func() bool {
				return slices.ContainsFunc(s.explain().Findings, func(f verso.Finding) bool { return f.Code == "errors_not_rewritten" })
			}
			assert.True(t, hasFinding(), "without RewriteErrors")
			s.shell()
			assert.False(t, hasFinding(), "with RewriteErrors")
			assert.True(t, slices.ContainsFunc(s.explain().Routes, func(r verso.RouteInfo) bool { return r.Pattern == "/a" && r.Rewritten }))
			func() {
				defer func() { assert.ErrorContains(t, recover().(error), "remove Rewrite, or register one handler") }()
				s.choose()
			}()
		})
	}
}
