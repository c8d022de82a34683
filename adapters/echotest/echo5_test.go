//go:build echo5

package echotest

import (
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"testing"

	"github.com/labstack/echo/v5"
	"github.com/labstack/echo/v5/middleware"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho5"
	"github.com/goverso/verso/conformance"
)

const (
	// besideBeforeNew is what a preflight gets from a handler for OPTIONS alone at the path of another method, from
	// before New: Echo v5 does not report the handlers.
	besideBeforeNew = http.StatusBadRequest
	adapterName     = "versoecho5"
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

	RouteInfo = echo.RouteInfo
	AnyInfo   = echo.RouteInfo
	MatchInfo = echo.Routes
)

var (
	New, WriteProblem                          = versoecho5.New, versoecho5.WriteProblem
	AtLeast, ContentType, Link, Param, Version = versoecho5.AtLeast, versoecho5.ContentType, versoecho5.Link, versoecho5.Param, versoecho5.Version
	InContext                                  = versoecho5.InContext

	newEcho, NewHTTPError        = echo.New, echo.NewHTTPError
	ErrNotFound, ErrUnauthorized = echo.ErrNotFound, echo.ErrUnauthorized

	cors, gzipWith, methodOverride, recoverWith, requestID, rewrite = middleware.CORSWithConfig, middleware.GzipWithConfig,
		middleware.MethodOverride, middleware.RecoverWithConfig, middleware.RequestID, middleware.Rewrite
	contextTimeout, requestLoggerWith = middleware.ContextTimeout, middleware.RequestLoggerWithConfig
)

const (
	RouteNotFound    = echo.RouteNotFound
	HeaderXRequestID = echo.HeaderXRequestID
)

type (
	CORSConfig          = middleware.CORSConfig
	RequestLoggerConfig = middleware.RequestLoggerConfig
	RequestLoggerValues = middleware.RequestLoggerValues
	GzipConfig          = middleware.GzipConfig
	RecoverConfig       = middleware.RecoverConfig
)

// callNotFound has the error handler call NotFound for each error.
func callNotFound(e *Echo, v *Routes) {
	e.HTTPErrorHandler = func(c *echo.Context, err error) { v.NotFound()(c, err) }
}

func bodyLimit100() MiddlewareFunc { return middleware.BodyLimit(100) }

// ownOptions are those for the suite.
var ownOptions = []conformance.Option{conformance.Without("hosts", "Echo v5 has hosts only as routers of their own")}

// onHost is not called.
func onHost(v *Routes, _ string) *Routes { return v }

// named calls a function that registers routes with a name.
func named(v *Routes, name string, register func(v *Routes) []RouteInfo) { register(v.Name(name)) }

func infosOf(added AnyInfo) []RouteInfo { return []RouteInfo{added} }

var bindBody, bindHeaders, bindQuery = echo.BindBody, echo.BindHeaders, echo.BindQueryParams

// passOn passes a request on to the route of another path.
func passOn(c Context, path string) error {
	c.Request().URL.Path = path
	return c.Echo().Router().Route(c)(c)
}

// TestRouters runs the suite on routers with the settings that change what Echo
// cuts from a path, and on one whose routes may change while it serves.
func TestRouters(t *testing.T) {
	for name, router := range map[string]func() *Echo{
		"unescaped":               configured(echo.RouterConfig{UnescapePathParamValues: true, AutoHandleHEAD: true}),
		"decoded path":            configured(echo.RouterConfig{UseEscapedPathForMatching: true}),
		"decoded path, unescaped": configured(echo.RouterConfig{UseEscapedPathForMatching: true, UnescapePathParamValues: true}),
		"concurrent":              routers["concurrent"],
	} {
		t.Run(name, func(t *testing.T) {
			opts := slices.Concat(ownOptions, []conformance.Option{conformance.ForeignRoutes(true), conformance.Without("faults", "TestConformance runs it")})
			if name != "concurrent" {
				opts = append(opts, conformance.Without("concurrent", "TestConformance and the concurrent router run it"))
			}
			conformance.Run(t, mount(router, problems), opts...)
		})
	}
}

// configured returns what makes Echos with a router.
func configured(config echo.RouterConfig) func() *Echo {
	return func() *Echo { return echo.NewWithConfig(echo.Config{Router: echo.NewRouter(config)}) }
}

// places are those of [TestDeterminationAllocatesNothing].
var places = map[string]func() place{
	"default": placeIn("default", http.MethodGet), "default, any method": placeIn("default", echo.RouteAny),
	"concurrent": placeIn("concurrent", http.MethodGet), "concurrent, any method": placeIn("concurrent", echo.RouteAny),
}

// placeIn has routes without a slash before their paths, which Echo adds.
func placeIn(router, method string) func() place {
	return func() place {
		e := routers[router]()
		return place{e, e.Group(""), method, ":version", func(c Context) error { return e.Router().Route(c)(c) }}
	}
}

// decodings are Echo's ways to decode a path.
var decodings = map[string]func() *Echo{
	"default": newEcho, "unescaped": configured(echo.RouterConfig{UnescapePathParamValues: true}),
	"decoded path": configured(echo.RouterConfig{UseEscapedPathForMatching: true}),
}

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

