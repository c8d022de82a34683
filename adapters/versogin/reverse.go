package versogin

import (
	"errors"

	"github.com/gin-gonic/gin"

	verso "github.com/goverso/verso/core"
)

// errNoMiddleware is the error of a reversal in a request that was not
// versioned.
var errNoMiddleware = errors.New("versogin: the request did not pass the middleware: install it before the handler")

// Reverse builds the URL of a named route (see [Routes]) in the version of the
// request, or in the version of the target:
//
//	routes.Name("user").GET("/:version/users/:id", showUser)
//	...
//	url, err := versogin.Reverse(c, verso.Target{Name: "user", Kwargs: verso.Kwargs{"id": 7}})
//
// The errors are those of [verso.Versioning.Reverse]; in a request that did not
// pass the middleware it fails too.
func Reverse(c *gin.Context, target verso.Target) (string, error) {
	determined, ok := kept(c)
	if !ok {
		return "", errNoMiddleware
	}
	r := acquire(c, determined.Versioning)
	built, err := determined.Versioning.Reverse(r, c.Request, target)
	r.release()
	return built, err
}

// NewReverse returns a function that builds URLs outside of a request, for a
// job or a mail. They are relative unless the links have an origin, and in the
// version of the target. It panics as [New] does.
func NewReverse(scheme verso.Scheme, opts ...Option) func(verso.Target) (string, error) {
	_, versioning := configure(scheme, opts)
	return func(target verso.Target) (string, error) {
		return versioning.Reverse(nil, nil, target)
	}
}
