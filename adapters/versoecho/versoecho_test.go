package versoecho_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
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

// v9 is the header of a request for a version that no test serves.
var v9 = http.Header{"Accept": {"application/json; version=v9"}}

func TestUnmatchedRequestsPassUntouched(t *testing.T) {
	// Without the middleware, the answers are Echo's own.
	newEcho := func(install bool) *echo.Echo {
		e := echo.New()
		mw := check(e, verso.Must(scheme.NewAcceptHeader("version", twoVersions)))
		if install {
			e.Use(mw)
		}
		e.GET("/users", answerVersion)
		e.GET("/users/:id", answerVersion)
		e.PUT("/users/:other", answerVersion)
		e.RouteNotFound("/own/*", func(c echo.Context) error { return c.String(http.StatusTeapot, "own") })
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
		{"method not allowed, with parameters", http.MethodPost, "/users/7", http.StatusMethodNotAllowed},
		{"HEAD is not GET", http.MethodHead, "/users/7", http.StatusMethodNotAllowed},
		{"automatic OPTIONS", http.MethodOptions, "/users", http.StatusNoContent},
		{"not found under a group with middleware", http.MethodGet, "/group/nowhere", http.StatusNotFound},
		{"the group itself", http.MethodGet, "/group", http.StatusNotFound},
		{"wrong method under a group with middleware", http.MethodPost, "/group/users", http.StatusNotFound},
		{"a RouteNotFound route", http.MethodGet, "/own/x", http.StatusTeapot},
		{"unknown method", "BREW", "/users", http.StatusMethodNotAllowed},
		{"a method that Echo uses itself", echo.RouteNotFound, "/own/x", http.StatusTeapot},
	} {
		t.Run(test.name, func(t *testing.T) {
			want := send(t, newEcho(false), test.method, test.target, v9)
			got := send(t, newEcho(true), test.method, test.target, v9)
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
	assert.Equal(t, http.StatusNotAcceptable, send(t, newEcho(true), http.MethodGet, "/group/users", v9).status,
		"a matched route of the group is versioned")
}

// Echo's last parameter takes slashes.
func TestVersionInTheLastSegment(t *testing.T) {
	for _, test := range []struct {
		config verso.Config
		target string
		status int
		body   string
	}{
		{twoVersions, "/users/v2", http.StatusOK, "v2"},
		{twoVersions, "/users/v2/x/y", http.StatusNotFound, ""},
		{verso.Config{AnyVersion: true}, "/users/v2/x/y", http.StatusOK, "v2/x/y"},
	} {
		e := echo.New()
		e.Use(versoecho.New(e, verso.Must(scheme.NewURLPath("version", test.config))).Middleware())
		e.GET("/users/:version", answerVersion)
		got := send(t, e, http.MethodGet, test.target, nil)
		assert.Equal(t, test.status, got.status, test.target)
		if test.body != "" {
			assert.Equal(t, test.body, got.body)
		}
	}
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

func TestParamIsDecodedOnce(t *testing.T) {
	e := echo.New()
	e.GET("/users/:name/files/*", func(c echo.Context) error {
		return c.String(http.StatusOK, versoecho.Param(c, "name")+" and "+versoecho.Param(c, "*")+versoecho.Param(c, "Name"))
	})
	for sent, want := range map[string]string{
		"plain": "plain", "a%20b": "a b", "a+b": "a+b", "a%2Bb": "a+b", "100%25": "100%", "%2541": "%41",
		"%41%2541": "A%41", "a%2Fb": "a/b", "%D0%B6%25": "ж%", "%FF": "\xff",
	} {
		got := send(t, e, http.MethodGet, "/users/"+sent+"/files/"+sent, nil)
		assert.Equal(t, want+" and "+want, got.body, sent)
	}
}

func TestMissingIsNotEmpty(t *testing.T) {
	e := echo.New()
	e.Use(versoecho.New(e, verso.Must(scheme.NewURLPath("version", verso.Config{DefaultVersion: verso.V("v1")}))).Middleware())
	e.GET("/:version/users", func(c echo.Context) error {
		return c.JSON(http.StatusOK, versoecho.Version(c))
	})
	e.GET("/users", func(c echo.Context) error {
		return c.JSON(http.StatusOK, versoecho.Version(c))
	})
	assert.JSONEq(t, `""`, send(t, e, http.MethodGet, "//users", nil).body, "an empty parameter is the empty version")
	assert.JSONEq(t, `"v1"`, send(t, e, http.MethodGet, "/users", nil).body, "no parameter is the default")
}

func TestVersionWithoutCheck(t *testing.T) {
	e := echo.New()
	e.GET("/", func(c echo.Context) error {
		assert.True(t, versoecho.Version(c).IsNone())
		assert.False(t, versoecho.AtLeast(c, "v1"))
		_, err := versoecho.Link(c, verso.Target{Name: "x"})
		assert.ErrorIs(t, err, verso.ErrNotChecked)
		_, err = versoecho.ContentType(c, "x")
		assert.ErrorIs(t, err, verso.ErrNotChecked)
		return c.NoContent(http.StatusOK)
	})
	assert.Equal(t, http.StatusOK, send(t, e, http.MethodGet, "/", nil).status)
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

func TestSkipper(t *testing.T) {
	e := echo.New()
	e.Use(check(e, verso.Must(scheme.NewQueryParameter("version", twoVersions)), versoecho.Config{
		Skipper: func(c echo.Context) bool { return c.Path() == "/health" },
	}))
	e.GET("/health", answerVersion)
	e.GET("/users", answerVersion)
	assert.Equal(t, http.StatusOK, send(t, e, http.MethodGet, "/health?version=v9", nil).status)
	assert.Equal(t, http.StatusNotFound, send(t, e, http.MethodGet, "/users?version=v9", nil).status)
}

func TestProgrammingErrorIsNotShown(t *testing.T) {
	secret := errors.New("secret")
	for name, test := range map[string]struct {
		api  *verso.Versioning
		want error
	}{
		"no source":         {verso.Must(scheme.NewBase("MyVersioning", verso.Config{})), verso.ErrNotImplemented},
		"source that fails": {verso.Must(verso.New(failing{verso.QueryParam("version"), secret}, verso.Config{})), secret},
		"error with a status": {
			verso.Must(verso.New(failing{verso.QueryParam("version"), echo.NewHTTPError(http.StatusTeapot, "secret")}, verso.Config{})), nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := echo.New()
			var seen error
			e.HTTPErrorHandler = func(err error, c echo.Context) {
				seen = err
				e.DefaultHTTPErrorHandler(err, c)
			}
			e.Use(check(e, test.api))
			e.GET("/", answerVersion)
			got := send(t, e, http.MethodGet, "/", nil)
			assert.Equal(t, http.StatusInternalServerError, got.status)
			assert.JSONEq(t, `{"message": "Internal Server Error"}`, got.body)
			if test.want != nil {
				assert.ErrorIs(t, seen, test.want)
			}
			var he *echo.HTTPError
			require.ErrorAs(t, seen, &he)
			assert.Equal(t, http.StatusInternalServerError, he.Code, "what an error handler of one's own finds first")
		})
	}
}

// failing is a source that cannot read.
type failing struct {
	verso.Source
	err error
}

func (s failing) Read(verso.Request, *verso.ServedVersions) verso.Reading {
	return verso.Reading{Outcome: verso.Failed, Err: s.err}
}

const problemV9 = `{
	"type": "https://github.com/goverso/verso/blob/main/docs/problems.md#invalid-version",
	"title": "Invalid API version", "status": 404, "detail": "Invalid version in query parameter.",
	"code": "invalid_query_parameter_version", "allowed_versions": ["v1", "v2"]
}`

func TestRejection(t *testing.T) {
	for name, test := range map[string]struct {
		handler     func(echo.Context, *verso.Error, *verso.Answer) error
		contentType string
	}{
		"by Echo#HTTPErrorHandler": {nil, "application/json"},
		"by WriteProblem":          {versoecho.WriteProblem, "application/problem+json"},
	} {
		t.Run(name, func(t *testing.T) {
			e := echo.New()
			e.Use(check(e, verso.Must(scheme.NewQueryParameter("version", twoVersions)), versoecho.Config{ErrorHandler: test.handler}))
			e.GET("/", answerVersion)
			e.HEAD("/", answerVersion)
			got := send(t, e, http.MethodGet, "/?version=v9", nil)
			assert.Equal(t, http.StatusNotFound, got.status)
			assert.Equal(t, test.contentType, got.header.Get("Content-Type"))
			assert.JSONEq(t, problemV9, got.body)
			head := send(t, e, http.MethodHead, "/?version=v9", nil)
			assert.Equal(t, http.StatusNotFound, head.status)
			assert.Empty(t, head.body)
		})
	}
}

// french translates the message of a version that is not served.
type french struct{}

func (french) Messages(string) (language string, messages map[verso.MessageID]string) {
	return "fr", map[verso.MessageID]string{verso.InvalidQueryParameterVersion: "Version invalide."}
}

func TestTranslatedRejection(t *testing.T) {
	config := twoVersions
	config.Translator = french{}
	for name, handler := range map[string]func(echo.Context, *verso.Error, *verso.Answer) error{
		"by Echo#HTTPErrorHandler": nil,
		"by WriteProblem":          versoecho.WriteProblem,
		"by one's own": func(c echo.Context, err *verso.Error, answer *verso.Answer) error {
			return c.String(err.Status, answer.Problem.Detail)
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := echo.New()
			e.Use(check(e, verso.Must(scheme.NewQueryParameter("version", config)), versoecho.Config{ErrorHandler: handler}))
			e.GET("/", answerVersion)
			got := send(t, e, http.MethodGet, "/?version=v9", nil)
			assert.Equal(t, http.StatusNotFound, got.status)
			assert.Contains(t, got.body, "Version invalide.")
			assert.Equal(t, "fr", got.header.Get("Content-Language"))
			assert.Equal(t, []string{"Accept-Language"}, got.header.Values("Vary"))
		})
	}
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

func TestErrorHandler(t *testing.T) {
	e := echo.New()
	e.Use(check(e, verso.Must(scheme.NewQueryParameter("version", twoVersions)), versoecho.Config{
		ErrorHandler: func(c echo.Context, err *verso.Error, answer *verso.Answer) error {
			return c.String(http.StatusGone, err.Requested+" is gone: "+answer.Problem.Detail)
		},
	}))
	e.GET("/", answerVersion)
	got := send(t, e, http.MethodGet, "/?version=v0", nil)
	assert.Equal(t, http.StatusGone, got.status)
	assert.Equal(t, "v0 is gone: Invalid version in query parameter.", got.body)
}

func TestErrorHandlerThatAnswersNothing(t *testing.T) {
	e := echo.New()
	e.Use(check(e, verso.Must(scheme.NewQueryParameter("version", twoVersions)), versoecho.Config{
		ErrorHandler: func(echo.Context, *verso.Error, *verso.Answer) error { return nil },
	}))
	e.GET("/", answerVersion)
	got := send(t, e, http.MethodGet, "/?version=v0", nil)
	assert.Equal(t, http.StatusNotFound, got.status)
	assert.Contains(t, got.body, "invalid_query_parameter_version")
}

func TestHideAllowedVersions(t *testing.T) {
	config := twoVersions
	config.HideAllowedVersions = true
	e := echo.New()
	e.Use(versoecho.New(e, verso.Must(scheme.NewQueryParameter("version", config))).Middleware())
	e.GET("/", answerVersion)
	var members map[string]any
	require.NoError(t, json.Unmarshal([]byte(send(t, e, http.MethodGet, "/?version=v9", nil).body), &members))
	assert.NotContains(t, members, "allowed_versions")
}

func TestBegunResponseIsNotWrittenAgain(t *testing.T) {
	for name, handler := range map[string]func(echo.Context, *verso.Error, *verso.Answer) error{
		"default": nil, "WriteProblem": versoecho.WriteProblem,
	} {
		t.Run(name, func(t *testing.T) {
			e := echo.New()
			e.Use(func(next echo.HandlerFunc) echo.HandlerFunc {
				return func(c echo.Context) error {
					_ = c.String(http.StatusAccepted, "begun")
					err := next(c)
					var rejected *verso.Error
					assert.True(t, errors.As(err, &rejected))
					return err
				}
			})
			e.Use(check(e, verso.Must(scheme.NewQueryParameter("version", twoVersions)), versoecho.Config{ErrorHandler: handler}))
			e.GET("/", answerVersion)
			got := send(t, e, http.MethodGet, "/?version=v9", nil)
			assert.Equal(t, http.StatusAccepted, got.status)
			assert.Equal(t, "begun", got.body)
		})
	}
}

func TestVaryOfOthersIsKept(t *testing.T) {
	e := echo.New()
	e.Use(func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			c.Response().Header().Add("Vary", "Origin")
			return next(c)
		}
	})
	e.Use(versoecho.New(e, verso.Must(scheme.NewAcceptHeader("version", twoVersions))).Middleware())
	e.GET("/", answerVersion)
	for version, status := range map[string]int{"v1": http.StatusOK, "v9": http.StatusNotAcceptable} {
		got := send(t, e, http.MethodGet, "/", http.Header{"Accept": {"*/*; version=" + version}})
		assert.Equal(t, status, got.status)
		assert.Equal(t, []string{"Origin, Accept"}, got.header.Values("Vary"))
	}
}

// Some caches look at the last line only.
func TestVaryBehindTheCheckIsOneLine(t *testing.T) {
	e := echo.New()
	v := versoecho.New(e, verso.Must(scheme.NewAcceptHeader("version", twoVersions)))
	v.AfterCheck(func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			c.Response().Header().Add("Vary", "Accept-Encoding")
			return next(c)
		}
	}).GET("/", answerVersion)
	got := send(t, e, http.MethodGet, "/", http.Header{"Accept": {"*/*; version=v1"}})
	assert.Equal(t, []string{"Accept, Accept-Encoding"}, got.header.Values("Vary"))
}

