package adapter

import (
	"net/url"
	"slices"
	"strings"

	"github.com/goverso/verso/core/route"
)

// This file finds the routes of a path without asking the router, which has matched none, or only one method. In
// come all routes, once, as a tree of their segments. Out come, for a path, the routes of the most specific pattern
// first, with fixed text before parameters, as routers prefer them. Any client causes such a look-up, by a 404, so
// it visits the nodes on the way of the path alone, and takes no longer for more routes.

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
	behind       string // fixed text at the end of the path, decoded
	mayLack      bool   // the path may end in front of the slash before it
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

// add adds the paths of a route, the path without its rest too if mayLack.
func (n *node) add(r *route.Route, mayLack bool) {
	position, shape := 0, r.Pattern.Shape()
	for segment := range strings.SplitSeq(shape, "/") {
		before, inside, isOpen := strings.Cut(segment, "{")
		switch {
		case !isOpen:
			n = n.fixedAt(unescaped(segment))
			continue
		case strings.Contains(segment, "{*}"):
			behind := unescaped(shape[strings.LastIndexByte(shape, '}')+1:])
			n.rests = append(n.rests, &rest{unescaped(before), r.Pattern.ParamAt(position), behind, mayLack, r})
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
var visited = func(*node) {}

// visit cuts the segment in the place of a node from a path.
func (n *node) visit(path string) (segment, rest string, more bool) {
	visited(n)
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
	slices.SortStableFunc(n.open, func(a, b *edge) int {
		return len(b.before) + len(b.behind) - len(a.before) - len(a.behind)
	})
	return e
}

// values calls found with the texts that a path has in the place of a parameter, that behind the
// longest fixed text first, until it returns false.
func (n *node) values(path, name string, found func(value string) (more bool)) (more bool) {
	segment, rest, deeper := n.visit(path)
	if next := n.fixed[segment]; next != nil && deeper && !next.values(rest, name, found) {
		return false
	}
	for _, e := range n.open {
		value, ok := e.value(segment)
		if ok && slices.Contains(e.names, name) && !found(value) {
			return false
		}
		if ok && deeper && !e.to.values(rest, name, found) {
			return false
		}
	}
	for _, r := range n.rests {
		if value, ok := strings.CutPrefix(segment, r.before); ok && value != "" && r.name == name && !found(value) {
			return false
		}
	}
	return true
}

// find calls found with the routes that have a path, whatever their methods and the values
// of path parameters, those of the most specific pattern first, until it returns false.
func (n *node) find(path string, found func(routes []*route.Route) (more bool)) (more bool) {
	segment, rest, deeper := n.visit(path)
	next := func(to *node) bool {
		if deeper {
			return to.find(rest, found)
		}
		return found(to.ends) && found(to.lackedRests())
	}
	if to := n.fixed[segment]; to != nil && !next(to) {
		return false
	}
	if !found(n.restsOf(path, true)) {
		return false
	}
	for _, e := range n.open {
		if _, ok := e.value(segment); ok && !next(&e.to) {
			return false
		}
	}
	return found(n.restsOf(path, false))
}

// lackedRests returns the routes that continue with any text, and have the path without it, too.
func (n *node) lackedRests() (routes []*route.Route) {
	for _, r := range n.rests {
		if r.mayLack && r.before+r.behind == "" {
			routes = append(routes, r.Route)
		}
	}
	return routes
}

// restsOf returns the routes whose path continues with any text, that with or without fixed text in front of it in
// its segment.
func (n *node) restsOf(path string, withText bool) (routes []*route.Route) {
	for _, r := range n.rests {
		if strings.HasPrefix(path, r.before) && strings.HasSuffix(path, r.behind) && (r.before != "") == withText {
			routes = append(routes, r.Route)
		}
	}
	return routes
}
