package echotest

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

// change is a request or a route that changes so that the path and the method of the
// request do not tell the route that Echo has found.
type change struct {
	name   string
	use    func(e *Echo, mw MiddlewareFunc)
	add    func(t *testing.T, e *Echo) // after the first request
	method string                      // "": GET
	target string
	header http.Header
}

// changing runs before Verso.
func changing(change func(c Context)) func(*Echo, MiddlewareFunc) {
	return func(e *Echo, mw MiddlewareFunc) {
		e.Use(func(next HandlerFunc) HandlerFunc {
			return func(c Context) error {
				change(c)
				return next(c)
			}
		}, mw)
	}
}

// TestUnknownRouteIsMatched: the version must be determined all the same: a request for a
// version that is not served must not reach the handler.
func TestUnknownRouteIsMatched(t *testing.T) {
	last := func(e *Echo, mw MiddlewareFunc) { e.Use(mw) }
	override := http.Header{"X-Http-Method-Override": {"BREW"}}
	notFound := func(e *Echo) { e.Group("", requestID()) } // RouteNotFound routes for "/" and "/*"
	for _, test := range slices.Concat(ownChanges, []change{
		{
			name: "Router#Add", use: last, target: "/hidden/7",
			add: func(t *testing.T, e *Echo) {
				t.Helper()
				addToRouter(t, e, "/hidden/:id", answerVersion)
			},
		},
		{
			name: "hook replaced", use: last, target: "/late/7",
			add: func(_ *testing.T, e *Echo) {
				unhook(e)
				e.GET("/late/:id", answerVersion)
			},
		},
		{
			name: "hook replaced, where a RouteNotFound route was", use: last, target: "/late",
			add: func(t *testing.T, e *Echo) {
				t.Helper()
				notFound(e)
				require.Equal(t, http.StatusNotFound, send(t, e, http.MethodGet, "/nowhere", nil).Status)
				unhook(e)
				e.GET("/*", answerVersion)
			},
		},
		{
			name: "Host changed", use: changing(func(c Context) { c.Request().Host = "other.example" }), target: "/users",
			add: func(_ *testing.T, e *Echo) { e.GET("/users", answerVersion) },
		},
		{
			name: "SetPath", use: changing(func(c Context) { c.SetPath("/shown") }), target: "/users",
			add: func(_ *testing.T, e *Echo) { e.GET("/users", answerVersion) },
		},
		{
			name: "SetPath to nothing", use: changing(func(c Context) { c.SetPath("") }), target: "/users",
			add: func(_ *testing.T, e *Echo) { e.GET("/users", answerVersion) },
		},
		{
			name: "MethodOverride", method: http.MethodPost, target: "/users/7", header: override,
			use: func(e *Echo, mw MiddlewareFunc) { e.Use(methodOverride(), mw) },
			add: func(_ *testing.T, e *Echo) { e.POST("/users/:id", answerVersion) },
		},
		{
			name: "MethodOverride where a RouteNotFound route is", method: http.MethodPost, target: "/users", header: override,
			use: func(e *Echo, mw MiddlewareFunc) { e.Use(methodOverride(), mw) },
			add: func(_ *testing.T, e *Echo) {
				notFound(e)
				e.POST("/*", answerVersion)
			},
		},
	}) {
		for name, router := range routers {
			t.Run(test.name+"/"+name, func(t *testing.T) {
				e := router()
				test.use(e, check(e, verso.Must(scheme.NewAcceptHeader("version", twoVersions))))
				e.GET("/first/:id", answerVersion)
				require.Equal(t, "v1", send(t, e, http.MethodGet, "/first/7", http.Header{"Accept": {"*/*; version=v1"}}).Body)
				test.add(t, e)
				ask := func(version string) conformance.Answer {
					header := http.Header{"Accept": {"*/*; version=" + version}}
					maps.Copy(header, test.header)
					return send(t, e, cmp.Or(test.method, http.MethodGet), test.target, header)
				}
				rejected := ask("v9")
				assert.Equal(t, http.StatusNotAcceptable, rejected.Status, rejected.Body)
				assert.Equal(t, "Accept", rejected.Header.Get("Vary"))
				served := ask("v2")
				assert.Equal(t, "v2", served.Body)
				assert.Equal(t, "Accept", served.Header.Get("Vary"))
			})
		}
	}
}

// TestUnknownRouteHasItsNamespace is TestUnknownRouteIsMatched where the route itself has
// the version.
func TestUnknownRouteHasItsNamespace(t *testing.T) {
	for name, router := range routers {
		t.Run(name, func(t *testing.T) {
			e := router()
			e.Use(methodOverride(), check(e, verso.Must(scheme.NewNamespace(twoVersions))))
			add(t, e, http.MethodPost, "/users/:id", answerVersion, "v2:users")
			add(t, e, http.MethodPost, "/forbidden/:id", answerVersion, "v9:forbidden")
			override := http.Header{"X-Http-Method-Override": {"BREW"}}
			assert.Equal(t, "v2", send(t, e, http.MethodPost, "/users/7", override).Body)
			assert.Equal(t, http.StatusNotFound, send(t, e, http.MethodPost, "/forbidden/7", override).Status)

			unhook(e)
			add(t, e, http.MethodGet, "/late", answerVersion, "v2:late")
			add(t, e, http.MethodGet, "/late/forbidden", answerVersion, "v9:late")
			assert.Equal(t, "v2", send(t, e, http.MethodGet, "/late", nil).Body)
			assert.Equal(t, http.StatusNotFound, send(t, e, http.MethodGet, "/late/forbidden", nil).Status)
		})
	}
}
