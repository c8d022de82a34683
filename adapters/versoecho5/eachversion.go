package versoecho5

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/labstack/echo/v5"

	verso "github.com/goverso/verso/core"
)

// each is a group whose routes are registered in the form of each version. It is none
// of Echo's: each route gets all of its middleware.
type each struct {
	prefix     string // within that of Routes
	middleware []echo.MiddlewareFunc
}

func (e *each) group(prefix string, middleware []echo.MiddlewareFunc) *each {
	return &each{e.prefix + prefix, slices.Concat(e.middleware, middleware)}
}

// EachVersion returns a group whose routes keep the paths that they have without
// versions. Each is registered under the prefix of every version as well, with the
// same middleware: /api/lists also as /api/v1/lists and /api/v2/lists, where the API
// reads a [verso.PathPrefix]. The first of them has the name in Echo, and is what the
// methods that register return. They panic when the API reads none.
func (r *Routes) EachVersion(middleware ...echo.MiddlewareFunc) *Routes {
	return r.with(func(g *Routes) { g.each = cmp.Or(r.each, new(each)).group("", middleware) })
}

// addEach registers the forms of a route, and returns the first.
func (r *Routes) addEach(added echo.Route) (first echo.RouteInfo, err error) {
	added.Name = cmp.Or(added.Name, r.name)
	added = r.taken(func() { _, _ = r.in.AddRoute(added.WithPrefix(r.each.prefix, r.each.middleware)) })
	_, added.Path = placeOf(added.Method, added.Path)
	plain := r.with(func(g *Routes) { g.each, g.in, g.as, g.name = nil, r.echo, added.Path, "" })
	forms, err := r.binding.Forms(added.Path)
	if err != nil {
		fail("route %s %s: %w", added.Method, added.Path, err)
	}
	for i, form := range forms {
		added.Path = form
		info, err := plain.AddRoute(added)
		if err != nil {
			return first, err
		}
		if i == 0 {
			first, added.Name = info, ""
		}
	}
	return first, nil
}

// NotFound returns an error handler for Echo#HTTPErrorHandler around the one that is
// there. It answers requests that name a version that is unknown or has ended, so that
// the routes of an ended version can be deleted: they are 410 still.
//
//	e.HTTPErrorHandler = v.NotFound()
func (r *Routes) NotFound() echo.HTTPErrorHandler {
	answer := r.echo.HTTPErrorHandler
	return func(c *echo.Context, err error) {
		var call verso.Call
		status := echo.StatusCode(err)
		if (status == http.StatusNotFound || status == http.StatusMethodNotAllowed) && resultOf(c) == nil && !committed(c) && r.matched(c) == nil &&
			r.binding.BeginUnmatched(&call, verso.NewHTTPRequest(c.Request(), c, nil), c.Request().URL.EscapedPath()) {
			if err = r.proceed(c, &call, nil, nil, nil); err == nil {
				return
			}
		}
		answer(c, err)
	}
}
