package versoecho_test

import (
	"cmp"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

// Findings about the configurations of the tests are of no interest.
func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	os.Exit(m.Run())
}

// twoVersions is the configuration of most tests.
var twoVersions = verso.Config{AllowedVersions: []string{"v1", "v2"}}

// check returns the middleware of new routes of e.
func check(e *echo.Echo, api *verso.Versioning, config ...versoecho.Config) echo.MiddlewareFunc {
	return versoecho.New(e, api, config...).Middleware()
}

// answerVersion is a handler that answers with the version.
func answerVersion(c echo.Context) error {
	return c.String(http.StatusOK, versoecho.Version(c).String())
}

// answer is what a client gets.
type answer struct {
	status int
	header http.Header
	body   string
}

// send serves e on a loopback port and sends it one request.
func send(t *testing.T, e *echo.Echo, method, target string, header http.Header) answer {
	t.Helper()
	server := httptest.NewServer(e)
	defer server.Close()
	r, err := http.NewRequestWithContext(t.Context(), method, server.URL+target, nil)
	require.NoError(t, err)
	maps.Copy(r.Header, header)
	if host := header.Get("Host"); host != "" {
		r.Host = host
	}
	response, err := server.Client().Do(r)
	require.NoError(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return answer{response.StatusCode, response.Header, string(body)}
}

// TestUnknownRouteIsMatched changes requests and routes so that Verso does not
// find the route that Echo has found. The version must be determined all the
// same: a request for a version that is not served must not reach the handler.
func TestUnknownRouteIsMatched(t *testing.T) {
	before := func(change func(c echo.Context)) echo.MiddlewareFunc { // runs before Verso
		return func(next echo.HandlerFunc) echo.HandlerFunc {
			return func(c echo.Context) error {
				change(c)
				return next(c)
			}
		}
	}
	setHost := func(host string) func(echo.Context) {
		return func(c echo.Context) { c.Request().Host = host }
	}
	setPath := func(path string) func(echo.Context) {
		return func(c echo.Context) { c.SetPath(path) }
	}
	override := http.Header{"X-Http-Method-Override": {"BREW"}}
	use := func(change func(echo.Context)) func(*echo.Echo, echo.MiddlewareFunc) {
		return func(e *echo.Echo, mw echo.MiddlewareFunc) { e.Use(before(change), mw) }
	}
	last := func(e *echo.Echo, mw echo.MiddlewareFunc) { e.Use(mw) }
	notFound := func(e *echo.Echo) { e.Group("", middleware.RequestID()) } // RouteNotFound routes for "/" and "/*"
	for _, test := range []struct {
		name   string
		use    func(e *echo.Echo, mw echo.MiddlewareFunc)
		add    func(e *echo.Echo) // after the first request
		method string             // "": GET
		target string
		header http.Header
	}{
		{
			name: "Router#Add", use: last, target: "/hidden/7",
			add: func(e *echo.Echo) { e.Router().Add(http.MethodGet, "/hidden/:id", answerVersion) },
		},
		{
			name: "OnAddRouteHandler replaced", use: last, target: "/late/7",
			add: func(e *echo.Echo) {
				e.OnAddRouteHandler = func(string, echo.Route, echo.HandlerFunc, []echo.MiddlewareFunc) {}
				e.GET("/late/:id", answerVersion)
			},
		},
		{
			name: "OnAddRouteHandler replaced, where a RouteNotFound route was", use: last, target: "/late",
			add: func(e *echo.Echo) {
				notFound(e)
				require.Equal(t, http.StatusNotFound, send(t, e, http.MethodGet, "/nowhere", nil).status)
				e.OnAddRouteHandler = nil
				e.GET("/*", answerVersion)
			},
		},
		{
			name: "Host changed", use: use(setHost("c.example")), target: "/users", header: http.Header{"Host": {"a.example"}},
			add: func(e *echo.Echo) { e.Host("a.example").GET("/users", answerVersion) },
		},
		{
			name: "Host changed to another router", use: use(setHost("b.example")), target: "/users",
			add: func(e *echo.Echo) {
				e.GET("/users", answerVersion)
				e.Host("b.example").GET("/others", answerVersion)
			},
		},
		{
			name: "Host changed to where a RouteNotFound route is", use: use(setHost("c.example")), target: "/users",
			header: http.Header{"Host": {"a.example"}},
			add: func(e *echo.Echo) {
				notFound(e)
				e.Host("a.example").GET("/*", answerVersion)
			},
		},
		{
			name: "SetPath", use: use(setPath("/shown")), target: "/users",
			add: func(e *echo.Echo) { e.GET("/users", answerVersion) },
		},
		{
			name: "SetPath to nothing", use: use(setPath("")), target: "/users",
			add: func(e *echo.Echo) { e.GET("/users", answerVersion) },
		},
		{
			name: "MethodOverride", method: http.MethodPost, target: "/users", header: override,
			use: func(e *echo.Echo, mw echo.MiddlewareFunc) { e.Use(middleware.MethodOverride(), mw) },
			add: func(e *echo.Echo) { e.POST("/users", answerVersion) },
		},
		{
			name: "MethodOverride where a RouteNotFound route is", method: http.MethodPost, target: "/users", header: override,
			use: func(e *echo.Echo, mw echo.MiddlewareFunc) { e.Use(middleware.MethodOverride(), mw) },
			add: func(e *echo.Echo) {
				notFound(e)
				e.POST("/*", answerVersion)
			},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := echo.New()
			test.use(e, check(e, verso.Must(scheme.NewAcceptHeader("version", twoVersions))))
			e.GET("/first/:id", answerVersion) // Echo does not take more parameters later
			require.Equal(t, "v1", send(t, e, http.MethodGet, "/first/7", http.Header{"Accept": {"*/*; version=v1"}}).body)
			test.add(e)
			ask := func(version string) answer {
				header := http.Header{"Accept": {"*/*; version=" + version}}
				maps.Copy(header, test.header)
				return send(t, e, cmp.Or(test.method, http.MethodGet), test.target, header)
			}
			rejected := ask("v9")
			assert.Equal(t, http.StatusNotAcceptable, rejected.status, rejected.body)
			assert.Equal(t, "Accept", rejected.header.Get("Vary"))
			served := ask("v2")
			assert.Equal(t, "v2", served.body)
			assert.Equal(t, "Accept", served.header.Get("Vary"))
		})
	}
}

