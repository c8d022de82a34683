package versoecho_test

import (
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

// generated is what code of oapi-codegen registers with.
type generated interface {
	CONNECT(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route
	DELETE(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route
	GET(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route
	HEAD(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route
	OPTIONS(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route
	PATCH(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route
	POST(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route
	PUT(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route
	TRACE(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route
}

var _ generated = (*versoecho.Routes)(nil)

// TestRoutesRegisterLikeEcho sees that Routes has what a group of Echo has, but for
// RouteNotFound, and that each way to register carries the check and the options.
func TestRoutesRegisterLikeEcho(t *testing.T) {
	group, ours := reflect.TypeFor[*echo.Group](), reflect.TypeFor[*versoecho.Routes]()
	for method := range group.Methods() {
		_, ok := ours.MethodByName(method.Name)
		assert.Equal(t, method.Name != "RouteNotFound", ok, method.Name)
	}

	dir := t.TempDir()
	register := func(r interface {
		generated
		Add(method, path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route
		Any(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) []*echo.Route
		Match(methods []string, path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) []*echo.Route
	},
	) {
		for _, add := range []func(string, echo.HandlerFunc, ...echo.MiddlewareFunc) *echo.Route{
			r.CONNECT, r.DELETE, r.GET, r.HEAD, r.OPTIONS, r.PATCH, r.POST, r.PUT, r.TRACE,
		} {
			add("/a", answerVersion)
		}
		r.GET("", answerVersion)
		r.GET("b/:id", answerVersion)
		r.GET(`/colon/a\:b`, answerVersion)
		r.Add("BREW", "/c", answerVersion)
		r.Any("/any", answerVersion)
		r.Match([]string{http.MethodGet, http.MethodPut}, "/match", answerVersion)
	}
	plain, e := echo.New(), echo.New()
	v := versoecho.New(e, verso.Must(scheme.NewNamespace(twoVersions)))
	register(plain.Group("/v1"))
	plain.Group("/v1").Static("/static", dir)
	plain.Group("/v1").File("/file", dir+"/file")
	v1 := v.Group("/v1").Namespace("v9")
	register(v1)
	v1.Static("/static", dir)
	v1.File("/file", dir+"/file")

	routes := func(e *echo.Echo) (routes []string) {
		for _, r := range e.Routes() {
			routes = append(routes, r.Method+" "+r.Path)
		}
		return routes
	}
	require.ElementsMatch(t, routes(plain), routes(e))
	for _, r := range e.Routes() {
		target := strings.NewReplacer(`\:`, ":", ":id", "7", "*", "/x").Replace(r.Path)
		if r.Method != http.MethodConnect { // which is for proxies
			assert.Equal(t, http.StatusNotFound, send(t, e, r.Method, target, nil).status, "%s %s", r.Method, target)
		}
	}
	for _, info := range v.Explain().Routes {
		assert.False(t, info.Unchecked)
	}
}

// TestNames tells names that were given from those that Echo makes of handlers.
func TestNames(t *testing.T) {
	e := echo.New()
	e.GET("/before", answerVersion)
	e.GET("/before/named", answerVersion).Name = "users/list"
	e.GET("/before/spaced", answerVersion).Name = "1.0:users"
	later := e.GET("/before/later", answerVersion)
	v := versoecho.New(e, verso.Must(scheme.NewQueryParameter("version", twoVersions)))
	later.Name = "main.later"
	e.GET("/echo", answerVersion)
	e.GET("/echo/named", answerVersion).Name = "main.echo"
	v.GET("/own", answerVersion)
	v.GET("/own/named", answerVersion).Name = "github.com/own.users"
	v.Namespace("v1").GET("/own/spaced", answerVersion).Name = "main.users"
	e.OnAddRouteHandler = nil
	e.GET("/unhooked", answerVersion)
	e.GET("/unhooked/named", answerVersion).Name = "users.list"

	names := make(map[string]string)
	for _, info := range v.Explain().Routes {
		names[info.Pattern] = info.Name
	}
	assert.Equal(t, map[string]string{
		"/before": "", "/before/named": "users/list", "/before/spaced": "1.0:users", "/before/later": "main.later",
		"/echo": "", "/echo/named": "main.echo",
		"/own": "", "/own/named": "github.com/own.users", "/own/spaced": "v1:main.users",
		"/unhooked": "", "/unhooked/named": "users.list",
	}, names)
}

// TestHookThatRegisters: a hook of the service's registers HEAD for each GET.
func TestHookThatRegisters(t *testing.T) {
	e := echo.New()
	e.OnAddRouteHandler = func(_ string, r echo.Route, handler echo.HandlerFunc, m []echo.MiddlewareFunc) {
		if r.Method == http.MethodGet {
			e.HEAD(r.Path, handler, m...)
		}
	}
	v := versoecho.New(e, strictPath())
	v.Since("v2").GET("/:version/x", answerVersion)
	want(t, e, http.MethodGet, "/v1/x", nil, http.StatusNotFound, "not_in_version")
	want(t, e, http.MethodHead, "/v1/x", nil, http.StatusNotFound, "")
	want(t, e, http.MethodHead, "/v2/x", nil, http.StatusOK, "")
}
