package versoecho5

import (
	"errors"

	"github.com/labstack/echo/v5"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
)

// errNoMiddleware is the error of a reversal in a request that was not
// versioned.
var errNoMiddleware = errors.New("versoecho5: the request did not pass the middleware: install it before the handler")

// Reverse builds the URL of a route in the version of the request, or in the
// version of the target. Routes are named by Echo's own Route.Name, in which a
// colon separates the namespace:
//
//	e.AddRoute(echo.Route{Method: http.MethodGet, Path: "/:version/users/:id", Name: "user", Handler: showUser})
//	...
//	url, err := versoecho5.Reverse(c, verso.Target{Name: "user", Kwargs: verso.Kwargs{"id": 7}})
//
// The errors are those of [verso.Versioning.Reverse]; in a request that did not
// pass the middleware it fails too.
//
// Looking up a name takes the same time for any number of routes, but for other
// routers than Echo's own [*echo.DefaultRouter]: the routes of an
// [echo.NewConcurrentRouter] can change at any time, so they are compared each
// time.
func Reverse(c *echo.Context, target verso.Target) (string, error) {
	determined, ok := c.Get(contextKey).(*verso.Determined)
	if !ok {
		return "", errNoMiddleware
	}
	r := acquire(c, determined.Versioning)
	r.reversing = true
	built, err := determined.Versioning.Reverse(r, c.Request(), target)
	r.release()
	return built, err
}

// ToReverse returns a function that builds URLs outside of a request, for a job
// or a mail. They are relative unless Config sets an origin, and in the version
// of the target. It fails on the configuration that ToMiddleware fails on.
func (config Config) ToReverse(e *echo.Echo) (func(verso.Target) (string, error), error) {
	routes := new(routes)
	versioning, err := config.versioning(func(verso.Request) *route.Table { return routes.of(e).table })
	if err != nil {
		return nil, err
	}
	return func(target verso.Target) (string, error) {
		return versioning.Reverse(nil, nil, target)
	}, nil
}
