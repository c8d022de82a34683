// Package versofiber installs Verso in Fiber v3:
//
//	api := verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1", "v2"}}))
//	app := fiber.New()
//	v := versofiber.New(app, api)
//	v.Get("/:version/users", func(c fiber.Ctx) error {
//		return c.SendString("users in " + versofiber.Version(c).String())
//	}).Name("user-list")
//
// Fiber calls middleware while it looks for the route: in App.Use there is no
// matched route and no path parameter yet, and a group's middleware also runs
// for paths that no route has. So Verso's handler is part of each route. [New]
// puts it in front of the handlers of the routes that it registers;
// [Middleware] returns it, for single routes:
//
//	app.Get("/:version/users", versofiber.Middleware(api), listUsers)
//
// What Fiber answers itself, with 404, 405 or from other middleware, has no
// version and no Vary field. Middleware in App.Use that asks for [Version] has it
// when c.Next() has returned.
//
// Names of routes are Fiber's own, and a colon separates the namespaces in them.
package versofiber

import (
	"errors"
	"slices"

	"github.com/gofiber/fiber/v3"
	"github.com/gofiber/fiber/v3/log"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
)

// Config is what Verso's handler takes from Fiber. The zero Config is the
// default.
type Config struct {
	// Next skips the handler when it returns true: the request has no
	// version and is never rejected.
	// Optional. Default value: nil.
	Next func(c fiber.Ctx) bool

	// Neutral lists the patterns of routes that are version-neutral, as Fiber
	// has them ("/metrics", "/swagger/*"), where the middleware is given to
	// routes that others register. See also [Router.Neutral].
	// Optional. Default value: none.
	Neutral []string

	// Client names who sent a request, for [verso.Usage]: the subject of a
	// token, the name of an API key. It is called when the handlers or the
	// rejection have returned. Clone a text of the request: it is not valid
	// any longer than that.
	// Optional. Default value: nil, nobody knows.
	Client func(c fiber.Ctx) string

	// ErrorHandler answers a rejected request, or returns an error, which
	// Fiber's own error handler answers. Return a [fiber.Error]: Fiber
	// answers all others with status 500. When it does neither, the request
	// is answered as by default. The answer is in the client's language and
	// shared by requests: it must not be modified.
	// Optional. Default value: nil, the answer is written as
	// application/problem+json.
	ErrorHandler func(c fiber.Ctx, err *verso.Error, answer *verso.Answer) error
}

// Middleware returns the handler that determines the version of a request, keeps
// it for [Version], and answers rejected requests. It stands before the handlers
// of a route:
//
//	app.Get("/:version/users", versofiber.Middleware(api), listUsers)
//
// It does not work in App.Use or App.Group, where no route is known: see the
// package comment. Requests then fail with status 500, and Fiber's log says why.
// Middleware panics when api is nil.
func Middleware(api *verso.Versioning, config ...Config) fiber.Handler {
	return newMiddleware(nil, api, config).handle
}

// middleware is the handler, made ready.
type middleware struct {
	Config
	api *verso.Versioning
	app *fiber.App // of the links outside of a request

	client func(c any) string // nil: nobody knows

	added string // the path of the route that was registered last
}

func newMiddleware(app *fiber.App, api *verso.Versioning, config []Config) *middleware {
	if api == nil {
		panic("versofiber: there is no versioning: make one with verso.New, or with a scheme such as verso.NewURLPath")
	}
	m := &middleware{Config: slices.Concat(config, []Config{{}})[0], app: app}
	m.client = verso.ClientFunc(api, m.Client)
	m.api = api.WithRoutes(m.routes)
	return m
}

// routes returns the routes that a link may lead to.
func (m *middleware) routes(r verso.Request) *route.Table {
	if r.IsNone() {
		return routesOf(m.app)
	}
	return routesOf(r.Unwrap().(fiber.Ctx).App())
}

// key is where Fiber keeps the result of a request.
type key struct{}

func (m *middleware) handle(c fiber.Ctx) error {
	if m.Next != nil && m.Next(c) {
		return c.Next()
	}
	if !c.Matched() {
		return fail(errors.New("the middleware is in Use or a group, where no route is known: use versofiber.New, or give it to each route"))
	}
	if len(m.Neutral) > 0 && slices.Contains(m.Neutral, c.FullPath()) {
		return c.Next()
	}
	r := requestOf(c)
	decision, err := m.api.Determine(r)
	c.Vary(decision.Vary...)
	header := &c.Response().Header
	decision.Fields(func(field verso.Field, mode verso.Mode) {
		switch {
		case mode == verso.SetField && len(field.Lines) == 1:
			header.Set(field.Name, field.Lines[0]) // in one pass
			return
		case mode == verso.SetField:
			header.Del(field.Name)
		case mode == verso.KeepField && len(header.Peek(field.Name)) > 0:
			return
		}
		for _, line := range field.Lines {
			header.Add(field.Name, line)
		}
	})
	if m.api.Observes() {
		defer m.api.Observe(r, &decision, err, c.FullPath(), m.client)
	}
	if err != nil {
		return m.reject(c, r, err)
	}
	c.RequestCtx().SetUserValue(key{}, decision.Result) // c.Locals allocates
	return c.Next()
}

