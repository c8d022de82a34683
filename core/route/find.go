package route

import (
	"fmt"
	"slices"
	"strings"
)

// Path returns the path of the named route with named parameters, preferring routes
// for all hosts: see [Table.Find] and [Route.AppendPath] for the errors.
func (t *Table) Path(name string, named map[string]any) (string, error) {
	params := Params{Named: named}
	r, err := t.Find("", name, &params)
	if err != nil {
		return "", err
	}
	var buffer [128]byte // most paths fit, so only the string is allocated
	path, err := r.AppendPath(buffer[:0], &params)
	return string(path), err
}

// Find returns the route with the given name whose path parameters are exactly the given
// parameters; nil means no parameters. Routes for the given host take precedence.
//
// Find fails with [ErrNoMatch] for an unknown name, a missing or extra parameter, or
// a name of several paths; with [ErrMixedParams] for positional parameters together
// with named parameters or a default; and with [ErrPattern] if a route of the name
// may fit but has a pattern that is not understood.
func (t *Table) Find(host, name string, params *Params) (*Route, error) {
	if params == nil {
		params = &noParams
	}
	if len(params.Positional) > 0 && (len(params.Named) > 0 || params.Default.Name != "") {
		return nil, mixed(Join(params.Namespace, name), params)
	}
	routes := t.named(params.Namespace, name)
	if len(routes) == 0 {
		return nil, t.unknown(Join(params.Namespace, name))
	}
	count := params.count()
	fits := func(r *Route) bool { return r.Pattern.takes(params, count) }
	chosen, other, unread := t.choose(routes, host, params.PrefixVersion, fits)
	switch {
	case unread != nil:
		return nil, unread.errPattern()
	case chosen == nil && slices.ContainsFunc(routes, fits):
		return nil, fmt.Errorf("%w: route %q is only under the prefixes of other versions: link to it in such a version",
			ErrNoMatch, routes[0].Name)
	case chosen == nil:
		return nil, mismatch(routes, params)
	case other != nil && params.Has != nil:
		chosen, other, _ = t.choose(routes, host, params.PrefixVersion,
			func(r *Route) bool { return fits(r) && params.Has(r) })
		if chosen == nil || other != nil {
			return nil, fmt.Errorf("%w: route %q with these parameters is not one route of the version", ErrNoMatch,
				name)
		}
	case other != nil:
		return nil, fmt.Errorf("%w: route %q with these parameters is ambiguous: it is both %q and %q: rename one of them", ErrNoMatch, name, chosen.Pattern, other.Pattern)
	}
	return chosen, nil
}

// FindInNamespace returns the route with the name of r in a namespace and the same
// parameters, or nil: see [Table.Find]. It does not allocate.
func (t *Table) FindInNamespace(host, namespace, prefixVersion string, r *Route) *Route {
	name := r.Name[strings.LastIndexByte(r.Name, ':')+1:]
	chosen, other, unread := t.choose(t.named(namespace, name), host, prefixVersion,
		func(other *Route) bool { return r.Pattern.sameParams(&other.Pattern) })
	if other != nil || unread != nil {
		return nil
	}
	return chosen
}

// FindRenamed returns the route that has the name of r, the same parameters, and what has
// reports, or nil. It does not allocate.
func (t *Table) FindRenamed(host, prefixVersion string, r *Route, has func(*Route) bool) *Route {
	at := strings.LastIndexByte(r.Name, ':')
	chosen, other, unread := t.choose(t.named(r.Name[:max(0, at)], r.Name[at+1:]), host, prefixVersion,
		func(other *Route) bool { return r.Pattern.sameParams(&other.Pattern) && has(other) })
	if other != nil || unread != nil {
		return nil
	}
	return chosen
}

// choose returns the route for a host whose pattern fits, and another one if there are
// several, or one whose pattern is not understood and which may therefore be meant.
func (t *Table) choose(routes []*Route, host, prefixVersion string,
	fits func(r *Route) bool) (chosen, other, unread *Route) {
	if !t.hosts[host] {
		host = ""
	}
	for _, r := range routes {
		switch {
		case r.PrefixVersion != prefixVersion:
		case r.Pattern.isUnread():
			if unread == nil || unread.Host != host && r.Host == host {
				unread = r
			}
		case !fits(r):
		case chosen == nil || chosen.Host != host && r.Host == host:
			chosen, other = r, nil
		case r.Host == chosen.Host || chosen.Host != host:
			other = r
		}
	}
	if chosen != nil && (chosen.Host == host || unread == nil || unread.Host != host) {
		unread = nil
	}
	return chosen, other, unread
}

// named returns the routes of a name in a namespace.
func (t *Table) named(namespace, name string) []*Route {
	if namespace == "" {
		return t.byName[name]
	}
	var buffer [128]byte
	return t.byName[string(append(append(append(buffer[:0], namespace...), ':'), name...))]
}

// takes reports whether the parameters are exactly those of the pattern.
func (p *Pattern) takes(params *Params, count int) bool {
	if len(params.Positional) > 0 {
		return count == len(p.names)
	}
	for _, name := range p.names {
		if !params.has(name) {
			return false
		}
	}
	return count == p.distinct
}

// mixed returns the error for positional parameters that cannot be used.
func mixed(name string, params *Params) error {
	if len(params.Named) > 0 {
		return fmt.Errorf("%w: route %q: give parameters by position or by name", ErrMixedParams, name)
	}
	return fmt.Errorf("%w: route %q: the version's path parameter %q cannot be combined with positional parameters: give parameters by name",
		ErrMixedParams, name, params.Default.Name)
}

// unknown returns the error for a name that no route has, with a hint if no route
// has any name.
func (t *Table) unknown(name string) error {
	hint := ""
	if len(t.byName) == 0 {
		hint = ": no route has a name"
	}
	return fmt.Errorf("%w: no route is called %q%s", ErrNoMatch, name, hint)
}
