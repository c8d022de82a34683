package versoecho

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	verso "github.com/goverso/verso/core"

	"github.com/goverso/verso/core/adapter"
)

// EachVersion returns a group that registers each route once per version, with the same
// middleware: /api/tags becomes /api/v1/tags and /api/v2/tags. With a DefaultVersion,
// /api/tags itself is registered too, for requests without a version. A route Since v2 is
// not registered under /api/v1: see [adapter.Binding.Forms]. The API must read a
// [verso.PathPrefix]. The first of these paths has the name in Echo, and is what the methods
// that register return. As in Echo, the middleware of groups under the prefix also runs for
// requests that do not match any of their routes. It panics if the API reads none.
func (r *Routes) EachVersion(middleware ...echo.MiddlewareFunc) *Routes {
	return r.with(r.of.EachVersion()).Group("", middleware...)
}

// catchUnmatched has the middleware of a group run for requests that do not match its
// routes, as a group of Echo does.
func (r *Routes) catchUnmatched() {
	if len(*r.before) == 0 {
		return
	}
	forms, registered, err := r.forms("")
	if outside := new(verso.Finding); errors.As(err, &outside) && outside.Code == "prefix_outside" {
		return // groups within it may be inside
	}
	r.of.Must("Group "+registered, err)
	for _, form := range forms {
		r.in.Add(echo.RouteNotFound, form, echo.NotFoundHandler, *r.before...)
		r.in.Add(echo.RouteNotFound, form+"/*", echo.NotFoundHandler, *r.before...)
	}
}

// forms returns the paths under which a route is registered, within that of in, and the path of which
// they are the forms, or "".
func (r *Routes) forms(path string) (relative []string, registered string, err error) {
	if !r.of.Each {
		return []string{path}, "", nil
	}
	registered = r.prefix + r.within + path
	forms, err := r.of.Forms(registered)
	for _, form := range forms {
		within, ok := strings.CutPrefix(form, r.prefix)
		if !ok {
			return nil, "", fmt.Errorf("the group cannot have the path %q: make it with EachVersion().Group", form)
		}
		relative = append(relative, within)
	}
	return relative, registered, err
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
					r.notePassing(c.Path())
					err = rejection
				}
			}
		}
		if err != nil {
			answer(err, c)
		}
	}
}
