//go:build !echo5

package echotest

import (
	"io"
	"net/http"
	"os/exec"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

const (
	// besideBeforeNew is what a preflight gets from a handler for OPTIONS alone at the path of another method, from
	// before New: Echo v4 names the handlers.
	besideBeforeNew = http.StatusOK
	adapterName     = "versoecho"
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

	RouteInfo = *echo.Route
	AnyInfo   = []*echo.Route
	MatchInfo = []*echo.Route
)

var (
	New, WriteProblem                          = versoecho.New, versoecho.WriteProblem
	AtLeast, ContentType, Link, Param, Version = versoecho.AtLeast, versoecho.ContentType, versoecho.Link, versoecho.Param, versoecho.Version
	InContext                                  = versoecho.InContext

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

func bodyLimit100() MiddlewareFunc { return middleware.BodyLimit("100B") }

// ownOptions are those for the suite.
var ownOptions []conformance.Option

// callNotFound has the error handler call NotFound for each error.
func callNotFound(e *Echo, v *Routes) {
	e.HTTPErrorHandler = func(err error, c echo.Context) { v.NotFound()(err, c) }
}

// onHost returns the routes for a host.
func onHost(v *Routes, host string) *Routes { return v.Host(host) }

// named calls a function that registers routes, and gives them a name.
func named(v *Routes, name string, register func(v *Routes) []RouteInfo) {
	for _, added := range register(v) {
		added.Name = name
	}
}

func infosOf(added AnyInfo) []RouteInfo { return added }

var (
	binder                           echo.DefaultBinder
	bindBody, bindHeaders, bindQuery = binder.BindBody, binder.BindHeaders, binder.BindQueryParams
)

// passOn passes a request on to the route of another path.
func passOn(c Context, path string) error {
	c.Echo().Router().Find(c.Request().Method, path, c)
	return c.Handler()(c)
}

// routers are Echo's ways to keep routes.
var routers = map[string]func() *Echo{"default": newEcho}

// places are those of [TestDeterminationAllocatesNothing].
var places = map[string]func() place{"default router": placeOn(""), "router of a host": placeOn("v1.example.com")}

func placeOn(host string) func() place {
	return func() place {
		e := newEcho()
		group, router := e.Group(""), e.Router()
		if host != "" {
			group = e.Host(host)
			router = e.Routers()[host]
		}
		return place{e, group, http.MethodGet, "/:version", func(c Context) error {
			router.Find(c.Request().Method, c.Request().URL.Path, c)
			return c.Handler()(c)
		}}
	}
}

// decodings are Echo's ways to decode a path.
var decodings = routers

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

// routesOf returns the routes that Echo lists.
func routesOf(e *Echo) (routes []string) {
	for _, r := range e.Routes() {
		routes = append(routes, r.Method+" "+r.Path)
	}
	return routes
}

// ownMistakes are those of [TestRegistrationMistakes] that Echo v5 does not have.
func ownMistakes(v *Routes) []mistake {
	v.Host("a.example").GET("/twice", saying("another"))
	return []mistake{
		{"a host twice", func() { v.Host("a.example") }, "keep the group that Host returned"},
		{"a host behind middleware", func() { v.Group("/g", around("a")).Host("b.example") }, "Host b.example: the routes would lose the middleware of their group"},
		{"group of another Echo", func() { v.In(newEcho().Group("/o")).GET("/o", saying("o")) }, "In: the group is of another Echo instance"},
	}
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

// callsOfPanic is how often the handler of errors is called for a panic whose answer is rewritten.
const callsOfPanic = 1

func sizeOf(c Context) int64 { return c.Response().Size }

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
	output, err := exec.CommandContext(t.Context(), "go", "test", "-vet=off", "-tags", "echo5", ".").CombinedOutput()
	assert.NoError(t, err, "%s", output)
}

// TestRoutesOfEcho4ChangedInUse is [TestRoutesOfEchoChangedInUse] for hosts, and where Echo does
// not tell which route of a path it has matched.
func TestRoutesOfEcho4ChangedInUse(t *testing.T) {
	install := installs["behind the middleware"]
	t.Run("a preflight on a host", func(t *testing.T) {
		e, _ := install(strictPath(), override)
		hosted := e.Host("b.com")
		hosted.POST("/:version/x", saying("post"))
		hosted.OPTIONS("/:version/x", saying("options"))
		onHost := preflightAs("OPTIONS")
		onHost.Set("Host", "b.com")
		want(t, e, http.MethodPost, "/v9/x", onHost, http.StatusNotFound, "invalid_url_path_version")
		want(t, e, http.MethodOptions, "/v9/x", onHost, http.StatusOK, "options ")
	})
	t.Run("a preflight to a handler known by its name", func(t *testing.T) {
		e := echo.New()
		e.Match([]string{http.MethodGet, http.MethodOptions}, "/:version/x", saying("x"))
		e.GET("/:version/y", saying("y"))
		e.OPTIONS("/:version/y", func(c echo.Context) error { return c.String(http.StatusOK, "cors") })
		e.Use(versoecho.New(e, strictPath()).Middleware())
		want(t, e, http.MethodOptions, "/v9/x", preflightAs(""), http.StatusNotFound, "invalid_url_path_version")
		want(t, e, http.MethodOptions, "/v2/x", preflightAs(""), http.StatusOK, "x v2")
		want(t, e, http.MethodOptions, "/v9/y", preflightAs(""), http.StatusOK, "cors")
	})
	t.Run("a preflight to a handler known by its name, whose other method is replaced", func(t *testing.T) {
		e := echo.New()
		e.Match([]string{http.MethodGet, http.MethodOptions}, "/:version/x", saying("x"))
		e.Use(versoecho.New(e, strictPath()).Middleware())
		e.GET("/:version/x", answerVersion)
		want(t, e, http.MethodOptions, "/v9/x", preflightAs(""), http.StatusNotFound, "invalid_url_path_version")
		want(t, e, http.MethodOptions, "/v2/x", preflightAs(""), http.StatusOK, "x v2")
	})
	t.Run("namespaces", func(t *testing.T) {
		e, _ := install(strictSpace(), override)
		e.PUT("/x", saying("put")).Name = "v1:x"
		e.POST("/x", saying("post")).Name = "v9:x"
		e.PUT("/y", saying("put")).Name = "v1:y"
		e.POST("/y", saying("post")).Name = "v1:z"
		want(t, e, http.MethodPost, "/x", overriding("PUT"), http.StatusInternalServerError, "")
		want(t, e, http.MethodPost, "/y", overriding("PUT"), http.StatusOK, "post v1")
		want(t, e, http.MethodPost, "/y", overriding("BREW"), http.StatusOK, "post v1")
	})
	t.Run("Host", func(t *testing.T) {
		e, v := install(strictPath(), override)
		v.Host("admin.example.com").Neutral().GET("/:version/status", saying("admin"))
		e.GET("/:version/status", saying("public"))
		as := http.Header{"X-Forwarded-Host": {"admin.example.com"}}
		want(t, e, http.MethodGet, "/v9/status", as, http.StatusNotFound, "invalid_url_path_version")
		want(t, e, http.MethodGet, "/v2/status", as, http.StatusOK, "public v2")
	})
}

// TestHostChangedInUse is the same for routes of hosts.
func TestHostChangedInUse(t *testing.T) {
	for _, behind := range []bool{false, true} {
		e := newEcho()
		v := New(e, strictPath())
		e.Use(override)
		if behind {
			e.Use(v.Middleware())
		}
		v.Host("admin.example.com").Neutral().GET("/:version/status", saying("admin"))
		v.Since("v2").GET("/:version/status", saying("public"))
		as := http.Header{"X-Forwarded-Host": {"admin.example.com"}}
		want(t, e, http.MethodGet, "/v9/status", as, http.StatusNotFound, "invalid_url_path_version")
		want(t, e, http.MethodGet, "/v1/status", as, http.StatusNotFound, "not_in_version")
		want(t, e, http.MethodGet, "/v2/status", as, http.StatusOK, "public v2")
		want(t, e, http.MethodGet, "/v9/status", http.Header{"Host": {"admin.example.com"}}, http.StatusOK, "admin ")
	}
}

// TestRoutesOfEchoInSeveralNamespaces: where a route of Echo's own cannot be told from
// another one of its path, it must be in the same version.
func TestRoutesOfEchoInSeveralNamespaces(t *testing.T) {
	config := twoVersions
	config.DefaultVersion = verso.V("v1")
	e := newEcho()
	e.Use(check(e, verso.Must(scheme.NewNamespace(config))))
	e.GET("/users", answerVersion).Name = "v1:list"
	e.POST("/users", answerVersion).Name = "v2:create"
	e.GET("/rooms", answerVersion).Name = "v2:rooms"
	e.PUT("/rooms", answerVersion).Name = "v2:room"
	want(t, e, http.MethodGet, "/users", nil, http.StatusInternalServerError, "")
	want(t, e, http.MethodGet, "/rooms", nil, http.StatusOK, "v2")
	want(t, e, http.MethodPut, "/rooms", nil, http.StatusOK, "v2")
}

// TestHookThatRegisters: a hook of the service's registers HEAD for each GET.
func TestHookThatRegisters(t *testing.T) {
	e := newEcho()
	e.OnAddRouteHandler = func(_ string, r echo.Route, handler echo.HandlerFunc, m []echo.MiddlewareFunc) {
		if r.Method == http.MethodGet {
			e.HEAD(r.Path, handler, m...)
		}
	}
	v := New(e, strictPath())
	v.Since("v2").GET("/:version/x", answerVersion)
	want(t, e, http.MethodGet, "/v1/x", nil, http.StatusNotFound, "not_in_version")
	want(t, e, http.MethodHead, "/v1/x", nil, http.StatusNotFound, "")
	want(t, e, http.MethodHead, "/v2/x", nil, http.StatusOK, "")
}

// TestUnknownRouteOfAHostHasItsNamespace is [TestUnknownRouteHasItsNamespace] for hosts.
func TestUnknownRouteOfAHostHasItsNamespace(t *testing.T) {
	e := newEcho()
	changing(setHost("c.example"))(e, check(e, verso.Must(scheme.NewNamespace(twoVersions))))
	one := e.Host("a.example")
	one.GET("/users", answerVersion).Name = "v2:users"
	one.GET("/forbidden", answerVersion).Name = "v9:forbidden"
	header := http.Header{"Host": {"a.example"}}
	assert.Equal(t, "v2", send(t, e, http.MethodGet, "/users", header).Body)
	assert.Equal(t, http.StatusNotFound, send(t, e, http.MethodGet, "/forbidden", header).Status)
}

// wrap replaces the writer of a response, until a panic alone, as Echo's own middleware does.
func wrap(c Context, with func(http.ResponseWriter) (http.ResponseWriter, func())) (ended func(isPanic bool)) {
	outside := c.Response().Writer
	inside, end := with(outside)
	c.Response().Writer = inside
	return func(isPanic bool) {
		if end(); isPanic {
			c.Response().Writer = outside
		}
	}
}

// TestPreflightsOfNamedRoutes: a name that a service gave before New hides whose handler it is, so OPTIONS may be for other
// methods, too.
func TestPreflightsOfNamedRoutes(t *testing.T) {
	for name, register := range map[string]func(e *Echo){
		"GET":     func(e *Echo) { e.GET("/x", answerVersion).Name = "x"; e.OPTIONS("/x", answerVersion) },
		"OPTIONS": func(e *Echo) { e.GET("/x", answerVersion); e.OPTIONS("/x", answerVersion).Name = "x" },
	} {
		e := newEcho()
		register(e)
		e.Use(New(e, verso.MustNew(verso.Header("Api-Version"), twoVersions)).Middleware())
		header := preflightAs("")
		header.Set("Api-Version", "v9")
		assert.Equal(t, http.StatusBadRequest, send(t, e, http.MethodOptions, "/x", header).Status, name)
	}
}
