package versogin_test

import (
	"bytes"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versogin"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/source"
)

// twoVersions is the configuration of most tests.
var twoVersions = verso.Config{AllowedVersions: []string{"v1", "v2"}}

var send, sendTo = conformance.Send, conformance.SendTo

// answerVersion is a handler that answers with the version.
func answerVersion(c *gin.Context) {
	c.String(http.StatusOK, versogin.Version(c).String())
}

// TestUnknownRoutesAreMatched has routes that were registered without Verso, and
// paths that a middleware changed: a version that is not served is rejected.
func TestUnknownRoutesAreMatched(t *testing.T) {
	for name, api := range map[string]*verso.Versioning{
		"path":   verso.Must(scheme.NewURLPath("version", twoVersions)),
		"header": verso.MustNew(verso.Header("Api-Version"), twoVersions),
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
				assert.GreaterOrEqual(t, got.Status, 400, target)
				got = send(t, r, http.MethodGet, "/v2/"+target, http.Header{"Api-Version": {"v2"}})
				assert.Equal(t, "v2", got.Body, target)
			}
		})
	}
}

func TestMistakesPanic(t *testing.T) {
	path := verso.Must(scheme.NewURLPath("version", twoVersions))
	const missing = "versogin: the engine or the versioning is nil: check the error of verso.New"
	routes := func(api *verso.Versioning) *versogin.Routes { return versogin.New(gin.New(), api) }
	for _, test := range []struct {
		name string
		call func()
		want string
	}{
		{"no versioning", func() { versogin.New(gin.New(), nil) }, missing},
		{"no engine", func() { versogin.New(nil, path) }, missing},
		{"no group", func() { routes(path).In(nil) }, "versogin: In: the group is nil"},
		{"no method", func() { routes(path).Match(nil, "/x", func(*gin.Context) {}) }, "versogin: route /x: there is no method: give it one"},
		{"another group behind middleware", func() {
			r := gin.New()
			versogin.New(r, path).Group("/a", gin.Recovery()).Since("v2").In(r.Group("/b"))
		}, "versogin: In: the routes would lose the middleware of their group: call it first, and Group on what it returns"},
		{"another group behind In", func() {
			r := gin.New()
			versogin.New(r, path).In(r.Group("/a", gin.Recovery())).In(r.Group("/b"))
		}, "versogin: In: the routes would lose the middleware of their group: call it first, and Group on what it returns"},
		{"another group from a copy before Use", func() {
			r := gin.New()
			group := versogin.New(r, path).Group("/a")
			since := group.Since("v2")
			group.Use(gin.Recovery())
			since.In(r.Group("/b"))
		}, "versogin: In: the routes would lose the middleware of their group: call it first, and Group on what it returns"},
		{"another group behind Use", func() {
			r := gin.New()
			v := versogin.New(r, path)
			v.Use(gin.Recovery())
			group := v.In(r.Group("/a")) // which has the middleware of the engine
			group.Use()
			group = group.In(r.Group("/b"))
			group.Use(gin.Recovery())
			group.In(r.Group("/c"))
		}, "versogin: In: the routes would lose the middleware of their group: call it first, and Group on what it returns"},
		{"group of another engine", func() { routes(path).In(gin.New().Group("/x")) }, "versogin: In: the group is of another engine: make one with New for that engine"},
		{"empty namespace", func() { routes(path).Namespace("") }, `versogin: Namespace needs a name, such as "v1"`},
		{"no middleware of a group", func() { routes(path).Group("/g", nil) }, "versogin: Group /g: a middleware is nil: give it one"},
		{"no middleware of RouterGroup", func() { routes(path).RouterGroup("/g", nil) }, "versogin: RouterGroup /g: a middleware is nil: give it one"},
		{"no middleware of Use", func() { routes(path).Use(nil) }, "versogin: Use: a middleware is nil: give it one"},
		{"no middleware after", func() { routes(path).AfterCheck(nil) }, "versogin: AfterCheck: a middleware is nil: give it one"},
		{"no option", func() { routes(path).With(nil) }, "versogin: With: an option is nil: remove it"},
		{"no handler", func() { routes(path).GET("/x") }, "versogin: route GET /x: a handler is nil or missing: give it one"},
		{"nil handler", func() { routes(path).GET("/x", nil) }, "versogin: route GET /x: a handler is nil or missing: give it one"},
		{
			"nil middleware of HandleVersions", func() { routes(path).HandleVersions("GET", "/x", versogin.Handlers{"v1": answerVersion}, nil) },
			"versogin: route GET /x: a handler is nil or missing: give it one",
		},
		{
			"twice", func() { v := routes(path); v.GET("/x", answerVersion); v.GET("/x", answerVersion) },
			"versogin: route GET /x: verso: Routes: the route is registered twice: for a handler per version, register it once with HandleVersions",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.PanicsWithError(t, test.want, test.call)
		})
	}
}

func panicked(call func()) (err error) {
	defer func() { err, _ = recover().(error) }()
	call()
	return nil
}

