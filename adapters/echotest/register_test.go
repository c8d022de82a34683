package echotest

import (
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

// generated is what code of oapi-codegen registers with.
type generated interface {
	CONNECT(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo
	DELETE(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo
	GET(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo
	HEAD(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo
	OPTIONS(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo
	PATCH(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo
	POST(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo
	PUT(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo
	TRACE(path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo
}

var _ generated = (*Routes)(nil)

// TestRoutesRegisterLikeEcho sees that Routes has what a group of Echo has, but for
// RouteNotFound, and that each way to register carries the check and the options.
func TestRoutesRegisterLikeEcho(t *testing.T) {
	group, ours := reflect.TypeFor[*Group](), reflect.TypeFor[*Routes]()
	for method := range group.Methods() {
		_, ok := ours.MethodByName(method.Name)
		assert.Equal(t, method.Name != "RouteNotFound", ok, method.Name)
	}

	dir := t.TempDir()
	register := func(r registrar) {
		for _, add := range []func(string, HandlerFunc, ...MiddlewareFunc) RouteInfo{
			r.CONNECT, r.DELETE, r.GET, r.HEAD, r.OPTIONS, r.PATCH, r.POST, r.PUT, r.TRACE,
		} {
			add("/a", answerVersion)
		}
		r.GET("", answerVersion)
		r.GET("b/:id", answerVersion)
		r.GET(`/colon/a\:b`, answerVersion)
		r.Add("BREW", "/c", answerVersion)
		r.Any("/any", answerVersion)
		r.Match([]string{http.MethodGet, http.MethodPut}, "/match", answerVersion)
	}
	plain, e := newEcho(), newEcho()
	v := New(e, verso.Must(scheme.NewNamespace(twoVersions)))
	group1, v1 := plain.Group("/v1"), v.Group("/v1").Namespace("v9")
	register(group1)
	group1.Static("/static", dir)
	group1.File("/file", dir+"/file")
	register(v1)
	v1.Static("/static", dir)
	v1.File("/file", dir+"/file")
	require.ElementsMatch(t, routesOf(plain), routesOf(e))
	for _, r := range routesOf(e) {
		method := strings.Fields(r)[0]
		target := strings.NewReplacer(`\:`, ":", ":id", "7", "*", "/x").Replace(strings.Fields(r)[1])
		if method != http.MethodConnect { // which is for proxies
			assert.Equal(t, http.StatusNotFound, send(t, e, method, target, nil).Status, "%s %s", method, target)
		}
	}
	for _, info := range v.Explain().Routes {
		assert.False(t, info.Unchecked)
	}
}

// mistake is a registration that is refused.
type mistake struct {
	name     string
	register func()
	want     string
}

func TestRegistrationMistakes(t *testing.T) {
	const twice = "register it once with HandleVersions"
	api := strictPath()
	e := newEcho()
	e.GET("/before", saying("before"))
	v := New(e, api)
	v.GET("/twice", saying("twice"))
	for _, test := range append(ownMistakes(v), []mistake{
		{"no handler", func() { v.GET("/h", nil) }, "route GET /h: the handler is nil"},
		{"no middleware of a route", func() { v.GET("/h", saying("h"), nil) }, "route GET /h: a middleware is nil: give it one"},
		{"no middleware of HandleVersions", func() { v.HandleVersions("GET", "/h", Handlers{"v1": saying("h")}, nil) }, "route GET /h: a middleware is nil"},
		{"no middleware of a group", func() { v.Group("/g", nil) }, "Group /g: a middleware is nil"},
		{"no method", func() { v.Match(nil, "/x", saying("x")) }, "route /x: there is no method: give it one"},
		{"another group behind middleware", func() { v.Group("/g", around("a")).In(e.Group("/o")) }, "In: the routes would lose the middleware of their group"},
		{"another group behind In", func() { v.In(e.Group("/i", around("a"))).In(e.Group("/o")) }, "In: the routes would lose the middleware of their group"},
		{"another group from a copy before Use", func() {
			group := v.Group("/g")
			since := group.Since("v2")
			group.Use(around("a"))
			since.In(e.Group("/o"))
		}, "In: the routes would lose the middleware of their group"},
		{"another group behind Use", func() {
			v.Use(around("a"))
			group := v.In(e.Group("/a")) // which has the middleware of the instance
			group.Use(around("a"))
			group.In(e.Group("/b"))
		}, "In: the routes would lose the middleware of their group"},
		{"no middleware of EchoGroup", func() { v.EchoGroup("/g", nil) }, "EchoGroup /g: a middleware is nil"},
		{"no middleware of Use", func() { v.Use(nil) }, "Use: a middleware is nil"},
		{"no middleware after", func() { v.AfterCheck(nil) }, "AfterCheck: a middleware is nil"},
		{"no handler from a middleware after", func() { v.AfterCheck(func(HandlerFunc) HandlerFunc { return nil }).GET("/h", saying("h")) }, "AfterCheck: a middleware returns a nil handler: let it return one"},
		{"no option", func() { v.With(nil) }, "With: an option is nil: remove it"},
		{"RouteNotFound", func() { v.Add(RouteNotFound, "/*", saying("i")) }, "register it with Echo"},
		{"twice", func() { v.Since("v2").GET("/twice", saying("2")) }, twice},
		{"twice by HandleVersions", func() { v.HandleVersions("GET", "/twice", Handlers{"v1": saying("2")}) }, twice},
		{"twice by Echo", func() { e.GET("/twice", saying("2")) }, twice},
		{"twice, Echo first", func() { v.GET("/before", saying("2")) }, twice},
		{"empty namespace", func() { v.Namespace("") }, `Namespace needs a name, such as "v1"`},
		{"no group", func() { v.In(nil) }, "the group is nil"},
		{"no Echo", func() { New(nil, api) }, "the Echo or the versioning is nil"},
		{"no versioning", func() { New(e, nil) }, "the Echo or the versioning is nil"},
	}...) {
		t.Run(test.name, func(t *testing.T) {
			err := panicked(test.register)
			require.ErrorContains(t, err, adapterName+": ")
			assert.ErrorContains(t, err, test.want)
		})
	}
}

// TestEchoGroup has functions that take groups of Echo's own: behind the middleware of v or
// not, each route is checked once, and what the group itself answers is not.
func TestEchoGroup(t *testing.T) {
	register := func(g *Group) {
		g.GET("/x", answerVersion)
		g.Any("/any", answerVersion)
		g.Group("/deep").POST("/y", answerVersion)
	}
	for name, behind := range map[string]bool{"alone": false, "behind the middleware": true} {
		t.Run(name, func(t *testing.T) {
			e := newEcho()
			api := verso.MustNew(verso.First(verso.Namespace(), verso.Header("Api-Version")), verso.Config{AllowedVersions: []string{"v1", "v2"}})
			v := New(e, api)
			if behind {
				e.Use(v.Middleware())
			}
			ran := 0
			count := func(next HandlerFunc) HandlerFunc {
				return func(c Context) error { ran++; return next(c) }
			}
			register(v.Namespace("v1").EchoGroup("/v1", count))
			register(v.Group("/since").Namespace("v1").Since("v2").EchoGroup(""))
			register(v.Neutral().EchoGroup("/neutral"))
			register(v.AfterCheck(func(next HandlerFunc) HandlerFunc {
				return func(c Context) error {
					c.Response().Header().Set("Seen", Version(c).String())
					return next(c)
				}
			}).EchoGroup("/after"))
			for _, test := range []struct {
				method, target string
				status         int
				body, seen     string
			}{
				{"GET", "/v1/x", http.StatusOK, "v1", ""},
				{"PUT", "/v1/any", http.StatusOK, "v1", ""},
				{"POST", "/v1/deep/y", http.StatusOK, "v1", ""},
				{"GET", "/v1/nope", http.StatusNotFound, "", ""},
				{"GET", "/since/x", http.StatusNotFound, "", ""},
				{"GET", "/neutral/x", http.StatusOK, "", ""},
				{"GET", "/after/x", http.StatusOK, "v2", "v2"},
				{"GET", "/after/nope", http.StatusNotFound, "", ""},
			} {
				got := send(t, e, test.method, test.target, http.Header{"Api-Version": {"v2"}})
				assert.Equal(t, test.status, got.Status, test.target)
				assert.Equal(t, test.seen, got.Header.Get("Seen"), test.target)
				if test.status == http.StatusOK {
					assert.Equal(t, test.body, got.Body, test.target)
				}
			}
			assert.GreaterOrEqual(t, ran, 3, "the middleware of the group runs")
			for _, info := range v.Explain().Routes {
				assert.False(t, info.Unchecked, info.Pattern)
			}
		})
	}
	v := New(newEcho(), verso.MustNew(verso.PathPrefix("/{version}"), twoVersions))
	assert.PanicsWithError(t, adapterName+": EchoGroup /x: a group of Echo's own has one path: use Register behind EachVersion", func() { v.EachVersion().EchoGroup("/x") })
	assert.Panics(t, func() { v.Since("v9").EchoGroup("/x") })
}

// TestForeignBesideEchoGroup has a route of Echo's own at a path of the group: it has no check, and
// Explain says so.
func TestForeignBesideEchoGroup(t *testing.T) {
	e := newEcho()
	v := New(e, verso.MustNew(verso.PathPrefix("/api/{version}"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	g := v.In(e.Group("/api")).EchoGroup("/v1")
	g.GET("/x", answerVersion)
	g.Group("/deep", func(next HandlerFunc) HandlerFunc { return next }).GET("/x", answerVersion)
	e.GET("/api/v1/public/:id", answerVersion)
	var unchecked []string
	for _, route := range v.Explain().Routes {
		if route.Unchecked {
			unchecked = append(unchecked, route.Pattern)
		}
	}
	assert.Equal(t, []string{"/api/v1/public/:id"}, unchecked)
	assert.True(t, slices.ContainsFunc(v.Explain().Findings, func(f verso.Finding) bool {
		return f.Code == "unchecked_versioned" && strings.Contains(f.Message, `"/api/v1/public/:id" is registered`)
	}))
}

// TestRegisterWithV: a route that a function of Register registers with v lacks the middleware of the function.
func TestRegisterWithV(t *testing.T) {
	v := New(newEcho(), inHeader)
	defer func() { assert.ErrorContains(t, recover().(error), "GET /x is registered with the routes around") }()
	v.Register(func(g *Group) { g.GET("/y", answerVersion); v.GET("/x", answerVersion) })
}

// TestUnmatchedOfRegister: the 404 of groups, which Echo itself gives, are not those of the service.
func TestUnmatchedOfRegister(t *testing.T) {
	e := newEcho()
	v := New(e, verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	v.Register(func(g *Group) {
		g.Group("/:version", needs("A")).GET("/x", answerVersion)
	})
	status, _ := request(t, e, "/v1/y", "A", "")
	assert.Equal(t, http.StatusUnauthorized, status)
	assert.False(t, slices.ContainsFunc(v.Explain().Findings, func(f verso.Finding) bool { return f.Code == "not_found_hidden" }))
}

// TestInOfAGroupWithin: a group that Echo makes of another one has its middleware.
func TestInOfAGroupWithin(t *testing.T) {
	e := newEcho()
	group := e.Group("/api")
	before := group.Group("/before")
	in := New(e, inHeader).In(group)
	in.Use(needs("A"))
	in.In(group.Group("/users")).GET("/x", answerVersion)
	status, _ := request(t, e, "/api/users/x", "Api-Version", "v2")
	assert.Equal(t, http.StatusUnauthorized, status)
	assert.PanicsWithError(t, adapterName+": In: the routes would lose the middleware of their group: call it first, and Group on what it returns",
		func() { in.In(before) })
}
