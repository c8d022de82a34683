package versoecho

import (
	"errors"
	"fmt"
	"maps"
	"net/http"

	"github.com/labstack/echo/v4"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
)

// Rewrite rewrites the bodies of older versions. Middleware that [Routes.AfterCheck]
// added before, such as compression, sees the rewritten body; middleware that it adds
// afterwards sees the handler's. A request that cannot be rewritten gets an
// *echo.HTTPError whose Message is the [*verso.Problem] of [verso.AnswerFor]. The
// handler's error goes to Echo#HTTPErrorHandler at once, so that what that writes is
// rewritten, and is then returned for what logs, unless Echo's Timeout is around it, which
// discards what was answered before an error. Echo's Response.Size counts before the rewriting.
func (r *Routes) Rewrite(rewriter verso.Rewriter) *Routes {
	rewriter = r.seam.Bound(rewriter)
	rewriting := func(next echo.HandlerFunc) echo.HandlerFunc { return r.rewriting(rewriter, next) }
	return r.with(r.of.Rewrite(rewriter, rewriting))
}

// RewriteErrors returns a middleware for what [Routes.Rewrite] rewrites: install it inside
// compression, and outside middleware that answers errors and panics, so that these
// responses are rewritten too.
func (r *Routes) RewriteErrors() echo.MiddlewareFunc {
	r.seam.NoteRewriteErrors()
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			s := &outerWriter{ResponseWriter: c.Response().Writer, outside: adapter.BodyFieldsOf(c.Response().Header())}
			c.Set(outerKey, s)
			return s.around(c, next)
		}
	}
}

// outerWriter is the writer of middleware around the rewriting of a route.
type outerWriter struct {
	http.ResponseWriter                    // rewriting, when there is one
	rewriting           verso.Rewriting    // nil: the body stays
	outside             adapter.BodyFields // of middleware outside
}

const outerKey = "verso-outer"

// Unwrap is for [http.ResponseController].
func (s *outerWriter) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// rewriting is the middleware of a route whose bodies are rewritten.
func (r *Routes) rewriting(rewriter verso.Rewriter, next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		w := c.Response().Writer
		s, hasOuter := c.Get(outerKey).(*outerWriter)
		if hasOuter {
			w = s.ResponseWriter
		}
		query, fields, result := c.Request().URL.RawQuery, adapter.BodyFieldsOf(c.Response().Header()), resultOf(c)
		rewriting, err := rewriter.Begin(result.Version(), w, c.Request())
		if rewriting == nil {
			return r.seam.Pass(c, result, next)
		}
		if c.Request().URL.RawQuery != query { // Echo keeps the values
			values := c.QueryParams()
			clear(values)
			maps.Copy(values, c.Request().URL.Query())
		}
		if !hasOuter {
			r.seam.NoteRewrite()
			s = &outerWriter{outside: fields}
		}
		s.ResponseWriter, s.rewriting = rewriting, rewriting
		handle := func(c echo.Context) error {
			if err != nil {
				return r.seam.Refuse(c, err, refused(err))
			}
			defer rewriting.Recover(func() {
				if restart(c.Response()); s.outside.Abandon(rewriting.Header(), fields) {
					s.ResponseWriter = adapter.Discard{}
					c.Response().Writer = s // compression gives its own back to a pool
				}
			})
			return next(c)
		}
		if hasOuter {
			return handle(c)
		}
		return s.around(c, handle)
	}
}

// around calls next, and sends what it wrote. An error is answered before, so that the
// answer is rewritten. Middleware inside may have left a writer that another response has by then, so
// the answer does not go there.
func (s *outerWriter) around(c echo.Context, next echo.HandlerFunc) error {
	response := c.Response()
	outer := response.Writer
	response.Writer = s
	defer func() {
		response.Writer = outer
		c.SetResponse(response)
	}()
	err := next(c)
	if s.rewriting == nil {
		return err
	}
	c.SetResponse(response)
	response.Writer = s
	if s.ResponseWriter == http.ResponseWriter(adapter.Discard{}) {
		if s.ResponseWriter = s.rewriting; err == nil {
			err = fmt.Errorf("versoecho: %w", adapter.ErrEncoded)
		}
		restart(response)
	}
	if err != nil && !response.Committed {
		c.Error(err)
	}
	failed := s.rewriting.Finish()
	if failed != nil {
		restart(response)
		s.outside.Restore(s.rewriting.Header())
		c.Error(refused(failed))
		err = errors.Join(err, failed, s.rewriting.Finish())
	}
	if adapter.IsTimeout(outer) { // of Echo, which would discard the answer
		if failed != nil {
			c.Logger().Error(err)
		}
		return nil
	}
	return err
}

// restart marks the response as not begun.
func restart(r *echo.Response) { r.Committed, r.Status, r.Size = false, http.StatusOK, 0 }

// refused puts an error of a rewriter on Echo's error path. One of the framework's own,
// such as that of a limit outside, is there already.
func refused(err error) error {
	if own := (*echo.HTTPError)(nil); errors.As(err, &own) {
		return err
	}
	return httpError(verso.AnswerFor(err), err)
}