// failing is a source that cannot read.
type failing struct{ source.Source }

func (failing) Read(source.Request, *source.ServedVersions) source.Reading {
	return source.Reading{Outcome: source.Failed, Err: errors.New("secret")}
}

func TestProgrammingErrors(t *testing.T) {
	for _, test := range []struct {
		name string
		api  *verso.Versioning
		want string
	}{
		{"no source", verso.Must(scheme.NewBase("MyVersioning", verso.Config{})), "must be implemented"},
		{"failing source", verso.MustNew(failing{verso.QueryParam("version")}, twoVersions), "secret"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := gin.New()
			r.Use(func(c *gin.Context) {
				c.Next()
				assert.ErrorContains(t, c.Errors.Last(), test.want)
			})
			r.Use(versogin.New(r, test.api).Middleware())
			r.GET("/", func(*gin.Context) { t.Error("the handler ran") })
			got := send(t, r, http.MethodGet, "/", nil)
			assert.Equal(t, http.StatusInternalServerError, got.Status)
			assert.Empty(t, got.Body)
		})
	}
}

// TestAnsweredRejectionsAreNoErrors has the error middleware of Gin's documentation,
// which answers for every error in the context.
func TestAnsweredRejectionsAreNoErrors(t *testing.T) {
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		r := gin.New()
		r.Use(func(c *gin.Context) {
			c.Next()
			assert.True(t, c.IsAborted())
			assert.Empty(t, c.Errors)
			assert.True(t, c.Writer.Written())
		})
		v := versogin.New(r, verso.Must(scheme.NewQueryParameter("version", twoVersions)))
		v.Handle(method, "/", answerVersion)
		assert.Equal(t, http.StatusNotFound, send(t, r, method, "/?version=v9", nil).Status, method)
	}
}

// TestErrorHandler has no rejection that becomes an empty 200.
func TestErrorHandler(t *testing.T) {
	for _, test := range []struct {
		name    string
		handler func(*gin.Context, *verso.Error, *verso.Answer) error
		status  int
		media   string
		body    string // "" for an empty one
	}{
		{"writes nothing", func(*gin.Context, *verso.Error, *verso.Answer) error { return nil }, http.StatusNotFound, "application/problem+json", "invalid_query_parameter_version"},
		{"nil is the default", nil, http.StatusNotFound, "application/problem+json", "invalid_query_parameter_version"},
		{"returns an error that nobody answers", func(*gin.Context, *verso.Error, *verso.Answer) error { return errors.New("no") }, http.StatusNotFound, "", ""},
		{"sets a status only", func(c *gin.Context, _ *verso.Error, _ *verso.Answer) error { c.Status(http.StatusGone); return nil }, http.StatusGone, "", ""},
		{
			"answers", func(c *gin.Context, err *verso.Error, answer *verso.Answer) error {
				c.String(http.StatusGone, err.Requested+" is gone: "+answer.Problem.Detail)
				return nil
			},
			http.StatusGone, "text/plain; charset=utf-8", "v0 is gone: Invalid version in query parameter.",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := gin.New()
			r.Use(versogin.New(r, verso.Must(scheme.NewQueryParameter("version", twoVersions)), versogin.Config{ErrorHandler: test.handler}).Middleware())
			r.GET("/", answerVersion)
			got := send(t, r, http.MethodGet, "/?version=v0", nil)
			assert.Equal(t, test.status, got.Status)
			assert.Equal(t, test.media, got.Header.Get("Content-Type"))
			assert.Contains(t, got.Body, test.body)
			assert.Equal(t, test.body == "", got.Body == "")
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
	r.Use(versogin.New(r, verso.Must(scheme.NewQueryParameter("version", twoVersions))).Middleware())
	r.GET("/", answerVersion)
	got := send(t, r, http.MethodGet, "/?version=v9", nil)
	assert.Equal(t, http.StatusAccepted, got.Status)
	assert.Equal(t, "begun", got.Body)
}

// TestAtLeastWithoutAVersion: AtLeast in a neutral route is false, and logged.
func TestAtLeastWithoutAVersion(t *testing.T) {
	var log bytes.Buffer
	config := twoVersions
	config.Logger = slog.New(slog.NewTextHandler(&log, nil))
	r := gin.New()
	v := versogin.New(r, verso.MustNew(verso.Header("Api-Version"), config))
	answer := func(c *gin.Context) { c.String(http.StatusOK, "%v", versogin.AtLeast(c, "v2")) }
	v.GET("/users", answer)
	v.Neutral().GET("/health", answer)
	for _, path := range []string{"/users", "/health"} {
		w, request := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, path, nil)
		request.Header.Set("Api-Version", "v2")
		r.ServeHTTP(w, request)
		isNeutral := path == "/health"
		assert.Equal(t, strconv.FormatBool(!isNeutral), w.Body.String())
		assert.Equal(t, isNeutral, strings.Contains(log.String(), "at_least_unversioned"))
	}
}
