//go:build !echo5

package echotest

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"github.com/goverso/verso/conformance/twins"
)

const (
	routesPage = "../versoecho/routes.go#Routes"
	mountPage  = "../versoecho/mount.go#Routes.RegisterVersions"
	hasHosts   = true
)

func quietEcho(...string) *echo.Echo {
	e := echo.New()
	e.Logger.SetOutput(io.Discard)
	e.HTTPErrorHandler = func(err error, c echo.Context) {
		c.Response().Header().Set("Answered", "by the service")
		e.DefaultHTTPErrorHandler(err, c)
	}
	return e
}

func hostOf(e *echo.Echo, host string, wares ...echo.MiddlewareFunc) *echo.Group {
	return e.Host(host, wares...)
}

func gzipped() echo.MiddlewareFunc { return middleware.Gzip() }

// timedOut is Echo's Timeout, which runs the rest in another goroutine.
func timedOut() echo.MiddlewareFunc {
	//nolint:staticcheck // deprecated, but services have it
	return middleware.TimeoutWithConfig(middleware.TimeoutConfig{Timeout: time.Minute})
}

func addNamed(on twinRegistrar, method, path string, h echo.HandlerFunc, name string, wares []echo.MiddlewareFunc) {
	on.Add(method, path, h, wares...).Name = name
}

func reversed(e *echo.Echo, name string) string { return e.Reverse(name, 7, "x") }

// static registers a folder with middleware, as Echo's Static does.
func static(on interface {
	Add(method, path string, handler echo.HandlerFunc, middleware ...echo.MiddlewareFunc) *echo.Route
}, path, root string, wares ...echo.MiddlewareFunc) {
	staticFS(on, path, os.DirFS(root), wares...)
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
			e.Pre(middleware.RemoveTrailingSlashWithConfig(middleware.TrailingSlashConfig{RedirectCode: 308}))
		}
	}
}

// staticFS registers a folder with middleware, as Echo's StaticFS does.
func staticFS(on interface {
	Add(method, path string, handler echo.HandlerFunc, middleware ...echo.MiddlewareFunc) *echo.Route
}, path string, files fs.FS, wares ...echo.MiddlewareFunc) {
	if v, ok := any(on).(*Routes); ok {
		v.StaticFS(path, files)
	} else {
		on.Add("GET", path+"*", echo.StaticDirectoryHandler(files, true), wares...)
	}
}

func twinParams(c echo.Context, named func(string) string) string {
	var text strings.Builder
	values := c.ParamValues()
	for i, name := range c.ParamNames() {
		if i < len(values) {
			fmt.Fprintf(&text, " %s=%s", named(name), values[i])
		}
	}
	return text.String()
}

func isCommitted(c echo.Context) bool { return c.Response().Committed }

var ownRefused = []twins.Refusal{
	{Text: "is there already, and Echo would forget", Page: "../versoecho/routes.go#Routes.Host", Quote: "if the host is there already"},
}

// mostAllowed of 10,000 requests, see [twins.Framework].
const mostAllowed = 150

var ownAllowed = []twins.Allowance{
	twins.VaryBehindTimeout,
	{Name: "no error through Timeout", Page: "../versoecho/rewrite.go#Routes.Rewrite",
		Quote: "unless Echo's Timeout is around it, which discards what was answered before an error",
		Matches: func(p *twins.Program, r twins.Request, bare, own twins.Outcome, kind string) bool {
			isAnswered := func(note, now string) bool {
				return note == now || strings.HasPrefix(note, "after M") && strings.HasSuffix(now, " <nil>")
			}
			return p.MayRewrite(r, bare) && kind == twins.OtherOrder && strings.Contains(p.String(), "timeout") && slices.EqualFunc(bare.Trace, own.Trace, isAnswered)
		}},
}
