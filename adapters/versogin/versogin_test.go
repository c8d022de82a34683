package versogin_test

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
)

// twoVersions are the settings of most tests.
var twoVersions = verso.Settings{AllowedVersions: []string{"v1", "v2"}}

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
	response, err := server.Client().Do(r)
	require.NoError(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return answer{response.StatusCode, response.Header, string(body)}
}

func TestUnmatchedRequestsPassUntouched(t *testing.T) {
	newEngine := func(install bool) *gin.Engine {
		r := gin.New()
		r.HandleMethodNotAllowed = true
		if install {
			r.Use(versogin.New(verso.Must(verso.NewURLPath(twoVersions))))
		}
		r.NoRoute(func(c *gin.Context) { c.String(http.StatusNotFound, "own 404") })
		r.GET("/:version/users", answerVersion)
		r.GET("/:version/stale/:id", answerVersion)
		return r
	}
	for _, test := range []struct {
		name, method, target string
		status               int
	}{
		{"not found", http.MethodGet, "/v9", http.StatusNotFound},
		{"not found, with a parameter that the router has read", http.MethodGet, "/v9/stale/7/more", http.StatusNotFound},
		{"method not allowed", http.MethodPost, "/v9/users", http.StatusMethodNotAllowed},
		{"no automatic OPTIONS", http.MethodOptions, "/v9/users", http.StatusMethodNotAllowed},
	} {
		t.Run(test.name, func(t *testing.T) {
			want := send(t, newEngine(false), test.method, test.target, nil)
			got := send(t, newEngine(true), test.method, test.target, nil)
			assert.Equal(t, test.status, want.status, "what Gin itself answers")
			assert.Equal(t, want.status, got.status)
			assert.Equal(t, want.body, got.body)
		})
	}
}

func TestMissingIsNotEmpty(t *testing.T) {
	r := gin.New()
	r.Use(versogin.New(verso.Must(verso.NewURLPath(verso.Settings{DefaultVersion: verso.V("v1")}))))
	answerJSON := func(c *gin.Context) { c.JSON(http.StatusOK, versogin.Version(c)) }
	r.GET("/in/*version", answerJSON)
	r.GET("/users", answerJSON)
	assert.JSONEq(t, `""`, send(t, r, http.MethodGet, "/in/", nil).body, "an empty argument is the empty version")
	assert.JSONEq(t, `"v1"`, send(t, r, http.MethodGet, "/users", nil).body, "no argument is the default")
	assert.JSONEq(t, `"a/b"`, send(t, r, http.MethodGet, "/in/a/b", nil).body, "the slash before it is not part of the argument")
}

func TestVersionWithoutMiddleware(t *testing.T) {
	r := gin.New()
	r.GET("/", func(c *gin.Context) {
		assert.True(t, versogin.Version(c).IsNone())
		_, err := versogin.Reverse(c, verso.Target{Name: "x"})
		assert.ErrorContains(t, err, "did not pass the middleware")
	})
	assert.Equal(t, http.StatusOK, send(t, r, http.MethodGet, "/", nil).status)
}

func TestLaterMiddlewareSeesTheVersion(t *testing.T) {
	r := gin.New()
	r.Use(versogin.New(verso.Must(verso.NewQueryParameter(twoVersions))))
	r.Use(func(c *gin.Context) { c.Header("X-Version", versogin.Version(c).String()) })
	r.GET("/", answerVersion)
	assert.Equal(t, "v2", send(t, r, http.MethodGet, "/?version=v2", nil).header.Get("X-Version"))
}

func TestRefusedRequestsDoNotGoOn(t *testing.T) {
	r := gin.New()
	r.Use(versogin.New(verso.Must(verso.NewQueryParameter(twoVersions))))
	r.Use(func(*gin.Context) { t.Error("a later middleware ran") })
	r.GET("/", func(*gin.Context) { t.Error("the handler ran") })
	got := send(t, r, http.MethodGet, "/?version=v9", nil)
	assert.Equal(t, http.StatusNotFound, got.status)
	assert.Equal(t, "application/problem+json", got.header.Get("Content-Type"))
}

func TestInvalidOptions(t *testing.T) {
	scheme := verso.Must(verso.NewURLPath(twoVersions))
	for _, test := range []struct {
		name   string
		scheme verso.Scheme
		option versogin.Option
		want   string
	}{
		{"no scheme", nil, versogin.WithProduces(), "versogin: verso: no scheme: make one, for example with verso.NewURLPath"},
		{
			"no namespaces", verso.Must(verso.NewNamespace(twoVersions)), versogin.WithProduces(),
			"versogin: no route has a namespace: give New the option WithRoutes",
		},
		{
			"no media type", scheme, versogin.WithProduces("json"),
			`versogin: verso: what the service produces: mediatype: "json" is not a media type: write type/subtype`,
		},
		{
			"no origin", scheme, versogin.WithLinks(verso.LinkConfig{Origin: "example.com"}),
			`versogin: verso: links: origin "example.com": write it like https://api.example.com, without a slash at the end`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.PanicsWithError(t, test.want, func() { versogin.New(test.scheme, test.option) })
			assert.PanicsWithError(t, test.want, func() { versogin.NewReverse(test.scheme, test.option) })
		})
	}
}

