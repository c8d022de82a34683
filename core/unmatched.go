package verso

import (
	"net/url"
	"slices"
	"strings"
)

// leads are the fixed texts, decoded, behind which routes have a path parameter as their
// first one.
type leads struct {
	texts   map[string]bool
	deepest int // slashes in one of them
}

// leadsTo returns the leads of a path parameter among the routes with a check.
func (l *routeList) leadsTo(name string) leads {
	l.reading.Do(func() {
		l.leads = make(map[string]leads)
		for r := range l.table.Routes() {
			params := r.Pattern.Params()
			escaped, _ := r.Pattern.Lead()
			if r.Foreign || len(params) == 0 || !strings.HasSuffix(escaped, "/") {
				continue
			}
			text, err := url.PathUnescape(escaped)
			if err != nil {
				continue
			}
			known := l.leads[params[0]]
			if known.texts == nil {
				known.texts = make(map[string]bool)
			}
			known.texts[text], known.deepest = true, max(known.deepest, strings.Count(text, "/"))
			l.leads[params[0]] = known
		}
	})
	return l.leads[name]
}

// unmatched reads a path that no route has: a path parameter has its value where routes
// have it after the same fixed text, the longest one. That takes as long for many routes
// as for few.
type unmatched struct {
	routes *routes
	path   string
}

func (unmatched) Routes() []Listed { return nil }

func (u unmatched) PathParam(_ any, name string) (value string, ok bool) {
	known := u.routes.current().leadsTo(name)
	rest := u.path
	for range known.deepest {
		_, behind, found := strings.Cut(rest, "/")
		if !found {
			break
		}
		if rest = behind; known.texts[u.path[:len(u.path)-len(rest)]] {
			value, _, _ = strings.Cut(rest, "/")
		}
	}
	return value, value != ""
}

// node is a place in the paths of routes: behind some segments.
type node struct {
	fixed       map[string]*node // by the next segment, decoded
	param       *node            // behind a segment with a path parameter; nil: there is none
	ends, isAny bool             // a path ends here, or continues with any text
}

// add adds the paths of a pattern.
func (n *node) add(shape string) {
	for segment := range strings.SplitSeq(shape, "/") {
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

// hasPath reports whether a route with a check has a path, whatever its method and the
// values of path parameters.
func (l *routeList) hasPath(path string) bool {
	l.placing.Do(func() {
		for r := range l.table.Routes() {
			if !r.Foreign {
				l.paths.add(r.Pattern.Shape())
			}
		}
	})
	at := []*node{&l.paths}
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
