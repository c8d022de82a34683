package versogin_test

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versogin"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
)

// operations are what a generator registers.
func operations(r gin.IRouter) {
	r.GET("/users/:id", saying("said", "id"))
	r.Any("/any", saying("any", ""))
	r.Match([]string{"PUT", "PATCH"}, "/users/:id", saying("changed", "id"))
	r.POST("/webhooks/:id", saying("hook", "id"))
	r.GET("/new", saying("new", ""))
}

// perOperation gives the operations options.
func perOperation(asked *[]string) func(v *versogin.Routes, method, path string) *versogin.Routes {
	return func(v *versogin.Routes, method, path string) *versogin.Routes {
		*asked = append(*asked, method+" "+path)
		switch path {
		case "/webhooks/:id":
			return v.Neutral()
		case "/new":
			return v.Since("v2").Name("new")
		case "/users/:id":
			if method == http.MethodGet {
				return v.Rewrite(new(conformance.Shouting))
			}
		}
		return v
	}
}

func TestPerRoute(t *testing.T) {
	all := []string{"GET /users/:id", " /any", "PUT /users/:id", "PATCH /users/:id", "POST /webhooks/:id", "GET /new"}
	for name, register := range map[string]func(v *versogin.Routes){
		"router": func(v *versogin.Routes) { operations(v.Router()) },
		"register": func(v *versogin.Routes) {
			v.Register(func(g *gin.RouterGroup) { operations(g) })
		},
	} {
		for layout, api := range map[string]*verso.Versioning{
			"header": inHeader,
			"path":   verso.MustNew(verso.PathPrefix("/api/{version}"), verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}, DefaultVersion: verso.V("v2")}),
		} {
			t.Run(name+" "+layout, func(t *testing.T) {
				r, v := newRoutes(false, api)
				var asked []string
				group := v.Group("/api/")
				if layout == "path" {
					group = group.EachVersion()
				}
				register(group.PerRoute(perOperation(&asked)))
				for _, want := range all {
					assert.Contains(t, asked, want)
				}
				for _, test := range []struct{ method, path, version, want string }{
					{"GET", "/users/7", "v1", "OK, in V1 SAID 7"},
					{"GET", "/users/7", "v2", "OK, in v2 said 7"},
					{"PUT", "/users/7", "v1", "OK, in v1 changed 7"},
					{"DELETE", "/any", "v1", "OK, in v1 any "},
					{"GET", "/new", "v2", "OK, in v2 new "},
				} {
					path, fields := "/api/"+test.version+test.path, http.Header(nil)
					if layout == "header" {
						path, fields = "/api"+test.path, asking(test.version)
					}
					assert.Equal(t, test.want, outcome(t, r, test.method, path, fields), "%v", test)
				}
				if layout == "header" {
					assert.Equal(t, "OK, in  hook 7", outcome(t, r, "POST", "/api/webhooks/7", asking("v9")))
					assert.Equal(t, "Not Found, not_in_version", outcome(t, r, "GET", "/api/new", asking("v1")))
				}
				link, err := v.Link(verso.Target{Name: "new", Version: verso.V("v2")})
				require.NoError(t, err)
				assert.Contains(t, link, "/new")
			})
		}
	}
}

// TestPerRouteAsked: the function is asked once for each route, with the path behind the prefix.
func TestPerRouteAsked(t *testing.T) {
	var asked []string
	r, v := newRoutes(false, inHeader)
	g := v.Group("/internal").PerRoute(func(v *versogin.Routes, method, path string) *versogin.Routes {
		asked = append(asked, method+" "+path)
		return v.RemovedIn("v2")
	})
	g.Handle("LIST", "users", answerVersion).GET("", answerVersion)
	g.Group("/deep").HandleVersions("GET", "/x", versogin.Handlers{"v1": answerVersion}).GET("/chained", answerVersion)
	g.In(r.Group("/internals")).GET("/x", answerVersion)
	file := filepath.Join(t.TempDir(), "a.txt")
	require.NoError(t, os.WriteFile(file, []byte("text"), 0o600))
	g.StaticFile("file", file)
	assert.Equal(t, []string{"LIST /users", "GET ", "GET /deep/x", "GET /deep/chained", "GET /internals/x", "GET /file"}, asked)
	for _, route := range v.Explain().Routes {
		assert.Contains(t, route.String(), "removed in v2")
	}
	assert.Equal(t, "OK, in text", outcome(t, r, "GET", "/internal/file", asking("v1")))
	assert.Equal(t, "Not Found, not_in_version", outcome(t, r, "GET", "/internal/file", asking("v2")))
}

func TestPerRouteMistakes(t *testing.T) {
	_, v := newRoutes(false, inHeader)
	same := v.PerRoute(func(v *versogin.Routes, _, _ string) *versogin.Routes { return v })
	for want, register := range map[string]func(){
		"RouterGroup /x: the routes of a group of Gin's own have the same options": func() { same.RouterGroup("/x") },
		"Register: the function is nil":                                            func() { v.Register(nil) },
		"Register: the function registers no route with its group":                 func() { v.Register(func(*gin.RouterGroup) {}) },
		"Register: route GET /files/*filepath: a folder":                           func() { v.Register(func(g *gin.RouterGroup) { g.Static("/files", "testdata") }) },
		"PerRoute: the routes have a function already: join the two": func() {
			same.Group("/x").PerRoute(func(v *versogin.Routes, _, _ string) *versogin.Routes { return v })
		},
		"PerRoute: the function returns other routes for GET /x": func() {
			v.Group("", func(*gin.Context) {}).PerRoute(func(*versogin.Routes, string, string) *versogin.Routes { return v.Since("v2") }).
				GET("/x", answerVersion)
		},
		`"v7" is not a listed version`: func() {
			v.PerRoute(func(v *versogin.Routes, _, _ string) *versogin.Routes { return v.Since("v7") }).GET("/x", answerVersion)
		},
	} {
		assert.ErrorContains(t, panicked(register), want)
	}
}

// TestRegister: what the function adds with Use runs before the check, as with a group.
func TestRegister(t *testing.T) {
	r, v := newRoutes(false, inHeader)
	v.Group("/api", around("a")).Register(func(g *gin.RouterGroup) {
		g.Use(around("b"))
		g.Group("/deep", around("c")).GET("/:id", around("d"), saying("said", "id"))
	})
	assert.Equal(t, "OK, in a(b(c(d(v1 said 7))))", outcome(t, r, "GET", "/api/deep/7", asking("v1")))
}
