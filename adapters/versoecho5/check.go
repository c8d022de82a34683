package versoecho5

import (
	"net/http"

	"github.com/labstack/echo/v5"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
)

// bound is what all groups of an Echo instance share.
type bound struct {
	Config
	router
	seam *adapter.Seam[*echo.Context, echo.HandlerFunc]
}

// reject passes a rejected request to the error handler.
func (b *bound) reject(c *echo.Context, rejected *verso.Error, answer *verso.Answer) error {
	answer.SetFields(c.Response().Header())
	response, unknown := echo.UnwrapResponse(c.Response())
	if unknown == nil && !response.Committed {
		response.Status = answer.Problem.Status // of a body without a status: never 200
		response.Before(func() { b.seam.NoteAnswer(response.Status) })
	}
	if b.ErrorHandler != nil {
		err := b.ErrorHandler(c, rejected, answer)
		if err != nil || committed(c) {
			return err
		}
	}
	return &HTTPError{rejected, answer}
}

func noContent(c *echo.Context) error { return c.NoContent(http.StatusNoContent) }

// matched looks up the route that Echo has found, or nil if the route has a check. ok is
// false when there is none. RouteInfo is always right, but it allocates.
func (b *bound) matched(c *echo.Context) (at *route.Route, ok bool) {
	method := c.Request().Method
	at, exact := b.seam.Lookup("", method, c.Path())
	if exact && method != http.MethodOptions && c.Get(echo.ContextKeyHeaderAllow) == nil {
		return at, true
	}
	info := c.RouteInfo()
	// Middleware before the router sees a request without a route.
	isNone := info.Name == echo.NotFoundRouteName || info.Name == echo.MethodNotAllowedRouteName ||
		info.Name+c.Path() == ""
	if info.Method == echo.RouteNotFound || info.Method == "" && isNone {
		return nil, false
	}
	return b.seam.Matched(routeOf(info)), true
}

// unmatched hands on a request that matched no route, and logs once if Echo has not
// routed it yet.
func (b *bound) unmatched(c *echo.Context, next echo.HandlerFunc) error {
	before := c.Path()
	err := next(c)
	if before == "" && c.Path() != "" {
		b.seam.Warn("before_router")
	}
	return err
}
