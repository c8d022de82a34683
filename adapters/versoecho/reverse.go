package versoecho

import (
	"errors"

	"github.com/labstack/echo/v4"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
)

// errNoMiddleware is the error of a reversal in a request that was not
// versioned.
var errNoMiddleware = errors.New("versoecho: the request did not pass the middleware: install it before the handler")

// Reverse builds the URL of a route in the version of the request, or in the
// version of the target. Routes are named by Echo's own Route.Name, in which a
// colon separates the namespace:
//
//	e.GET("/:version/users/:id", showUser).Name = "user"
//	...
//	url, err := versoecho.Reverse(c, verso.Target{Name: "user", Kwargs: verso.Kwargs{"id": 7}})
//
// The errors are those of [verso.Versioning.Reverse]; in a request that did not
// pass the middleware it fails too.
func Reverse(c echo.Context, target verso.Target) (string, error) {
	determined, ok := c.Get(contextKey).(*verso.Determined)
	if !ok {
		return "", errNoMiddleware
	}
	r := acquire(c, determined.Versioning, nil)
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
