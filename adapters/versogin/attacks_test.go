package versogin_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versogin"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
)

// installs are the ways to have routes of v checked.
var installs = map[string]bool{"routes alone": false, "behind the middleware": true}

// newRoutes returns an engine whose requests pass the given middleware first.
func newRoutes(behind bool, api *verso.Versioning, before ...gin.HandlerFunc) (*gin.Engine, *versogin.Routes) {
	r := gin.New()
	v := versogin.New(r, api)
	r.Use(before...)
	if behind {
		r.Use(v.Middleware())
	}
	return r, v
}

func strict(from source.Source) *verso.Versioning {
	return verso.MustNew(from, verso.Config{AllowedVersions: []string{"v1", "v2"}, Strict: verso.Strict()})
}

// overrideMethod lets the client choose the method behind the router.
func overrideMethod(c *gin.Context) {
	if method := c.GetHeader("X-Http-Method-Override"); method != "" {
		c.Request.Method = method
	}
}

var preflight = http.Header{"Origin": {"https://app.example.com"}, "Access-Control-Request-Method": {"GET"}}

// as returns header fields with an override of the method.
func as(method string, fields http.Header) http.Header {
	header := fields.Clone()
	if header == nil {
		header = make(http.Header)
	}
	header.Set("X-Http-Method-Override", method)
	return header
}

// outcome is the status and the code of a problem, or the version that the handler
// saw.
func outcome(t *testing.T, r *gin.Engine, method, target string, header http.Header) string {
	t.Helper()
	got := send(t, r, method, target, header)
	if _, rest, ok := strings.Cut(got.Body, `"code":"`); ok {
		code, _, _ := strings.Cut(rest, `"`)
		return http.StatusText(got.Status) + ", " + code
	}
	return http.StatusText(got.Status) + ", in " + got.Body
}

// TestChangedMethod has a middleware that changes the method behind the router.
func TestChangedMethod(t *testing.T) {
	for name, behind := range installs {
		t.Run(name, func(t *testing.T) {
			r, v := newRoutes(behind, strict(verso.QueryParam("version")), overrideMethod)
			v.RemovedIn("v2").POST("/x", answerVersion)
			v.PUT("/x", answerVersion)
			v.Since("v2").POST("/y", answerVersion)
			v.Neutral().DELETE("/y", answerVersion)
			v.POST("/z", answerVersion)
			v.OPTIONS("/z", answerVersion)
			assert.Equal(t, "Method Not Allowed, method_not_in_version", outcome(t, r, "POST", "/x?version=v2", as("PUT", nil)))
			assert.Equal(t, "Not Found, invalid_query_parameter_version", outcome(t, r, "POST", "/y?version=v9", as("DELETE", nil)))
			assert.Equal(t, "Not Found, invalid_query_parameter_version", outcome(t, r, "POST", "/z?version=v9", as("OPTIONS", preflight)))

			r, v = newRoutes(behind, strict(verso.Namespace()), overrideMethod)
			v.Namespace("v1").PUT("/x", answerVersion)
			v.Namespace("v9").POST("/x", answerVersion)
			assert.Equal(t, "Not Found, invalid_namespace_version", outcome(t, r, "POST", "/x", as("PUT", nil)))
		})
	}
	r, v := newRoutes(true, strict(verso.PathParam("version")), overrideMethod)
	r.POST("/:version/x", answerVersion)
	v.Neutral().DELETE("/:version/x", answerVersion)
	assert.Equal(t, "Not Found, invalid_url_path_version", outcome(t, r, "POST", "/v9/x", as("DELETE", nil)), "a route of Gin's own, as a neutral one")
	assert.Equal(t, "Not Found, invalid_url_path_version", outcome(t, r, "POST", "/v9/x", as("OPTIONS", preflight)), "a route of Gin's own, as a preflight")
}

// TestChangedHost has a middleware that sets the host of the request.
func TestChangedHost(t *testing.T) {
	trust := func(c *gin.Context) { c.Request.Host = c.GetHeader("X-Forwarded-Host") }
	for name, behind := range installs {
		t.Run(name, func(t *testing.T) {
			r, v := newRoutes(behind, strict(verso.HostLabel("")), trust)
			v.RemovedIn("v2").GET("/x", answerVersion)
			header := http.Header{"Host": {"v1.example.com"}, "X-Forwarded-Host": {"v2.example.com"}}
			assert.Equal(t, "Not Found, not_in_version", outcome(t, r, "GET", "/x", header))
			header.Set("X-Forwarded-Host", "v1.example.com")
			assert.Equal(t, "OK, in v1", outcome(t, r, "GET", "/x", header))
		})
	}
}

