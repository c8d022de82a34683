package versoecho

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

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
	// It fails for a group outside the prefix.
	_, _ = r.addForms(r.each.prefix, func(plain *Routes, path string) *echo.Route {
		plain.in.Add(echo.RouteNotFound, path+"/*", echo.NotFoundHandler, r.each.middleware...)
		return plain.in.Add(echo.RouteNotFound, path, echo.NotFoundHandler, r.each.middleware...)
	})
}

// addEach registers the forms of a route, and returns the first.
func (r *Routes) addEach(method, path string, handler echo.HandlerFunc, pick func(*verso.Result) echo.HandlerFunc,
	middleware []echo.MiddlewareFunc) *echo.Route {
	middleware = slices.Concat(r.each.middleware, middleware)
	first, err := r.addForms(r.each.prefix+path, func(plain *Routes, path string) *echo.Route {
		return plain.add(method, path, handler, pick, middleware)
	})
	r.of.Must("route "+method+" "+r.each.prefix+path, err)
	return first
}

// addForms registers the forms of a path within the group, and returns the first.
func (r *Routes) addForms(path string, add func(plain *Routes,
	path string) *echo.Route) (first *echo.Route, err error) {
	plain := r.with(r.of)
	plain.each, plain.as = nil, r.prefix+path
	forms, err := r.of.Forms(plain.as)
	if err != nil {
		return nil, err
	}
	for _, form := range forms {
		relative, ok := strings.CutPrefix(form, r.prefix)
		if !ok {
			return nil, fmt.Errorf("the group cannot have the path %q: make it with EachVersion().Group", form)
		}
		first = cmp.Or(first, add(plain, relative))
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
	return func(err error, c echo.Context) {
		var own *echo.HTTPError
		if errors.As(err, &own) && (own.Code == http.StatusNotFound || own.Code == http.StatusMethodNotAllowed) &&
			!c.Response().Committed {
			if _, _, ok := r.matched(c); !ok {
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
			answer(err, c)
		}
	}
}