// withoutDetermine is a custom scheme that is not finished.
type withoutDetermine struct{ *verso.Base }

func TestUnfinishedScheme(t *testing.T) {
	base, err := verso.NewBase("MyVersioning", verso.Settings{})
	require.NoError(t, err)
	r := gin.New()
	r.Use(func(c *gin.Context) {
		c.Next()
		assert.ErrorIs(t, c.Errors.Last(), verso.ErrNotImplemented)
	})
	r.Use(versogin.New(withoutDetermine{base}))
	r.GET("/", answerVersion)
	got := send(t, r, http.MethodGet, "/", nil)
	assert.Equal(t, http.StatusInternalServerError, got.status)
	assert.Empty(t, got.body)
}

func TestCentralErrorHandler(t *testing.T) {
	r := gin.New()
	r.Use(func(c *gin.Context) {
		c.Next()
		var refusal *verso.Error
		if assert.ErrorAs(t, c.Errors.Last(), &refusal) {
			c.JSON(refusal.StatusCode(), gin.H{"error": gin.H{"code": refusal.MessageID, "text": refusal.Message}})
		}
	})
	leaveIt := func(*gin.Context, *verso.Error, verso.Problem) {}
	r.Use(versogin.New(verso.Must(verso.NewQueryParameter(twoVersions)), versogin.WithErrorHandler(leaveIt)))
	r.GET("/", answerVersion)
	got := send(t, r, http.MethodGet, "/?version=v9", nil)
	assert.Equal(t, http.StatusNotFound, got.status)
	assert.JSONEq(t, `{"error": {"code": "invalid_query_parameter_version", "text": "Invalid version in query parameter."}}`, got.body)
}

func TestErrorHandler(t *testing.T) {
	r := gin.New()
	r.Use(versogin.New(verso.Must(verso.NewQueryParameter(twoVersions)), versogin.WithErrorHandler(
		func(c *gin.Context, err *verso.Error, problem verso.Problem) {
			c.String(http.StatusGone, err.Version.String()+" is gone: "+problem.Detail)
		})))
	r.GET("/", answerVersion)
	got := send(t, r, http.MethodGet, "/?version=v0", nil)
	assert.Equal(t, http.StatusGone, got.status)
	assert.Equal(t, "v0 is gone: Invalid version in query parameter.", got.body)
}

func TestErrorHandlerThatAnswersNothing(t *testing.T) {
	for _, test := range []struct {
		name    string
		handler func(*gin.Context, *verso.Error, verso.Problem)
		body    string
	}{
		{"writes nothing", func(*gin.Context, *verso.Error, verso.Problem) {}, ""},
		{"nil is the default", nil, "invalid_query_parameter_version"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := gin.New()
			r.Use(versogin.New(verso.Must(verso.NewQueryParameter(twoVersions)), versogin.WithErrorHandler(test.handler)))
			r.GET("/", answerVersion)
			got := send(t, r, http.MethodGet, "/?version=v0", nil)
			assert.Equal(t, http.StatusNotFound, got.status)
			assert.Contains(t, got.body, test.body)
		})
	}
}

func TestWithoutAllowedVersions(t *testing.T) {
	r := gin.New()
	r.Use(versogin.New(verso.Must(verso.NewQueryParameter(twoVersions)), versogin.WithoutAllowedVersions()))
	r.GET("/", answerVersion)
	var members map[string]any
	require.NoError(t, json.Unmarshal([]byte(send(t, r, http.MethodGet, "/?version=v9", nil).body), &members))
	assert.NotContains(t, members, "allowed_versions")
}

func TestBegunResponseIsNotWrittenAgain(t *testing.T) {
	r := gin.New()
	r.Use(func(c *gin.Context) {
		c.String(http.StatusAccepted, "begun")
		c.Next()
		assert.True(t, c.IsAborted())
		assert.ErrorIs(t, c.Errors.Last(), verso.ErrNotFound)
	})
	r.Use(versogin.New(verso.Must(verso.NewQueryParameter(twoVersions))))
	r.GET("/", answerVersion)
	got := send(t, r, http.MethodGet, "/?version=v9", nil)
	assert.Equal(t, http.StatusAccepted, got.status)
	assert.Equal(t, "begun", got.body)
}

func TestRoutesAddedLater(t *testing.T) {
	r := gin.New()
	routes := versogin.NewRoutes(r)
	r.Use(versogin.New(verso.Must(verso.NewNamespace(twoVersions)), versogin.WithRoutes(routes)))
	routes.Namespace("v1").Name("root").GET("/v1", answerVersion)
	assert.Equal(t, "v1", send(t, r, http.MethodGet, "/v1", nil).body)
	routes.Namespace("v2").Name("root").GET("/v2", answerVersion)
	assert.Equal(t, "v2", send(t, r, http.MethodGet, "/v2", nil).body)
}