// TestHandleContext routes a request again inside of Gin.
func TestHandleContext(t *testing.T) {
	r, _ := newRoutes(true, strict(verso.PathParam("version")))
	r.GET("/:version/old", func(c *gin.Context) { c.Request.URL.Path = "/v2/new"; r.HandleContext(c) })
	r.GET("/:version/new", answerVersion)
	assert.Equal(t, "OK, in v2", outcome(t, r, "GET", "/v1/old", nil), "routes of Gin's own")
	assert.Equal(t, "Not Found, invalid_url_path_version", outcome(t, r, "GET", "/v9/old", nil), "routes of Gin's own")
}

// TestHandleContextObserved: each API calls its Observe once for a request, whether or not a
// route of another API has answered in the end.
func TestHandleContextObserved(t *testing.T) {
	var observed []string
	api := func(name string) *verso.Versioning {
		return verso.MustNew(verso.Header("Api-Version"), verso.Config{
			AllowedVersions: []string{"v1"}, Observe: func(_ context.Context, o verso.Observation) { observed = append(observed, name+" "+o.Route) },
		})
	}
	r := gin.New()
	v, w := versogin.New(r, api("this")), versogin.New(r, api("other"))
	on := func(to string) gin.HandlerFunc {
		return func(c *gin.Context) { c.Request.URL.Path = to; r.HandleContext(c) }
	}
	answer := func(c *gin.Context) { c.Status(http.StatusOK) }
	v.GET("/to", answer)
	w.GET("/other", answer)
	r.GET("/foreign", answer)
	v.HandleVersions("GET", "/on", versogin.Handlers{"v1": on("/to")})
	v.GET("/further", on("/on"))
	v.GET("/to-other", on("/other"))
	w.GET("/back", on("/to-other"))
	v.GET("/to-foreign", on("/foreign"))
	for path, want := range map[string][]string{
		"/to": {"this /to"}, "/on": {"this /to"}, "/further": {"this /to"}, "/to-other": {"other /other", "this /to-other"},
		"/back": {"other /other", "this /to-other"}, "/to-foreign": {"this /to-foreign"},
	} {
		observed = nil
		send(t, r, http.MethodGet, path, http.Header{"Api-Version": {"v1"}})
		assert.Equal(t, want, observed, path)
	}
}

// TestRouterGroup has functions that take groups of Gin's own.
func TestRouterGroup(t *testing.T) {
	register := func(r gin.IRouter) {
		r.GET("/x", answerVersion)
		r.Group("/deep").POST("/y", answerVersion)
	}
	for name, behind := range installs {
		t.Run(name, func(t *testing.T) {
			r, v := newRoutes(behind, strict(verso.Namespace()), overrideMethod)
			register(v.Group("/v1").Namespace("v1").RouterGroup(""))
			register(v.Group("/v2").Namespace("v2").Router())
			register(v.Namespace("v2").Neutral().RouterGroup("/neutral"))
			register(v.Namespace("v1").Since("v2").RouterGroup("/since"))
			assert.Equal(t, "OK, in v1", outcome(t, r, "GET", "/v1/x", nil))
			assert.Equal(t, "OK, in v1", outcome(t, r, "POST", "/v1/deep/y", nil))
			assert.Equal(t, "OK, in v2", outcome(t, r, "GET", "/v2/x", nil))
			assert.Equal(t, "OK, in v2", outcome(t, r, "POST", "/v2/deep/y", as("OPTIONS", preflight)))
			assert.Equal(t, "OK, in ", outcome(t, r, "GET", "/neutral/x", nil))
			assert.Equal(t, "Not Found, not_in_version", outcome(t, r, "GET", "/since/x", nil))
			for _, info := range v.Explain().Routes {
				assert.False(t, info.Unchecked, info.Pattern)
			}
		})
	}
}

