package verso

import (
	"net/url"
	"slices"
	"strings"

	"github.com/goverso/verso/core/route"
)

// unmatched reads a path that no route has: a path parameter has its value where routes
// have it after the same fixed text, the longest one. That takes as long for many routes
// as for few.
type unmatched struct {
	routes *routes
	path   string
}

func (unmatched) Routes() []Listed { return nil }

func (u unmatched) PathParam(_ any, name string) (value string, ok bool) {
	at := u.routes.current().paths()
	for segment := range strings.SplitSeq(u.path, "/") {
		if at.leads[name] {
			value = segment
		}
		if at = at.fixed[segment]; at == nil {
			break
		}
	}
	return value, value != ""
}

// node is a place in the paths of routes: behind some segments.
type node struct {
	fixed       map[string]*node // by the next segment, decoded
	param       *node            // behind a segment with a path parameter; nil: there is none
	leads       map[string]bool  // names of the path parameters that begin here, the first of their path
	ends, isAny bool             // a path ends here, or continues with any text
}

// add adds the paths of a pattern.
func (n *node) add(pattern *route.Pattern) {
	lead, _ := pattern.Lead()
	first := pattern.ParamAt(0)
	for segment := range strings.SplitSeq(pattern.Shape(), "/") {
		if strings.HasPrefix(segment, "{") && strings.HasSuffix(lead, "/") && first != "" {
			if n.leads == nil {
				n.leads = make(map[string]bool)
			}
			n.leads[first], first = true, ""
		}
		next := &n.param
		switch text, err := url.PathUnescape(segment); {
		case strings.Contains(segment, "{*}"):
			n.isAny = true
			return
		case strings.Contains(segment, "{}"):
		default:
			if n.fixed == nil {
				n.fixed = make(map[string]*node)
			}
			if err == nil && n.fixed[text] == nil {
				n.fixed[text] = new(node)
			}
			child := n.fixed[text]
			next = &child
		}
		if *next == nil {
			*next = new(node)
		}
		n = *next
	}
	n.ends = true
}

// paths returns the paths of the routes with a check, as a tree. They are made when a
// request matches no route.
func (l *routeList) paths() *node {
	l.placing.Do(func() {
		for r := range l.table.Routes() {
			if !r.Foreign {
				l.tree.add(&r.Pattern)
			}
		}
	})
	return &l.tree
}

// hasPath reports whether a route with a check has a path, whatever its method and the
// values of path parameters.
func (l *routeList) hasPath(path string) bool {
	at := []*node{l.paths()}
	for segment := range strings.SplitSeq(path, "/") {
		var next []*node
		for _, n := range at {
			if n.isAny {
				return true
			}
			if fixed := n.fixed[segment]; fixed != nil {
				next = append(next, fixed)
			}
			if n.param != nil && segment != "" {
				next = append(next, n.param)
			}
		}
		if at = next; len(at) == 0 {
			return false
		}
	}
	return slices.ContainsFunc(at, func(n *node) bool { return n.ends || n.isAny })
}
