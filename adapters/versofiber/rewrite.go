package versofiber

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"

	"github.com/gofiber/fiber/v3"
	"github.com/gofiber/fiber/v3/log"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
)

// Rewrite rewrites the bodies of older versions. Middleware that [Routes.AfterCheck]
// added before, such as compression, sees the rewritten body; middleware that it adds
// afterwards sees the handler's. The error of a request or a response that cannot be
// rewritten goes to the error handler of the app, and so does that of the handler, so
// that what that writes is rewritten. A body stream cannot be rewritten.
func (r *Routes) Rewrite(rewriter verso.Rewriter) *Routes {
	rewriter = r.seam.Bound(rewriter)
	b := r.bound // the route keeps no group
	return r.with(r.of.Rewrite(rewriter, func(c fiber.Ctx) error { return b.rewrite(c, rewriter) }))
}

// RewriteErrors returns a handler for App.Use and what [Routes.Rewrite] rewrites: install it
// inside compression, and outside handlers that answer errors and panics, so that
// these responses are rewritten too.
func (r *Routes) RewriteErrors() fiber.Handler {
	r.seam.NoteRewriteErrors()
	return func(c fiber.Ctx) error {
		s := &outerState{outside: adapter.BodyFieldsOf(fieldsOf(c))}
		c.RequestCtx().SetUserValue(outerKey{}, s)
		return s.end(c, c.Next())
	}
}

// outerState is the state of middleware around the rewriting of a route.
type outerState struct {
	lower   func(status int, response verso.ResponseMessage) error // nil: the body stays
	outside adapter.BodyFields                                     // of middleware outside
}

// fieldsOf returns the fields of the response.
func fieldsOf(c fiber.Ctx) http.Header {
	h := make(http.Header)
	for name, value := range c.Response().Header.All() {
		h.Add(string(name), string(value))
	}
	return h
}

// restore gives the response of a handler, which cannot be sent, the fields of a body that it had before.
func restore(c fiber.Ctx, before *adapter.BodyFields) {
	all := fieldsOf(c)
	restored := all.Clone()
	before.Restore(restored)
	for name, lines := range all {
		if !slices.Equal(lines, restored[name]) {
			c.Response().Header.Del(name)
		}
	}
	for name, lines := range restored {
		for i := range lines {
			if !slices.Equal(lines, all[name]) {
				c.Response().Header.Add(name, lines[i])
			}
		}
	}
}

type outerKey struct{}

// rewrite is the handler of a route whose bodies are rewritten.
func (b *bound) rewrite(c fiber.Ctx, rewriter verso.Rewriter) error {
	var failed error
	result, fields := resultOf(c), adapter.BodyFieldsOf(fieldsOf(c))
	sent := string(c.Request().Header.RequestURI()) // which middleware outside sees
	lower, err := rewriter.BeginBuffered(result.Version(), c.Method(),
		requestMessage{&c.Request().Header, c.Request(), c, b.RewriteLimit, &failed})
	if lower == nil {
		return b.seam.Pass(c, result, fiber.Ctx.Next)
	}
	defer func() {
		if string(c.Request().Header.RequestURI()) != sent {
			c.Request().Header.SetRequestURI(sent)
		}
	}()
	s, hasOuter := c.Value(outerKey{}).(*outerState)
	if !hasOuter {
		b.seam.NoteRewrite()
		s = &outerState{outside: fields}
	}
	s.lower = lower
	switch err = cmp.Or(failed, err); {
	case err == nil:
		err = next(c, &fields)
	case failed == nil:
		answer := verso.AnswerFor(err)
		err = b.seam.Refuse(c, err, fiber.NewError(answer.Problem.Status, answer.Problem.Detail))
		fallthrough
	default:
		abandon(c)
	}
	if !hasOuter {
		err = s.end(c, err)
	}
	return err
}

// next calls the handler. After a panic the answer has no field of the body that the handler has set.
func next(c fiber.Ctx, before *adapter.BodyFields) error {
	isPanic := true
	defer func() {
		if isPanic {
			c.Response().ResetBody()
			restore(c, before)
		}
	}()
	err := c.Next()
	isPanic = false
	return err
}

// end rewrites the response. An error is answered before, so that it is rewritten.
func (s *outerState) end(c fiber.Ctx, err error) error {
	if s.lower == nil {
		return err
	}
	response := c.Response()
	for range 2 { // of a response that cannot be rewritten, the answer
		if err != nil {
			if err = c.App().ErrorHandler(c, err); err != nil {
				return err
			}
		}
		response.Header.SetNoDefaultContentType(true)
		err = s.run(response.StatusCode(), responseMessage{&response.Header, response})
		response.Header.SetNoDefaultContentType(c.App().Config().DisableDefaultContentType)
		if err == nil {
			return nil
		}
		log.Errorf("versofiber: status 500: %q", err)
		response.ResetBody()
		restore(c, &s.outside)
		err = fiber.ErrInternalServerError
	}
	return err
}

// run rewrites the response. A panic is an error: outside RewriteErrors nothing recovers
// it, and it would end the process.
func (s *outerState) run(status int, response verso.ResponseMessage) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("the rewriter panics: %v", cause)
		}
	}()
	return s.lower(status, response)
}