// handlePlanned is handle for a route with options.
func (m *middleware) handlePlanned(c fiber.Ctx) error {
	if matched := (facts{}).Route(c); matched == nil || matched.Plan == nil {
		return fail(errors.New("the options of the route " + c.FullPath() + " are lost, since its app is mounted in another one: register it with the router of the outermost app"))
	}
	return m.handle(c)
}

// reject answers a rejected request. The error that a source of the user's
// failed with is none, even if it wraps one.
func (m *middleware) reject(c fiber.Ctx, r verso.Request, err error) error {
	rejected, ok := err.(*verso.Error) //nolint:errorlint // see above
	if !ok {
		return fail(err)
	}
	answer := m.api.Answer(r, rejected)
	c.Vary(answer.Vary...)
	response := c.Response()
	if m.ErrorHandler != nil {
		before := response.StatusCode()
		err := m.ErrorHandler(c, rejected, answer)
		if err != nil || response.StatusCode() != before || response.IsBodyStream() || len(response.Body()) > 0 {
			return err
		}
	}
	response.SetStatusCode(answer.Problem.Status)
	response.Header.SetContentType(verso.ProblemType)
	if answer.Language != "" {
		response.Header.Set(fiber.HeaderContentLanguage, answer.Language)
	}
	response.SetBody(answer.Body) // a copy: other middleware may write to it
	return nil
}

// fail answers a programming error with status 500. What is wrong is in Fiber's
// log only: the client learns nothing of it.
func fail(cause error) error {
	log.Errorf("versofiber: status 500: %q", cause)
	return fiber.ErrInternalServerError
}

// SetVersion keeps a version in a context as Verso's handler does, for a test that
// calls a handler without it: [Version], [Link] and [ContentType] work then. Links
// lead to the routes of the context's app. It fails with [verso.ErrUnknownVersion]
// when the API does not serve the version.
func (r *Router) SetVersion(c fiber.Ctx, version verso.Version) error {
	result, err := r.verso.api.Result(version)
	if err == nil {
		c.RequestCtx().SetUserValue(key{}, result)
	}
	return err
}

// Version returns the version of the request. It is none when the request has
// none, and when it did not pass Verso's handler.
func Version(c fiber.Ctx) verso.Version {
	if result := resultOf(c); result != nil {
		return result.Version
	}
	return verso.Version{}
}

// resultOf returns what was kept of a request, nil for nothing.
func resultOf(c fiber.Ctx) *verso.Result {
	result, _ := c.Value(key{}).(*verso.Result)
	return result
}

var errNotVersioned = errors.New("versofiber: the request did not pass Verso's handler: register its route with versofiber.New")

// ContentType returns the vendor media type to answer with in the version of the
// request: see [verso.Result.ContentType].
func ContentType(c fiber.Ctx, resource string) (string, error) {
	result := resultOf(c)
	if result == nil {
		return "", errNotVersioned
	}
	return result.ContentType(resource)
}

// Link builds the URL of a route, in the version of the request or in that of
// the target: see [verso.Result.Link] for the errors. A wildcard at the end of a
// path is the path parameter "*" or "+". Links to a route with an optional
// parameter, or with a wildcard before the end, fail with [verso.ErrPattern].
// Values are not compared with constraints. In a path such as "/:from-:to", Fiber
// ends a value at the first hyphen: keep hyphens out of it.
func Link(c fiber.Ctx, target verso.Target) (string, error) {
	result := resultOf(c)
	if result == nil {
		return "", errNotVersioned
	}
	return result.Link(requestOf(c), target)
}

// Param returns the named path parameter of the matched route, percent-decoded
// once, and "" when there is none. Its name is case-sensitive, also where
// [fiber.Ctx.Params] ignores case. Like all texts of a Fiber request, it is valid
// until the handler returns, unless the app is Immutable.
func Param(c fiber.Ctx, name string) string {
	value, _ := facts{}.PathParam(c, name)
	return value
}
