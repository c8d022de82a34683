package versogin

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/core/route"
)

// GET registers a route: see [Routes.Handle].
func (r *Routes) GET(relativePath string, handlers ...gin.HandlerFunc) gin.IRoutes {
	return r.Handle(http.MethodGet, relativePath, handlers...)
}

// POST registers a route: see [Routes.Handle].
func (r *Routes) POST(relativePath string, handlers ...gin.HandlerFunc) gin.IRoutes {
	return r.Handle(http.MethodPost, relativePath, handlers...)
}

// DELETE registers a route: see [Routes.Handle].
func (r *Routes) DELETE(relativePath string, handlers ...gin.HandlerFunc) gin.IRoutes {
	return r.Handle(http.MethodDelete, relativePath, handlers...)
}

// PATCH registers a route: see [Routes.Handle].
func (r *Routes) PATCH(relativePath string, handlers ...gin.HandlerFunc) gin.IRoutes {
	return r.Handle(http.MethodPatch, relativePath, handlers...)
}

// PUT registers a route: see [Routes.Handle].
func (r *Routes) PUT(relativePath string, handlers ...gin.HandlerFunc) gin.IRoutes {
	return r.Handle(http.MethodPut, relativePath, handlers...)
}

// OPTIONS registers a route: see [Routes.Handle].
func (r *Routes) OPTIONS(relativePath string, handlers ...gin.HandlerFunc) gin.IRoutes {
	return r.Handle(http.MethodOptions, relativePath, handlers...)
}

// HEAD registers a route: see [Routes.Handle].
func (r *Routes) HEAD(relativePath string, handlers ...gin.HandlerFunc) gin.IRoutes {
	return r.Handle(http.MethodHead, relativePath, handlers...)
}

// Match registers a route for the given methods: see [Routes.Handle].
func (r *Routes) Match(methods []string, relativePath string, handlers ...gin.HandlerFunc) gin.IRoutes {
	r.of.NeedMethod(relativePath, methods)
	for _, method := range methods {
		r.chosen(method, relativePath).add(route.Route{Method: method, SharesHandler: len(methods) > 1}, relativePath,
			handlers, len(handlers)-1, nil)
	}
	return r
}

// Any registers a route for all methods: see [gin.RouterGroup.Any].
func (r *Routes) Any(relativePath string, handlers ...gin.HandlerFunc) gin.IRoutes {
	g := r.chosen("", relativePath)
	for _, method := range anyMethods {
		g.add(route.Route{Method: method, AnyMethod: true}, relativePath, handlers, len(handlers)-1, nil)
	}
	return r
}

// anyMethods lists the methods that [gin.RouterGroup.Any] registers.
var anyMethods = []string{
	http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodHead,
	http.MethodOptions, http.MethodDelete, http.MethodConnect, http.MethodTrace,
}
