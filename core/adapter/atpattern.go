package adapter

import "github.com/goverso/verso/core/route"

// notOptions is the method of a route whose method is not known, but is not OPTIONS.
const notOptions = "-"

// pathRoutes are the routes of a pattern, on all hosts.
type pathRoutes struct {
	routes  map[place]*route.Route
	checked bool         // some have a check
	foreign *route.Route // what those without a check have in common, nil: there are none
}

// in returns the route that the router prefers, or nil.
func (p *pathRoutes) in(host, method string) *route.Route {
	for _, at := range [...]place{{host: host, method: method}, {method: method}, {host: host}, {}} {
		if r := p.routes[at]; r != nil {
			return r
		}
	}
	return nil
}

// add adds a route. One under the prefix of a scope may have its check, or not. The version
// may be read from the namespace: if the routes without a check differ in it, a decision
// is an error.
func (p *pathRoutes) add(r *route.Route, scoped, byNamespace bool) {
	p.routes[place{host: r.Host, method: r.Method}] = r
	p.checked = p.checked || scoped || !r.Foreign
	if !r.Foreign {
		return
	}
	shared := route.Route{Name: route.Join(r.Namespace(), ""), Method: notOptions, Path: r.Path, Pattern: r.Pattern,
		Foreign: true}
	if p.foreign != nil && p.foreign.Name != shared.Name {
		shared.Name = ""
		if byNamespace {
			shared.Plan = &plan{ambiguous: true}
		}
	}
	if p.foreign == nil || planOf(p.foreign) == nil {
		p.foreign = shared.Prepare()
	}
}

// place is where a router has a route.
type place struct{ host, method, path string }

func placeOf(r *route.Route) place { return place{r.Host, r.Method, r.Path} }