func TestCORSPreflight(t *testing.T) {
	cors := middleware.CORSWithConfig(middleware.CORSConfig{AllowOrigins: []string{"https://app.example"}})
	for name, vary := range map[string][]string{"CORS first": {"Origin, Accept"}, "Verso first": {"Accept", "Origin"}} {
		t.Run(name, func(t *testing.T) {
			e := echo.New()
			order := []echo.MiddlewareFunc{cors, check(e, verso.Must(scheme.NewAcceptHeader("version", twoVersions)))}
			if name == "Verso first" {
				slices.Reverse(order)
			}
			e.Use(order...)
			e.GET("/", answerVersion)
			e.Any("/any", answerVersion) // a route for OPTIONS too
			for _, target := range []string{"/", "/any"} {
				preflight := send(t, e, http.MethodOptions, target, http.Header{
					"Origin": {"https://app.example"}, "Access-Control-Request-Method": {"GET"}, "Accept": {"*/*"},
				})
				assert.Equal(t, http.StatusNoContent, preflight.status)
				assert.Equal(t, "https://app.example", preflight.header.Get("Access-Control-Allow-Origin"))
			}

			got := send(t, e, http.MethodGet, "/", http.Header{
				"Origin": {"https://app.example"}, "Accept": {"application/json; version=v1"},
			})
			assert.Equal(t, "v1", got.body)
			assert.Equal(t, vary, got.header.Values("Vary"))
		})
	}
}

