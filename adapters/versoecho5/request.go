package versoecho5

import (
	"sync"

	"github.com/labstack/echo/v5"

	verso "github.com/goverso/verso/core"
)

// request presents Echo's context as a [verso.Request].
type request struct {
	c          *echo.Context
	versioning *verso.Versioning
	namespace  string
	reversing  bool // the namespace was not looked up: schemes seldom ask for it then
}

var _ verso.Request = (*request)(nil)

// requests saves the allocation of a request for each HTTP request.
var requests = sync.Pool{New: func() any { return new(request) }}

// acquire takes a request from the pool. The caller releases it.
func acquire(c *echo.Context, versioning *verso.Versioning) *request {
	r := requests.Get().(*request)
	r.c, r.versioning = c, versioning
	return r
}

// release gives r back to the pool.
func (r *request) release() {
	*r = request{}
	requests.Put(r)
}

func (r *request) AcceptedMediaType() (string, bool) {
	return r.versioning.AcceptedMediaType(r.c.Request().Header["Accept"])
}

func (r *request) PathParam(name string) (string, bool) {
	return pathParam(r.c, name)
}

func (r *request) QueryParam(name string) (string, bool) {
	return verso.QueryParam(r.c.Request().URL.RawQuery, name)
}

func (r *request) Namespace() string {
	if r.reversing {
		return namespaceOf(r.c.RouteInfo())
	}
	return r.namespace
}

func (r *request) Host() string           { return r.c.Request().Host }
func (r *request) Version() verso.Version { return Version(r.c) }
