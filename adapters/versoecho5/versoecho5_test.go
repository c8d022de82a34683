package versoecho5_test

import (
	"log/slog"
	"net/http"
	"os"
	"testing"

	"github.com/labstack/echo/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho5"
	"github.com/goverso/verso/conformance"
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
func check(e *echo.Echo, api *verso.Versioning) echo.MiddlewareFunc {
	return versoecho5.New(e, api).Middleware()
}

var send = conformance.Send

// answerVersion is a handler that answers with the version.
func answerVersion(c *echo.Context) error {
	return c.String(http.StatusOK, versoecho5.Version(c).String())
}

// adder is what routes are registered with.
type adder interface {
	AddRoute(added echo.Route) (echo.RouteInfo, error)
}

var _, _, _ adder = (*echo.Echo)(nil), (*echo.Group)(nil), (*versoecho5.Routes)(nil)

// add adds a named route.
func add(tb testing.TB, routes adder, method, path string, handler echo.HandlerFunc, name string) {
	tb.Helper()
	_, err := routes.AddRoute(echo.Route{Method: method, Path: path, Handler: handler, Name: name})
	require.NoError(tb, err)
}

// TestRoutesMatchOtherwise requests routes that Echo does not know by the method
// of the request.
func TestRoutesMatchOtherwise(t *testing.T) {
	newEcho := func() *echo.Echo {
		e := echo.NewWithConfig(echo.Config{Router: echo.NewRouter(echo.RouterConfig{AutoHandleHEAD: true})})
		e.Use(check(e, verso.Must(scheme.NewNamespace(twoVersions))))
		e.Use(func(next echo.HandlerFunc) echo.HandlerFunc {
			return func(c *echo.Context) error {
				c.Response().Header().Set("X-Version", versoecho5.Version(c).String())
				return next(c)
			}
		})
		add(t, e, echo.RouteAny, "/any/:id", answerVersion, "v1:any")
		add(t, e, http.MethodGet, "/any/:id", answerVersion, "v2:one")
		add(t, e, http.MethodGet, "/users", answerVersion, "v2:users")
		add(t, e, http.MethodGet, "relative", answerVersion, "v2:relative")
		add(t, e, http.MethodGet, "", answerVersion, "v1:root")
		add(t, e, http.MethodGet, `/plain\:colon`, answerVersion, "v2:colon")
		add(t, e, http.MethodGet, "/forbidden", answerVersion, "v9:forbidden")
		return e
	}
	for _, test := range []struct{ method, target, want string }{
		{"BREW", "/any/7", "v1"},
		{http.MethodOptions, "/any/7", "v1"},
		{echo.RouteAny, "/any/7", "v1"},
		{http.MethodGet, "/any/7", "v2"},
		{http.MethodHead, "/any/7", "v2"},
		{http.MethodHead, "/users", "v2"},
		{http.MethodGet, "/relative", "v2"},
		{http.MethodGet, "/", "v1"},
		{http.MethodGet, "/plain:colon", "v2"},
	} {
		t.Run(test.method+" "+test.target, func(t *testing.T) {
			got := send(t, newEcho(), test.method, test.target, nil)
			assert.Equal(t, http.StatusOK, got.Status)
			assert.Equal(t, test.want, got.Header.Get("X-Version"))
		})
	}
	rejected := send(t, newEcho(), http.MethodHead, "/forbidden", nil)
	assert.Equal(t, http.StatusNotFound, rejected.Status)
	assert.Empty(t, rejected.Body)
}

// unlisted is a router that does not list its routes.
type unlisted struct{ echo.Router }

func (unlisted) Routes() echo.Routes { return nil }

func TestRouterThatDoesNotListItsRoutes(t *testing.T) {
	e := echo.NewWithConfig(echo.Config{Router: unlisted{echo.NewRouter(echo.RouterConfig{})}})
	e.Use(check(e, verso.Must(scheme.NewNamespace(twoVersions))))
	add(t, e, http.MethodGet, "/users", answerVersion, "v2:users")
	add(t, e, http.MethodGet, "/forbidden", answerVersion, "v9:forbidden")
	assert.Equal(t, "v2", send(t, e, http.MethodGet, "/users", nil).Body)
	assert.Equal(t, http.StatusNotFound, send(t, e, http.MethodGet, "/forbidden", nil).Status)
}

// nameless is a router that tells of its routes nothing but a name.
type nameless struct{ echo.Router }

func (r nameless) Route(c *echo.Context) echo.HandlerFunc {
	handler, values := r.Router.Route(c), c.PathValues()
	c.InitializeRoute(&echo.RouteInfo{Name: "own"}, &values)
	return handler
}

func TestRouterThatDoesNotTellTheMethod(t *testing.T) {
	e := echo.NewWithConfig(echo.Config{Router: nameless{echo.NewRouter(echo.RouterConfig{})}})
	e.Use(check(e, verso.Must(scheme.NewQueryParameter("version", twoVersions))))
	e.GET("/users", answerVersion)
	assert.Equal(t, "v2", send(t, e, http.MethodGet, "/users?version=v2", nil).Body)
	assert.Equal(t, http.StatusNotFound, send(t, e, http.MethodGet, "/users?version=v9", nil).Status)
}

func TestRouteNotFoundRouteIsNotVersioned(t *testing.T) {
	e := echo.New()
	e.Use(check(e, verso.Must(scheme.NewQueryParameter("version", twoVersions))))
	e.RouteNotFound("/*", func(c *echo.Context) error { return c.String(http.StatusTeapot, "own") })
	assert.Equal(t, http.StatusTeapot, send(t, e, http.MethodGet, "/nowhere?version=v9", nil).Status)
}

func TestCentralErrorHandler(t *testing.T) {
	e := echo.New()
	e.HTTPErrorHandler = func(c *echo.Context, err error) {
		var rejected *verso.Error
		var body *versoecho5.HTTPError
		if !assert.ErrorAs(t, err, &rejected) || !assert.ErrorAs(t, err, &body) {
			return
		}
		assert.ErrorIs(t, err, verso.ErrNotFound)
		assert.Equal(t, http.StatusNotFound, echo.StatusCode(err))
		assert.Equal(t, "Invalid version in query parameter.", err.Error())
		_ = c.JSON(rejected.StatusCode(), map[string]any{"error": rejected.MessageID, "text": body.Answer.Problem.Detail})
	}
	e.Use(check(e, verso.Must(scheme.NewQueryParameter("version", twoVersions))))
	e.GET("/", answerVersion)
	got := send(t, e, http.MethodGet, "/?version=v9", nil)
	assert.Equal(t, http.StatusNotFound, got.Status)
	assert.JSONEq(t, `{"error": "invalid_query_parameter_version", "text": "Invalid version in query parameter."}`, got.Body)
}

// TestMiddlewareOfAnotherInstance: the routes of another instance are unknown to it.
func TestMiddlewareOfAnotherInstance(t *testing.T) {
	api := verso.Must(scheme.NewURLPath("version", twoVersions))
	e := echo.New()
	e.Use(check(echo.New(), api))
	add(t, e, http.MethodGet, "/:version/users", answerVersion, "users")
	assert.Equal(t, http.StatusInternalServerError, send(t, e, http.MethodGet, "/v1/users", nil).Status)
}
