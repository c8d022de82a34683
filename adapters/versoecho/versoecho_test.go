package versoecho_test

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho"
	verso "github.com/goverso/verso/core"
)

// twoVersions are the settings of most tests.
var twoVersions = verso.Settings{AllowedVersions: []string{"v1", "v2"}}

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

func TestUnmatchedRequestsPassUntouched(t *testing.T) {
	// plain has one route; its answers are Echo's own.
	newEcho := func(install bool) *echo.Echo {
		e := echo.New()
		mw := versoecho.Middleware(verso.Must(verso.NewQueryParameter(twoVersions)))
		if install {
			e.Use(mw)
		}
		e.GET("/users", answerVersion)
		group := e.Group("/group")
		group.Use(middleware.RequestID()) // registers RouteNotFound routes
		if install {
			group.Use(mw)
		}
		group.GET("/users", answerVersion)
		return e
	}
	for _, test := range []struct {
		name, method, target string
		status               int
	}{
		{"not found", http.MethodGet, "/nowhere", http.StatusNotFound},
		{"method not allowed", http.MethodPost, "/users", http.StatusMethodNotAllowed},
		{"automatic OPTIONS", http.MethodOptions, "/users", http.StatusNoContent},
		{"not found under a group with middleware", http.MethodGet, "/group/nowhere", http.StatusNotFound},
		{"the group itself", http.MethodGet, "/group", http.StatusNotFound},
		{"wrong method under a group with middleware", http.MethodPost, "/group/users", http.StatusNotFound},
		{"unknown method", "BREW", "/users", http.StatusMethodNotAllowed},
	} {
		t.Run(test.name, func(t *testing.T) {
			want := send(t, newEcho(false), test.method, test.target+"?version=v9", nil)
			got := send(t, newEcho(true), test.method, test.target+"?version=v9", nil)
			assert.Equal(t, test.status, want.status, "what Echo itself answers")
			assert.Equal(t, want.status, got.status)
			assert.Equal(t, want.body, got.body)
			assert.Equal(t, want.header.Get("Allow"), got.header.Get("Allow"))
		})
	}
	assert.Equal(t, http.StatusNotFound, send(t, newEcho(true), http.MethodGet, "/group/users?version=v9", nil).status,
		"a matched route of the group is versioned")
}

func TestRouteNotFoundRouteIsNotVersioned(t *testing.T) {
	e := echo.New()
	e.Use(versoecho.Middleware(verso.Must(verso.NewQueryParameter(twoVersions))))
	e.RouteNotFound("/*", func(c echo.Context) error { return c.String(http.StatusTeapot, "own") })
	assert.Equal(t, http.StatusTeapot, send(t, e, http.MethodGet, "/nowhere?version=v9", nil).status)
}

func TestRouteNotFoundIsNoMethodOfClients(t *testing.T) {
	e := echo.New()
	e.Use(versoecho.Middleware(verso.Must(verso.NewQueryParameter(twoVersions))))
	e.RouteNotFound("/*", func(c echo.Context) error { return c.String(http.StatusTeapot, "own") })
	assert.Equal(t, http.StatusTeapot, send(t, e, echo.RouteNotFound, "/nowhere?version=v9", nil).status)
}

func TestMethodChangedAfterRouting(t *testing.T) {
	e := echo.New()
	e.Use(middleware.MethodOverride(), versoecho.Middleware(verso.Must(verso.NewQueryParameter(twoVersions))))
	e.POST("/users", answerVersion)
	override := http.Header{"X-Http-Method-Override": {http.MethodPatch}}
	assert.Equal(t, http.StatusNotFound, send(t, e, http.MethodPost, "/users?version=v9", override).status)
	assert.Equal(t, "v1", send(t, e, http.MethodPost, "/users?version=v1", override).body)
}