func TestNamespacesNest(t *testing.T) {
	users := func(routes *versogin.Routes) {
		routes.Name("users").GET("/users", answerVersion)
		routes.GET("/unnamed", answerVersion)
	}
	r := gin.New()
	routes := versogin.NewRoutes(r)
	r.Use(versogin.New(verso.Must(verso.NewNamespace(twoVersions)), versogin.WithRoutes(routes)))
	users(routes)
	users(routes.Group("/v1").Namespace("v1"))
	users(routes.Namespace("api").Group("/v2").Namespace("v2"))
	for target, want := range map[string]string{
		"/users": "", "/v1/users": "v1", "/v1/unnamed": "v1", "/v2/users": "v2", "/v2/unnamed": "v2",
	} {
		assert.Equal(t, want, send(t, r, http.MethodGet, target, nil).body, target)
	}
	assert.Panics(t, func() { routes.Namespace("") })
}

// TestRoutesRegisterLikeGin registers a route in each way that Gin has, in a
// namespace, and compares what Gin then has with what Gin registers by itself.
func TestRoutesRegisterLikeGin(t *testing.T) {
	dir := t.TempDir()
	register := func(r gin.IRoutes) {
		r.GET("/a", answerVersion).POST("/a", answerVersion)
		r.PUT("/b/", answerVersion)
		r.PATCH("c/:id", answerVersion)
		r.DELETE("", answerVersion)
		r.OPTIONS("/o", answerVersion)
		r.HEAD("/h", answerVersion)
		r.Any("/any", answerVersion)
		r.Match([]string{http.MethodGet, http.MethodPut}, "/match", answerVersion)
		r.Handle(http.MethodGet, `/colon/a\:b`, answerVersion)
		r.StaticFile("/file", dir+"/file")
		r.StaticFileFS("/filefs", "file", http.Dir(dir))
		r.Static("/static", dir)
		r.StaticFS("/staticfs", http.Dir(dir))
		r.Use(func(*gin.Context) {})
	}
	plain, named := gin.New(), gin.New()
	register(plain.Group("/v1"))
	routes := versogin.NewRoutes(named)
	var versions []string
	named.Use(versogin.New(verso.Must(verso.NewNamespace(twoVersions)), versogin.WithRoutes(routes)),
		func(c *gin.Context) { versions = append(versions, versogin.Version(c).String()) })
	register(routes.Group("/v1").Namespace("v1"))

	paths := func(r *gin.Engine) (paths []string) {
		for _, route := range r.Routes() {
			paths = append(paths, route.Method+" "+route.Path)
		}
		return paths
	}
	assert.ElementsMatch(t, paths(plain), paths(named))

	requests := []string{
		"GET /v1/a", "POST /v1/a", "PUT /v1/b/", "PATCH /v1/c/7", "DELETE /v1", "OPTIONS /v1/o", "HEAD /v1/h",
		"TRACE /v1/any", "PUT /v1/match", "GET /v1/colon/a:b", "GET /v1/file", "HEAD /v1/filefs", "GET /v1/static/x", "HEAD /v1/staticfs/x",
	}
	for i, line := range requests {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		r.Method, r.URL.Path, _ = strings.Cut(line, " ")
		named.ServeHTTP(httptest.NewRecorder(), r)
		if assert.Len(t, versions, i+1, line) {
			assert.Equal(t, "v1", versions[i], line)
		}
	}
}

func TestAmbiguousNamePanicsAtRegistration(t *testing.T) {
	routes := versogin.NewRoutes(gin.New())
	routes.Name("user").GET("/users/:id", answerVersion)
	assert.NotPanics(t, func() { routes.Name("user").DELETE("/users/:id", answerVersion) }, "the same path")
	assert.NotPanics(t, func() { routes.Name("user").GET("/:version/users/:id", answerVersion) }, "other parameters")
	assert.NotPanics(t, func() { routes.Namespace("v1").Name("user").GET("/people/:id", answerVersion) }, "another namespace")
	assert.PanicsWithError(t,
		`versogin: no reverse match: the name "user" stands for both "/users/:id" and "/accounts/:id": rename one of them`,
		func() { routes.Name("user").GET("/accounts/:id", answerVersion) })
}

func TestMethodChangedAfterRouting(t *testing.T) {
	r := gin.New()
	routes := versogin.NewRoutes(r)
	r.Use(func(c *gin.Context) { c.Request.Method = http.MethodPatch })
	r.Use(versogin.New(verso.Must(verso.NewNamespace(twoVersions)), versogin.WithRoutes(routes)))
	routes.Namespace("v9").POST("/refused", answerVersion)
	routes.Namespace("v2").POST("/served", answerVersion)
	assert.Equal(t, http.StatusNotFound, send(t, r, http.MethodPost, "/refused", nil).status)
	assert.Equal(t, "v2", send(t, r, http.MethodPost, "/served", nil).body)
}
