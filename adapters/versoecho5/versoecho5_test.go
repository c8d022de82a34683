package versoecho5_test

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/labstack/echo/v5"
	"github.com/labstack/echo/v5/middleware"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho5"
	verso "github.com/goverso/verso/core"
)

// twoVersions are the settings of most tests.
var twoVersions = verso.Settings{AllowedVersions: []string{"v1", "v2"}}

// answerVersion is a handler that answers with the version.
func answerVersion(c *echo.Context) error {
	return c.String(http.StatusOK, versoecho5.Version(c).String())
}

// add adds a named route.
func add(tb testing.TB, routes versoecho5.RouteAdder, method, path string, handler echo.HandlerFunc, name string) {
	tb.Helper()
	_, err := routes.AddRoute(echo.Route{Method: method, Path: path, Handler: handler, Name: name})
	require.NoError(tb, err)
}

// answer is what a client gets.
type answer struct {
	status int
	header http.Header
	body   string
}

// send serves e on a loopback port and sends it one request.
func send(t *testing.T, e http.Handler, method, target string, header http.Header) answer {
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
	// Without the middleware, the answers are Echo's own.
	newEcho := func(router echo.Router, install bool) *echo.Echo {
		e := echo.NewWithConfig(echo.Config{Router: router})
		mw := versoecho5.Middleware(verso.Must(verso.NewAcceptHeader(twoVersions)))
		if install {
			e.Use(mw)
		}
		e.GET("/users", answerVersion)
		e.GET("/users/:id", answerVersion)
		e.RouteNotFound("/own/*", func(c *echo.Context) error { return c.String(http.StatusTeapot, "own") })
		e.GET("/own/*", answerVersion)
		group := e.Group("/group")
		group.Use(middleware.RequestID()) // registers RouteNotFound routes
		if install {
			group.Use(mw)
		}
		group.GET("/users", answerVersion)
		return e
	}
	for name, router := range map[string]func() echo.Router{
		"default":    func() echo.Router { return nil },
		"concurrent": routers["concurrent"],
	} {
		for _, test := range []struct {
			name, method, target string
			status               int
		}{
			{"not found", http.MethodGet, "/nowhere", http.StatusNotFound},
			{"method not allowed", http.MethodPost, "/users", http.StatusMethodNotAllowed},
			{"method not allowed, with parameters", http.MethodPost, "/users/7", http.StatusMethodNotAllowed},
			{"HEAD is not GET", http.MethodHead, "/users/7", http.StatusMethodNotAllowed},
			{"automatic OPTIONS", http.MethodOptions, "/users", http.StatusNoContent},
			{"not found under a group with middleware", http.MethodGet, "/group/nowhere", http.StatusNotFound},
			{"the group itself", http.MethodGet, "/group", http.StatusNotFound},
			{"wrong method under a group with middleware", http.MethodPost, "/group/users", http.StatusNotFound},
			{"a RouteNotFound route", http.MethodPost, "/own/x", http.StatusTeapot},
			{"unknown method", "BREW", "/users", http.StatusMethodNotAllowed},
			{"a method that Echo uses itself", echo.RouteNotFound, "/own/x", http.StatusTeapot},
		} {
			t.Run(name+"/"+test.name, func(t *testing.T) {
				header := http.Header{"Accept": {"application/json; version=v9"}}
				want := send(t, newEcho(router(), false), test.method, test.target, header)
				got := send(t, newEcho(router(), true), test.method, test.target, header)
				assert.Equal(t, test.status, want.status, "what Echo itself answers")
				assert.Equal(t, want.status, got.status)
				assert.Equal(t, want.body, got.body)
				for _, header := range []http.Header{want.header, got.header} { // differ from request to request
					header.Del("Date")
					header.Del(echo.HeaderXRequestID)
				}
				assert.Equal(t, want.header, got.header)
			})
		}
	}
	header := http.Header{"Accept": {"application/json; version=v9"}}
	assert.Equal(t, http.StatusNotAcceptable, send(t, newEcho(nil, true), http.MethodGet, "/group/users", header).status,
		"a matched route of the group is versioned")
	assert.Equal(t, http.StatusNotAcceptable, send(t, newEcho(nil, true), http.MethodGet, "/own/x", header).status,
		"a matched route beside a RouteNotFound route is versioned")
}

// TestRoutesMatchOtherwise requests routes that Echo does not know by the method
// of the request.
func TestRoutesMatchOtherwise(t *testing.T) {
	newEcho := func() *echo.Echo {
		e := echo.NewWithConfig(echo.Config{Router: echo.NewRouter(echo.RouterConfig{AutoHandleHEAD: true})})
		e.Use(versoecho5.Middleware(verso.Must(verso.NewNamespace(twoVersions))))
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
			assert.Equal(t, http.StatusOK, got.status)
			assert.Equal(t, test.want, got.header.Get("X-Version"))
		})
	}
	refused := send(t, newEcho(), http.MethodHead, "/forbidden", nil)
	assert.Equal(t, http.StatusNotFound, refused.status)
	assert.Empty(t, refused.body)
}