// TestUnknownRouteHasItsNamespace is TestUnknownRouteIsMatched where the route
// itself has the version.
func TestUnknownRouteHasItsNamespace(t *testing.T) {
	newEcho := func(mw ...echo.MiddlewareFunc) *echo.Echo {
		e := echo.New()
		e.Use(append(mw, check(e, verso.Must(scheme.NewNamespace(twoVersions))))...)
		return e
	}
	t.Run("OnAddRouteHandler replaced", func(t *testing.T) {
		e := newEcho()
		e.GET("/first", answerVersion).Name = "v1:first"
		require.Equal(t, "v1", send(t, e, http.MethodGet, "/first", nil).body)
		e.OnAddRouteHandler = nil
		e.GET("/second", answerVersion).Name = "v2:second"
		e.GET("/forbidden", answerVersion).Name = "v9:forbidden"
		assert.Equal(t, "v2", send(t, e, http.MethodGet, "/second", nil).body)
		assert.Equal(t, http.StatusNotFound, send(t, e, http.MethodGet, "/forbidden", nil).status)
	})
	t.Run("Host changed", func(t *testing.T) {
		e := newEcho(func(next echo.HandlerFunc) echo.HandlerFunc {
			return func(c echo.Context) error {
				c.Request().Host = "c.example"
				return next(c)
			}
		})
		one := e.Host("a.example")
		one.GET("/users", answerVersion).Name = "v2:users"
		one.GET("/forbidden", answerVersion).Name = "v9:forbidden"
		header := http.Header{"Host": {"a.example"}}
		assert.Equal(t, "v2", send(t, e, http.MethodGet, "/users", header).body)
		assert.Equal(t, http.StatusNotFound, send(t, e, http.MethodGet, "/forbidden", header).status)
	})
	t.Run("MethodOverride", func(t *testing.T) {
		e := newEcho(middleware.MethodOverride())
		e.POST("/users", answerVersion).Name = "v2:users"
		e.POST("/forbidden", answerVersion).Name = "v9:forbidden"
		header := http.Header{"X-Http-Method-Override": {"BREW"}}
		assert.Equal(t, "v2", send(t, e, http.MethodPost, "/users", header).body)
		assert.Equal(t, http.StatusNotFound, send(t, e, http.MethodPost, "/forbidden", header).status)
	})
}

