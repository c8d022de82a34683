package versogin

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
)

// router is the [adapter.Router] of an engine.
type router struct {
	engine   *gin.Engine
	options  func() map[string]any // see methodOf
	notFound atomic.Uintptr        // the code of what NotFound returns, 0 if it was not called
	late     []func() []*route.Route
}

func newRouter(engine *gin.Engine) *router {
	return &router{engine: engine, options: sync.OnceValue(func() map[string]any {
		options := make(map[string]any)
		for _, info := range engine.Routes() {
			if info.Method == http.MethodOptions {
				options[unescaped(info.Path)] = adapter.Identity(info.HandlerFunc)
			}
		}
		return options
	})}
}

// Engine returns what New got.
func (r *router) Engine() any { return r.engine }

// Routes returns the routes of the engine. Gin has no names.
func (r *router) Routes() []adapter.Listed {
	infos, chains := r.engine.Routes(), chainsOf(r.engine)
	all := make([]adapter.Listed, 0, len(infos))
	for _, info := range infos {
		listed := adapter.Listed{
			Route:   route.Route{Method: info.Method, Path: unescaped(info.Path), Pattern: route.Colons(info.Path)},
			Handler: adapter.Identity(info.HandlerFunc),
		}
		if chain, known := chains[info.Method+info.Path]; known {
			listed.Middleware = adapter.Identities(chain[:len(chain)-1])
		}
		all = append(all, listed)
	}
	return all
}

// IsInstalled reports whether a middleware may run for routes whose handlers are not known: a Gin that hides them.
func (r *router) IsInstalled(any) bool { return chainsOf(r.engine) == nil }

// OwnNotFound returns a route for what a later [gin.Engine.NoRoute] has put in the place of NotFound.
func (r *router) OwnNotFound() (routes []*route.Route) {
	codes, _ := codesOf(r.engine, "noRoute")
	if code := r.notFound.Load(); code != 0 && len(codes) > 0 && !slices.Contains(codes, code) {
		routes = append(routes, &route.Route{Path: "/*", Pattern: route.Colons("/*NoRoute")})
	}
	return routes
}

// Lost returns the routes that functions have registered after they had returned.
func (r *router) Lost() (lost []*route.Route) {
	for _, late := range r.late {
		lost = append(lost, late()...)
	}
	return lost
}

// methodOf returns the method of a request as [adapter.Binding.Lookup] wants it. A middleware
// may have set it to OPTIONS, and Gin does not report the method of the matched route, but
// a route for OPTIONS has a handler of its own.
func (r *router) methodOf(c *gin.Context) string {
	method := c.Request.Method
	if method == http.MethodOptions && r.options()[c.FullPath()] != adapter.Identity(c.Handler()) {
		return "-"
	}
	return method
}

// unescaped returns the path of a route as Gin reports a match.
func unescaped(path string) string { return strings.ReplaceAll(path, `\:`, ":") }
