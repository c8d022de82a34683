package versoecho

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

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

// NotFound returns an error handler for Echo#HTTPErrorHandler around the one that is
// there. It rejects requests for an unknown or ended version, so
// that you can delete the routes of an ended version: they still get 410. In a path
// parameter, an unknown version counts only where a route has the path: /favicon.ico
// is none.
//
//	e.HTTPErrorHandler = v.NotFound()
func (r *Routes) NotFound() echo.HTTPErrorHandler {
	answer := r.echo.HTTPErrorHandler
	handler := adapter.Identity(answer)
	return func(err error, c echo.Context) {
		if c.Get(answerKey) == handler { // which has called NotFound itself
			r.echo.DefaultHTTPErrorHandler(err, c)
			return
		}
		var own *echo.HTTPError
		if errors.As(err, &own) && (own.Code == http.StatusNotFound || own.Code == http.StatusMethodNotAllowed) &&
			!c.Response().Committed {
			if _, _, ok := r.matched(c); !ok {
				if c.Echo() != r.echo {
					r.seam.Warn("not_found_elsewhere")
				}
				var call adapter.Call
				call.Request.SetHTTP(c.Request(), c, nil)
				if rejected, rejection := r.seam.CheckUnmatched(c, &call, c.Request().URL.EscapedPath()); rejected {
					r.notePassing(c.Path())
					err = rejection
				}
			}
		}
		if err != nil {
			running := c.Get(answerKey)
			c.Set(answerKey, handler)
			answer(err, c)
			c.Set(answerKey, running)
		}
	}
}

// answerKey is where NotFound keeps the identity of the error handler, while it runs.
const answerKey = contextKey + ".answer"
