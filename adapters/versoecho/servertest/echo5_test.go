//go:build echo5

package servertest

import (
	"log/slog"
	"net/http"
	"testing"

	"github.com/labstack/echo/v5"
	"github.com/labstack/echo/v5/middleware"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho5"
)

const (
	adapter         = "versoecho5"
	twiceInAVersion = `version "v1" registers GET /a twice`
)

type (
	Context        = *echo.Context
	Echo           = echo.Echo
	Group          = echo.Group
	HandlerFunc    = echo.HandlerFunc
	HTTPError      = echo.HTTPError
	MiddlewareFunc = echo.MiddlewareFunc
	Config         = versoecho5.Config
	Handlers       = versoecho5.Handlers
	Routes         = versoecho5.Routes
)

var (
	New, WriteProblem                          = versoecho5.New, versoecho5.WriteProblem
	AtLeast, ContentType, Link, Param, Version = versoecho5.AtLeast, versoecho5.ContentType, versoecho5.Link, versoecho5.Param, versoecho5.Version

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
var routers = map[string]func() *Echo{
	"default": newEcho,
	"concurrent": func() *Echo {
		return echo.NewWithConfig(echo.Config{Router: echo.NewConcurrentRouter(echo.NewRouter(echo.RouterConfig{}))})
	},
	"own": func() *Echo {
		return echo.NewWithConfig(echo.Config{Router: ownRouter{echo.NewRouter(echo.RouterConfig{AllowOverwritingRoute: true})}})
	},
}

// adder is what routes are registered with.
type adder interface {
	AddRoute(added echo.Route) (echo.RouteInfo, error)
}

// add adds a named route.
func add(tb testing.TB, routes adder, method, path string, handler HandlerFunc, name string) {
	tb.Helper()
	_, err := routes.AddRoute(echo.Route{Method: method, Path: path, Handler: handler, Name: name})
	require.NoError(tb, err)
}

// addToRouter adds a route that no hook sees.
func addToRouter(tb testing.TB, e *Echo, path string, handler HandlerFunc) {
	tb.Helper()
	_, err := e.Router().Add(echo.Route{Method: http.MethodGet, Path: path, Handler: handler})
	require.NoError(tb, err)
}

// ownChanges are those of [TestUnknownRouteIsMatched] that Echo v4 does not have.
var ownChanges = []change{
	{
		name: "Router#Add where a RouteNotFound route is", use: func(e *Echo, mw MiddlewareFunc) { e.Use(mw) }, target: "/",
		add: func(t *testing.T, e *Echo) {
			t.Helper()
			e.Group("", requestID())
			addToRouter(t, e, "/", answerVersion)
		},
	},
	{
		name: "SetPath to a RouteNotFound route", use: changing(func(c Context) { c.SetPath("/*") }), target: "/users",
		add: func(_ *testing.T, e *Echo) {
			e.Group("", requestID())
			e.GET("/users", answerVersion)
		},
	},
}

// ownRouter is a router that is not Echo's own.
type ownRouter struct{ *echo.DefaultRouter }

// unhook takes away the function that Verso learns of new routes by.
func unhook(e *Echo) { e.OnAddRoute = nil }

// quiet makes an Echo log nothing.
func quiet(e *Echo) { e.Logger = slog.New(slog.DiscardHandler) }

// onError tells see of each error that Echo handles.
func onError(e *Echo, see func(error)) {
	e.HTTPErrorHandler = func(c Context, err error) {
		see(err)
		echo.DefaultHTTPErrorHandler(false)(c, err)
	}
}
