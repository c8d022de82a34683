package versoecho5

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/labstack/echo/v5"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
)

// each is a group whose routes are registered in the form of each version. It is not
// an echo.Group: each route is registered with all of the middleware.
type each struct {
	prefix     string // within that of Routes
	middleware []echo.MiddlewareFunc
}

func (e *each) group(prefix string, middleware []echo.MiddlewareFunc) *each {
	return &each{e.prefix + prefix, slices.Concat(e.middleware, middleware)}
}

// EachVersion returns a group that registers each route once per version, with the same
// middleware: /api/tags becomes /api/v1/tags and /api/v2/tags. With a DefaultVersion,
// /api/tags itself is registered too, for requests without a version. A route Since v2 is
// not registered under /api/v1: see [adapter.Binding.Forms]. The API must read a
// [verso.PathPrefix]. The first of these paths has the name in Echo, and is what the methods
// that register return. As in Echo, the middleware of groups under the prefix also runs for
// requests that do not match any of their routes. It panics if the API reads none.
func (r *Routes) EachVersion(middleware ...echo.MiddlewareFunc) *Routes {
	if len(middleware) > 0 {
		r = r.with(r.of.Tracked())
	}
	return r.withEach(cmp.Or(r.each, new(each)).group("", middleware))
}

func (r *Routes) withEach(each *each) *Routes {
	g := r.with(r.of.EachVersion())
	g.each = each
	g.catchUnmatched()
	return g
}

// catchUnmatched has the middleware of a group run for requests that do not match its
// routes, as a group of Echo does.
func (r *Routes) catchUnmatched() {
	if len(r.each.middleware) == 0 {
		return
	}
	group := r.taken(func() {
		notFound := func(*echo.Context) error { return echo.ErrNotFound }
		_, _ = r.in.AddRoute(echo.Route{Path: r.each.prefix, Handler: notFound, Middlewares: r.each.middleware})
	})
	forms, _ := r.of.Forms(group.Path) // nil for a group outside the prefix
	for _, form := range forms {
		r.echo.Group(form, group.Middlewares...)
	}
}

// addEach registers the forms of a route, and returns the first.
func (r *Routes) addEach(added echo.Route,
	pick func(*verso.Result) echo.HandlerFunc) (first echo.RouteInfo, err error) {
	plain := r.named(added.Name)
	added = r.taken(func() { _, _ = r.in.AddRoute(added.WithPrefix(r.each.prefix, r.each.middleware)) })
	_, added.Path = placeOf(added.Method, added.Path)
	added.Name, plain.each, plain.in, plain.as = "", nil, r.echo, added.Path
	forms, err := r.of.Forms(added.Path)
	r.of.Must("route "+added.Method+" "+added.Path, err)
	for i, form := range forms {
		added.Path = form
		info, err := plain.add(added, pick)
		if err != nil {
			return first, err
		}
		if i == 0 {
			first, plain = info, plain.Name("")
		}
	}
	return first, nil
}

// NotFound returns an error handler for Echo#HTTPErrorHandler around the one that is
// there. It rejects requests for an unknown or ended version, so
// that you can delete the routes of an ended version: they still get 410. In a path
// parameter, an unknown version counts only where a route has the path: /favicon.ico
// is none.
//
//	e.HTTPErrorHandler = v.NotFound()
func (r *Routes) NotFound() echo.HTTPErrorHandler {
	answer := r.echo.HTTPErrorHandler
	return func(c *echo.Context, err error) {
		if status := echo.StatusCode(err); (status == http.StatusNotFound || status == http.StatusMethodNotAllowed) &&
			!committed(c) {
			if _, ok := r.matched(c); !ok {
				var call adapter.Call
				call.Request.SetHTTP(c.Request(), c, nil)
				if rejected, rejection := r.seam.CheckUnmatched(c, &call, c.Request().URL.EscapedPath()); rejected {
					err = rejection
				} else if header := c.Response().Header(); len(header["Allow"]) > 0 {
					header.Set("Allow", call.Allow(header.Get("Allow")))
				}
			}
		}
		if err != nil {
			answer(c, err)
		}
	}
}
