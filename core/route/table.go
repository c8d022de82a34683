package route

import (
	"fmt"
	"iter"
	"slices"
)

// Table is an immutable table of routes. [NewTable] returns one; the zero Table is empty.
type Table struct {
	routes []*Route
	byName map[string][]*Route // without routes that have the path of an earlier one
	hosts  map[string]bool     // that have routes of their own
}

// NewTable returns a table of the given routes. Several routes of a host may share
// a name: their parameters distinguish them. [Table.Find] treats routes with the
// same name and path (one for GET, one for POST) as one. Routes with the same name
// and parameters but different paths make the name ambiguous, and Find fails for
// it: see [Ambiguous].
func NewTable(routes ...Route) *Table {
	t := &Table{routes: make([]*Route, len(routes)), byName: make(map[string][]*Route), hosts: make(map[string]bool)}
	type path struct{ host, of string }
	shapes, byShape := make([]path, len(routes)), make(map[path][]*Route, len(routes))
	byTwin := make(map[path][]*Route)
	for i := range routes {
		r := routes[i].Prepare()
		t.routes[i] = r
		if r.Host != "" {
			t.hosts[r.Host] = true
		}
		if r.HasName() && !slices.ContainsFunc(t.byName[r.Name], r.IsSamePath) {
			t.byName[r.Name] = append(t.byName[r.Name], r)
		}
		shapes[i] = path{r.Host, r.Pattern.Shape()}
		byShape[shapes[i]] = append(byShape[shapes[i]], r)
		if r.Resource != "" {
			twins := path{r.Host, r.Resource}
			byTwin[twins] = append(byTwin[twins], r)
		}
	}
	for i, r := range t.routes {
		r.samePath, r.sameResource = byShape[shapes[i]], byTwin[path{r.Host, r.Resource}]
	}
	return t
}

// Routes returns all routes, in the order of the arguments of [NewTable].
func (t *Table) Routes() iter.Seq[*Route] { return slices.Values(t.routes) }

// Ambiguous returns an error that names two routes with the same name and parameters
// but different paths, or nil if there are no such routes. If apart is not nil, it reports whether
// no version has both routes, so that their names do not conflict. The error matches
// [ErrNoMatch]. Routes whose pattern is not understood are ignored, since their
// parameters are unknown.
func Ambiguous(routes []*Route, apart func(a, b *Route) bool) error {
	for i, a := range routes {
		for _, b := range routes[:i] {
			if a.Host == b.Host && a.PrefixVersion == b.PrefixVersion && a.Pattern.sameParams(&b.Pattern) &&
				!a.IsSamePath(b) &&
				(apart == nil || !apart(a, b)) {
				return fmt.Errorf("%w: the name %q means both %q and %q: rename one of them", ErrNoMatch, a.Name,
					b.Pattern, a.Pattern)
			}
		}
	}
	return nil
}
