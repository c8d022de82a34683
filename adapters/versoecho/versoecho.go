// Package versoecho installs Verso in Echo v4: it registers routes that know their
// API version, and builds links that stay in it.
//
//	api := verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1", "v2"}}))
//	e := echo.New()
//	v := versoecho.New(e, api)
//	v.GET("/:version/users", func(c echo.Context) error {
//		return c.String(http.StatusOK, "users in "+versoecho.Version(c).String())
//	})
//
// A route that v registers has its own version check, which runs directly before its
// handler, after all middleware. Routes that are registered with Echo alone are not
// checked, unless [Routes.Middleware] is installed before them.
//
// Echo gives the last parameter of a pattern all that follows, slashes included.
// So "/users/:version" also matches "/users/v1/x", which asks for the version
// "v1/x": it is rejected, unless every version is served.
package versoecho

import (
	"errors"
	"slices"

	"github.com/labstack/echo/v4"

	verso "github.com/goverso/verso/core"
)

// Skipper exempts requests, as in Echo's own middleware.
type Skipper = func(c echo.Context) bool

// Config configures what is Echo's own. The zero Config is the default.
type Config struct {
	// Skipper exempts requests from [Routes.Middleware]. Routes with a check
	// ignore it.
	// Optional. Default value: nil, none.
	Skipper Skipper

	// Client names who sent a request, for [verso.Usage]: the subject of a
	// token, the name of an API key. It is called when the handler or the
	// rejection has returned.
	// Optional. Default value: nil, clients are not known.
	Client func(c echo.Context) string

	// ErrorHandler answers a rejected request, or returns an error for
	// Echo#HTTPErrorHandler to answer. If it does neither, the default applies.
	// [WriteProblem] answers with application/problem+json.
	// Optional. Default value: nil, which returns an *echo.HTTPError whose
	// Message is the [*verso.Problem], which Echo sends as application/json and
	// fmt prints as its detail, and whose Internal is err. Requests share
	// problems: they must not be modified.
	ErrorHandler func(c echo.Context, err *verso.Error, answer *verso.Answer) error

	// KeepServed names the requests that no sunset and no brownout rejects or
	// moves to another version, such as those of your own UI: their responses
	// only announce it. The check of a route calls it, after all middleware, so
	// [Routes.Middleware] leaves the routes of v to their own check then; it
	// does not call it for routes that other code registers. See [verso.Usage],
	// Kept.
	// Optional. Default value: nil, no request is kept.
	KeepServed func(c echo.Context) bool
}

// WriteProblem is an ErrorHandler that answers with application/problem+json
// (RFC 9457), without Echo#HTTPErrorHandler.
func WriteProblem(c echo.Context, err *verso.Error, answer *verso.Answer) error {
	if c.Response().Committed {
		return httpError(err, answer) // which nobody can answer any more, but middleware sees it
	}
	verso.WriteAnswer(c.Response(), c.Request(), answer)
	return nil
}

// Handlers is a handler for each version: see [Routes.Choose] and [verso.Handlers].
type Handlers = verso.Handlers[echo.HandlerFunc]

// bound is what all groups of an Echo instance share.
type bound struct {
	Config
	router
	binding *verso.Binding
	client  func(c any) string
}

// New returns the routes of an Echo instance, whose API versions api determines. It
// panics if e or api is nil.
func New(e *echo.Echo, api *verso.Versioning, config ...Config) *Routes {
	if e == nil || api == nil {
		panic(errors.New("versoecho: there is no Echo or no versioning: check the error of its constructor"))
	}
	b := &bound{Config: slices.Concat(config, []Config{{}})[0], router: newRouter(e)}
	b.client = verso.ClientFunc(api, b.Client)
	b.binding = api.Bind(&b.router)
	b.watch(b.binding.Changed)
	return &Routes{bound: b, in: e}
}

// check decides on a request to a route, and calls its handler.
func (b *bound) check(c echo.Context, added *verso.Registration, handler echo.HandlerFunc) error {
	var call verso.Call
	call.Request.SetHTTP(c.Request(), c, added.Route())
	call.Kept = b.KeepServed != nil && b.KeepServed(c)
	var prior *verso.Result
	if b.binding.Remembers() {
		prior = resultOf(c)
	}
	result := b.binding.Begin(&call, prior)
	return b.proceed(c, &call, prior, result, handler)
}

// proceed keeps the result of a request, writes the fields of the response, and calls
// what comes next, unless the request is rejected.
func (b *bound) proceed(c echo.Context, call *verso.Call, prior, result *verso.Result, next echo.HandlerFunc) error {
	if result != prior || result == nil { // nothing of an earlier check stays
		c.Set(contextKey, result)
	}
	if call.HasFields() {
		call.SetFields(c.Response().Header())
	}
	if b.binding.Observes() {
		defer func() { call.End(resultOf(c), b.client) }()
	}
	if result == nil {
		return b.reject(c, call)
	}
	return next(c)
}

// reject passes a rejected request to the error handler, or one whose version could
// not be determined, without telling the client why.
func (b *bound) reject(c echo.Context, call *verso.Call) error {
	rejected, answer, ok := call.Rejected()
	if !ok {
		return echo.ErrInternalServerError.WithInternal(call.Err)
	}
	answer.SetFields(c.Response().Header())
	if b.ErrorHandler != nil {
		if err := b.ErrorHandler(c, rejected, answer); err != nil || c.Response().Committed {
			return err
		}
	}
	return httpError(rejected, answer)
}

// httpError puts a rejection on Echo's error path.
func httpError(err *verso.Error, answer *verso.Answer) error {
	return &echo.HTTPError{Code: err.StatusCode(), Message: &answer.Problem, Internal: err}
}

// contextKey is where a check keeps its result in the context of Echo. It is short,
// since Echo hashes it in each request.
const contextKey = "verso"

func resultOf(c echo.Context) *verso.Result {
	result, _ := c.Get(contextKey).(*verso.Result)
	return result
}

// Version returns the version of the request, the zero Version if it has none. If the
// request was not checked, it returns the zero Version and logs that once.
func Version(c echo.Context) verso.Version { return resultOf(c).Version() }

// AtLeast reports whether the version of the request is the given one or a later
// one: see [verso.Result.AtLeast].
func AtLeast(c echo.Context, version string) bool { return resultOf(c).AtLeast(version) }

// ContentType returns the vendor media type of a response in the version of the
// request: see [verso.Result.ContentType].
func ContentType(c echo.Context, resource string) (string, error) {
	return resultOf(c).ContentType(resource)
}

// Link builds the URL of a route in the version of the request, or in that of the
// target. Routes are named by Echo's own Route.Name:
//
//	v.GET("/:version/users/:id", showUser).Name = "user"
//	...
//	url, err := versoecho.Link(c, verso.Target{Name: "user", Params: verso.Params{"id": 7}})
//
// The errors are those of [verso.Result.Link].
func Link(c echo.Context, target verso.Target) (string, error) {
	var r verso.Request
	r.SetHTTP(c.Request(), c, nil)
	return resultOf(c).Link(r, target)
}