func TestMissingIsNotEmpty(t *testing.T) {
	e := echo.New()
	e.Use(versoecho.Middleware(verso.Must(verso.NewURLPath(verso.Settings{DefaultVersion: verso.V("v1")}))))
	e.GET("/:version/users", func(c echo.Context) error {
		return c.JSON(http.StatusOK, versoecho.Version(c))
	})
	e.GET("/users", func(c echo.Context) error {
		return c.JSON(http.StatusOK, versoecho.Version(c))
	})
	assert.JSONEq(t, `""`, send(t, e, http.MethodGet, "//users", nil).body, "an empty argument is the empty version")
	assert.JSONEq(t, `"v1"`, send(t, e, http.MethodGet, "/users", nil).body, "no argument is the default")
}

func TestVersionWithoutMiddleware(t *testing.T) {
	e := echo.New()
	e.GET("/", func(c echo.Context) error {
		assert.True(t, versoecho.Version(c).IsNone())
		_, err := versoecho.Reverse(c, verso.Target{Name: "x"})
		assert.ErrorContains(t, err, "did not pass the middleware")
		return c.NoContent(http.StatusOK)
	})
	assert.Equal(t, http.StatusOK, send(t, e, http.MethodGet, "/", nil).status)
}

func TestLaterMiddlewareSeesTheVersion(t *testing.T) {
	e := echo.New()
	e.Use(versoecho.Middleware(verso.Must(verso.NewQueryParameter(twoVersions))))
	e.Use(func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			c.Response().Header().Set("X-Version", versoecho.Version(c).String())
			return next(c)
		}
	})
	e.GET("/", answerVersion)
	assert.Equal(t, "v2", send(t, e, http.MethodGet, "/?version=v2", nil).header.Get("X-Version"))
}

func TestSkipper(t *testing.T) {
	e := echo.New()
	e.Use(versoecho.MiddlewareWithConfig(versoecho.Config{
		Skipper: func(c echo.Context) bool { return c.Path() == "/health" },
		Scheme:  verso.Must(verso.NewQueryParameter(twoVersions)),
	}))
	e.GET("/health", answerVersion)
	assert.Equal(t, http.StatusOK, send(t, e, http.MethodGet, "/health?version=v9", nil).status)
}

func TestInvalidConfig(t *testing.T) {
	scheme := verso.Must(verso.NewURLPath(twoVersions))
	for _, test := range []struct {
		name   string
		config versoecho.Config
		want   string
	}{
		{"no scheme", versoecho.Config{}, "no scheme: make one"},
		{"no media type", versoecho.Config{Scheme: scheme, Produces: []string{"json"}}, `"json" is not a media type`},
		{"no origin", versoecho.Config{Scheme: scheme, Links: verso.LinkConfig{Origin: "example.com"}}, `origin "example.com": write it like`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := test.config.ToMiddleware()
			require.ErrorContains(t, err, test.want)
			_, err = test.config.ToReverse(echo.New())
			require.ErrorContains(t, err, test.want)
			assert.Panics(t, func() { versoecho.MiddlewareWithConfig(test.config) })
		})
	}
}

// withoutDetermine is a custom scheme that is not finished.
type withoutDetermine struct{ *verso.Base }

func TestUnfinishedScheme(t *testing.T) {
	base, err := verso.NewBase("MyVersioning", verso.Settings{})
	require.NoError(t, err)
	e := echo.New()
	var seen error
	e.HTTPErrorHandler = func(err error, c echo.Context) {
		seen = err
		e.DefaultHTTPErrorHandler(err, c)
	}
	e.Use(versoecho.Middleware(withoutDetermine{base}))
	e.GET("/", answerVersion)
	got := send(t, e, http.MethodGet, "/", nil)
	assert.Equal(t, http.StatusInternalServerError, got.status)
	assert.NotContains(t, got.body, "MyVersioning")
	assert.ErrorIs(t, seen, verso.ErrNotImplemented)
}