func TestLaterMiddlewareSeesTheVersion(t *testing.T) {
	e := echo.New()
	e.Use(versoecho.New(e, verso.Must(scheme.NewQueryParameter("version", twoVersions))).Middleware())
	e.Use(func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			c.Response().Header().Set("X-Version", versoecho.Version(c).String())
			return next(c)
		}
	})
	e.GET("/", answerVersion)
	assert.Equal(t, "v2", send(t, e, http.MethodGet, "/?version=v2", nil).header.Get("X-Version"))
}

func TestCentralErrorHandler(t *testing.T) {
	e := echo.New()
	e.HTTPErrorHandler = func(err error, c echo.Context) {
		var rejected *verso.Error
		if !assert.ErrorAs(t, err, &rejected) {
			return
		}
		assert.ErrorIs(t, err, verso.ErrNotFound)
		var he *echo.HTTPError
		if assert.ErrorAs(t, err, &he) {
			assert.IsType(t, (*verso.Problem)(nil), he.Message)
		}
		_ = c.JSON(rejected.StatusCode(), echo.Map{"error": echo.Map{"code": rejected.MessageID, "text": rejected.Message}})
	}
	e.Use(versoecho.New(e, verso.Must(scheme.NewQueryParameter("version", twoVersions))).Middleware())
	e.GET("/", answerVersion)
	got := send(t, e, http.MethodGet, "/?version=v9", nil)
	assert.Equal(t, http.StatusNotFound, got.status)
	assert.JSONEq(t, `{"error": {"code": "invalid_query_parameter_version", "text": "Invalid version in query parameter."}}`, got.body)
}

func TestOnAddRouteHandlerIsKept(t *testing.T) {
	e := echo.New()
	var added []string
	e.OnAddRouteHandler = func(_ string, route echo.Route, _ echo.HandlerFunc, _ []echo.MiddlewareFunc) {
		added = append(added, route.Path)
	}
	e.Use(versoecho.New(e, verso.Must(scheme.NewQueryParameter("version", verso.Config{}))).Middleware())
	e.GET("/first", answerVersion)
	send(t, e, http.MethodGet, "/first", nil)
	e.GET("/second", answerVersion)
	assert.Equal(t, []string{"/first", "/second"}, added)
}

func TestHosts(t *testing.T) {
	e := echo.New()
	v := versoecho.New(e, verso.Must(scheme.NewNamespace(verso.Config{DefaultVersion: verso.V("v0")})))
	v.GET("/users", answerVersion).Name = "users"
	v.Host("one.example").GET("/users", answerVersion).Name = "v1:users"
	v.Namespace("v2").Host("two.example").GET("/users", answerVersion).Name = "users"
	for host, want := range map[string]string{"": "v0", "one.example": "v1", "two.example": "v2", "other.example": "v0"} {
		assert.Equal(t, want, send(t, e, http.MethodGet, "/users", http.Header{"Host": {host}}).body, host)
	}
}