func TestOverriddenMethodIsVersioned(t *testing.T) {
	e := echo.New()
	e.Use(middleware.MethodOverride()) // the wrong place: the route is found already
	e.Use(versoecho5.Middleware(verso.Must(verso.NewQueryParameter(twoVersions))))
	e.POST("/users/:id", answerVersion)
	got := send(t, e, http.MethodPost, "/users/7?version=v9", http.Header{echo.HeaderXHTTPMethodOverride: {"PATCH"}})
	assert.Equal(t, http.StatusNotFound, got.status)
}

func TestPreDoesNothing(t *testing.T) {
	e := echo.New()
	e.Pre(versoecho5.Middleware(verso.Must(verso.NewQueryParameter(twoVersions))))
	e.GET("/", answerVersion)
	assert.Equal(t, http.StatusOK, send(t, e, http.MethodGet, "/?version=v9", nil).status)
}

func TestRouteNotFoundRouteIsNotVersioned(t *testing.T) {
	e := echo.New()
	e.Use(versoecho5.Middleware(verso.Must(verso.NewQueryParameter(twoVersions))))
	e.RouteNotFound("/*", func(c *echo.Context) error { return c.String(http.StatusTeapot, "own") })
	assert.Equal(t, http.StatusTeapot, send(t, e, http.MethodGet, "/nowhere?version=v9", nil).status)
}

func TestMissingIsNotEmpty(t *testing.T) {
	e := echo.New()
	e.Use(versoecho5.Middleware(verso.Must(verso.NewURLPath(verso.Settings{DefaultVersion: verso.V("v1")}))))
	e.GET("/:version/users", func(c *echo.Context) error {
		return c.JSON(http.StatusOK, versoecho5.Version(c))
	})
	e.GET("/users", func(c *echo.Context) error {
		return c.JSON(http.StatusOK, versoecho5.Version(c))
	})
	assert.JSONEq(t, `""`, send(t, e, http.MethodGet, "//users", nil).body, "an empty argument is the empty version")
	assert.JSONEq(t, `"v1"`, send(t, e, http.MethodGet, "/users", nil).body, "no argument is the default")
}

func TestVersionWithoutMiddleware(t *testing.T) {
	e := echo.New()
	e.GET("/", func(c *echo.Context) error {
		assert.True(t, versoecho5.Version(c).IsNone())
		_, err := versoecho5.Reverse(c, verso.Target{Name: "x"})
		assert.ErrorContains(t, err, "did not pass the middleware")
		return c.NoContent(http.StatusOK)
	})
	assert.Equal(t, http.StatusOK, send(t, e, http.MethodGet, "/", nil).status)
}

func TestLaterMiddlewareSeesTheVersion(t *testing.T) {
	e := echo.New()
	e.Use(versoecho5.Middleware(verso.Must(verso.NewQueryParameter(twoVersions))))
	e.Use(func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c *echo.Context) error {
			c.Response().Header().Set("X-Version", versoecho5.Version(c).String())
			return next(c)
		}
	})
	e.GET("/", answerVersion)
	assert.Equal(t, "v2", send(t, e, http.MethodGet, "/?version=v2", nil).header.Get("X-Version"))
}

func TestSkipper(t *testing.T) {
	e := echo.New()
	e.Use(versoecho5.MiddlewareWithConfig(versoecho5.Config{
		Skipper: func(c *echo.Context) bool { return c.Path() == "/health" },
		Scheme:  verso.Must(verso.NewQueryParameter(twoVersions)),
	}))
	e.GET("/health", answerVersion)
	assert.Equal(t, http.StatusOK, send(t, e, http.MethodGet, "/health?version=v9", nil).status)
}

