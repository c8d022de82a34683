package versogin_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
)

var inHeader = verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}})

func asking(version string) http.Header { return http.Header{"Api-Version": {version}} }

// saying answers with the version, a text, and a path parameter.
func saying(text, param string) gin.HandlerFunc {
	return func(c *gin.Context) { c.String(http.StatusOK, "%s %s %s", versogin.Version(c), text, c.Param(param)) }
}

// around writes a text before and after what comes next.
func around(text string) gin.HandlerFunc {
	return func(c *gin.Context) {
		_, _ = c.Writer.WriteString(text + "(")
		c.Next()
		_, _ = c.Writer.WriteString(")")
	}
}

func TestMount(t *testing.T) {
	files := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(files, "a.txt"), []byte("text"), 0o600))
	r, v := newRoutes(false, inHeader, func(c *gin.Context) {
		c.Next()
		c.Writer.WriteString(" by " + c.Param("id"))
	})
	v.Group("/api/:area").AfterCheck(around("after")).RegisterVersions(map[string]func(gin.IRouter){
		"v1": func(r gin.IRouter) {
			r.Use(around("a"), around("b"))
			r.GET("/users/:id", saying("one", "id"))
			r.Group("/rooms", around("c")).Any("/:id", around("e"), saying("one", "id"))
			r.GET("", saying("root", "area"))
			r.StaticFile("/file", filepath.Join(files, "a.txt"))
		},
		"v2": func(r gin.IRouter) {
			r.GET("/users/:name", around("d"), saying("two", "name"))
			g := r.Group("/rooms").Group("/:number", around("f"))
			g.Use(around("g"))
			g.PUT("", saying("two", "number"))
		},
	})
	for _, test := range []struct{ method, target, version, want string }{
		{"GET", "/users/7", "v1", "OK, in after(a(b(v1 one 7))) by 7"},
		{"GET", "/users/7", "v2", "OK, in after(d(v2 two 7)) by 7"},
		{"PUT", "/rooms/7", "v1", "OK, in after(a(b(c(e(v1 one 7))))) by 7"},
		{"PUT", "/rooms/7", "v2", "OK, in after(f(g(v2 two 7))) by 7"},
		{"GET", "/rooms/7", "v2", "Method Not Allowed, method_not_in_version"},
		{"GET", "/file", "v1", "OK, in after(a(b(text))) by "},
		{"GET", "/file", "v2", "Not Found, not_in_version"},
		{"GET", "", "v1", "OK, in after(a(b(v1 root x))) by "},
	} {
		assert.Equal(t, test.want, outcome(t, r, test.method, "/api/x"+test.target, asking(test.version)), "%v", test)
	}
	assert.Contains(t, v.Explain().String(), "GET     /api/:area/users/:id\n")
}

func TestMountRefuses(t *testing.T) {
	r, v := newRoutes(false, inHeader)
	get := func(r gin.IRouter) { r.GET("/a", answerVersion) }
	for want, register := range map[string]func(gin.IRouter){
		`version "v1" registers GET /out with the framework itself`: func(gin.IRouter) { r.GET("/out", answerVersion) },
		`version "v1" registers GET /a without a handler`:           func(r gin.IRouter) { r.Use(nil); get(r) },
		`route GET /files/*filepath: a folder`:                      func(r gin.IRouter) { r.Group("").Static("/files", "testdata") },
		`route GET /more/*filepath: a folder`:                       func(r gin.IRouter) { r.Static("/more", "testdata") },
	} {
		assert.ErrorContains(t, panicked(func() { v.RegisterVersions(map[string]func(gin.IRouter){"v1": register}) }), want)
	}
	assert.PanicsWithValue(t, "handlers are already registered for path '/RegisterVersions/a'", func() {
		v.RegisterVersions(map[string]func(gin.IRouter){"v1": func(r gin.IRouter) { get(r); get(r) }})
	})
}

// TestRegisterWithV: a route that a function of Register registers with v lacks the middleware of the function.
func TestRegisterWithV(t *testing.T) {
	v := versogin.New(gin.New(), verso.MustNew(verso.Header("Api-Version"), twoVersions))
	assert.ErrorContains(t, panicked(func() {
		v.Register(func(g *gin.RouterGroup) { g.GET("/y", answerVersion); v.GET("/x", answerVersion) })
	}), "GET /x is registered with the routes around")
}

// TestLateRoutes: what a function registers after it has returned is told.
func TestLateRoutes(t *testing.T) {
	for name, register := range map[string]func(v *versogin.Routes, keep func(gin.IRouter)){
		"RegisterVersions": func(v *versogin.Routes, keep func(gin.IRouter)) {
			v.RegisterVersions(map[string]func(gin.IRouter){"v1": keep})
		},
		"Register": func(v *versogin.Routes, keep func(gin.IRouter)) { v.Register(func(g *gin.RouterGroup) { keep(g) }) },
	} {
		t.Run(name, func(t *testing.T) {
			var kept gin.IRouter
			v := versogin.New(gin.New(), verso.MustNew(verso.Header("Api-Version"), twoVersions))
			register(v, func(r gin.IRouter) { kept = r.Group("/api"); kept.GET("/users", answerVersion) })
			lost := func() (messages []string) {
				for _, f := range v.Explain().Findings {
					if f.Code == "route_lost" {
						messages = append(messages, f.Message)
					}
				}
				return messages
			}
			assert.Empty(t, lost())
			kept.GET("/rooms/:id", answerVersion)
			v.GET("/other", answerVersion)
			if assert.Len(t, lost(), 1) {
				assert.Contains(t, lost()[0], `"/api/rooms/:id" came when the function`)
			}
		})
	}
}

// TestRenamedParameters: a parameter is decoded also where a version has another name for it.
func TestRenamedParameters(t *testing.T) {
	r, v := newRoutes(false, inHeader)
	r.UseRawPath, r.UnescapePathValues = true, false
	saying := func(param string) gin.HandlerFunc {
		return func(c *gin.Context) { c.String(http.StatusOK, "%s", versogin.Param(c, param)) }
	}
	v.RegisterVersions(map[string]func(gin.IRouter){
		"v1": func(r gin.IRouter) { r.GET("/a/:id", saying("id")); r.GET("/files/:id/*path", saying("path")) },
		"v2": func(r gin.IRouter) { r.GET("/a/:name", saying("name")); r.GET("/files/:name/*rest", saying("rest")) },
	})
	for _, test := range []struct{ target, version, want string }{
		{"/a/x%2Fy", "v1", "x/y"},
		{"/a/x%2Fy", "v2", "x/y"},
		{"/a/%25", "v2", "%"},
		{"/files/7/a%20b/c", "v1", "a b/c"},
		{"/files/7/a%20b/c", "v2", "a b/c"},
	} {
		w, sent := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, test.target, nil)
		sent.Header = asking(test.version)
		r.ServeHTTP(w, sent)
		assert.Equal(t, test.want, w.Body.String(), "%s in %s", test.target, test.version)
	}
}
