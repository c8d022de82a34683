// Package versoecho installs Verso in Echo v4: it registers routes that know their
// API version, and builds links that stay in it.
//
//	api := verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
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
	"fmt"
	"reflect"

	"github.com/labstack/echo/v4"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/source"
)

// Skipper exempts requests, as in Echo's own middleware.
type Skipper = func(c echo.Context) bool

// Config configures what is Echo's own. The zero Config is the default.
type Config struct {
	// Skipper exempts requests from [Routes.Middleware]. Routes with a check
	// ignore it.
	// Optional. Default value: nil, none.
	Skipper Skipper

	// Client names who sent a request, for [verso.Observation]: the subject of a
	// token, the name of an API key. It is called when the handler or the
	// rejection has returned.
	// Optional. Default value: nil, clients are not known.
	Client func(c echo.Context) string

	// ErrorHandler answers a rejected request, or returns an error for
	// Echo#HTTPErrorHandler to answer. If it does neither, the default applies.
	// [WriteProblem] answers with application/problem+json.
	// Optional. Default value: nil, which returns an *echo.HTTPError whose
	// Message is the [*verso.Problem], which Echo sends as application/json and
	// fmt prints as its detail, and whose Internal is err.
	ErrorHandler func(c echo.Context, err *verso.Error, answer *verso.Answer) error

	// ExemptFromSunset names the requests that no sunset and no brownout rejects or
	// moves to another version, such as those of your own UI: their responses only
	// announce it. The check of a route calls it, after all middleware.
	// [Routes.Middleware] does not: routes that other code registers have no such
	// requests. See [verso.Observation], Exempt. Optional. Default value: nil, no
	// request is exempt.
	ExemptFromSunset func(c echo.Context) bool
}

// WriteProblem is an ErrorHandler that answers with application/problem+json
// (RFC 9457), without Echo#HTTPErrorHandler.
func WriteProblem(c echo.Context, err *verso.Error, answer *verso.Answer) error {
	if c.Response().Committed {
		return httpError(answer, err) // the response is already committed, but middleware sees the error
	}
	answer.ServeHTTP(c.Response(), c.Request())
	return nil
}

// problemType returns the media type of the answers to rejected requests, "" if it is not
// known.
func (c *Config) problemType() string {
	switch {
	case c.ErrorHandler == nil:
		return echo.MIMEApplicationJSON
	case reflect.ValueOf(c.ErrorHandler).Pointer() == reflect.ValueOf(WriteProblem).Pointer():
		return verso.ProblemType
	}
	return ""
}

// Handlers is a handler for each version: see [Routes.HandleVersions] and [verso.Handlers].
type Handlers = verso.Handlers[echo.HandlerFunc]

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

// InContext is a middleware for [Routes.AfterCheck], and for what runs behind
// [Routes.Middleware]: handlers that get only a [context.Context], such as those of
// generated servers, find the version of the request and its links in it, with
// [verso.FromContext].
func InContext(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		c.SetRequest(c.Request().WithContext(adapter.NewContext(resultOf(c), requestOf(c))))
		return next(c)
	}
}

// Link builds the URL of a route in the version of the request, or in that of the
// target. Routes are named by Echo's own Route.Name:
//
//	v.GET("/:version/users/:id", showUser).Name = "user"
//	...
//	url, err := versoecho.Link(c, verso.Target{Name: "user", Params: verso.Params{"id": 7}})
//
// It returns the errors of [verso.Result.Link].
func Link(c echo.Context, target verso.Target) (string, error) {
	return adapter.LinkFor(resultOf(c), requestOf(c), target)
}

// URL is [Link] for a response whose handler has no use for the error: it logs the error, once for
// each target, and returns "".
func URL(c echo.Context, target verso.Target) string {
	return adapter.URLFor(resultOf(c), requestOf(c), target)
}

// requestOf returns the request of a link.
func requestOf(c echo.Context) (r source.Request) {
	r.SetHTTP(c.Request(), c, nil)
	return r
}

// SameOrigin reports whether a request comes from a page of the service's own origin, by its
// Sec-Fetch-Site field. It is for ExemptFromSunset, so that a service's own UI works after the
// end of a version. Browsers send the field over HTTPS and to localhost only, and any other
// client can send it too.
func SameOrigin(c echo.Context) bool {
	return c.Request().Header.Get("Sec-Fetch-Site") == "same-origin"
}

func fail(format string, args ...any) { panic(fmt.Errorf("versoecho: "+format, args...)) }

// httpError puts an answer on Echo's error path.
func httpError(answer *verso.Answer, err error) error {
	return &echo.HTTPError{Code: answer.Problem.Status, Message: &answer.Problem, Internal: err}
}
