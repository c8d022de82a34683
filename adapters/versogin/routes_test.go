package versogin_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versogin"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/source"
)

// recording is a source that keeps the routes of the requests.
type recording struct {
	source.Source
	seen *[]*route.Route
}

func (s recording) Read(r source.Request, served *source.ServedVersions) source.Reading {
	*s.seen = append(*s.seen, r.Route())
	return s.Source.Read(r, served)
}

// TestRoutesRegisterLikeGin registers a route in each way that Gin has, in a
// namespace, and compares what Gin then has with what Gin registers by itself. A
// request to each finds its own route.
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
		if readsColons() {
			r.Handle(http.MethodGet, `/colon/a\:b`, answerVersion)
		}
		r.StaticFile("/file", dir+"/file")
		r.StaticFileFS("/filefs", "file", http.Dir(dir))
		r.Static("/static", dir)
		r.StaticFS("/staticfs", http.Dir(dir))
		r.Use(func(*gin.Context) {})
	}
	plain, named := gin.New(), gin.New()
	register(plain.Group("/v1"))
	var seen []*route.Route
	v := versogin.New(named, verso.MustNew(recording{verso.Namespace(), &seen}, twoVersions))
	var versions []string
	named.Use(v.Middleware())
	noteVersion := func(c *gin.Context) { versions = append(versions, versogin.Version(c).String()) }
	register(v.Group("/v1").Namespace("v1").AfterCheck(noteVersion))

	paths := func(r *gin.Engine) (paths []string) {
		for _, route := range r.Routes() {
			paths = append(paths, route.Method+" "+route.Path)
		}
		return paths
	}
	assert.ElementsMatch(t, paths(plain), paths(named))

	routes := named.Routes()
	unescapeColons(named)
	for i, registered := range routes {
		path := strings.NewReplacer(`\:`, ":", ":id", "7", "*filepath", "x").Replace(registered.Path)
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
		r.Method = registered.Method
		named.ServeHTTP(httptest.NewRecorder(), r)
		if line := registered.Method + " " + path; assert.Len(t, versions, i+1, line) && assert.NotNil(t, seen[i], line) {
			assert.Equal(t, "v1", versions[i], line)
			assert.Equal(t, registered.Method, seen[i].Method, line)
			assert.Equal(t, registered.Path, seen[i].Pattern.String(), line)
		}
	}
}

// TestRootMiddleware gives middleware to the root group, which Gin then also runs
// for requests that match no route.
func TestRootMiddleware(t *testing.T) {
	r := gin.New()
	v := versogin.New(r, verso.Must(scheme.NewQueryParameter("version", twoVersions)))
	v.Use(v.Middleware(), func(c *gin.Context) { c.Header("X-Root", "ran") }).GET("/users", answerVersion)
	assert.Equal(t, "v2", send(t, r, http.MethodGet, "/users?version=v2", nil).Body)
	assert.Equal(t, "ran", send(t, r, http.MethodGet, "/none", nil).Header.Get("X-Root"))
	_, err := v.Group("/g").Name("x").Link(verso.Target{Name: "none"})
	assert.ErrorIs(t, err, verso.ErrNoReverseMatch)
}

// TestMiddlewareOfOneGroup versions one group; links lead to all routes.
func TestMiddlewareOfOneGroup(t *testing.T) {
	r := gin.New()
	v := versogin.New(r, verso.Must(scheme.NewNamespace(twoVersions)))
	v.Name("login").GET("/login", answerVersion)
	api := v.Group("/api", v.Middleware())
	api.Namespace("v1").Name("home").GET("/v1", answerLink(verso.Target{Name: "login"}))
	api.Namespace("v9").Name("home").GET("/v9", answerVersion)
	v.GET("/alone", v.Middleware(), answerVersion)
	assert.Equal(t, "http://api.example.com/login", send(t, r, http.MethodGet, "/api/v1", http.Header{"Host": {"api.example.com"}}).Body)
	assert.Equal(t, http.StatusNotFound, send(t, r, http.MethodGet, "/api/v9", nil).Status)
	assert.Equal(t, http.StatusOK, send(t, r, http.MethodGet, "/login", nil).Status)
	assert.Equal(t, http.StatusOK, send(t, r, http.MethodGet, "/alone", nil).Status)
}

// TestNotFoundWithoutNoMethod: Gin answers by itself what is only in NoRoute.
func TestNotFoundWithoutNoMethod(t *testing.T) {
	for name, test := range map[string]struct {
		methods, noMethod bool
		logged            int
	}{
		"405 is off": {false, false, 0}, "NoRoute alone": {true, false, 1}, "both": {true, true, 0},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			r := gin.New()
			v := versogin.New(r, verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1"}, Logger: slog.New(slog.NewTextHandler(&log, nil))}))
			v.GET("/:version/users", answerVersion)
			r.HandleMethodNotAllowed = test.methods
			r.NoRoute(v.NotFound())
			if test.noMethod {
				r.NoMethod(v.NotFound())
			}
			for range 2 {
				send(t, r, http.MethodGet, "/nowhere/at/all", nil)
			}
			assert.Equal(t, test.logged, strings.Count(log.String(), "code=no_method"), log.String())
			unknown := send(t, r, http.MethodPost, "/v9/users", nil)
			assert.Equal(t, test.methods && !test.noMethod, unknown.Status == http.StatusMethodNotAllowed)
		})
	}
}

