package verso

import (
	"net/url"
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
