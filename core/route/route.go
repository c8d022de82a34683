// Package route names the routes of an application and builds their URL paths:
// from a name and parameters it builds a path that matches the route.
//
// A [Table] is made once from all routes. It is immutable and safe for concurrent
// use, and the cost of a lookup does not grow with the number of routes. The
// package can be used without a framework, and without the rest of Verso.
//
//	table := route.NewTable(
//		route.Route{Name: "user", Pattern: route.Braces("/users/{id}")},
//	)
//	path, err := table.Path("user", map[string]any{"id": 7}) // /users/7
package route

import (
	"slices"
	"strings"

	"github.com/goverso/verso/core/internal/sealed"
)

// Route is a route of a framework.
type Route struct {
	Name    string  // "user-list"; in a namespace "v1:user-list"; "" for a route without a name
	Pattern Pattern // of the paths

	// Host is the host of the route, as it is in the Host header; "" for all hosts that have no routes
	// of their own.
	Host string

	// Method and Path identify the route in the framework. A route that is only a
	// target of links needs neither.
	Method, Path string

	// PrefixVersion is the version in the prefix of the path, or "": routes of the same
	// name may be under several prefixes. Resource identifies the resource: routes of
	// several versions have the same one. It is "" for a route without a prefix.
	PrefixVersion, Resource string

	// RegisteredPath is the path that a service registered, if one registration makes
	// several routes; "" means Path.
	RegisteredPath string

	// AnyMethod is true if the route is one of several that a router has for a single
	// handler of any method.
	AnyMethod bool

	// SharesHandler is true if the handler of the route was registered for other
	// methods of its path as well.
	SharesHandler bool

	// Rewriter rewrites the bodies of older versions, or is nil. This package does not read it.
	Rewriter any

	// Foreign is true if other code has registered the route with the router. Checked is true
	// if a middleware checks its requests nevertheless.
	Foreign, Checked bool

	// Plan holds the options of the route, for the engine that decides on requests, which
	// alone can make one. This package does not read it.
	Plan sealed.Plan

	namespaces   []string // never nil in a table
	samePath     []*Route // in a table
	sameResource []*Route // in a table
}

// Namespace returns the part of the name before its last colon, or "".
func (r Route) Namespace() string { return r.Name[:max(0, strings.LastIndexByte(r.Name, ':'))] }

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

// Prepare returns the route as in a [Table], for requests that matched it:
// [Route.Namespaces] then does not allocate.
func (r Route) Prepare() *Route {
	r.namespaces = nil // a route copied from a table may have those of another name
	if r.namespaces = r.Namespaces(); r.namespaces == nil {
		r.namespaces = []string{}
	}
	return &r
}

// HasName reports whether the route has a name, and not only a namespace as in "v1:".
func (r *Route) HasName() bool { return r.Name != "" && !strings.HasSuffix(r.Name, ":") }

// Join puts a name into a namespace: "v1:user-list". Without a namespace it
// returns the name.
func Join(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + ":" + name
}

// SamePath returns the routes of the [Table] with the host and the path of r,
// whatever their methods and the names of their parameters, including r. Callers
// must not modify the slice.
func (r *Route) SamePath() []*Route { return r.samePath }

// SameResource returns the routes of the [Table] with the same Resource on the host of r.
// Callers must not modify the slice.
func (r *Route) SameResource() []*Route { return r.sameResource }

// IsSamePath reports whether both routes have the same host, paths and parameters.
func (r *Route) IsSamePath(other *Route) bool {
	return r.Host == other.Host && slices.Equal(r.Pattern.names, other.Pattern.names) &&
		r.Pattern.Shape() == other.Pattern.Shape()
}
