package versohttp

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
)

// Mux is an [http.ServeMux] whose routes have a version, and can have names and
// a namespace. It determines the version of a request when the ServeMux has
// found its route, so that the version can be in the path and the namespace as
// well. Requests that the ServeMux answers by itself, with 404, 405 or a redirect,
// pass untouched.
//
//	v1 := mux.Group("/v1").Namespace("v1")
//	v1.Name("user-list").HandleFunc("GET /users", listUsers)
//	v1.Name("user").HandleFunc("GET /users/{id}", showUser)
//
// The full names of these routes are "v1:user-list" and "v1:user".
//
// What is registered on the embedded ServeMux itself has no version and is
// never rejected: mux.ServeMux.HandleFunc("GET /health", health).
type Mux struct {
	*http.ServeMux
	versioned versioned // what the handlers of all routes have in common
	routes    *route.Registry

	// What the routes get that are registered next.
	prefix    string
	namespace string
	name      string
	options   []verso.RouteOption
}

// NewMux returns a mux without routes. All that is made from it by its methods
// is the same mux, and registers in one place. There is at most one config. It
// panics when api is nil.
func NewMux(api *verso.Versioning, config ...Config) *Mux {
	m, routes := newMiddleware("NewMux", api, config), new(route.Registry)
	m.api = api.WithRoutes(func(verso.Request) *route.Table { return routes.Table() })
	common := versioned{middleware: m, router: &router{notes: true}}
	return &Mux{ServeMux: http.NewServeMux(), versioned: common, routes: routes}
}

// Group returns the same mux, which puts the prefix before the path of all
// patterns, behind the one that it has: "GET /users" in "/v1" is
// "GET /v1/users". It panics when prefix does not begin with a slash, or ends
// with one.
func (m *Mux) Group(prefix string) *Mux {
	if !strings.HasPrefix(prefix, "/") || strings.HasSuffix(prefix, "/") {
		panic(fmt.Errorf("versohttp: Group %q: write the prefix like \"/v1\"", prefix))
	}
	group := *m
	group.prefix, group.name = m.prefix+prefix, ""
	return &group
}

// Namespace returns the same mux in the given namespace, within the one that it
// has: "v1" in "api" is "api:v1". It panics when namespace is empty.
func (m *Mux) Namespace(namespace string) *Mux {
	if namespace == "" {
		panic(fmt.Errorf("versohttp: Namespace %q: write a name such as \"v1\"", namespace))
	}
	group := *m
	group.namespace, group.name = route.Join(m.namespace, namespace), ""
	return &group
}

// Name returns the same mux with a name for the routes that are registered with
// what it returns. Several routes may share a name if they have the same path,
// or other parameters.
func (m *Mux) Name(name string) *Mux {
	group := *m
	group.name = name
	return &group
}

// Handle registers a route as [http.ServeMux.Handle] does. It panics when that
// does, when handler is nil, and when the name of the route stands for another
// path with the same parameters already.
func (m *Mux) Handle(pattern string, handler http.Handler) {
	mustHandle(fmt.Sprintf("Handle %q", pattern), handler)
	pattern, added := m.read(pattern)
	if len(m.options) > 0 {
		plan, err := m.versioned.api.Plan(m.options...)
		if err != nil {
			panic(fmt.Errorf("versohttp: route %s: %w", pattern, err))
		}
		added.Plan = plan
	}
	v := m.versioned
	v.next = handler
	v.route = added.Prepare()
	m.ServeMux.Handle(pattern, &v)
	m.add(added)
}

// HandleFunc registers a route: see [Mux.Handle].
func (m *Mux) HandleFunc(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	m.Handle(pattern, http.HandlerFunc(handler))
}

// LinkOnly gives the name to a path, or to a host and a path, that the mux does
// not serve but links can lead to, since another server or another handler
// serves it:
//
//	mux.Name("avatar").LinkOnly("static.example.com/avatars/{id}")
//
// It panics without a name, and as [Mux.Handle] does, but the pattern may
// conflict with another.
func (m *Mux) LinkOnly(pattern string) {
	if m.name == "" {
		panic(fmt.Errorf("versohttp: LinkOnly %q needs a name: write mux.Name(\"avatar\").LinkOnly(...)", pattern))
	}
	pattern, added := m.read(pattern)
	http.NewServeMux().Handle(pattern, http.NotFoundHandler()) // panics if it is no pattern
	m.add(added)
}

// Link builds the URL of a named route outside of a request, for a job or a mail,
// in the version of the target. It is relative unless the links have an origin.
// The errors are those of [verso.Versioning.Link].
func (m *Mux) Link(target verso.Target) (string, error) { return m.versioned.api.Link(target) }

// add adds a route to those that links can lead to.
func (m *Mux) add(added route.Route) {
	if err := m.routes.Add(added); err != nil {
		panic(fmt.Errorf("versohttp: %w", err))
	}
}

// read returns the pattern with the prefix in it, and the route that it makes. A
// route without a name gets an empty one in its namespace.
func (m *Mux) read(pattern string) (full string, r route.Route) {
	slash := strings.IndexByte(pattern, '/')
	if slash < 0 {
		return pattern, route.Route{} // no pattern: the ServeMux panics
	}
	before, path := pattern[:slash], m.prefix+pattern[slash:]
	host := before[strings.LastIndexAny(before, " \t")+1:]
	method := strings.TrimRight(strings.TrimSuffix(before, host), " \t")
	return before + path, route.Route{Name: route.Join(m.namespace, m.name), Pattern: readPath(path), Host: host, Method: method, Path: path}
}

// readPath reads the path of a pattern. A star at its end is plain text to a
// ServeMux, but not to [route.Braces].
func readPath(path string) route.Pattern {
	slash := strings.LastIndexByte(path, '/') + 1
	if last := path[slash:]; strings.HasSuffix(last, "*") {
		if plain, err := url.PathUnescape(last); err == nil { // else both take it as it is
			last = plain
		}
		path = path[:slash] + url.PathEscape(last)
	}
	return route.Braces(path)
}
