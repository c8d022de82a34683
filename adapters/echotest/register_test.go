package echotest

import (
	"net/http"
	"reflect"
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
	register := func(r interface {
		generated
		Add(method, path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo
		Any(path string, h HandlerFunc, m ...MiddlewareFunc) AnyInfo
		Match(methods []string, path string, h HandlerFunc, m ...MiddlewareFunc) MatchInfo
	},
	) {
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
			assert.Equal(t, http.StatusNotFound, send(t, e, method, target, nil).status, "%s %s", method, target)
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
