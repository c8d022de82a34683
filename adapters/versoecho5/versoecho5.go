// Package versoecho5 installs Verso in Echo v5: it registers routes that know their
// API version, and builds links that stay in it.
//
//	api := verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
//	e := echo.New()
//	v := versoecho5.New(e, api)
//	v.GET("/:version/users", func(c *echo.Context) error {
//		return c.String(http.StatusOK, "users in "+versoecho5.Version(c).String())
//	})
//
// A route that v registers has its own version check, which runs directly before its
// handler, after all middleware. Routes that are registered with Echo alone are not
// checked, unless [Routes.Middleware] is installed before them.
//
// Echo gives the last parameter of a pattern all that follows, slashes included.
// So "/users/:version" also matches "/users/v1/x", which asks for the version
// "v1/x": it is rejected, unless every version is served.
package versoecho5

import (
	"fmt"
	"reflect"

	"github.com/labstack/echo/v5"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/source"
)

// Skipper exempts requests, as in Echo's own middleware.
type Skipper = func(c *echo.Context) bool

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
	Client func(c *echo.Context) string

	// ErrorHandler answers a rejected request, or returns an error for
	// Echo#HTTPErrorHandler to answer. If it does neither, the default applies.
	// [WriteProblem] answers with application/problem+json.
	// Optional. Default value: nil, which returns an [*HTTPError], which Echo
	// sends as application/json.
	ErrorHandler func(c *echo.Context, err *verso.Error, answer *verso.Answer) error

	// ExemptFromSunset names the requests that no sunset and no brownout rejects or
	// moves to another version, such as those of your own UI: their responses only
	// announce it. The check of a route calls it, after all middleware.
	// [Routes.Middleware] does not: routes that other code registers have no such
	// requests. See [verso.Observation], Exempt. Optional. Default value: nil, no
	// request is exempt.
	ExemptFromSunset func(c *echo.Context) bool
}

// WriteProblem is an ErrorHandler that answers with application/problem+json
// (RFC 9457), without Echo#HTTPErrorHandler.
func WriteProblem(c *echo.Context, err *verso.Error, answer *verso.Answer) error {
	if committed(c) {
		return &HTTPError{err, answer} // the response is already committed, but middleware sees the error
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

// HTTPError is a rejected request on Echo's error path: an error with a status
// and a body. Echo's own [*echo.HTTPError] has no place for a body other than
// {"message": ...}.
type HTTPError struct {
	Err    *verso.Error
	Answer *verso.Answer
}

var _ echo.HTTPStatusCoder = (*HTTPError)(nil)

// Error returns the English message of the rejection.
func (e *HTTPError) Error() string { return e.Err.Error() }

// Unwrap returns the rejection.
func (e *HTTPError) Unwrap() error { return e.Err }

// StatusCode returns the HTTP status of the rejection.
func (e *HTTPError) StatusCode() int { return e.Err.StatusCode() }

// MarshalJSON returns the body, problem details (RFC 9457).
func (e *HTTPError) MarshalJSON() ([]byte, error) { return e.Answer.MarshalJSON() }

// contextKey is where a check keeps its result in the context of Echo. It is short,
// since Echo hashes it in each request.
const contextKey = "verso"

func resultOf(c *echo.Context) *verso.Result {
	result, _ := c.Get(contextKey).(*verso.Result)
	return result
}

// Version returns the version of the request, the zero Version if it has none. If the
// request was not checked, it returns the zero Version and logs that once.
func Version(c *echo.Context) verso.Version { return resultOf(c).Version() }

// AtLeast reports whether the version of the request is the given one or a later
// one: see [verso.Result.AtLeast].
func AtLeast(c *echo.Context, version string) bool { return resultOf(c).AtLeast(version) }

// ContentType returns the vendor media type of a response in the version of the
// request: see [verso.Result.ContentType].
func ContentType(c *echo.Context, resource string) (string, error) {
	return resultOf(c).ContentType(resource)
}

// InContext is a middleware for [Routes.AfterCheck], and for what runs behind
// [Routes.Middleware]: handlers that get only a [context.Context], such as those of
// generated servers, find the version of the request and its links in it, with
// [verso.FromContext].
func InContext(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c *echo.Context) error {
		c.SetRequest(c.Request().WithContext(adapter.NewContext(resultOf(c), requestOf(c))))
		return next(c)
	}
}

// Link builds the URL of a named route (see [Routes.Name]) in the version of the
// request, or in that of the target:
//
//	url, err := versoecho5.Link(c, verso.Target{Name: "user", Params: verso.Params{"id": 7}})
//
// It returns the errors of [verso.Result.Link]. It takes the same time for any number
// of routes, except with a router other than Echo's own [*echo.DefaultRouter]: the
// routes of an [echo.NewConcurrentRouter] can change, so they are compared each time.
func Link(c *echo.Context, target verso.Target) (string, error) {
	return adapter.LinkFor(resultOf(c), requestOf(c), target)
}

// URL is [Link] for a response whose handler has no use for the error: it logs the error, once for
// each target, and returns "".
func URL(c *echo.Context, target verso.Target) string {
	return adapter.URLFor(resultOf(c), requestOf(c), target)
}

// requestOf returns the request of a link.
func requestOf(c *echo.Context) (r source.Request) {
	r.SetHTTP(c.Request(), c, nil)
	return r
}

// SameOrigin reports whether a request comes from a page of the service's own origin, by its
// Sec-Fetch-Site field. It is for ExemptFromSunset, so that a service's own UI works after the
// end of a version. Browsers send the field over HTTPS and to localhost only, and any other
// client can send it too.
func SameOrigin(c *echo.Context) bool {
	return c.Request().Header.Get("Sec-Fetch-Site") == "same-origin"
}

func fail(format string, args ...any) { panic(fmt.Errorf("versoecho5: "+format, args...)) }

// committed reports whether the response has begun, as far as that can be known.
func committed(c *echo.Context) bool {
	response, err := echo.UnwrapResponse(c.Response())
	return err != nil || response.Committed
}
