package adapter

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/goverso/verso/core/route"
)

// unmatched reads a path that no route has: a path parameter has its value where routes
// have it, behind the longest fixed text. That takes as long for many routes as for few.
type unmatched struct {
	routes *routes
	path   string
}

func (unmatched) Routes() []Listed { return nil }

func (u unmatched) PathParam(_ any, name string) (value string, ok bool) {
	return u.routes.current().paths(u.routes).value(u.path, name)
}

// node is a place in the paths of routes: behind some segments.
type node struct {
	fixed map[string]*node // by the next segment, decoded
	open  []*edge          // segments with a path parameter, those with more fixed text first
	ends  []*route.Route   // whose path ends here
	rests []*rest          // paths that continue with any text
}

// rest is a parameter that takes the rest of a path.
type rest struct {
	before, name string // fixed text in front of it in its segment, decoded
	*route.Route
}

// edge is a segment with a path parameter.
type edge struct {
	before, behind string   // fixed text around it, decoded
	names          []string // of the parameter, if the segment has no other
	to             node
}

// value returns the text of a segment in the place of the parameter.
func (e *edge) value(segment string) (value string, ok bool) {
	if value, ok = strings.CutPrefix(segment, e.before); ok {
		value, ok = strings.CutSuffix(value, e.behind)
	}
	return value, ok && value != ""
}

// add adds the paths of a route.
func (n *node) add(r *route.Route) {
	position := 0
	for segment := range strings.SplitSeq(r.Pattern.Shape(), "/") {
		before, inside, isOpen := strings.Cut(segment, "{")
		switch {
		case !isOpen:
			n = n.fixedAt(unescaped(segment))
			continue
		case strings.Contains(segment, "{*}"):
			n.rests = append(n.rests, &rest{unescaped(before), r.Pattern.ParamAt(position), r})
			return
		}
		e := n.openAt(unescaped(before), unescaped(inside[strings.LastIndexByte(inside, '}')+1:]))
		count := strings.Count(segment, "{")
		if name := r.Pattern.ParamAt(position); count == 1 && !slices.Contains(e.names, name) {
			e.names = append(e.names, name)
		}
		position += count
		n = &e.to
	}
	n.ends = append(n.ends, r)
}

// visited gets the nodes that a question visits, for a test that counts them.
var visited func(*node)

// visit cuts the segment in the place of a node from a path.
func (n *node) visit(path string) (segment, rest string, more bool) {
	if visited != nil {
		visited(n)
	}
	return strings.Cut(path, "/")
}

func unescaped(text string) string {
	if plain, err := url.PathUnescape(text); err == nil {
		return plain
	}
	return text
}

func (n *node) fixedAt(segment string) *node {
	if n.fixed == nil {
		n.fixed = make(map[string]*node)
	}
	if n.fixed[segment] == nil {
		n.fixed[segment] = new(node)
	}
	return n.fixed[segment]
}

func (n *node) openAt(before, behind string) *edge {
	for _, e := range n.open {
		if e.before == before && e.behind == behind {
			return e
		}
	}
	e := &edge{before: before, behind: behind}
	n.open = append(n.open, e)
	slices.SortStableFunc(n.open, func(a, b *edge) int { return len(b.before) + len(b.behind) - len(a.before) - len(a.behind) })
	return e
}

// value returns the text that a path has in the place of a parameter.
func (n *node) value(path, name string) (value string, ok bool) {
	segment, rest, more := n.visit(path)
	if next := n.fixed[segment]; next != nil && more {
		if value, ok = next.value(rest, name); ok {
			return value, true
		}
	}
	for _, e := range n.open {
		value, ok = e.value(segment)
		switch {
		case !ok:
		case slices.Contains(e.names, name):
			return value, true
		case more:
			if value, ok = e.to.value(rest, name); ok {
				return value, true
			}
		}
	}
	for _, r := range n.rests {
		if value, ok = strings.CutPrefix(segment, r.before); ok && value != "" && r.name == name {
			return value, true
		}
	}
	return "", false
}

// find calls found with the routes that have a path, whatever their methods and the values
// of path parameters, those of the most specific pattern first, until it returns false.
func (n *node) find(path string, found func(routes []*route.Route) (more bool)) (more bool) {
	segment, rest, deeper := n.visit(path)
	next := func(to *node) bool {
		if deeper {
			return to.find(rest, found)
		}
		return found(to.ends) && found(to.restsOf("", true)) && found(to.restsOf("", false))
	}
	if to := n.fixed[segment]; to != nil && !next(to) {
		return false
	}
	if !found(n.restsOf(segment, true)) {
		return false
	}
	for _, e := range n.open {
		if _, ok := e.value(segment); ok && !next(&e.to) {
			return false
		}
	}
	return found(n.restsOf(segment, false))
}

// restsOf returns the routes whose path continues with any text from a segment on, that with
// or without fixed text in front of it.
func (n *node) restsOf(segment string, withText bool) (routes []*route.Route) {
	for _, r := range n.rests {
		if strings.HasPrefix(segment, r.before) && (r.before != "") == withText {
			routes = append(routes, r.Route)
		}
	}
	return routes
}

// paths returns the paths of the routes as a tree. They are made when a request matches
// no route. A route without versions for every path, as a single-page application has it,
// is left out.
func (l *routeList) paths(rs *routes) *node {
	l.placing.Do(func() {
		for r := range l.table.Routes() {
			if lead, whole := r.Pattern.Lead(); rs.isVersioned(r) || whole || lead != "/" || !strings.HasPrefix(r.Pattern.Shape(), "/{*}") {
				l.tree.add(r)
			}
		}
	})
	return &l.tree
}

// having calls found with the routes that have a path: see [node.find].
func (rs *routes) having(path string, found func(routes []*route.Route) (more bool)) {
	rs.current().paths(rs).find(path, found)
}

// at reports whether a route with the path has a version, and whether the routes of the
// most specific pattern have none: then no version is the reason for a missing method.
func (rs *routes) at(path string) (versioned, isUnversioned bool) {
	first := true
	rs.having(path, func(routes []*route.Route) (more bool) {
		if len(routes) > 0 {
			here := slices.ContainsFunc(routes, rs.isVersioned)
			versioned, isUnversioned, first = versioned || here, isUnversioned || first && !here, false
		}
		return !versioned
	})
	return versioned, isUnversioned
}

// methodsOf returns the methods of the routes with a path, on one host if it is not nil: those
// that are served, since the route that a router prefers for them has no version or has reports
// true, and those that it lacks.
func (rs *routes) methodsOf(host *string, path string, has func(r *route.Route) bool) (served, lacks []string) {
	seen := make(map[string]bool)
	rs.having(path, func(found []*route.Route) (more bool) {
		here := make(map[string]bool) // of this pattern
		for _, r := range found {
			if !isAnsweredByFramework(r.Method) && (host == nil || *host == r.Host) {
				here[r.Method] = here[r.Method] || !rs.isVersioned(r) || has(r)
			}
		}
		for method, serves := range here {
			switch {
			case seen[method]: // a router prefers another pattern
			case !serves:
				lacks = append(lacks, method)
			case method != "":
				served = append(served, method)
			}
			seen[method] = true
		}
		return !seen[""] // else all methods are known
	})
	if slices.Contains(lacks, http.MethodGet) && !seen[http.MethodHead] {
		lacks = append(lacks, http.MethodHead) // where the router serves it with GET
	}
	return served, lacks
}
