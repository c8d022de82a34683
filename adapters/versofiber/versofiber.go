// Package versofiber installs Verso in Fiber v3: it registers routes that know their
// API version, and builds links that stay in it.
//
//	api := verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
//	app := fiber.New()
//	v := versofiber.New(app, api)
//	v.Get("/:version/users", func(c fiber.Ctx) error {
//		return c.SendString("users in " + versofiber.Version(c).String())
//	}).Name("user-list")
//
// A route that v registers has its own version check, which runs directly before its
// handler, after all middleware. It does so as well where Fiber answers HEAD by the
// route for GET, where the app is mounted in another one, and where a handler calls
// c.Next or c.RestartRouting: each route that a request reaches decides on it.
//
// Unlike other adapters, versofiber has no middleware that checks routes of other code:
// Fiber calls middleware in App.Use or a group while it looks for the route, so that
// there is neither a route nor a path parameter yet, also for paths that no route has.
// Give [Routes.Router] to code that registers routes of its own. What Fiber answers
// itself, with 404, 405 or from middleware, has no version and no Vary field.
// Middleware that asks for [Version] has it when c.Next() has returned.
package versofiber

import (
	"github.com/gofiber/fiber/v3"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/source"
)

// Config configures what is Fiber's own. The zero Config is the default.
type Config struct {
	// Client names who sent a request, for [verso.Observation]: the subject of a
	// token, the name of an API key. It is called when the handlers or the
	// rejection have returned. Clone a text of the request: it is not valid
	// any longer than that.
	// Optional. Default value: nil, clients are not known.
	Client func(c fiber.Ctx) string

	// ErrorHandler answers a rejected request, or returns an error, which
	// Fiber's own error handler answers. Return a [fiber.Error]: Fiber answers
	// any other error with status 500. If it does neither, the answer is written
	// as by default. The answer is in the client's language.
	// Optional. Default value: nil, the answer is written as
	// application/problem+json.
	ErrorHandler func(c fiber.Ctx, err *verso.Error, answer *verso.Answer) error

	// ExemptFromSunset names the requests that no sunset and no brownout rejects or
	// moves to another version, such as those of your own UI: their responses only
	// announce it. The check of a route calls it, after all middleware. See
	// [verso.Observation], Exempt. Optional. Default value: nil, no request is
	// exempt.
	ExemptFromSunset func(c fiber.Ctx) bool

	// RewriteLimit bounds, in bytes, a body that [Routes.Rewrite] holds in an app with
	// StreamRequestBody: a larger one is answered with status 413. A body without
	// rewriting stays a stream of any length. Optional. Default value: 0, the BodyLimit
	// of the app.
	RewriteLimit int
}

// Handlers is a handler for each version: see [Routes.HandleVersions] and [verso.Handlers].
type Handlers = verso.Handlers[fiber.Handler]

// contextKey is where a check keeps its result in the user values of a request.
type contextKey struct{}

func resultOf(c fiber.Ctx) *verso.Result {
	result, _ := c.Value(contextKey{}).(*verso.Result)
	return result
}

// Version returns the version of the request, the zero Version if it has none. If the
// request was not checked, it returns the zero Version and logs that once.
func Version(c fiber.Ctx) verso.Version { return resultOf(c).Version() }

// AtLeast reports whether the version of the request is the given one or a later
// one: see [verso.Result.AtLeast].
func AtLeast(c fiber.Ctx, version string) bool { return resultOf(c).AtLeast(version) }

// ContentType returns the vendor media type of a response in the version of the
// request: see [verso.Result.ContentType].
func ContentType(c fiber.Ctx, resource string) (string, error) {
	return resultOf(c).ContentType(resource)
}

// InContext is a middleware for [Routes.AfterCheck]: handlers that get only a
// [context.Context], such as those of generated servers, find the version of the request
// and its links in it, with [verso.FromContext]. They are in [fiber.Ctx.Context] and in the
// user values, which are Fiber's own context.
func InContext(c fiber.Ctx) error {
	ctx := adapter.NewContext(resultOf(c), requestOf(c))
	c.SetContext(ctx)
	c.RequestCtx().SetUserValue(adapter.ContextKey, ctx.Value(adapter.ContextKey))
	return c.Next()
}

// Link builds the URL of a route, in the version of the request or in that of the
// target: see [verso.Result.Link] for the errors. A wildcard at the end of a path is
// the path parameter "*" or "+". Links to a route with an optional parameter, or with
// a wildcard before the end, fail with [verso.ErrPattern]. Values are not compared
// with constraints. In a path such as "/:from-:to", Fiber ends a value at the first
// hyphen: keep hyphens out of it.
func Link(c fiber.Ctx, target verso.Target) (string, error) {
	return adapter.LinkFor(resultOf(c), requestOf(c), target)
}

// URL is [Link] for a response whose handler has no use for the error: it logs the error, once for
// each target, and returns "".
func URL(c fiber.Ctx, target verso.Target) string {
	return adapter.URLFor(resultOf(c), requestOf(c), target)
}

// requestOf returns the request of a link.
func requestOf(c fiber.Ctx) (r source.Request) {
	setRequest(&r, c, nil)
	return r
}

// SameOrigin reports whether a request comes from a page of the service's own origin, by its
// Sec-Fetch-Site field. It is for ExemptFromSunset, so that a service's own UI works after the
// end of a version. Browsers send the field over HTTPS and to localhost only, and any other
// client can send it too.
func SameOrigin(c fiber.Ctx) bool { return c.Get("Sec-Fetch-Site") == "same-origin" }
