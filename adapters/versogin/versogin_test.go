package versogin_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
)

// twoVersions is the configuration of most tests.
var twoVersions = verso.Config{AllowedVersions: []string{"v1", "v2"}}

// answerVersion is a handler that answers with the version.
func answerVersion(c *gin.Context) {
	c.String(http.StatusOK, versogin.Version(c).String())
}

// answer is what a client gets.
type answer struct {
	status int
	header http.Header
	body   string
}

// send serves r on a loopback port and sends it one request.
func send(t *testing.T, engine *gin.Engine, method, target string, header http.Header) answer {
	t.Helper()
	server := httptest.NewServer(engine)
	defer server.Close()
	r, err := http.NewRequestWithContext(t.Context(), method, server.URL+target, nil)
	require.NoError(t, err)
	maps.Copy(r.Header, header)
	if host := header.Get("Host"); host != "" {
		r.Host = host
	}
	server.Client().CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	response, err := server.Client().Do(r)
	require.NoError(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return answer{response.StatusCode, response.Header, string(body)}
}

func TestUnmatchedRequestsPassUntouched(t *testing.T) {
	newEngine := func(install, answers405 bool) *gin.Engine {
		r := gin.New()
		r.HandleMethodNotAllowed = answers405
		if install {
			r.Use(versogin.Middleware(verso.Must(verso.NewURLPath(verso.Config{
				AllowedVersions: []string{"v1", "v2"}, Strict: verso.Strict(), Produces: []string{"text/plain"},
			}))))
		}
		r.Use(func(c *gin.Context) { c.Header("X-Version", versogin.Version(c).String()) })
		r.NoRoute(func(c *gin.Context) { c.String(http.StatusNotFound, "own 404") })
		r.GET("/:version/users", answerVersion)
		r.GET("/:version/slash/", answerVersion)
		r.GET("/:version/stale/:id", answerVersion)
		return r
	}
	methodNotAllowed := map[bool]int{true: http.StatusMethodNotAllowed, false: http.StatusNotFound}
	for _, answers405 := range []bool{true, false} {
		for _, test := range []struct {
			name, method, target string
			status               int
		}{
			{"not found", http.MethodGet, "/v9", http.StatusNotFound},
			{"not found, with a parameter that the router has read", http.MethodGet, "/v9/stale/7/more", http.StatusNotFound},
			{"method not allowed", http.MethodPost, "/v9/users", methodNotAllowed[answers405]},
			{"no automatic OPTIONS", http.MethodOptions, "/v9/users", methodNotAllowed[answers405]},
			{"unknown method", "PROPFIND", "/v9/users", methodNotAllowed[answers405]},
			{"redirect to a slash", http.MethodGet, "/v9/slash", http.StatusMovedPermanently},
		} {
			t.Run(fmt.Sprintf("%s, HandleMethodNotAllowed %t", test.name, answers405), func(t *testing.T) {
				want := send(t, newEngine(false, answers405), test.method, test.target, nil)
				got := send(t, newEngine(true, answers405), test.method, test.target, nil)
				assert.Equal(t, test.status, want.status, "what Gin itself answers")
				want.header.Del("Date")
				got.header.Del("Date")
				assert.Equal(t, want, got)
			})
		}
	}
}

func TestMissingIsNotEmpty(t *testing.T) {
	r := gin.New()
	r.Use(versogin.Middleware(verso.Must(verso.NewURLPath(verso.Config{DefaultVersion: verso.V("v1"), AnyVersion: true}))))
	answerJSON := func(c *gin.Context) { c.JSON(http.StatusOK, versogin.Version(c)) }
	r.GET("/in/*version", answerJSON)
	r.GET("/users", answerJSON)
	assert.JSONEq(t, `""`, send(t, r, http.MethodGet, "/in/", nil).body, "an empty parameter is the empty version")
	assert.JSONEq(t, `"v1"`, send(t, r, http.MethodGet, "/users", nil).body, "no parameter is the default")
	assert.JSONEq(t, `"a/b"`, send(t, r, http.MethodGet, "/in/a/b", nil).body, "the slash before it is not part of the parameter")
}

func TestVersionWithoutMiddleware(t *testing.T) {
	r := gin.New()
	r.GET("/", func(c *gin.Context) {
		assert.True(t, versogin.Version(c).IsNone())
		_, err := versogin.Link(c, verso.Target{Name: "x"})
		assert.ErrorContains(t, err, "did not pass the middleware")
	})
	assert.Equal(t, http.StatusOK, send(t, r, http.MethodGet, "/", nil).status)
}

func TestLaterMiddlewareSeesTheVersion(t *testing.T) {
	r := gin.New()
	r.Use(versogin.Middleware(verso.Must(verso.NewQueryParameter(twoVersions))))
	r.Use(func(c *gin.Context) { c.Header("X-Version", versogin.Version(c).String()) })
	r.GET("/", answerVersion)
	assert.Equal(t, "v2", send(t, r, http.MethodGet, "/?version=v2", nil).header.Get("X-Version"))
}

// TestUnknownRoutesAreMatched has routes that were registered without Verso, and
// paths that a middleware changed: a version that is not served is rejected.
func TestUnknownRoutesAreMatched(t *testing.T) {
	for name, api := range map[string]*verso.Versioning{
		"path":   verso.Must(verso.NewURLPath(twoVersions)),
		"header": verso.Must(verso.New(verso.Header("Api-Version"), twoVersions)),
	} {
		t.Run(name, func(t *testing.T) {
			r := gin.New()
			v := versogin.New(r, api)
			r.Use(func(c *gin.Context) {
				if change := c.Query("method"); change != "" {
					c.Request.Method = change
				}
				if c.Query("url") != "" {
					c.Request.URL.Path, c.Request.Host = "/", "another.example.com"
				}
			})
			r.Use(v.Middleware())
			v.GET("/:version/known", answerVersion)
			r.GET("/:version/unknown", answerVersion)
			for _, target := range []string{"known", "unknown", "unknown?method=PATCH", "known?method=PATCH", "unknown?url=1", "known?url=1"} {
				got := send(t, r, http.MethodGet, "/v9/"+target, http.Header{"Api-Version": {"v9"}})
				assert.GreaterOrEqual(t, got.status, 400, target)
				got = send(t, r, http.MethodGet, "/v2/"+target, http.Header{"Api-Version": {"v2"}})
				assert.Equal(t, "v2", got.body, target)
			}
		})
	}
}

// TestRewrittenRequest has a request that Gin routes twice.
func TestRewrittenRequest(t *testing.T) {
	r := gin.New()
	r.Use(versogin.Middleware(verso.Must(verso.NewURLPath(twoVersions))))
	r.GET("/:version/old", func(c *gin.Context) {
		c.Request.URL.Path = "/v2/new"
		r.HandleContext(c)
	})
	r.GET("/:version/new", answerVersion)
	assert.Equal(t, "v2", send(t, r, http.MethodGet, "/v1/old", nil).body)
	assert.Equal(t, http.StatusNotFound, send(t, r, http.MethodGet, "/v9/old", nil).status)
}

func TestRejectedRequestsDoNotGoOn(t *testing.T) {
	r := gin.New()
	r.Use(versogin.Middleware(verso.Must(verso.NewQueryParameter(twoVersions))))
	r.Use(func(*gin.Context) { t.Error("a later middleware ran") })
	r.GET("/", func(*gin.Context) { t.Error("the handler ran") })
	got := send(t, r, http.MethodGet, "/?version=v9", nil)
	assert.Equal(t, http.StatusNotFound, got.status)
	assert.Equal(t, "application/problem+json", got.header.Get("Content-Type"))
}

func TestVary(t *testing.T) {
	r := gin.New()
	r.Use(func(c *gin.Context) { c.Header("Vary", "Origin") })
	r.Use(versogin.Middleware(verso.Must(verso.New(verso.Header("Api-Version"), twoVersions))))
	r.GET("/", answerVersion)
	for version, status := range map[string]int{"v1": http.StatusOK, "v9": http.StatusBadRequest} {
		got := send(t, r, http.MethodGet, "/", http.Header{"Api-Version": {version}})
		assert.Equal(t, status, got.status)
		assert.Equal(t, []string{"Origin", "Api-Version"}, got.header["Vary"])
	}
}

func TestMistakesPanic(t *testing.T) {
	path, namespace := verso.Must(verso.NewURLPath(twoVersions)), verso.Must(verso.NewNamespace(twoVersions))
	either := verso.Must(verso.New(verso.First(verso.Header("Api-Version"), verso.Namespace()), twoVersions))
	const (
		noVersioning = "versogin: no versioning: make one, for example with verso.NewURLPath"
		noNamespaces = "versogin: no route has a namespace: make the middleware with versogin.New, and register the routes with it"
	)
	for _, test := range []struct {
		name string
		call func()
		want string
	}{
		{"no versioning", func() { versogin.Middleware(nil) }, noVersioning},
		{"no versioning for routes", func() { versogin.New(gin.New(), nil) }, noVersioning},
		{"no engine", func() { versogin.New(nil, path) }, "versogin: no engine: make one with gin.New"},
		{"no namespaces", func() { versogin.Middleware(namespace) }, noNamespaces},
		{"no namespaces, among others", func() { versogin.Middleware(either) }, noNamespaces},
		{
			"empty namespace", func() { versogin.New(gin.New(), path).Namespace("") },
			`versogin: Namespace needs a name, such as "v1"`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.PanicsWithError(t, test.want, test.call)
		})
	}
}