func TestInvalidConfig(t *testing.T) {
	scheme := verso.Must(verso.NewURLPath(twoVersions))
	for _, test := range []struct {
		name   string
		config versoecho5.Config
		want   string
	}{
		{"no scheme", versoecho5.Config{}, "no scheme: make one"},
		{"no media type", versoecho5.Config{Scheme: scheme, Produces: []string{"json"}}, `"json" is not a media type`},
		{"no origin", versoecho5.Config{Scheme: scheme, Links: verso.LinkConfig{Origin: "example.com"}}, `origin "example.com": write it like`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := test.config.ToMiddleware()
			require.ErrorContains(t, err, test.want)
			_, err = test.config.ToReverse(echo.New())
			require.ErrorContains(t, err, test.want)
			assert.Panics(t, func() { versoecho5.MiddlewareWithConfig(test.config) })
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
	e.HTTPErrorHandler = func(c *echo.Context, err error) {
		seen = err
		echo.DefaultHTTPErrorHandler(false)(c, err)
	}
	e.Use(versoecho5.Middleware(withoutDetermine{base}))
	e.GET("/", answerVersion)
	got := send(t, e, http.MethodGet, "/", nil)
	assert.Equal(t, http.StatusInternalServerError, got.status)
	assert.NotContains(t, got.body, "MyVersioning")
	assert.ErrorIs(t, seen, verso.ErrNotImplemented)
}

func TestRefusal(t *testing.T) {
	for _, expose := range []bool{false, true} {
		e := echo.New()
		e.HTTPErrorHandler = echo.DefaultHTTPErrorHandler(expose)
		e.Use(versoecho5.Middleware(verso.Must(verso.NewQueryParameter(twoVersions))))
		e.GET("/", answerVersion)
		got := send(t, e, http.MethodGet, "/?version=v9", nil)
		assert.Equal(t, http.StatusNotFound, got.status)
		assert.JSONEq(t, `{
			"type": "https://github.com/goverso/verso/blob/main/docs/problems.md#invalid-version",
			"title": "Invalid API version", "status": 404, "detail": "Invalid version in query parameter.",
			"code": "invalid_query_parameter_version", "allowed_versions": ["v1", "v2"]
		}`, got.body)
	}
}

func TestHeadIsRefusedWithoutBody(t *testing.T) {
	mw := versoecho5.Middleware(verso.Must(verso.NewQueryParameter(twoVersions)))
	newEcho := func() *echo.Echo {
		return echo.NewWithConfig(echo.Config{Router: echo.NewRouter(echo.RouterConfig{AutoHandleHEAD: true})})
	}
	own, automatic, inGroup := newEcho(), newEcho(), newEcho()
	own.Use(mw)
	own.HEAD("/users/:id", answerVersion)
	automatic.Use(mw)
	automatic.GET("/users/:id", answerVersion)
	inGroup.Group("/users", mw).GET("/:id", answerVersion)
	for name, e := range map[string]*echo.Echo{"own route": own, "automatic": automatic, "automatic in a group": inGroup} {
		t.Run(name, func(t *testing.T) {
			refused := send(t, e, http.MethodHead, "/users/7?version=v9", nil)
			assert.Equal(t, http.StatusNotFound, refused.status)
			assert.Empty(t, refused.body)
			assert.Equal(t, http.StatusOK, send(t, e, http.MethodHead, "/users/7?version=v1", nil).status)
		})
	}
}

func TestCentralErrorHandler(t *testing.T) {
	e := echo.New()
	e.HTTPErrorHandler = func(c *echo.Context, err error) {
		var refusal *verso.Error
		var body *versoecho5.HTTPError
		if !assert.ErrorAs(t, err, &refusal) || !assert.ErrorAs(t, err, &body) {
			return
		}
		assert.ErrorIs(t, err, verso.ErrNotFound)
		assert.Equal(t, http.StatusNotFound, echo.StatusCode(err))
		assert.Equal(t, "Invalid version in query parameter.", err.Error())
		_ = c.JSON(refusal.StatusCode(), map[string]any{"error": refusal.MessageID, "text": body.Problem.Detail})
	}
	e.Use(versoecho5.Middleware(verso.Must(verso.NewQueryParameter(twoVersions))))
	e.GET("/", answerVersion)
	got := send(t, e, http.MethodGet, "/?version=v9", nil)
	assert.Equal(t, http.StatusNotFound, got.status)
	assert.JSONEq(t, `{"error": "invalid_query_parameter_version", "text": "Invalid version in query parameter."}`, got.body)
}

func TestErrorHandler(t *testing.T) {
	e := echo.New()
	e.Use(versoecho5.MiddlewareWithConfig(versoecho5.Config{
		Scheme: verso.Must(verso.NewQueryParameter(twoVersions)),
		ErrorHandler: func(c *echo.Context, err *verso.Error, problem verso.Problem) error {
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
	e.Use(versoecho5.MiddlewareWithConfig(versoecho5.Config{
		Scheme:       verso.Must(verso.NewQueryParameter(twoVersions)),
		ErrorHandler: func(*echo.Context, *verso.Error, verso.Problem) error { return nil },
	}))
	e.GET("/", answerVersion)
	got := send(t, e, http.MethodGet, "/?version=v0", nil)
	assert.Equal(t, http.StatusNotFound, got.status)
	assert.Contains(t, got.body, "invalid_query_parameter_version")
}

func TestHideAllowedVersions(t *testing.T) {
	e := echo.New()
	e.Use(versoecho5.MiddlewareWithConfig(versoecho5.Config{
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
		return func(c *echo.Context) error {
			_ = c.String(http.StatusAccepted, "begun")
			err := next(c)
			var refusal *verso.Error
			assert.True(t, errors.As(err, &refusal))
			return err
		}
	})
	e.Use(versoecho5.Middleware(verso.Must(verso.NewQueryParameter(twoVersions))))
	e.GET("/", answerVersion)
	got := send(t, e, http.MethodGet, "/?version=v9", nil)
	assert.Equal(t, http.StatusAccepted, got.status)
	assert.Equal(t, "begun", got.body)
}

func TestCORSPreflight(t *testing.T) {
	cors := middleware.CORSWithConfig(middleware.CORSConfig{AllowOrigins: []string{"https://app.example"}})
	mw := versoecho5.Middleware(verso.Must(verso.NewAcceptHeader(twoVersions)))
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
