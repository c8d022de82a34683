// Package versoecho5 installs Verso in Echo v5: a middleware that determines
// the API version of each request.
//
//	scheme, err := verso.NewURLPath(verso.Settings{AllowedVersions: []string{"v1", "v2"}})
//	...
//	e := echo.New()
//	e.Use(versoecho5.Middleware(scheme))
//	e.GET("/:version/users", func(c *echo.Context) error {
//		return c.String(http.StatusOK, versoecho5.Version(c).String())
//	})
package versoecho5

import (
	"errors"
	"fmt"

	"github.com/labstack/echo/v5"
	"github.com/labstack/echo/v5/middleware"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
)

// contextKey is where the middleware keeps its result in the context of Echo. It
// is short, since the framework hashes it in each request: 5 ns against 44 bytes.
const contextKey = "verso.determined"

// Config defines the config for the Verso middleware.
type Config struct {
	// Skipper defines a function to skip middleware.
	// Optional. Default value middleware.DefaultSkipper.
	Skipper middleware.Skipper

	// Scheme determines the version of a request.
	// Required.
	Scheme verso.Scheme

	// Produces lists the media types that the service can answer with, the
	// preferred one first. The Accept scheme negotiates among them; the
	// other schemes do not read it.
	// Optional. Default value empty: every media type is acceptable.
	Produces []string

	// Links says what the URLs begin with that Reverse builds.
	// Optional. Default value: the scheme and the host of the request.
	Links verso.LinkConfig

	// Strict refuses requests that the specification lets through.
	// Optional. Default value: refuses none.
	Strict verso.Strictness

	// Translator translates the messages of refusals.
	// Optional. Default value: nil, the messages are in English.
	Translator verso.Translator

	// HideAllowedVersions leaves the allowed versions out of the body of a
	// refusal.
	// Optional. Default value: false.
	HideAllowedVersions bool

	// ErrorHandler answers a refusal, or returns an error for
	// Echo#HTTPErrorHandler to answer. The problem is the body that it would
	// have, its texts translated. When it does neither, the default does.
	// Optional. Default value: returns an *HTTPError of both.
	ErrorHandler func(c *echo.Context, err *verso.Error, problem verso.Problem) error
}

var _ echo.MiddlewareConfigurator = Config{}

// Middleware returns a middleware that determines the version of each request
// with the given scheme and keeps it for [Version]. A request for a version
// that is not served is refused with an [*HTTPError], which wraps a
// [*verso.Error]. Requests that match no route pass untouched.
//
// Install it with Echo#Use, or on a group or a route. Before the router, with
// Echo#Pre, there is no route yet and it does nothing. The hosts of
// echo.NewVirtualHostHandler are Echo instances of their own: install it in
// each.
//
// A refused request goes no further, so what must see or mark refusals too
// comes before: the request logger, the request ID, and CORS. Without the header
// fields of CORS a script cannot read a refusal, and a preflight would itself be
// refused where a route for OPTIONS or for any method matches it. Recover, gzip,
// body limits and timeouts may come before or after. Rewrite and MethodOverride
// belong before the router, with Echo#Pre: after it they change the request that
// the version is read from, but not the route.
//
// It panics when scheme is nil.
func Middleware(scheme verso.Scheme) echo.MiddlewareFunc {
	return MiddlewareWithConfig(Config{Scheme: scheme})
}

// MiddlewareWithConfig returns a Verso middleware with config: see
// [Middleware]. It panics on an invalid config.
func MiddlewareWithConfig(config Config) echo.MiddlewareFunc {
	mw, err := config.ToMiddleware()
	if err != nil {
		panic(err)
	}
	return mw
}

// ToMiddleware converts Config to middleware or returns an error for invalid
// configuration: without a scheme, with text in Produces that is not a media
// type, or with invalid Links or Strict.
func (config Config) ToMiddleware() (echo.MiddlewareFunc, error) {
	routes := new(routes)
	versioning, err := config.versioning(func(r verso.Request) *route.Table {
		return routes.of(r.(*request).c.Echo()).table
	})
	if err != nil {
		return nil, err
	}
	if config.Skipper == nil {
		config.Skipper = middleware.DefaultSkipper
	}
	if config.ErrorHandler == nil {
		config.ErrorHandler = httpError
	}

	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c *echo.Context) error {
			if config.Skipper(c) {
				return next(c)
			}
			namespace, matched := routes.match(c)
			if !matched {
				return next(c)
			}
			determined, err := determine(c, versioning, namespace)
			if err != nil {
				return refuse(c, err, versioning, config.ErrorHandler)
			}
			c.Set(contextKey, determined)
			return next(c)
		}
	}, nil
}

func (config Config) versioning(routes func(verso.Request) *route.Table) (*verso.Versioning, error) {
	versioning, err := verso.NewVersioning(verso.VersioningConfig{
		Scheme:   config.Scheme,
		Produces: config.Produces,
		Links:    config.Links,
		Strict:   config.Strict,
		Routes:   routes,

		Translator:          config.Translator,
		HideAllowedVersions: config.HideAllowedVersions,
	})
	if err != nil {
		return nil, fmt.Errorf("versoecho5: %w", err)
	}
	return versioning, nil
}

// determine presents the request to the versioning.
func determine(c *echo.Context, versioning *verso.Versioning, namespace string) (*verso.Determined, error) {
	r := acquire(c, versioning)
	r.namespace = namespace
	determined, err := versioning.Determine(r, c.Request(), c.Response().Header())
	r.release()
	return determined, err
}

// refuse hands a refusal to the error handler. Another error is a programming
// error, which Echo answers with status 500.
func refuse(c *echo.Context, err error, versioning *verso.Versioning,
	handle func(*echo.Context, *verso.Error, verso.Problem) error,
) error {
	refusal, ok := errors.AsType[*verso.Error](err)
	if !ok {
		return err
	}
	problem := versioning.Problem(refusal, c.Request().Header, c.Response().Header())
	err = handle(c, refusal, problem)
	if err == nil && !committed(c) {
		return httpError(c, refusal, problem) // or the refusal would become an empty 200
	}
	return err
}

// committed reports whether the response has begun, as far as that can be told.
func committed(c *echo.Context) bool {
	response, err := echo.UnwrapResponse(c.Response())
	return err != nil || response.Committed
}

// Version returns the version that the middleware determined for the request,
// none when it has none or did not pass the middleware.
func Version(c *echo.Context) verso.Version {
	if determined, ok := c.Get(contextKey).(*verso.Determined); ok {
		return determined.Version
	}
	return verso.Version{}
}