// failing is a source that cannot read.
type failing struct{ verso.Source }

func (failing) Read(verso.Request, *verso.Served) verso.Reading {
	return verso.Reading{Outcome: verso.Failed, Err: errors.New("secret")}
}

func TestProgrammingErrors(t *testing.T) {
	for _, test := range []struct {
		name string
		api  *verso.Versioning
		want string
	}{
		{"no source", verso.Must(verso.NewBase("MyVersioning", verso.Config{})), "must be implemented"},
		{"failing source", verso.Must(verso.New(failing{verso.QueryParam("version")}, twoVersions)), "secret"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := gin.New()
			r.Use(func(c *gin.Context) {
				c.Next()
				assert.ErrorContains(t, c.Errors.Last(), test.want)
			})
			r.Use(versogin.Middleware(test.api))
			r.GET("/", func(*gin.Context) { t.Error("the handler ran") })
			got := send(t, r, http.MethodGet, "/", nil)
			assert.Equal(t, http.StatusInternalServerError, got.status)
			assert.Empty(t, got.body)
		})
	}
}

func TestCentralErrorHandler(t *testing.T) {
	r := gin.New()
	r.Use(func(c *gin.Context) {
		c.Next()
		var rejected *verso.Error
		if assert.Len(t, c.Errors, 1) && assert.ErrorAs(t, c.Errors.Last(), &rejected) {
			c.JSON(rejected.StatusCode(), gin.H{"error": gin.H{"code": rejected.MessageID, "text": rejected.Message}})
		}
	})
	leaveIt := func(_ *gin.Context, err *verso.Error, _ *verso.Answer) error { return err }
	r.Use(versogin.Middleware(verso.Must(verso.NewQueryParameter(twoVersions)), versogin.WithErrorHandler(leaveIt)))
	r.GET("/", answerVersion)
	got := send(t, r, http.MethodGet, "/?version=v9", nil)
	assert.Equal(t, http.StatusNotFound, got.status)
	assert.JSONEq(t, `{"error": {"code": "invalid_query_parameter_version", "text": "Invalid version in query parameter."}}`, got.body)
}