func TestCentralErrorHandler(t *testing.T) {
	e := echo.New()
	e.HTTPErrorHandler = func(err error, c echo.Context) {
		var refusal *verso.Error
		if !assert.ErrorAs(t, err, &refusal) {
			return
		}
		assert.ErrorIs(t, err, verso.ErrNotFound)
		_ = c.JSON(refusal.StatusCode(), echo.Map{"error": echo.Map{"code": refusal.MessageID, "text": refusal.Message}})
	}
	e.Use(versoecho.Middleware(verso.Must(verso.NewQueryParameter(twoVersions))))
	e.GET("/", answerVersion)
	got := send(t, e, http.MethodGet, "/?version=v9", nil)
	assert.Equal(t, http.StatusNotFound, got.status)
	assert.JSONEq(t, `{"error": {"code": "invalid_query_parameter_version", "text": "Invalid version in query parameter."}}`, got.body)
}

func TestErrorHandler(t *testing.T) {
	e := echo.New()
	e.Use(versoecho.MiddlewareWithConfig(versoecho.Config{
		Scheme: verso.Must(verso.NewQueryParameter(twoVersions)),
		ErrorHandler: func(c echo.Context, err *verso.Error, problem verso.Problem) error {
			return c.String(http.StatusGone, err.Version.String()+" is gone: "+problem.Detail)
		},
	}))
	e.GET("/", answerVersion)
	got := send(t, e, http.MethodGet, "/?version=v0", nil)
	assert.Equal(t, http.StatusGone, got.status)
	assert.Equal(t, "v0 is gone: Invalid version in query parameter.", got.body)
}

func TestErrorHandlerThatAnswersNothing(t *testing.T) {
	e := echo.New()
	e.Use(versoecho.MiddlewareWithConfig(versoecho.Config{
		Scheme:       verso.Must(verso.NewQueryParameter(twoVersions)),
		ErrorHandler: func(echo.Context, *verso.Error, verso.Problem) error { return nil },
	}))
	e.GET("/", answerVersion)
	got := send(t, e, http.MethodGet, "/?version=v0", nil)
	assert.Equal(t, http.StatusNotFound, got.status)
	assert.Contains(t, got.body, "invalid_query_parameter_version")
}

func TestHideAllowedVersions(t *testing.T) {
	e := echo.New()
	e.Use(versoecho.MiddlewareWithConfig(versoecho.Config{
		Scheme:              verso.Must(verso.NewQueryParameter(twoVersions)),
		HideAllowedVersions: true,
	}))
	e.GET("/", answerVersion)
	var members map[string]any
	require.NoError(t, json.Unmarshal([]byte(send(t, e, http.MethodGet, "/?version=v9", nil).body), &members))
	assert.NotContains(t, members, "allowed_versions")
}

func TestBegunResponseIsNotWrittenAgain(t *testing.T) {
	e := echo.New()
	e.Use(func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			_ = c.String(http.StatusAccepted, "begun")
			err := next(c)
			var refusal *verso.Error
			assert.True(t, errors.As(err, &refusal))
			return err
		}
	})
	e.Use(versoecho.Middleware(verso.Must(verso.NewQueryParameter(twoVersions))))
	e.GET("/", answerVersion)
	got := send(t, e, http.MethodGet, "/?version=v9", nil)
	assert.Equal(t, http.StatusAccepted, got.status)
	assert.Equal(t, "begun", got.body)
}

func TestCORSPreflight(t *testing.T) {
	cors := middleware.CORSWithConfig(middleware.CORSConfig{AllowOrigins: []string{"https://app.example"}})
	mw := versoecho.Middleware(verso.Must(verso.NewAcceptHeader(twoVersions)))
	for name, order := range map[string][]echo.MiddlewareFunc{
		"CORS first":  {cors, mw},
		"Verso first": {mw, cors},
	} {
		t.Run(name, func(t *testing.T) {
			e := echo.New()
			e.Use(order...)
			e.GET("/", answerVersion)
			preflight := send(t, e, http.MethodOptions, "/", http.Header{
				"Origin": {"https://app.example"}, "Access-Control-Request-Method": {"GET"},
			})
			assert.Equal(t, http.StatusNoContent, preflight.status)
			assert.Equal(t, "https://app.example", preflight.header.Get("Access-Control-Allow-Origin"))

			got := send(t, e, http.MethodGet, "/", http.Header{
				"Origin": {"https://app.example"}, "Accept": {"application/json; version=v1"},
			})
			assert.Equal(t, "v1", got.body)
			assert.ElementsMatch(t, []string{"Accept", "Origin"}, got.header.Values("Vary"))
		})
	}
}

