package versoecho

import (
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	verso "github.com/goverso/verso/core"
)

// each is a group whose routes are registered in the form of each version. It is none
// of Echo's: each route gets all of its middleware.
type each struct {
	prefix     string // within that of Routes
	middleware []echo.MiddlewareFunc
}

// unknownPrefix is the prefix of a group that Echo does not tell.
const unknownPrefix = "?"

func (e *each) group(prefix string, middleware []echo.MiddlewareFunc) *each {
	return &each{e.prefix + prefix, slices.Concat(e.middleware, middleware)}
}

// EachVersion returns a group whose routes keep the paths that they have without
// versions. Each is registered under the prefix of every version as well, with the
// same middleware: /api/lists also as /api/v1/lists and /api/v2/lists, where the API
// reads a [verso.PathPrefix]. The first of them has the name in Echo. It panics when
// the API reads none.
func (r *Routes) EachVersion(middleware ...echo.MiddlewareFunc) *Routes {
	return r.with(func(g *Routes) { g.each = new(each).group("", middleware) })
}

// addEach registers the forms of a route, and returns the first.
func (r *Routes) addEach(method, path string, handler echo.HandlerFunc, middleware []echo.MiddlewareFunc) (first *echo.Route) {
	path, middleware = r.each.prefix+path, slices.Concat(r.each.middleware, middleware)
	plain := r.with(func(g *Routes) { g.each = nil })
	if plain.prefix == unknownPrefix { // the route without a version tells it
		first = plain.Add(method, path, handler, middleware...)
		plain.prefix = strings.TrimSuffix(first.Path, path)
	}
	plain.as = plain.prefix + path
	forms, err := r.binding.Forms(plain.as)
	if err != nil {
		fail("route %s %s: %w", method, plain.as, err)
	}
	if first != nil && forms[0] != first.Path {
		fail("route %s %s: without a default version, no path tells the prefix of the group: make it with EachVersion().Group", method, first.Path)
	}
	for _, form := range forms {
		if first != nil && form == first.Path {
			continue
		}
		relative, ok := strings.CutPrefix(form, plain.prefix)
		if !ok {
			fail("route %s %s: its group cannot have the path %q: make it with EachVersion().Group", method, plain.as, form)
		}
		if added := plain.Add(method, relative, handler, middleware...); first == nil {
			first = added
		}
	}
	return first
}

// NotFound returns an error handler for Echo#HTTPErrorHandler around the one that is
// there. It answers requests that name a version that is unknown or has ended, so that
// the routes of an ended version can be deleted: they are 410 still.
//
//	e.HTTPErrorHandler = v.NotFound()
func (r *Routes) NotFound() echo.HTTPErrorHandler {
	answer := r.echo.HTTPErrorHandler
	return func(err error, c echo.Context) {
		var call verso.Call
		if resultOf(c) == nil && !c.Response().Committed && r.matched(c) == nil &&
			r.binding.BeginUnmatched(&call, verso.NewHTTPRequest(c.Request(), c, nil), c.Request().URL.EscapedPath()) {
			if err = r.proceed(c, &call, nil, nil, nil); err == nil {
				return
			}
		}
		answer(err, c)
	}
}
