package echotest

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
)

// TestPerRoute gives options to operations that a generator registers, with v or with a group of
// Echo's own.
func TestPerRoute(t *testing.T) {
	perOperation := func(asked *[]string) func(v *Routes, method, path string) *Routes {
		return func(v *Routes, method, path string) *Routes {
			*asked = append(*asked, method+" "+path)
			switch {
			case path == "/webhooks/:id":
				return v.Neutral()
			case path == "/new":
				return v.Since("v2").Namespace("later")
			case path == "/users/:id" && method == http.MethodGet:
				return v.Rewrite(new(conformance.Shouting))
			}
			return v
		}
	}
	both := map[string]*verso.Versioning{
		"header": inHeader,
		"path":   verso.MustNew(verso.PathPrefix("/api/{version}"), verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}, DefaultVersion: verso.V("v2")}),
	}
	for name, register := range map[string]func(v *Routes){
		"routes":   func(v *Routes) { registerOperations(t, v) },
		"register": func(v *Routes) { v.Register(func(g *Group) { registerOperations(t, g) }) },
	} {
		for layout, api := range both {
			t.Run(name+" "+layout, func(t *testing.T) {
				e := newEcho()
				v := New(e, api)
				var asked []string
				group := v.Group("/api")
				if layout == "path" {
					group = v.EachVersion().Group("/api")
				}
				register(group.PerRoute(perOperation(&asked)))
				for _, want := range []string{"GET /users/:id", " /any", "PUT /users/:id", "PATCH /users/:id", "POST /webhooks/:id", "GET /new", "GET "} {
					assert.Contains(t, asked, want)
				}
				for _, test := range []struct{ method, path, version, want string }{
					{"GET", "/users/7", "v1", "V1 SAID 7"},
					{"GET", "/users/7", "v2", "v2 said 7"},
					{"PUT", "/users/7", "v1", "v1 changed 7"},
					{"OPTIONS", "/any", "v1", "v1 any "},
					{"GET", "/new", "v2", "v2 new "},
					{"GET", "", "v1", "v1 root "},
				} {
					path, fields := "/api/"+test.version+test.path, http.Header(nil)
					if layout == "header" {
						path, fields = "/api"+test.path, asking(test.version)
					}
					assert.Equal(t, test.want, send(t, e, test.method, path, fields).Body, "%v", test)
				}
				if layout == "header" {
					assert.Equal(t, " hook 7", send(t, e, "POST", "/api/webhooks/7", asking("v9")).Body)
					want(t, e, "GET", "/api/new", asking("v1"), http.StatusNotFound, "not_in_version")
				}
				link, err := v.Link(verso.Target{Name: "later:new", Version: verso.V("v2")})
				require.NoError(t, err)
				assert.Contains(t, link, "/new")
			})
		}
	}
}

// registerOperations is what a generator registers.
func registerOperations(t *testing.T, r interface {
	registrar
	adder
}) {
	t.Helper()
	r.GET("", mounted("root", ""))
	r.GET("/users/:id", mounted("said", "id"))
	r.Any("/any", mounted("any", ""))
	r.Match([]string{"PUT", "PATCH"}, "/users/:id", mounted("changed", "id"))
	r.POST("/webhooks/:id", mounted("hook", "id"))
	add(t, r, "GET", "/new", mounted("new", ""), "new")
}

// TestPerRouteAsked: the function is asked once for each route, with the path behind the prefix.
func TestPerRouteAsked(t *testing.T) {
	var asked []string
	e := newEcho()
	v := New(e, inHeader)
	g := v.Group("/internal").PerRoute(func(v *Routes, method, path string) *Routes {
		asked = append(asked, method+" "+path)
		return v.RemovedIn("v2")
	})
	g.Add("LIST", "/users", answerVersion)
	g.Group("/deep").HandleVersions("GET", "/x", Handlers{"v1": answerVersion})
	g.In(e.Group("/internals")).GET("/x", answerVersion)
	g.Static("/files", ".")
	assert.Equal(t, []string{"LIST /users", "GET /deep/x", "GET /internals/x", "GET /files*"}, asked)
	for _, route := range v.Explain().Routes {
		assert.Contains(t, route.String(), "removed in v2")
	}
}

func TestPerRouteMistakes(t *testing.T) {
	e := newEcho()
	v := New(e, inHeader)
	same := v.PerRoute(func(v *Routes, _, _ string) *Routes { return v })
	for want, register := range map[string]func(){
		"EchoGroup /x: the routes of a group of Echo's own have the same options": func() { same.EchoGroup("/x") },
		"Register: the function is nil":                                           func() { v.Register(nil) },
		"Register: the function registers no route with its group":                func() { v.Register(func(*Group) {}) },
		"route GET /a is registered twice": func() {
			v.Register(func(g *Group) { g.GET("/a", answerVersion); g.GET("/a", answerVersion) })
		},
		"PerRoute: the routes have a function already: join the two": func() {
			same.Group("/x").PerRoute(func(v *Routes, _, _ string) *Routes { return v })
		},
		`"v7" is not a listed version`: func() {
			v.PerRoute(func(v *Routes, _, _ string) *Routes { return v.Since("v7") }).GET("/x", answerVersion)
		},
	} {
		assert.ErrorContains(t, panicked(register), want)
	}
}

// TestRegister: what the function adds with Use runs before the check, as with a group.
func TestRegister(t *testing.T) {
	e := newEcho()
	v := New(e, inHeader)
	v.Group("/api", around("a")).Register(func(g *Group) {
		g.Use(around("b"))
		g.Group("/deep", around("c")).GET("/:id", mounted("said", "id"), around("d"))
	})
	assert.Equal(t, "a(b(c(d(v1 said 7))))", send(t, e, "GET", "/api/deep/7", asking("v1")).Body)
	assert.NotContains(t, send(t, e, "GET", "/api/deep/7", asking("v9")).Body, "said")
}

// TestUnmatchedInRegister: the middleware around answers where a group within it has a route of another method.
func TestUnmatchedInRegister(t *testing.T) {
	for name, register := range map[string]func(v *Routes, routes func(*Group)){
		"Register":         func(v *Routes, routes func(*Group)) { v.Register(routes) },
		"RegisterVersions": func(v *Routes, routes func(*Group)) { v.RegisterVersions(map[string]func(*Group){"v1": routes}) },
	} {
		e := newEcho()
		register(New(e, inHeader).Group("/api", around("a")), func(g *Group) { g.Group("/deep").POST("/*", answerVersion) })
		assert.Equal(t, "a()", send(t, e, "GET", "/api/deep/x", asking("v1")).Body, name)
	}
}
