//go:build !echo5

package echotest

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

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
	assert.Equal(t, http.StatusNotFound, got.Status)
	assert.JSONEq(t, `{"error": {"code": "invalid_query_parameter_version", "text": "Invalid version in query parameter."}}`, got.Body)
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
		assert.Equal(t, want, send(t, e, http.MethodGet, "/users", http.Header{"Host": {host}}).Body, host)
	}
}

func TestEachVersionMistakes(t *testing.T) {
	e, v := prefixed(t, verso.Config{DefaultVersion: verso.V("v1")})
	const advice = "make it with EachVersion().Group"
	require.ErrorContains(t, panicked(func() { v.Group("/api/admin").EachVersion().GET("/x", answerVersion) }), advice)
	require.ErrorContains(t, panicked(func() { v.In(e.Group("/api/users")).EachVersion().GET("/x", answerVersion) }), advice)
	e, v = prefixed(t, verso.Config{})
	v.In(e.Group("/api")).EachVersion().GET("/in", answerVersion)
	assert.Equal(t, "v2", send(t, e, http.MethodGet, "/api/v2/in", nil).Body)
	v.EachVersion().GET("/api/lists", answerVersion)
	assert.Equal(t, http.StatusNotFound, send(t, e, http.MethodGet, "/api/lists", nil).Status)
	assert.Equal(t, "v2", send(t, e, http.MethodGet, "/api/v2/lists", nil).Body)
}

func TestLinkOnHosts(t *testing.T) {
	e := echo.New()
	e.Use(versoecho.New(e, verso.Must(scheme.NewQueryParameter("version", verso.Config{}))).Middleware())
	users, shop := verso.Target{Name: "users"}, verso.Target{Name: "shop"}
	e.GET("/here", answerLink(users))
	e.GET("/users", answerVersion).Name = "users"
	one := e.Host("one.example")
	one.GET("/here", answerLink(users))
	one.GET("/people", answerVersion).Name = "users"
	one.GET("/shop", answerLink(shop)).Name = "shop"
	two := e.Host("two.example")
	two.GET("/here", answerLink(shop))
	for _, test := range []struct{ name, host, target, want string }{
		{"the default router's", "any.example", "/here", "http://any.example/users"},
		{"the host's own", "one.example", "/here", "http://one.example/people"},
		{"another host's", "two.example", "/here", "http://one.example/shop"},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.want, send(t, e, http.MethodGet, test.target, http.Header{"Host": {test.host}}).Body)
		})
	}
}

// TestUseOfAHost: as in Echo, it is for the routes of the host alone.
func TestUseOfAHost(t *testing.T) {
	e := newEcho()
	v := New(e, verso.MustNew(verso.PathPrefix("/{version}"), verso.Config{AllowedVersions: []string{"v1"}})).EachVersion()
	v.Host("admin.example.com").Use(needs("Key"))
	v.GET("/rooms", answerVersion)
	assert.Equal(t, http.StatusOK, send(t, e, http.MethodGet, "/v1/rooms", nil).Status)
}

// TestRefusedRoute: Echo keeps a route that New's hook refuses, so a program that recovers answers its requests.
func TestRefusedRoute(t *testing.T) {
	e := echo.New()
	v := versoecho.New(e, verso.Must(scheme.NewQueryParameter("version", twoVersions)))
	v.GET("/users", answerVersion)
	require.Panics(t, func() { v.GET("/users", answerVersion) })
	response := httptest.NewRecorder()
	e.ServeHTTP(response, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/users?version=v1", http.NoBody))
	assert.Equal(t, http.StatusNotFound, response.Code)
}
