package echotest

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	verso "github.com/goverso/verso/core"
)

var inHeader = verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}})

func asking(version string) http.Header { return http.Header{"Api-Version": {version}} }

// mounted answers with the version, a text, and a path parameter.
func mounted(text, param string) HandlerFunc {
	return func(c Context) error {
		return c.String(http.StatusOK, Version(c).String()+" "+text+" "+c.Param(param))
	}
}

// around writes a text before and after what comes next.
func around(text string) MiddlewareFunc {
	return func(next HandlerFunc) HandlerFunc {
		return func(c Context) error {
			_, _ = c.Response().Write([]byte(text + "("))
			err := next(c)
			_, _ = c.Response().Write([]byte(")"))
			return err
		}
	}
}

func TestMount(t *testing.T) {
	e := newEcho()
	v := New(e, inHeader)
	e.Use(func(next HandlerFunc) HandlerFunc {
		return func(c Context) error {
			err := next(c)
			if err != nil {
				return err
			}
			_, _ = c.Response().Write([]byte(" by " + c.Param("id"))) // the names are those of the route again
			return nil
		}
	})
	v.Group("/api/:area").AfterCheck(around("after")).RegisterVersions(map[string]func(*Group){
		"v1": func(g *Group) {
			g.Use(around("a"), around("b"))
			add(t, g, "GET", "/users/:id", mounted("one", "id"), "user")
			g.Group("/rooms", around("c")).Any("/:id", mounted("one", "id"))
			g.GET("", mounted("root", "area"))
		},
		"v2": func(g *Group) {
			g.GET("/users/:name", mounted("two", "name"), around("d"))
			g.Group("/rooms").Group("/:number").PUT("", mounted("two", "number"))
		},
	})
	for _, test := range []struct{ method, target, version, want string }{
		{"GET", "/users/7", "v1", "after(a(b(v1 one 7))) by 7"},
		{"GET", "/users/7", "v2", "after(d(v2 two 7)) by 7"},
		{"GET", "/users/7", "v3", "after(d(v3 two 7))"},
		{"PUT", "/rooms/7", "v1", "after(a(b(c(v1 one 7))))"},
		{"PUT", "/rooms/7", "v2", "after(v2 two 7)"},
		{"GET", "/rooms/7", "v1", "after(a(b(c(v1 one 7))))"},
		{"GET", "/rooms/7", "v2", "method_not_in_version"},
		{"GET", "", "v1", "after(a(b(v1 root x)))"},
		{"GET", "", "v2", "not_in_version"},
		{"GET", "/users/7", "v9", "invalid_header_version"},
	} {
		assert.Contains(t, send(t, e, test.method, "/api/x"+test.target, asking(test.version)).Body, test.want, "%v", test)
	}
	link, err := v.Link(verso.Target{Name: "user", Params: verso.Params{"area": "x", "id": 7}, Version: verso.V("v2")})
	assert.NoError(t, err)
	assert.Equal(t, "/api/x/users/7", link)
}

func TestMountRefuses(t *testing.T) {
	e := newEcho()
	v := New(e, inHeader)
	get := func(g *Group) { g.GET("/a", answerVersion) }
	for want, register := range map[string]func(*Group){
		adapterName + `: RegisterVersions: verso: Routes: version "v1" registers no route`: func(*Group) {},
		`version "v1" registers GET /out with the framework itself`:                        func(*Group) { e.GET("/out", answerVersion) },
		twiceInAVersion: func(g *Group) { get(g); get(g) },
	} {
		assert.ErrorContains(t, panicked(func() { v.RegisterVersions(map[string]func(*Group){"v1": register}) }), want)
	}
	assert.ErrorContains(t, panicked(func() { v.RegisterVersions(map[string]func(*Group){"v1": get, "v9": get}) }), `"v9"`)
	assert.ErrorContains(t, panicked(func() { v.RegisterVersions(nil) }), "Handlers: there is none")
}

// TestLateRoutes: what a function registers after it has returned is refused.
func TestLateRoutes(t *testing.T) {
	for name, register := range map[string]func(v *Routes, keep func(*Group)){
		"RegisterVersions": func(v *Routes, keep func(*Group)) { v.RegisterVersions(map[string]func(*Group){"v1": keep}) },
		"Register":         func(v *Routes, keep func(*Group)) { v.Register(keep) },
	} {
		t.Run(name, func(t *testing.T) {
			var kept *Group
			v := New(newEcho(), verso.MustNew(verso.Header("Api-Version"), twoVersions))
			register(v, func(g *Group) { kept = g.Group("/api"); kept.GET("/users", answerVersion) })
			err := panicked(func() { kept.GET("/rooms/:id", answerVersion) })
			assert.ErrorContains(t, err, "route GET /api/rooms/:id: the function has returned: register it while it runs")
		})
	}
}

// TestVersionsAsRegistered: routes are registered as the function has them, since Echo shows the last path for a 405.
func TestVersionsAsRegistered(t *testing.T) {
	paths := make(map[bool]string)
	for _, bare := range []bool{true, false} {
		e := newEcho()
		e.Use(func(next HandlerFunc) HandlerFunc {
			return func(c Context) error { paths[bare] = c.Path(); return next(c) }
		})
		register := func(g *Group) { g.PATCH("/:y", answerVersion); g.HEAD("/:id", answerVersion) }
		if bare {
			register(e.Group("/s"))
		} else {
			New(e, verso.MustNew(verso.Header("Api-Version"), twoVersions)).Group("/s").RegisterVersions(map[string]func(*Group){"v1": register})
		}
		assert.Equal(t, http.StatusMethodNotAllowed, send(t, e, http.MethodGet, "/s/7", http.Header{"Api-Version": {"v1"}}).Status)
	}
	assert.Equal(t, paths[true], paths[false])
}

// TestUnmatchedInOrder: where Echo takes two paths for the same, the last one answers, as without Verso.
func TestUnmatchedInOrder(t *testing.T) {
	saying := func(text string) MiddlewareFunc {
		return func(next HandlerFunc) HandlerFunc {
			return func(c Context) error { c.Response().Header().Add("Ran", text); return next(c) }
		}
	}
	register := func(g *Group) {
		g.Group("/", saying("slash"))
		g.PUT("/:id/:x", mounted("one", "id"))
		g.Use(saying("group"))
	}
	for range 20 { // the order of a map differs
		bare, own := newEcho(), newEcho()
		register(bare.Group(""))
		New(own, inHeader).Register(register)
		_, want := request(t, bare, "/")
		_, got := request(t, own, "/")
		assert.Equal(t, want["Ran"], got["Ran"])
	}
}