func TestRoutesAddedLater(t *testing.T) {
	e := echo.New()
	e.Use(versoecho.New(e, verso.Must(scheme.NewNamespace(twoVersions))).Middleware())
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
	e.Use(versoecho.New(e, verso.Must(scheme.NewQueryParameter("version", verso.Config{}))).Middleware())
	e.GET("/first", answerVersion)
	send(t, e, http.MethodGet, "/first", nil)
	e.GET("/second", answerVersion)
	assert.Equal(t, []string{"/first", "/second"}, added)
}

// TestMiddlewareOfAnotherInstance fails closed.
func TestMiddlewareOfAnotherInstance(t *testing.T) {
	e, other := echo.New(), echo.New()
	other.Use(check(e, verso.Must(scheme.NewNamespace(twoVersions))))
	var seen error
	other.HTTPErrorHandler = func(err error, c echo.Context) {
		seen = err
		other.DefaultHTTPErrorHandler(err, c)
	}
	other.GET("/users", answerVersion).Name = "v1:users"
	assert.Equal(t, http.StatusInternalServerError, send(t, other, http.MethodGet, "/users", nil).status)
	assert.ErrorContains(t, seen, "make one with New for this one")
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

func TestNamespace(t *testing.T) {
	users := func(v *versoecho.Routes) {
		v.GET("/users", answerVersion).Name = "users"
		v.GET("/unnamed", answerVersion)
	}
	e := echo.New()
	v := versoecho.New(e, verso.Must(scheme.NewNamespace(twoVersions)))
	users(v)
	users(v.Group("/v1").Namespace("v1"))
	users(v.Namespace("api").Group("/v2").Namespace("v2"))
	for target, want := range map[string]string{
		"/users": "", "/v1/users": "v1", "/v1/unnamed": "v1", "/v2/users": "v2", "/v2/unnamed": "v2",
	} {
		assert.Equal(t, want, send(t, e, http.MethodGet, target, nil).body, target)
	}
	link, err := v.Link(verso.Target{Name: "api:v2:users"})
	require.NoError(t, err)
	assert.Equal(t, "/v2/users", link)
	assert.PanicsWithError(t, `versoecho: Namespace needs a name, such as "v1"`, func() { v.Namespace("") })
}