// TestErrorsAreInTheContext has a central error handler that answers what nobody
// has answered. It must find every rejection answered, also that of a HEAD.
func TestErrorsAreInTheContext(t *testing.T) {
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		r := gin.New()
		r.Use(func(c *gin.Context) {
			c.Next()
			assert.True(t, c.IsAborted())
			assert.Len(t, c.Errors, 1)
			assert.ErrorIs(t, c.Errors.Last(), verso.ErrNotFound)
			if !c.Writer.Written() {
				c.Status(http.StatusInternalServerError)
			}
		})
		r.Use(versogin.Middleware(verso.Must(verso.NewQueryParameter(twoVersions))))
		r.Handle(method, "/", answerVersion)
		assert.Equal(t, http.StatusNotFound, send(t, r, method, "/?version=v9", nil).status, method)
	}
}

func TestErrorHandler(t *testing.T) {
	r := gin.New()
	r.Use(versogin.Middleware(verso.Must(verso.NewQueryParameter(twoVersions)), versogin.WithErrorHandler(
		func(c *gin.Context, err *verso.Error, answer *verso.Answer) error {
			c.String(http.StatusGone, err.Asked+" is gone: "+answer.Problem.Detail)
			return nil
		})))
	r.GET("/", answerVersion)
	got := send(t, r, http.MethodGet, "/?version=v0", nil)
	assert.Equal(t, http.StatusGone, got.status)
	assert.Equal(t, "v0 is gone: Invalid version in query parameter.", got.body)
}

