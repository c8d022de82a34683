package route

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"
)

// Table is an immutable table of routes.
type Table struct {
	routes  []Route
	byName  map[string][]*Route        // without those that have the path of an earlier one
	byShape func() map[string][]*Route // by host and shape, made when it is first asked for

	anyHost *paths            // of the routes that are for no host
	byHost  map[string]*paths // of the routes that are for a host
}

// NewTable returns a table of the given routes. Several routes of a host may
// share a name: they are told apart by their parameters. Routes with the same
// name and the same path (one for GET, one for POST) count as one; with the same
// name and parameters but different paths the name is ambiguous, and
// [Table.Find] fails for it: see [Table.Ambiguous].
func NewTable(routes ...Route) *Table {
	t := &Table{routes: slices.Clone(routes), byName: make(map[string][]*Route, len(routes))}
	t.byShape = sync.OnceValue(t.shapes)
	hosts := make(map[string][]*Route)
	for i := range t.routes {
		r := &t.routes[i]
		r.prepare()
		hosts[r.Host] = append(hosts[r.Host], r)
		if r.HasName() && !slices.ContainsFunc(t.byName[r.Name], r.samePath) {
			t.byName[r.Name] = append(t.byName[r.Name], r)
		}
	}
	t.anyHost = newPaths(hosts[""])
	delete(hosts, "")
	t.byHost = make(map[string]*paths, len(hosts))
	for host, routes := range hosts {
		t.byHost[host] = newPaths(routes)
	}
	return t
}

// shapes returns the routes by host and shape.
func (t *Table) shapes() map[string][]*Route {
	byShape := make(map[string][]*Route, len(t.routes))
	for r := range t.Routes() {
		byShape[r.shape()] = append(byShape[r.shape()], r)
	}
	return byShape
}

// Routes returns all routes, in the order in which they were given.
func (t *Table) Routes() iter.Seq[*Route] {
	return func(yield func(*Route) bool) {
		for i := range t.routes {
			if !yield(&t.routes[i]) {
				return
			}
		}
	}
}

// SamePath returns the routes that have the path of r on its host, whatever their
// method and the names of their parameters, r included. Callers must not modify
// the slice.
func (t *Table) SamePath(r *Route) []*Route { return t.byShape()[r.shape()] }

// Lookup returns the route that a framework knows by a method and a path in its
// own syntax, on a host or, where the host has no routes of its own, on all.
func (t *Table) Lookup(host, method, path string) (r *Route, ok bool) {
	for _, r := range t.pathsOf(host).at(path) {
		if r.Path == path && r.Method == method {
			return r, true
		}
	}
	return nil, false
}

// LookupPath returns the first route that a framework knows by a path, whatever
// its method, on a host: see [Table.Lookup].
func (t *Table) LookupPath(host, path string) (r *Route, ok bool) {
	for _, r := range t.pathsOf(host).at(path) {
		if r.Path == path {
			return r, true
		}
	}
	return nil, false
}

// pathsOf returns the paths of a host that has routes of its own, else those of
// all other hosts.
func (t *Table) pathsOf(host string) *paths {
	if len(t.byHost) > 0 {
		if own := t.byHost[host]; own != nil {
			return own
		}
	}
	return t.anyHost
}

// hasHost reports whether the host has routes of its own.
func (t *Table) hasHost(host string) bool {
	return len(t.byHost) > 0 && t.byHost[host] != nil
}

// Ambiguous returns an error that names two routes with one name and the same
// parameters, but different paths; nil when there are none. The error matches
// [ErrNoMatch]. Patterns that are not understood are left out: their parameters
// are not known.
func (t *Table) Ambiguous() error {
	for _, name := range slices.Sorted(maps.Keys(t.byName)) {
		if err := ambiguous(t.byName[name]); err != nil {
			return err
		}
	}
	return nil
}

func ambiguous(routes []*Route) error {
	for i, a := range routes {
		for _, b := range routes[:i] {
			if a.Host == b.Host && a.Pattern.sameParams(&b.Pattern) {
				return fmt.Errorf("%w: the name %q stands for both %q and %q: rename one of them",
					ErrNoMatch, a.Name, b.Pattern, a.Pattern)
			}
		}
	}
	return nil
}
