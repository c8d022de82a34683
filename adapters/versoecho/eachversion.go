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

// EachVersion returns a group that registers each route under its own path and under
// the prefix of every version, with the same middleware: /api/lists also as
// /api/v1/lists and /api/v2/lists. The API must read a [verso.PathPrefix]. The first
// of these paths has the name in Echo. As in Echo, the middleware of groups under the
// prefix also runs for requests that match none of their routes. It panics if the API
// reads none.
func (r *Routes) EachVersion(middleware ...echo.MiddlewareFunc) *Routes {
	return r.withEach(cmp.Or(r.each, new(each)).group("", middleware))
}

func (r *Routes) withEach(each *each) *Routes {
	g := r.with(func(g *Routes) { g.each = each })
	g.catchUnmatched()
	return g
}

// catchUnmatched registers what has the middleware of a group run for requests that
// match none of its routes, as a group of Echo does.
func (r *Routes) catchUnmatched() {
	if len(r.each.middleware) == 0 {
		return
	}
	_, _ = r.addForms(r.each.prefix, func(plain *Routes, path string) *echo.Route { // fails for a group outside of the prefix
		plain.in.Add(echo.RouteNotFound, path+"/*", echo.NotFoundHandler, r.each.middleware...)
		return plain.in.Add(echo.RouteNotFound, path, echo.NotFoundHandler, r.each.middleware...)
	})
}

// addEach registers the forms of a route, and returns the first.
func (r *Routes) addEach(method, path string, handler echo.HandlerFunc, middleware []echo.MiddlewareFunc) *echo.Route {
	middleware = slices.Concat(r.each.middleware, middleware)
	first, err := r.addForms(r.each.prefix+path, func(plain *Routes, path string) *echo.Route {
		return plain.Add(method, path, handler, middleware...)
	})
	if err != nil {
		fail("route %s %s: %w", method, r.each.prefix+path, err)
	}
	return first
}

// addForms registers the forms of a path within the group, and returns the first.
func (r *Routes) addForms(path string, add func(plain *Routes, path string) *echo.Route) (first *echo.Route, err error) {
	plain := r.with(func(g *Routes) { g.each = nil })
	if plain.prefix == unknownPrefix { // the route without a version tells it
		first = add(plain, path)
		plain.prefix = strings.TrimSuffix(first.Path, path)
	}
	plain.as = plain.prefix + path
	forms, err := r.binding.Forms(plain.as)
	if err != nil {
		return nil, err
	}
	if first != nil && forms[0] != first.Path {
		return nil, fmt.Errorf("without a default version, no path tells the prefix of the group of %s: make it with EachVersion().Group", first.Path)
	}
	for _, form := range forms {
		if first != nil && form == first.Path {
			continue
		}
		relative, ok := strings.CutPrefix(form, plain.prefix)
		if !ok {
			return nil, fmt.Errorf("the group cannot have the path %q: make it with EachVersion().Group", form)
		}
		if added := add(plain, relative); first == nil {
			first = added
		}
	}
	return first, nil
}

// NotFound returns an error handler for Echo#HTTPErrorHandler around the one that is
// there. It rejects requests that name a version that is unknown or has ended, so that
// you can delete the routes of an ended version: they still get 410.
//
//	e.HTTPErrorHandler = v.NotFound()
func (r *Routes) NotFound() echo.HTTPErrorHandler {
	answer := r.echo.HTTPErrorHandler
	return func(err error, c echo.Context) {
		var call verso.Call
		call.Request.SetHTTP(c.Request(), c, nil)
		var own *echo.HTTPError
		if errors.As(err, &own) && (own.Code == http.StatusNotFound || own.Code == http.StatusMethodNotAllowed) && resultOf(c) == nil && !c.Response().Committed && r.matched(c) == nil &&
			r.binding.BeginUnmatched(&call, c.Request().URL.EscapedPath()) {
			if err = r.proceed(c, &call, nil, nil, nil); err == nil {
				return
			}
		}
		answer(err, c)
	}
}
