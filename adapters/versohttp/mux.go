package versohttp

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/goverso/verso/core/route"
)

// Mux is an [http.ServeMux] whose routes have a version, and can have names and
// a namespace. It determines the version of a request when the ServeMux has
// found its route, so that each scheme can read what it needs. Requests that
// match no route, and those that the ServeMux redirects, get its own answer.
//
//	v1 := mux.Group("/v1").Namespace("v1")
//	v1.Name("user-list").HandleFunc("GET /users", listUsers)
//	v1.Name("user").HandleFunc("GET /users/{id}", showUser)
//
// The full names of these routes are "v1:user-list" and "v1:user".
//
// What is registered on the embedded ServeMux itself has no version and is
// never refused: mux.ServeMux.HandleFunc("GET /health", health).
type Mux struct {
	*http.ServeMux
	middleware *middleware
	routes     *route.Registry
	prefix     string
	namespace  string
	name       string
}

var _ http.Handler = (*Mux)(nil)

// NewMux returns a mux without routes. All that is made from it by its methods
// is the same mux, and registers in one place.
//
// It fails without a scheme, with text in Produces that is not a media type,
// and with invalid Links or Strict.
func NewMux(config Config) (*Mux, error) {
	routes := new(route.Registry)
	middleware, err := config.middleware(routes)
	if err != nil {
		return nil, err
	}
	return &Mux{ServeMux: http.NewServeMux(), middleware: middleware, routes: routes}, nil
}

// Group returns the same mux, which puts the prefix before the path of all
// patterns, behind the one that it has: "GET /users" in "/v1" is
// "GET /v1/users". It panics when prefix does not begin with a slash, or ends
// with one.
func (m *Mux) Group(prefix string) *Mux {
	if !strings.HasPrefix(prefix, "/") || strings.HasSuffix(prefix, "/") {
		panic(fmt.Errorf("versohttp: Group %q: write the prefix like \"/v1\"", prefix))
	}
	return &Mux{m.ServeMux, m.middleware, m.routes, m.prefix + prefix, m.namespace, ""}
}

// Namespace returns the same mux in the given namespace, within the one that it
// has: "v1" in "api" is "api:v1". It panics when namespace is empty.
func (m *Mux) Namespace(namespace string) *Mux {
	if namespace == "" {
		panic(`versohttp: Namespace needs a name, such as "v1"`)
	}
	return &Mux{m.ServeMux, m.middleware, m.routes, m.prefix, route.Join(m.namespace, namespace), ""}
}

// Name returns the same mux with a name for the routes that are registered with
// what it returns. Several routes may share a name if they have the same path,
// or other parameters.
func (m *Mux) Name(name string) *Mux {
	return &Mux{m.ServeMux, m.middleware, m.routes, m.prefix, m.namespace, name}
}

// Handle registers a route as [http.ServeMux.Handle] does. It panics when that
// does, and when the name of the route stands for another path with the same
// parameters already.
func (m *Mux) Handle(pattern string, handler http.Handler) {
	if f, ok := handler.(http.HandlerFunc); handler == nil || ok && f == nil {
		panic("versohttp: nil handler")
	}
	pattern, registered := m.route(pattern)
	m.ServeMux.Handle(pattern, m.middleware.wrap(handler, registered.Namespace()))
	m.add(registered)
}

// HandleFunc registers a route: see [Mux.Handle].
func (m *Mux) HandleFunc(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	m.Handle(pattern, http.HandlerFunc(handler))
}

// BuildOnly gives the name to a path, or to a host and a path, that the mux
// does not serve but [Reverse] can build, since another server or another
// handler serves it:
//
//	mux.Name("avatar").BuildOnly("static.example.com/avatars/{id}")
//
// It panics without a name, and as [Mux.Handle] does, but the pattern may
// conflict with another.
func (m *Mux) BuildOnly(pattern string) {
	if m.name == "" {
		panic(`versohttp: BuildOnly needs a name: write mux.Name("avatar").BuildOnly(...)`)
	}
	pattern, named := m.route(pattern)
	http.NewServeMux().Handle(pattern, http.NotFoundHandler()) // panics if it is no pattern
	m.add(named)
}

// add adds a route to those that can be reversed.
func (m *Mux) add(r route.Route) {
	if err := m.routes.Add(r); err != nil {
		panic(fmt.Errorf("versohttp: %w", err))
	}
}

// route returns the pattern with the prefix in it, and the route that it makes.
// A route without a name gets an empty one in its namespace.
func (m *Mux) route(pattern string) (full string, r route.Route) {
	slash := strings.IndexByte(pattern, '/')
	if slash < 0 {
		return pattern, route.Route{} // no pattern: the ServeMux panics
	}
	methodAndHost, path := pattern[:slash], m.prefix+pattern[slash:]
	return methodAndHost + path, route.Route{
		Host:    methodAndHost[strings.LastIndexAny(methodAndHost, " \t")+1:],
		Name:    route.Join(m.namespace, m.name),
		Pattern: readPath(path),
	}
}

// readPath reads the path of a pattern. A star at its end is plain text to a
// ServeMux, but not to [route.Braces].
func readPath(path string) route.Pattern {
	text, ok := strings.CutSuffix(path, "*")
	if !ok {
		return route.Braces(path)
	}
	start := strings.LastIndexByte(text, '/') + 1
	if _, err := url.PathUnescape(text[start:]); err != nil { // then both take the segment as it stands
		text = text[:start] + url.PathEscape(text[start:])
	}
	return route.Braces(text + "%2A")
}