func TestRoutesAddedLater(t *testing.T) {
	e := echo.New()
	e.Use(versoecho.Middleware(verso.Must(verso.NewNamespace(twoVersions))))
	e.GET("/v1", answerVersion).Name = "v1:root"
	assert.Equal(t, "v1", send(t, e, http.MethodGet, "/v1", nil).body)
	e.GET("/v2", answerVersion).Name = "v2:root"
	assert.Equal(t, "v2", send(t, e, http.MethodGet, "/v2", nil).body)
}

func TestOnAddRouteHandlerIsKept(t *testing.T) {
	e := echo.New()
	var added []string
	e.OnAddRouteHandler = func(_ string, route echo.Route, _ echo.HandlerFunc, _ []echo.MiddlewareFunc) {
		added = append(added, route.Path)
	}
	e.Use(versoecho.Middleware(verso.Must(verso.NewQueryParameter(verso.Settings{}))))
	e.GET("/first", answerVersion)
	send(t, e, http.MethodGet, "/first", nil)
	e.GET("/second", answerVersion)
	assert.Equal(t, []string{"/first", "/second"}, added)
}

func TestOneMiddlewareInTwoInstances(t *testing.T) {
	mw := versoecho.Middleware(verso.Must(verso.NewNamespace(twoVersions)))
	first, second := echo.New(), echo.New()
	first.Use(mw)
	second.Use(mw)
	first.GET("/users", answerVersion).Name = "v1:users"
	second.GET("/users", answerVersion).Name = "v2:users"
	for range 2 {
		assert.Equal(t, "v1", send(t, first, http.MethodGet, "/users", nil).body)
		assert.Equal(t, "v2", send(t, second, http.MethodGet, "/users", nil).body)
	}
}

func TestHosts(t *testing.T) {
	e := echo.New()
	e.Use(versoecho.Middleware(verso.Must(verso.NewNamespace(verso.Settings{DefaultVersion: verso.V("v0")}))))
	e.GET("/users", answerVersion).Name = "users"
	e.Host("one.example").GET("/users", answerVersion).Name = "v1:users"
	e.Host("two.example").GET("/users", answerVersion).Name = "v2:users"
	for host, want := range map[string]string{"": "v0", "one.example": "v1", "two.example": "v2", "other.example": "v0"} {
		assert.Equal(t, want, send(t, e, http.MethodGet, "/users", http.Header{"Host": {host}}).body, host)
	}
}

func TestNamespace(t *testing.T) {
	users := func(g *echo.Group) {
		g.GET("/users", answerVersion).Name = "users"
		g.GET("/unnamed", answerVersion)
	}
	e := echo.New()
	e.Use(versoecho.Middleware(verso.Must(verso.NewNamespace(twoVersions))))
	e.GET("/users", answerVersion).Name = "users"
	versoecho.Namespace(e, "v1", func() { users(e.Group("/v1")) })
	versoecho.Namespace(e, "api", func() {
		versoecho.Namespace(e, "v2", func() { users(e.Group("/v2")) })
	})
	for target, want := range map[string]string{
		"/users": "", "/v1/users": "v1", "/v1/unnamed": "v1", "/v2/users": "v2", "/v2/unnamed": "v2",
	} {
		assert.Equal(t, want, send(t, e, http.MethodGet, target, nil).body, target)
	}
	var names []string
	for _, route := range e.Routes() {
		if route.Path == "/v2/users" {
			names = append(names, route.Name)
		}
	}
	assert.Equal(t, []string{"api:v2:users"}, names)
	assert.Panics(t, func() { versoecho.Namespace(e, "", func() {}) })
}
