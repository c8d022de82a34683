// Package route builds URL paths from named routes: the way back from a name
// and its arguments to a path that leads to the route.
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

import (
	"fmt"
	"slices"
	"strings"
)

// Route is a route of a framework.
type Route struct {
	Name    string  // "user-list"; in a namespace "v1:user-list"; "" for a route without a name
	Pattern Pattern // what the paths of the route look like

	// Host is the host that the route is for, as the Host header names it;
	// "" for all hosts that have no routes of their own.
	Host string

	// Method and Path are what the framework knows the route by, for
	// [Table.Lookup]. A table that is only built from needs neither.
	Method, Path string
}

// Namespace returns the part of the name before its last colon, "" for none.
func (r Route) Namespace() string {
	return r.Name[:max(0, strings.LastIndexByte(r.Name, ':'))]
}

// hasName reports whether the route has a name, not only a namespace.
func (r *Route) hasName() bool {
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

// Table is an immutable table of routes.
type Table struct {
	byName map[string][]*Route
	byPath map[string][]*Route
	hosts  map[string]bool
}

// NewTable returns a table of the given routes. Several routes of a host may
// share a name: they are told apart by their parameters. Routes with the same
// name and the same path (one for GET, one for POST) count as one; with the same
// name and parameters but different paths the name is ambiguous, and building
// from it fails: see [Table.Ambiguous].
func NewTable(routes ...Route) *Table {
	t := &Table{
		byName: make(map[string][]*Route),
		byPath: make(map[string][]*Route),
		hosts:  make(map[string]bool),
	}
	for _, r := range routes {
		t.byPath[r.Path] = append(t.byPath[r.Path], &r)
		if r.Host != "" {
			t.hosts[r.Host] = true
		}
		if r.hasName() && !slices.ContainsFunc(t.byName[r.Name], r.samePath) {
			t.byName[r.Name] = append(t.byName[r.Name], &r)
		}
	}
	return t
}

// samePath reports whether both routes build the same paths on the same host.
func (r *Route) samePath(other *Route) bool {
	return r.Host == other.Host && r.Pattern.String() == other.Pattern.String()
}

// Lookup returns the route that a framework knows by a method and a path in its
// own syntax, on a host or, where the host has no routes of its own, on all.
func (t *Table) Lookup(host, method, path string) (r *Route, ok bool) {
	host = t.hostOfRoutes(host)
	for _, r := range t.byPath[path] {
		if r.Method == method && r.Host == host {
			return r, true
		}
	}
	return nil, false
}

// LookupPath returns a route that a framework knows by a path, whatever its
// method, on a host: see [Table.Lookup].
func (t *Table) LookupPath(host, path string) (r *Route, ok bool) {
	host = t.hostOfRoutes(host)
	for _, r := range t.byPath[path] {
		if r.Host == host {
			return r, true
		}
	}
	return nil, false
}

// hostOfRoutes returns the host if it has routes of its own, else "".
func (t *Table) hostOfRoutes(host string) string {
	if len(t.hosts) == 0 || !t.hosts[host] {
		return ""
	}
	return host
}

// Ambiguous returns an error that names two routes with one name and the same
// parameters, but other paths; nil when there are none.
func (t *Table) Ambiguous() error {
	names := make([]string, 0, len(t.byName))
	for name := range t.byName {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if err := ambiguous(t.byName[name]); err != nil {
			return err
		}
	}
	return nil
}

func ambiguous(routes []*Route) error {
	for i, a := range routes {
		for _, b := range routes[:i] {
			if a.Host == b.Host && a.Pattern.sameParams(b.Pattern) {
				return fmt.Errorf("%w: the name %q stands for both %q and %q: rename one of them",
					ErrNoMatch, a.Name, b.Pattern, a.Pattern)
			}
		}
	}
	return nil
}
