package versoecho

import (
	"errors"

	"github.com/labstack/echo/v4"

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
// options; their namespace is in their names. Where those of one path differ in it, their requests are 500: register them
// with v.
func (r *Routes) Middleware() echo.MiddlewareFunc {
	f := &foreign{bound: r.bound}
	var check echo.MiddlewareFunc = func(next echo.HandlerFunc) echo.HandlerFunc {
		// Echo makes this closure anew for each request: it holds two words.
		return func(c echo.Context) error { return f.check(c, next) }
	}
	f.reached = r.seam.NoteMiddleware(adapter.Identity(check))
	return check
}

// foreign is the middleware for the routes of other code.
type foreign struct {
	*bound
	reached func()
}

func (b *foreign) check(c echo.Context, next echo.HandlerFunc) error {
	switch {
	case b.Skipper != nil && b.Skipper(c):
		at, _, _ := b.matched(c)
		b.seam.NoteSkipped(at)
		return next(c)
	case c.Echo() != b.echo:
		return echo.ErrInternalServerError.WithInternal(errors.New("versoecho: the middleware is that of another Echo instance: make one with New for this one"))
	}
	at, exact, ok := b.matched(c)
	if !ok {
		return b.unmatched(c, next)
	}
	b.reached()
	if at == nil || !exact && b.isChecked(c.Path()) {
		return next(c)
	}
	var call adapter.Call
	call.Request.SetHTTP(c.Request(), c, at)
	return b.seam.CheckForeign(c, &call, next)
}