// TestAnsweredEarly: handlers before the last of a route run before the check.
func TestAnsweredEarly(t *testing.T) {
	early := func(c *gin.Context) { c.String(http.StatusOK, "early") }
	for name, test := range map[string]struct {
		handlers []gin.HandlerFunc
		logged   int
	}{
		"by middleware": {[]gin.HandlerFunc{early, answerVersion}, 1}, "by the handler": {[]gin.HandlerFunc{answerVersion}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			for _, paths := range [][]string{{"/v1/users", "/v1/users"}, {"/v9/users", "/v9/users"}} {
				var log bytes.Buffer
				r := gin.New()
				v := versogin.New(r, verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1"}, Logger: slog.New(slog.NewTextHandler(&log, nil))}))
				v.GET("/:version/users", test.handlers...)
				for _, path := range paths {
					send(t, r, http.MethodGet, path, nil)
				}
				assert.Equal(t, test.logged, strings.Count(log.String(), "code=answered_early"), log.String())
			}
		})
	}
}

// TestAnsweredBehindTheCheck: what answers a request that cannot be rewritten before it is refused is behind the check.
func TestAnsweredBehindTheCheck(t *testing.T) {
	var log bytes.Buffer
	var refused []verso.MessageID
	r := gin.New()
	v := versogin.New(r, verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v2", "v1"}, Logger: slog.New(slog.NewTextHandler(&log, nil))}),
		versogin.Config{ErrorHandler: func(_ *gin.Context, err *verso.Error, _ *verso.Answer) error {
			refused = append(refused, err.MessageID)
			return nil
		}})
	v.AfterCheck(func(c *gin.Context) { c.String(http.StatusOK, "early ") }).Rewrite(new(conformance.Shouting)).
		POST("/:version/users", answerVersion)
	send(t, r, http.MethodPost, "/v1/users", http.Header{"X-Refuse": {"yes"}})
	assert.Equal(t, []verso.MessageID{"conflict"}, refused)
	assert.NotContains(t, log.String(), "code=answered_early")
}

// TestNotFoundWithoutExtraSlash: where Gin cleans a path to find its route, NotFound does too.
func TestNotFoundWithoutExtraSlash(t *testing.T) {
	for removes, want := range map[bool]int{true: http.StatusGone, false: http.StatusNotFound} {
		r := gin.New()
		r.RemoveExtraSlash = removes
		v := versogin.New(r, verso.MustNew(verso.PathPrefix("/{version}"), verso.Config{Catalogue: catalogue.MustNew(catalogue.Config{
			Versions:    []catalogue.Entry{{Version: "v1", Sunset: conformance.Sunset}, {Version: "v2"}},
			AfterSunset: catalogue.Gone,
		}), Clock: func() time.Time { return conformance.Sunset }}))
		v.EachVersion().GET("/users", answerVersion)
		r.NoRoute(v.NotFound())
		assert.Equal(t, want, send(t, r, http.MethodGet, "//v1//deleted", nil).Status)
	}
}

// TestNotFoundInFolders: a file that a folder lacks is no path that no route has.
func TestNotFoundInFolders(t *testing.T) {
	r := gin.New()
	v := versogin.New(r, strict(verso.QueryParam("version")))
	v.POST("/page/*rest", answerVersion)
	v.Neutral().Static("/page", t.TempDir())
	r.NoRoute(v.NotFound())
	assert.Empty(t, send(t, r, http.MethodGet, "/page/missing?version=v9", nil).Body, "as Gin answers by itself")
	assert.Contains(t, send(t, r, http.MethodPut, "/page/missing?version=v9", nil).Body, "invalid_query_parameter_version")
}

// TestSecondNoRoute: Gin keeps the handlers of the last NoRoute alone.
func TestSecondNoRoute(t *testing.T) {
	page := func(c *gin.Context) { c.String(http.StatusOK, "page") }
	for name, test := range map[string]struct {
		install func(r *gin.Engine, v *versogin.Routes)
		found   bool
		status  int
	}{
		"a second one": {func(r *gin.Engine, v *versogin.Routes) { r.NoRoute(v.NotFound()); r.NoRoute(page) }, true, http.StatusOK},
		"both in one":  {func(r *gin.Engine, v *versogin.Routes) { r.NoRoute(v.NotFound(), page) }, false, http.StatusGone},
		"no NotFound":  {func(r *gin.Engine, _ *versogin.Routes) { r.NoRoute(page) }, false, http.StatusOK},
	} {
		t.Run(name, func(t *testing.T) {
			r := gin.New()
			v := versogin.New(r, conformance.Retiring(t, func() time.Time { return conformance.Sunset }))
			v.GET("/users", answerVersion)
			test.install(r, v)
			found := slices.ContainsFunc(v.Explain().Findings, func(f verso.Finding) bool { return f.Code == "not_found_hidden" })
			assert.Equal(t, test.status, send(t, r, http.MethodGet, "/deleted", asking("v1")).Status)
			assert.Equal(t, test.found, found)
		})
	}
}

// TestInOfAGroupWithin: a group that Gin makes of another one has its middleware.
func TestInOfAGroupWithin(t *testing.T) {
	r, v := newRoutes(false, inHeader)
	refuses := func(c *gin.Context) { c.AbortWithStatus(http.StatusUnauthorized) }
	group := r.Group("/api")
	before := group.Group("/before")
	in := v.In(group)
	in.Use(refuses)
	in.In(group.Group("/users")).GET("/x", func(c *gin.Context) { c.Status(http.StatusOK) })
	assert.Equal(t, http.StatusUnauthorized, send(t, r, http.MethodGet, "/api/users/x", asking("v1")).Status)
	assert.PanicsWithError(t, "versogin: In: the routes would lose the middleware of their group: call it first, and Group on what it returns",
		func() { in.In(before) })
}