// TestErrorHandlerThatAnswersNothing has no rejection that becomes an empty 200.
func TestErrorHandlerThatAnswersNothing(t *testing.T) {
	for _, test := range []struct {
		name    string
		handler func(*gin.Context, *verso.Error, *verso.Answer) error
		status  int
		code    string // in the body, "" for an empty one
	}{
		{"writes nothing", func(*gin.Context, *verso.Error, *verso.Answer) error { return nil }, http.StatusNotFound, "invalid_query_parameter_version"},
		{"nil is the default", nil, http.StatusNotFound, "invalid_query_parameter_version"},
		{"returns an error that nobody answers", func(*gin.Context, *verso.Error, *verso.Answer) error { return errors.New("no") }, http.StatusNotFound, ""},
		{"sets a status only", func(c *gin.Context, _ *verso.Error, _ *verso.Answer) error { c.Status(http.StatusGone); return nil }, http.StatusGone, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := gin.New()
			r.Use(versogin.Middleware(verso.Must(verso.NewQueryParameter(twoVersions)), versogin.WithErrorHandler(test.handler)))
			r.GET("/", answerVersion)
			got := send(t, r, http.MethodGet, "/?version=v0", nil)
			assert.Equal(t, test.status, got.status)
			if test.code == "" {
				assert.Empty(t, got.body)
			} else {
				assert.Contains(t, got.body, test.code)
				assert.Equal(t, "application/problem+json", got.header.Get("Content-Type"))
			}
		})
	}
}

func TestHideAllowedVersions(t *testing.T) {
	hidden := twoVersions
	hidden.HideAllowedVersions = true
	r := gin.New()
	r.Use(versogin.Middleware(verso.Must(verso.NewQueryParameter(hidden))))
	r.GET("/", answerVersion)
	var members map[string]any
	require.NoError(t, json.Unmarshal([]byte(send(t, r, http.MethodGet, "/?version=v9", nil).body), &members))
	assert.NotContains(t, members, "allowed_versions")
}

// german answers in German, whatever the client accepts.
type german struct{}

func (german) Messages(string) (string, map[verso.MessageID]string) {
	return "de", map[verso.MessageID]string{verso.InvalidQueryParameterVersion: "Ungültige Version"}
}

func TestTranslatedAnswers(t *testing.T) {
	translated := twoVersions
	translated.Translator = german{}
	own := func(c *gin.Context, _ *verso.Error, answer *verso.Answer) error {
		c.String(answer.Problem.Status, answer.Problem.Detail)
		return nil
	}
	for name, options := range map[string][]versogin.Option{"default": nil, "error handler": {versogin.WithErrorHandler(own)}} {
		t.Run(name, func(t *testing.T) {
			r := gin.New()
			r.Use(versogin.Middleware(verso.Must(verso.NewQueryParameter(translated)), options...))
			r.GET("/", answerVersion)
			got := send(t, r, http.MethodGet, "/?version=v9", nil)
			assert.Contains(t, got.body, "Ungültige Version")
			assert.Equal(t, "de", got.header.Get("Content-Language"))
			assert.Equal(t, []string{"Accept-Language"}, got.header["Vary"])
		})
	}
}

func TestBegunResponseIsNotWrittenAgain(t *testing.T) {
	r := gin.New()
	r.Use(func(c *gin.Context) {
		c.String(http.StatusAccepted, "begun")
		c.Next()
		assert.True(t, c.IsAborted())
		assert.ErrorIs(t, c.Errors.Last(), verso.ErrNotFound)
	})
	r.Use(versogin.Middleware(verso.Must(verso.NewQueryParameter(twoVersions))))
	r.GET("/", answerVersion)
	got := send(t, r, http.MethodGet, "/?version=v9", nil)
	assert.Equal(t, http.StatusAccepted, got.status)
	assert.Equal(t, "begun", got.body)
}
