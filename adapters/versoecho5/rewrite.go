package versoecho5

import (
	"errors"
	"fmt"
	"maps"
	"net/http"

	"github.com/labstack/echo/v5"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
)

// Rewrite rewrites the bodies of older versions. Middleware that [Routes.AfterCheck]
// added before, such as compression, sees the rewritten body; middleware that it adds
// afterwards sees the handler's. The error of a request that cannot be rewritten is
// returned. The handler's error goes to Echo#HTTPErrorHandler at once, so that what that
// writes is rewritten, and is then returned for what logs. The size of [echo.Response]
// counts before the rewriting.
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
		return func(c *echo.Context) error {
			s := &outerWriter{ResponseWriter: c.Response(), outside: adapter.BodyFieldsOf(c.Response().Header())}
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
	response            *echo.Response     // that Echo writes to
}

const outerKey = "verso-outer"

// Unwrap is for [http.ResponseController].
func (s *outerWriter) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// rewriting is the middleware of a route whose bodies are rewritten.
func (r *Routes) rewriting(rewriter verso.Rewriter, next echo.HandlerFunc) echo.HandlerFunc {
	return func(c *echo.Context) error {
		w := c.Response()
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
		handle := func(c *echo.Context) error {
			if err != nil {
				return r.seam.Refuse(c, err, err)
			}
			defer rewriting.Recover(func() {
				if s.restart(); s.outside.Abandon(rewriting.Header(), fields) {
					s.ResponseWriter = adapter.Discard{}
					c.SetResponse(s.response) // compression gives its own back to a pool
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
func (s *outerWriter) around(c *echo.Context, next echo.HandlerFunc) error {
	defer c.SetResponse(c.Response())
	s.response = echo.NewResponse(s, c.Logger())
	c.SetResponse(s.response)
	err := next(c)
	if s.rewriting == nil {
		return err
	}
	c.SetResponse(s.response)
	if s.ResponseWriter == http.ResponseWriter(adapter.Discard{}) {
		if s.ResponseWriter = s.rewriting; err == nil {
			err = fmt.Errorf("versoecho5: %w", adapter.ErrEncoded)
		}
		s.restart()
	}
	if err != nil && !s.response.Committed {
		c.Echo().HTTPErrorHandler(c, err)
	}
	if failed := s.rewriting.Finish(); failed != nil {
		s.restart()
		s.outside.Restore(s.rewriting.Header())
		c.Echo().HTTPErrorHandler(c, failed)
		err = errors.Join(err, failed, s.rewriting.Finish())
	}
	return err
}

// restart marks the response as not begun.
func (s *outerWriter) restart() {
	s.response.Committed, s.response.Status, s.response.Size = false, 0, 0
}
