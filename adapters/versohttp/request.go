package versohttp

import (
	"net/http"
	"strings"
	"sync"

	verso "github.com/goverso/verso/core"
)

// request presents a request of net/http as a [verso.Request].
type request struct {
	r          *http.Request
	versioning *verso.Versioning
	namespace  string
}

var _ verso.Request = (*request)(nil)

// requests saves the allocation of a request for each HTTP request.
var requests = sync.Pool{New: func() any { return new(request) }}

// acquire takes a request from the pool. The caller releases it.
func acquire(r *http.Request, versioning *verso.Versioning, namespace string) *request {
	presented := requests.Get().(*request)
	*presented = request{r, versioning, namespace}
	return presented
}

// release gives r back to the pool.
func (r *request) release() {
	*r = request{}
	requests.Put(r)
}

func (r *request) AcceptedMediaType() (string, bool) {
	return r.versioning.AcceptedMediaType(r.r.Header["Accept"])
}

// PathParam returns a path argument, which the router has decoded. Where that
// is empty, only the pattern of the route tells an argument from none.
func (r *request) PathParam(name string) (string, bool) {
	if r.r.Method == http.MethodConnect && strings.Contains(r.r.URL.Path, "//") {
		// ServeMux lets an empty segment match a wildcard here, but
		// keeps no value for it: PathValue panics (go.dev/issue/81222).
		return "", false
	}
	value := r.r.PathValue(name)
	return value, value != "" ||
		strings.Contains(r.r.Pattern, "{"+name+"}") || strings.Contains(r.r.Pattern, "{"+name+"...}")
}

func (r *request) QueryParam(name string) (string, bool) {
	return verso.QueryParam(r.r.URL.RawQuery, name)
}

func (r *request) Namespace() string      { return r.namespace }
func (r *request) Host() string           { return r.r.Host }
func (r *request) Version() verso.Version { return Version(r.r) }
