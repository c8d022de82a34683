//go:build echo5

package echotest

import (
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"time"

	"github.com/labstack/echo/v5"
	"github.com/labstack/echo/v5/middleware"

	"github.com/goverso/verso/conformance/twins"
)

const (
	routesPage = "../versoecho5/routes.go#Routes"
	mountPage  = "../versoecho5/mount.go#Routes.RegisterVersions"
	hasHosts   = false
)

func quietEcho(flags ...string) *echo.Echo {
	e := echo.NewWithConfig(echo.Config{Router: echo.NewRouter(echo.RouterConfig{
		AllowOverwritingRoute: true, UnescapePathParamValues: slices.Contains(flags, "unescape"),
		UseEscapedPathForMatching: slices.Contains(flags, "escaped"),
	}), NoGroupAutoRegister404Routes: slices.Contains(flags, "no 404")})
	e.Logger = slog.New(slog.DiscardHandler)
	answer := e.HTTPErrorHandler
	e.HTTPErrorHandler = func(c *echo.Context, err error) {
		c.Response().Header().Set("Answered", "by the service")
		answer(c, err)
	}
	return e
}

// hostOf is not called.
func hostOf(e *echo.Echo, _ string, wares ...echo.MiddlewareFunc) *echo.Group {
	return e.Group("", wares...)
}

func gzipped() echo.MiddlewareFunc { return middleware.Gzip() }

// timedOut is what Echo has instead of a middleware with a goroutine of its own.
func timedOut() echo.MiddlewareFunc { return middleware.ContextTimeout(time.Minute) }

func addNamed(on twinRegistrar, method, path string, h echo.HandlerFunc, name string, wares []echo.MiddlewareFunc) {
	added := echo.Route{Method: method, Path: path, Handler: h, Name: name, Middlewares: wares}
	if _, err := on.(adder).AddRoute(added); err != nil {
		panic(err)
	}
}

func reversed(e *echo.Echo, name string) string {
	path, err := e.Router().Routes().Reverse(name, 7, "x")
	return fmt.Sprint(path, " ", err)
}

// static registers a folder with middleware, as Echo's Static does.
func static(on interface {
	Static(path, root string, middleware ...echo.MiddlewareFunc) echo.RouteInfo
}, path, root string, wares ...echo.MiddlewareFunc) {
	on.Static(path, root, wares...)
}

// slashes installs middleware before the router.
func slashes(e *echo.Echo, flags []string) {
	for _, flag := range flags {
		switch flag {
		case "remove":
			e.Pre(middleware.RemoveTrailingSlash())
		case "add":
			e.Pre(middleware.AddTrailingSlash())
		case "redirect":
			e.Pre(middleware.RemoveTrailingSlashWithConfig(middleware.RemoveTrailingSlashConfig{RedirectCode: 308}))
		}
	}
}

// staticFS registers a folder with middleware, as Echo's StaticFS does.
func staticFS(on interface {
	StaticFS(path string, files fs.FS, middleware ...echo.MiddlewareFunc) echo.RouteInfo
}, path string, files fs.FS, wares ...echo.MiddlewareFunc) {
	on.StaticFS(path, files, wares...)
}

func twinParams(c *echo.Context, named func(string) string) (text string) {
	for _, p := range c.PathValues() {
		if p.Name != "" && p.Value != "" { // Echo keeps those of another request, where none matches
			text += fmt.Sprintf(" %s=%s", named(p.Name), p.Value)
		}
	}
	return text
}

func isCommitted(c *echo.Context) bool {
	response, err := echo.UnwrapResponse(c.Response())
	return err != nil || response.Committed
}

var ownRefused []twins.Refusal

// mostAllowed of 10,000 requests, see [twins.Framework].
const mostAllowed = 150

var ownAllowed []twins.Allowance
