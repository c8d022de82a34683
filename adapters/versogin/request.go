package versogin

import (
	"strings"
	"sync"

	"github.com/gin-gonic/gin"

	verso "github.com/goverso/verso/core"
)

// request presents Gin's context as a [verso.Request].
type request struct {
	c          *gin.Context
	versioning *verso.Versioning
}

var _ verso.Request = (*request)(nil)

// requests saves the allocation of a request for each HTTP request.
var requests = sync.Pool{New: func() any { return new(request) }}

// acquire takes a request from the pool. The caller releases it.
func acquire(c *gin.Context, versioning *verso.Versioning) *request {
	r := requests.Get().(*request)
	*r = request{c, versioning}
	return r
}

// release gives r back to the pool.
func (r *request) release() {
	*r = request{}
	requests.Put(r)
}

func (r *request) AcceptedMediaType() (string, bool) {
	return r.versioning.AcceptedMediaType(r.c.Request.Header["Accept"])
}

// PathParam returns a path argument, which Gin has decoded. The value of a
// "*path" begins with a slash that is not part of the argument.
func (r *request) PathParam(name string) (string, bool) {
	value, ok := r.c.Params.Get(name)
	if strings.HasPrefix(value, "/") && strings.HasSuffix(r.c.FullPath(), "/*"+name) {
		value = value[1:]
	}
	return value, ok
}

func (r *request) QueryParam(name string) (string, bool) {
	return verso.QueryParam(r.c.Request.URL.RawQuery, name)
}

func (r *request) Namespace() string {
	table, path := r.versioning.Table(r), r.c.FullPath()
	matched, ok := table.Lookup("", r.c.Request.Method, path)
	if !ok {
		// A middleware has changed the method after routing, or the route
		// has no name.
		if matched, ok = table.LookupPath("", path); !ok {
			return ""
		}
	}
	return matched.Namespace()
}

func (r *request) Host() string           { return r.c.Request.Host }
func (r *request) Version() verso.Version { return Version(r.c) }