// routesOf returns the routes that Echo lists.
func routesOf(e *Echo) (routes []string) {
	for _, r := range e.Router().Routes() {
		routes = append(routes, fmt.Sprint(r.Method, " ", r.Path, " ", r.Name, " ", r.Parameters))
	}
	return routes
}

// ownMistakes are those of [TestRegistrationMistakes] that Echo v4 does not have.
func ownMistakes(v *Routes) []mistake {
	const twice = "register it once with HandleVersions"
	free := echo.NewWithConfig(echo.Config{Router: echo.NewRouter(echo.RouterConfig{AllowOverwritingRoute: true})})
	vf := New(free, strictPath())
	vf.GET("/twice", saying("twice"))
	vf.Any("/any", saying("any"))
	v.Name("user").GET("/users/:id", saying("user"))
	return []mistake{
		{"twice, a relative path", func() { v.HandleVersions("GET", "twice", Handlers{"v1": saying("2")}) }, twice},
		{"twice, with overwriting", func() { vf.GET("/twice", saying("2")) }, twice},
		{"replaced by Echo", func() { free.GET("/twice", saying("2")) }, twice},
		{"any method replaced", func() { free.Any("/any", saying("2")) }, twice},
		{"name of another path", func() { v.Name("user").GET("/accounts/:id", saying("account")) }, "rename one of them"},
	}
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

// callsOfPanic is how often the handler of errors is called for a panic whose answer is rewritten.
const callsOfPanic = 2

func sizeOf(c Context) int64 {
	response, _ := echo.UnwrapResponse(c.Response()) // there is always one
	return response.Size
}

// quiet makes an Echo log nothing.
func quiet(e *Echo) { e.Logger = slog.New(slog.DiscardHandler) }

// onError tells see of each error that Echo handles.
func onError(e *Echo, see func(error)) {
	e.HTTPErrorHandler = func(c Context, err error) {
		see(err)
		echo.DefaultHTTPErrorHandler(false)(c, err)
	}
}

// TestRoutesOfEcho5ChangedInUse is [TestRoutesOfEchoChangedInUse] where Echo tells which route
// of a path it has matched.
func TestRoutesOfEcho5ChangedInUse(t *testing.T) {
	e, _ := installs["behind the middleware"](strictSpace(), override)
	add(t, e, http.MethodPut, "/x", saying("put"), "v1:x")
	add(t, e, http.MethodPost, "/x", saying("post"), "v9:x")
	want(t, e, http.MethodPost, "/x", overriding("PUT"), http.StatusNotFound, "invalid_namespace_version")
	want(t, e, http.MethodPost, "/x", overriding("BREW"), http.StatusNotFound, "invalid_namespace_version")
	want(t, e, http.MethodPut, "/x", nil, http.StatusOK, "put v1")
}

// TestAllowOfAnyMethod: Allow never names the method that Echo has for any.
func TestAllowOfAnyMethod(t *testing.T) {
	for name, install := range installs {
		t.Run(name, func(t *testing.T) {
			e, v := install(strictPath())
			v.Any("/:version/x", saying("any"))
			v.Since("v2").GET("/:version/x", saying("get"))
			v.POST("/:version/x", saying("post"))
			v.Any("/:version/y", saying("any"))
			v.Since("v2").GET("/:version/y", saying("get"))
			got := send(t, e, http.MethodGet, "/v1/x", nil)
			assert.Equal(t, http.StatusMethodNotAllowed, got.Status)
			assert.Equal(t, "POST", got.Header.Get("Allow"))
			want(t, e, http.MethodGet, "/v1/y", nil, http.StatusNotFound, "not_in_version")
			want(t, e, "BREW", "/v1/y", nil, http.StatusOK, "any v1")
			for _, info := range v.Explain().Routes {
				assert.NotContains(t, info.Method, "echo")
			}
		})
	}
}

// TestHostChangedInUse is the same for hosts.
func TestHostChangedInUse(t *testing.T) {
	for name, install := range installs {
		t.Run(name, func(t *testing.T) {
			admin, va := install(strictPath(), override)
			public, vp := install(strictPath(), override)
			va.Neutral().GET("/:version/status", saying("admin"))
			vp.Since("v2").GET("/:version/status", saying("public"))
			e := echo.NewVirtualHostHandler(map[string]*Echo{"admin.example.com": admin, "example.com": public})
			as := http.Header{"Host": {"example.com"}, "X-Forwarded-Host": {"admin.example.com"}}
			want(t, e, http.MethodGet, "/v9/status", as, http.StatusNotFound, "invalid_url_path_version")
			want(t, e, http.MethodGet, "/v1/status", as, http.StatusNotFound, "not_in_version")
			want(t, e, http.MethodGet, "/v2/status", as, http.StatusOK, "public v2")
			want(t, e, http.MethodGet, "/v9/status", http.Header{"Host": {"admin.example.com"}}, http.StatusOK, "admin ")
		})
	}
}

// wrap replaces the writer of a response, until a panic alone, as Echo's own middleware does.
func wrap(c Context, with func(http.ResponseWriter) (http.ResponseWriter, func())) (ended func(isPanic bool)) {
	outside := c.Response()
	inside, end := with(outside)
	c.SetResponse(inside)
	return func(isPanic bool) {
		if end(); isPanic {
			c.SetResponse(outside)
		}
	}
}
