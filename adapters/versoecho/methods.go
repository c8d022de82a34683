package versoecho

import (
	"io/fs"
	"net/http"
	"reflect"

	"github.com/labstack/echo/v4"
)

// CONNECT registers a route: see [Routes.Add].
func (r *Routes) CONNECT(path string, handler echo.HandlerFunc, middleware ...echo.MiddlewareFunc) *echo.Route {
	return r.Add(http.MethodConnect, path, handler, middleware...)
}

// DELETE registers a route: see [Routes.Add].
func (r *Routes) DELETE(path string, handler echo.HandlerFunc, middleware ...echo.MiddlewareFunc) *echo.Route {
	return r.Add(http.MethodDelete, path, handler, middleware...)
}

// GET registers a route: see [Routes.Add].
func (r *Routes) GET(path string, handler echo.HandlerFunc, middleware ...echo.MiddlewareFunc) *echo.Route {
	return r.Add(http.MethodGet, path, handler, middleware...)
}

// HEAD registers a route: see [Routes.Add].
func (r *Routes) HEAD(path string, handler echo.HandlerFunc, middleware ...echo.MiddlewareFunc) *echo.Route {
	return r.Add(http.MethodHead, path, handler, middleware...)
}

// OPTIONS registers a route: see [Routes.Add].
func (r *Routes) OPTIONS(path string, handler echo.HandlerFunc, middleware ...echo.MiddlewareFunc) *echo.Route {
	return r.Add(http.MethodOptions, path, handler, middleware...)
}

// PATCH registers a route: see [Routes.Add].
func (r *Routes) PATCH(path string, handler echo.HandlerFunc, middleware ...echo.MiddlewareFunc) *echo.Route {
	return r.Add(http.MethodPatch, path, handler, middleware...)
}

// POST registers a route: see [Routes.Add].
func (r *Routes) POST(path string, handler echo.HandlerFunc, middleware ...echo.MiddlewareFunc) *echo.Route {
	return r.Add(http.MethodPost, path, handler, middleware...)
}

// PUT registers a route: see [Routes.Add].
func (r *Routes) PUT(path string, handler echo.HandlerFunc, middleware ...echo.MiddlewareFunc) *echo.Route {
	return r.Add(http.MethodPut, path, handler, middleware...)
}

// TRACE registers a route: see [Routes.Add].
func (r *Routes) TRACE(path string, handler echo.HandlerFunc, middleware ...echo.MiddlewareFunc) *echo.Route {
	return r.Add(http.MethodTrace, path, handler, middleware...)
}

// Match registers a route for each of the given methods: see Echo#Match.
func (r *Routes) Match(methods []string, path string, handler echo.HandlerFunc,
	middleware ...echo.MiddlewareFunc) []*echo.Route {
	r.of.NeedMethod(path, methods)
	routes, r := make([]*echo.Route, len(methods)), r.with(r.of)
	r.sharesHandler = len(methods) > 1
	for i, method := range methods {
		routes[i] = r.Add(method, path, handler, middleware...)
	}
	return routes
}

// Any registers a route for each method that Echo knows: see Echo#Any.
func (r *Routes) Any(path string, handler echo.HandlerFunc, middleware ...echo.MiddlewareFunc) []*echo.Route {
	r = r.with(r.of)
	r.anyMethod = true
	return r.Match(anyMethods, path, handler, middleware...)
}

// File registers a route for a file: see Echo#File.
func (r *Routes) File(path, file string, middleware ...echo.MiddlewareFunc) *echo.Route {
	return r.GET(path, func(c echo.Context) error { return c.File(file) }, middleware...)
}

// FileFS registers a route for a file: see Echo#FileFS.
func (r *Routes) FileFS(path, file string, files fs.FS, middleware ...echo.MiddlewareFunc) *echo.Route {
	return r.GET(path, echo.StaticFileHandler(file, files), middleware...)
}

// Static registers a route for a folder: see Echo#Static.
func (r *Routes) Static(prefix, root string) *echo.Route {
	return r.StaticFS(prefix, echo.MustSubFS(r.echo.Filesystem, root))
}

// StaticFS registers a route for a folder: see Echo#StaticFS. Names of files are not
// decoded once more, unless Echo#EnablePathUnescapingStaticFiles is set.
func (r *Routes) StaticFS(prefix string, files fs.FS) *echo.Route {
	field := reflect.ValueOf(r.echo).Elem().FieldByName("EnablePathUnescapingStaticFiles") // not in older versions
	unescapes := field.IsValid() && field.Bool()
	return r.GET(prefix+"*", echo.StaticDirectoryHandler(files, !unescapes))
}
