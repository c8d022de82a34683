// Package route names the routes of an application and builds their URL paths:
// from a name and parameters it makes a path that leads to the route.
//
// A [Table] is made once of all routes and does not change; it is safe for
// concurrent use, and the cost of a look-up does not grow with the number of
// routes. The package is useful alone: it depends on no framework and nothing
// else of Verso.
//
//	table := route.NewTable(
//		route.Route{Name: "user", Pattern: route.Braces("/users/{id}")},
//	)
//	path, err := table.Path("user", map[string]any{"id": 7}) // /users/7
package route

import "strings"

// Route is a route of a framework.
type Route struct {
	Name    string  // "user-list"; in a namespace "v1:user-list"; "" for a route without a name
	Pattern Pattern // what the paths of the route look like

	// Host is the host that the route is for, as the Host header names it;
	// "" for all hosts that have no routes of their own.
	Host string

	// Method and Path are what the framework knows the route by. A route that is
	// only linked to needs neither.
	Method, Path string

	// Space is the version in the prefix of the path, "" for none: routes of one
	// name may be in several. Twin is what the paths of such routes have in
	// common, "" for none.
	Space, Twin string

	// As is the path under which a service has registered the route, where it is
	// registered under several; "" is Path.
	As string

	// AnyMethod says that the route is one of several that a router has for one
	// handler of any method.
	AnyMethod bool

	// Foreign says that the router has the route, but nobody has described it.
	Foreign bool

	// Plan is what its owner says of the route besides its path: this package
	// does not look at it.
	Plan any

	namespaces []string // not nil in a table
	samePath   []*Route // in a table
	twins      []*Route // in a table
}

// Namespace returns the part of the name before its last colon, "" for none.
func (r Route) Namespace() string {
	return r.Name[:max(0, strings.LastIndexByte(r.Name, ':'))]
}

// Namespaces returns the namespaces of the name, outermost first: "api" and
// "v1" of "api:v1:user-list". Callers must not modify the slice. For a route
// of a [Table] it allocates nothing.
func (r *Route) Namespaces() []string {
	if r.namespaces != nil {
		return r.namespaces
	}
	if namespace := r.Namespace(); namespace != "" {
		return strings.Split(namespace, ":")
	}
	return nil
}

// Prepare returns the route as it is in a [Table], for requests that matched it:
// its [Route.Namespaces] allocate nothing.
func (r Route) Prepare() *Route {
	r.prepare()
	return &r
}

func (r *Route) prepare() {
	r.namespaces = nil // those of another name, when it was copied from a table
	if r.namespaces = r.Namespaces(); r.namespaces == nil {
		r.namespaces = []string{}
	}
}

// HasName reports whether the route has a name, not only a namespace as "v1:".
func (r *Route) HasName() bool {
	return r.Name != "" && !strings.HasSuffix(r.Name, ":")
}

// Join puts a name into a namespace: "v1:user-list". Without a namespace it
// returns the name.
func Join(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + ":" + name
}

// SamePath returns the routes of the [Table] that have the path of r on its host,
// whatever their method and the names of their parameters, r included. Callers must
// not modify the slice.
func (r *Route) SamePath() []*Route { return r.samePath }

// Twins returns the routes of the [Table] with the same Twin on the host of r.
// Callers must not modify the slice.
func (r *Route) Twins() []*Route { return r.twins }

// IsSamePath reports whether both routes have the same host, paths and parameters.
func (r *Route) IsSamePath(other *Route) bool {
	return r.Host == other.Host && r.Pattern.equal(&other.Pattern)
}

// shape returns what two routes of the same path have in common.
func (r *Route) shape() string { return r.Host + " " + r.Pattern.Shape() }
