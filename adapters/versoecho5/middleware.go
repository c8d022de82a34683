package versoecho5

import (
	"errors"

	"github.com/labstack/echo/v5"

	"github.com/goverso/verso/core/adapter"
)

// Middleware returns a middleware that checks requests to routes that other code registers
// after it, before any later middleware runs. A route of v decides for itself, behind all
// middleware: what runs between the two sees neither its version nor a rejection, which
// [Routes.AfterCheck] does. Install it with Echo#Use, or on a group or a route of the same
// instance. Before the router, with Echo#Pre, there is no route yet and it does nothing.
//
// Requests that Echo itself answers, with 404, 405 or its own OPTIONS, pass untouched,
// and so do those of RouteNotFound routes. Routes that other code registers have no
// options; their namespace is in their names. A handler for OPTIONS from before New, at a path with
// other methods, gets no preflights of an unknown version: Echo does not report whose handler
// it is. The hosts of
// [echo.NewVirtualHostHandler] are instances of their own: make a Routes for each.
func (r *Routes) Middleware() echo.MiddlewareFunc {
	f := &foreign{bound: r.bound}
	var check echo.MiddlewareFunc = func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c *echo.Context) error { return f.check(c, next) }
	}
	f.reached = r.seam.NoteMiddleware(adapter.Identity(check))
	return check
}

// foreign is the middleware for the routes of other code.
type foreign struct {
	*bound
	reached func()
}

func (b *foreign) check(c *echo.Context, next echo.HandlerFunc) error {
	switch {
	case b.Skipper != nil && b.Skipper(c):
		at, _ := b.matched(c)
		b.seam.NoteSkipped(at)
		return next(c)
	case c.Echo() != b.echo:
		return echo.ErrInternalServerError.Wrap(errors.New("versoecho5: the middleware is that of another Echo instance: make one with New for this one"))
	}
	at, ok := b.matched(c)
	if !ok {
		return b.unmatched(c, next)
	}
	b.reached()
	if at == nil {
		return next(c)
	}
	var call adapter.Call
	call.Request.SetHTTP(c.Request(), c, at)
	return b.seam.CheckForeign(c, &call, next)
}
