package versoecho

import (
	"net/http"

	"github.com/labstack/echo/v4"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
)

// bound is what all groups of an Echo instance share.
type bound struct {
	Config
	*router
	seam *adapter.Seam[echo.Context, echo.HandlerFunc]
}

// reject passes a rejected request to the error handler.
func (b *bound) reject(c echo.Context, rejected *verso.Error, answer *verso.Answer) error {
	response := c.Response()
	answer.SetFields(response.Header())
	if !response.Committed {
		response.Status = answer.Problem.Status // of a body without a status: never 200
		response.Before(func() { b.seam.NoteAnswer(response.Status) })
	}
	if b.ErrorHandler != nil {
		err := b.ErrorHandler(c, rejected, answer)
		if err != nil || response.Committed {
			return err
		}
	}
	return httpError(answer, rejected)
}

func noContent(c echo.Context) error { return c.NoContent(http.StatusNoContent) }

// matched looks up the route that Echo has found: see [adapter.Binding.Lookup]. ok is false
// when there is none. Echo sets no parameter names then, not even an empty list, and
// either no path (404, and before the router) or the methods that are allowed (405 and its
// own OPTIONS).
func (b *bound) matched(c echo.Context) (at *route.Route, exact, ok bool) {
	r, pattern := c.Request(), c.Path()
	if c.ParamNames() == nil && (pattern == "" || c.Get(echo.ContextKeyHeaderAllow) != nil) {
		return nil, false, false
	}
	at, exact = b.seam.Lookup(r.Host, b.methodOf(c), pattern)
	return at, exact, !b.isNotFound(c) && (at == nil || at.Pattern.String() != "" || !b.isForNone(pattern))
}

// unmatched hands on a request that matched no route, and logs once if Echo has not
// routed it yet.
func (b *bound) unmatched(c echo.Context, next echo.HandlerFunc) error {
	before := c.Path()
	err := next(c)
	if before == "" && c.Path() != "" {
		b.seam.Warn("before_router")
	}
	return err
}
