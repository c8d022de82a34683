package versofiber

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/gofiber/fiber/v3"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/catalogue"
)

// bound is what all groups of an app share.
type bound struct {
	Config
	seam *adapter.Seam[fiber.Ctx, any]
	app  *fiber.App

	serving atomic.Pointer[fiber.App] // the outermost app, once a request has come
	own     sync.Map                  // *adapter.Registration by the first handler of the route
	latest  fiber.Route               // that Fiber has added last
	heads   map[*fiber.Handler]string // names that routes for HEAD were given
	joined  map[[2]string]bool        // methods and paths where handlers of other code run before the check
	uses    uses
	covers  []*cover // of what takes note of routes, for RegisterVersions
	noted   bool     // which it has done
}

// check is the check of a route.
func (b *bound) check(c fiber.Ctx, added *adapter.Registration, key any) error {
	var call adapter.Call
	if err := b.decide(c, added, &call); err != nil {
		return err
	}
	return b.seam.Proceed(c, &call, key)
}

// decide decides a request of a route.
func (b *bound) decide(c fiber.Ctx, added *adapter.Registration, call *adapter.Call) error {
	if b.serving.Load() == nil {
		b.serving.Store(c.App())
	}
	setRequest(&call.Request, c, added.Route())
	b.seam.Decide(c, call)
	if c.Value(manyHosts{}) != nil {
		return fiber.ErrBadRequest
	}
	return nil
}

// front is in front of what may answer before the check of a route. A handler of the route in the place of middleware
// answers requests which the check would reject: the rejection takes the place of its answer.
func (b *bound) front(c fiber.Ctx, added *adapter.Registration) error {
	at, before := c.Route(), resultOf(c)
	if err := c.Next(); err != nil || c.IsAbandoned() { // what is abandoned may still be written
		return err
	}
	isDone := c.Response().StatusCode()/100 == 2 && c.Method() != fiber.MethodOptions // else CORS has answered
	if !isDone || c.Route() != at || resultOf(c) != before {                          // another route, or the check, has
		return nil
	}
	var call adapter.Call
	err := b.decide(c, added, &call)
	if err == nil && !call.IsRejected() {
		return nil
	}
	b.seam.Warn("answered_early")
	c.Response().Reset()
	if err != nil {
		return err
	}
	return b.seam.Proceed(c, &call, nil)
}

// next calls the next handler of the route. If the handlers choose by the result of the
// check, it is stored under a key of the route, where no other code can replace it.
func (b *bound) next(c fiber.Ctx, key any) error {
	if key != nil {
		c.RequestCtx().SetUserValue(key, resultOf(c))
	}
	return c.Next()
}

// reject answers a rejected request.
func (b *bound) reject(c fiber.Ctx, rejected *verso.Error, answer *verso.Answer) error {
	response := c.Response()
	if len(answer.Vary) > 0 {
		write(&response.Header, catalogue.Field{Name: fiber.HeaderVary,
			Lines: []string{strings.Join(answer.Vary, ", ")}}, adapter.JoinField)
	}
	if answer.Language != "" {
		response.Header.Set(fiber.HeaderContentLanguage, answer.Language)
	}
	if b.ErrorHandler != nil {
		response.SetStatusCode(answer.Problem.Status) // of a body without a status: never 200
		err := b.ErrorHandler(c, rejected, answer)
		status := response.StatusCode()
		if answered := (*fiber.Error)(nil); errors.As(err, &answered) {
			status = answered.Code
		}
		b.seam.NoteAnswer(status)
		if err != nil || response.StatusCode() != answer.Problem.Status || response.IsBodyStream() ||
			len(response.Body()) > 0 {
			return err
		}
	}
	response.SetStatusCode(answer.Problem.Status)
	response.Header.SetContentType(verso.ProblemType)
	response.SetBody(answer.Body) // a copy: other middleware may write to it
	return nil
}
