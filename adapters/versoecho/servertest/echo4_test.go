//go:build !echo5

package servertest

import (
	"io"
	"net/http"
	"os/exec"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versoecho"
)

const (
	adapter         = "versoecho"
	twiceInAVersion = "route GET /a is registered twice"
)

type (
	Context        = echo.Context
	Echo           = echo.Echo
	Group          = echo.Group
	HandlerFunc    = echo.HandlerFunc
	HTTPError      = echo.HTTPError
	MiddlewareFunc = echo.MiddlewareFunc
	Config         = versoecho.Config
	Handlers       = versoecho.Handlers
	Routes         = versoecho.Routes
)

var (
	New, WriteProblem                          = versoecho.New, versoecho.WriteProblem
	AtLeast, ContentType, Link, Param, Version = versoecho.AtLeast, versoecho.ContentType, versoecho.Link, versoecho.Param, versoecho.Version

	newEcho, NewHTTPError        = echo.New, echo.NewHTTPError
	ErrNotFound, ErrUnauthorized = echo.ErrNotFound, echo.ErrUnauthorized

	cors, gzipWith, methodOverride, recoverWith, requestID, rewrite = middleware.CORSWithConfig, middleware.GzipWithConfig,
		middleware.MethodOverride, middleware.RecoverWithConfig, middleware.RequestID, middleware.Rewrite
)

const (
	RouteNotFound    = echo.RouteNotFound
	HeaderXRequestID = echo.HeaderXRequestID
)

type (
	CORSConfig    = middleware.CORSConfig
	GzipConfig    = middleware.GzipConfig
	RecoverConfig = middleware.RecoverConfig
)

// routers are Echo's ways to keep routes.
var routers = map[string]func() *Echo{"default": newEcho}

// adder is what routes are registered with.
type adder interface {
	Add(method, path string, handler HandlerFunc, middleware ...MiddlewareFunc) *echo.Route
}

// add adds a named route.
func add(_ testing.TB, routes adder, method, path string, handler HandlerFunc, name string) {
	routes.Add(method, path, handler).Name = name
}

// addToRouter adds a route that no hook sees.
func addToRouter(_ testing.TB, e *Echo, path string, handler HandlerFunc) {
	e.Router().Add(http.MethodGet, path, handler)
}

// ownChanges are those of [TestUnknownRouteIsMatched] that Echo v5 does not have.
var ownChanges = []change{
	{
		name: "Host of a router changed", use: changing(setHost("c.example")), target: "/users", header: http.Header{"Host": {"a.example"}},
		add: func(_ *testing.T, e *Echo) { e.Host("a.example").GET("/users", answerVersion) },
	},
	{
		name: "Host changed to another router", use: changing(setHost("b.example")), target: "/users",
		add: func(_ *testing.T, e *Echo) {
			e.GET("/users", answerVersion)
			e.Host("b.example").GET("/others", answerVersion)
		},
	},
	{
		name: "Host changed to where a RouteNotFound route is", use: changing(setHost("c.example")), target: "/users",
		header: http.Header{"Host": {"a.example"}},
		add: func(_ *testing.T, e *Echo) {
			e.Group("", requestID())
			e.Host("a.example").GET("/*", answerVersion)
		},
	},
}

func setHost(host string) func(Context) {
	return func(c Context) { c.Request().Host = host }
}

// unhook takes away the function that Verso learns of new routes by.
func unhook(e *Echo) { e.OnAddRouteHandler = nil }

// quiet makes an Echo log nothing.
func quiet(e *Echo) { e.Logger.SetOutput(io.Discard) }

// onError tells see of each error that Echo handles.
func onError(e *Echo, see func(error)) {
	e.HTTPErrorHandler = func(err error, c Context) {
		see(err)
		e.DefaultHTTPErrorHandler(err, c)
	}
}

// TestEcho5 runs all tests with Echo v5.
func TestEcho5(t *testing.T) {
	output, err := exec.CommandContext(t.Context(), "go", "test", "-tags", "echo5", ".").CombinedOutput()
	assert.NoError(t, err, "%s", output)
}
