package route

import (
	"fmt"
	"iter"
	"slices"
)

// Table is an immutable table of routes.
type Table struct {
	routes []Route
	byName map[string][]*Route // without those that have the path of an earlier one
	hosts  map[string]bool     // that have routes of their own
}

// NewTable returns a table of the given routes. Several routes of a host may
// share a name: they are told apart by their parameters. Routes with the same
// name and the same path (one for GET, one for POST) are one to [Table.Find]; with
// the same name and parameters but different paths the name is ambiguous, and Find
// fails for it: see [Ambiguous].
func NewTable(routes ...Route) *Table {
	t := &Table{routes: slices.Clone(routes), byName: make(map[string][]*Route), hosts: make(map[string]bool)}
	byShape, byTwin := make(map[string][]*Route, len(routes)), make(map[string][]*Route)
	for i := range t.routes {
		r := &t.routes[i]
		r.prepare()
		if r.Host != "" {
			t.hosts[r.Host] = true
		}
		if r.HasName() && !slices.ContainsFunc(t.byName[r.Name], r.IsSamePath) {
			t.byName[r.Name] = append(t.byName[r.Name], r)
		}
		shape := r.shape()
		byShape[shape] = append(byShape[shape], r)
		if r.Twin != "" {
			byTwin[r.Host+" "+r.Twin] = append(byTwin[r.Host+" "+r.Twin], r)
		}
	}
	for _, same := range byTwin {
		for _, r := range same {
			r.twins = same
		}
	}
	for _, same := range byShape {
		for _, r := range same {
			r.samePath = same
		}
	}
	return t
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

// HasName reports whether a route has a name.
func (t *Table) HasName(name string) bool { return len(t.byName[name]) > 0 }

// hasHost reports whether the host has routes of its own.
func (t *Table) hasHost(host string) bool { return t.hosts[host] }

// Ambiguous returns an error that names two of the routes of one name that have the
// same parameters, but different paths; nil when there are none. The error matches
// [ErrNoMatch]. Patterns that are not understood are left out: their parameters
// are not known.
func Ambiguous(routes []*Route) error {
	for i, a := range routes {
		for _, b := range routes[:i] {
			if a.Host == b.Host && a.Space == b.Space && a.Pattern.sameParams(&b.Pattern) && !a.IsSamePath(b) {
				return fmt.Errorf("%w: the name %q stands for both %q and %q: rename one of them",
					ErrNoMatch, a.Name, b.Pattern, a.Pattern)
			}
		}
	}
	return nil
}