// TestPreflightsInRouterGroup: in a group of Gin's own, and in the engine behind the
// middleware, a preflight reaches handlers for OPTIONS alone, unless they have options, and
// other handlers in a version that they have; a method that a middleware has set makes no
// preflight.
func TestPreflightsInRouterGroup(t *testing.T) {
	cors := func(c *gin.Context) { c.String(http.StatusOK, "cors") }
	register := func(r gin.IRouter) {
		r.OPTIONS("/x", cors)
		r.POST("/x", answerVersion)
		r.GET("/wrapped", gin.WrapF(http.NotFound))
		r.OPTIONS("/wrapped", gin.WrapF(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("cors")) }))
		r.PUT("/y", answerVersion)
		r.Any("/any", answerVersion)
		r.Match([]string{"GET", "OPTIONS"}, "/match", answerVersion)
		r.DELETE("/two", answerVersion)
		r.OPTIONS("/two", answerVersion)
	}
	r, v := newRoutes(true, strict(verso.First(verso.PathParam("version"), verso.Header("Api-Version"))), overrideMethod)
	register(v.RemovedIn("v2").RouterGroup("/group/:version"))
	register(v.Router().Group("/router/:version"))
	register(v.RemovedIn("v2").RouterGroup("/unnamed"))
	register(r.Group("/engine/:version"))
	register(r.Group("/plain"))
	for _, test := range []struct{ method, target, want string }{
		{"OPTIONS", "/group/v1/x", "OK, in cors"},
		{"OPTIONS", "/group/v2/x", "Not Found, not_in_version"},
		{"OPTIONS", "/group/v9/x", "Not Found, invalid_url_path_version"},
		{"OPTIONS", "/group/v9/wrapped", "Not Found, invalid_url_path_version"},
		{"OPTIONS", "/group/v2/match", "Not Found, not_in_version"},
		{"OPTIONS", "/group/v1/any", "OK, in v1"},
		{"OPTIONS", "/group/v2/any", "Not Found, not_in_version"},
		{"OPTIONS", "/group/v9/any", "Not Found, invalid_url_path_version"},
		{"POST", "/group/v1/x", "OK, in v1"},
		{"POST", "/group/v2/x", "Not Found, not_in_version"},
		{"POST", "/group/v9/x", "Not Found, invalid_url_path_version"},
		{"GET", "/group/v9/wrapped", "Not Found, invalid_url_path_version"},
		{"PUT", "/group/v9/y", "Not Found, invalid_url_path_version"},
		{"OPTIONS", "/router/v9/x", "OK, in cors"},
		{"OPTIONS", "/router/v9/wrapped", "OK, in cors"},
		{"OPTIONS", "/router/v9/any", "Not Found, invalid_url_path_version"},
		{"OPTIONS", "/router/v9/match", "Not Found, invalid_url_path_version"},
		{"OPTIONS", "/router/v9/two", "Not Found, invalid_url_path_version"},
		{"OPTIONS", "/router/v2/two", "OK, in v2"},
		{"POST", "/router/v9/x", "Not Found, invalid_url_path_version"},
		{"OPTIONS", "/unnamed/x", "No Content, in "},
		{"OPTIONS", "/unnamed/any", "No Content, in "},
		{"POST", "/unnamed/x", "Bad Request, missing_version"},
		{"PUT", "/unnamed/y", "Bad Request, missing_version"},
		{"OPTIONS", "/engine/v9/x", "OK, in cors"},
		{"OPTIONS", "/engine/v9/match", "Not Found, invalid_url_path_version"},
		{"OPTIONS", "/engine/v9/two", "Not Found, invalid_url_path_version"},
		{"POST", "/engine/v9/x", "Not Found, invalid_url_path_version"},
		{"OPTIONS", "/plain/x", "OK, in cors"},
		{"OPTIONS", "/plain/any", "OK, in "},
		{"OPTIONS", "/plain/match", "OK, in "},
		{"POST", "/plain/x", "Bad Request, missing_version"},
		{"PUT", "/plain/y", "Bad Request, missing_version"},
	} {
		assert.Equal(t, test.want, outcome(t, r, test.method, test.target, as("OPTIONS", preflight)), "%s %s", test.method, test.target)
	}
}

// What a handler writes beneath the writer of Gin, as a library may that looks for a writer
// of its own, is rewritten too.
func TestUnwrappedWriterIsRewritten(t *testing.T) {
	r, v := newRoutes(false, verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	v.Rewrite(new(conformance.Shouting)).GET("/bookings", func(c *gin.Context) {
		inner, ok := c.Writer.(interface{ Unwrap() http.ResponseWriter })
		if assert.True(t, ok) {
			_, _ = inner.Unwrap().Write([]byte("booked"))
		}
	})
	assert.Equal(t, "BOOKED", send(t, r, http.MethodGet, "/bookings", http.Header{"Api-Version": {"v1"}}).Body)
}

// A file is rewritten like the answer of a handler, and a group of Gin's own cannot be.
func TestFilesAreRewritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "booking.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"guest_name": "Ada"}`), 0o600))
	r, v := newRoutes(false, verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	v.Rewrite(new(conformance.Shouting)).StaticFile("/booking", file)
	assert.Equal(t, `{"GUEST_NAME": "ADA"}`, send(t, r, http.MethodGet, "/booking", http.Header{"Api-Version": {"v1"}}).Body)
	assert.Equal(t, `{"guest_name": "Ada"}`, send(t, r, http.MethodGet, "/booking", http.Header{"Api-Version": {"v2"}}).Body)
	assert.ErrorContains(t, panicked(func() { v.Rewrite(new(conformance.Shouting)).RouterGroup("/v1") }), "use Register behind Rewrite")
	v.Rewrite(new(conformance.Shouting)).Register(func(g *gin.RouterGroup) { g.StaticFile("/registered", file) })
	assert.Equal(t, `{"GUEST_NAME": "ADA"}`, send(t, r, http.MethodGet, "/registered", http.Header{"Api-Version": {"v1"}}).Body)
	assert.ErrorContains(t, panicked(func() { v.Rewrite((*conformance.Shouting)(nil)) }), "Rewrite gets nil")
}
