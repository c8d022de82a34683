package adapter

import (
	"sync"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
)

// Scope holds the options shared by all routes of a framework group whose check is
// middleware of the group, for example where generated code registers the routes:
// [Binding.Scope] returns it. Its routes are not registered with the [Binding]. The check
// gives the request what Route returns. The zero Scope is not valid.
type Scope struct {
	routes  *routes
	group   *group
	byPlace sync.Map // routes by method and pattern
}

// newScope records a scope: see [Binding.Scope]. It is not a method of routes, which do not know
// scopes.
func newScope(rs *routes, prefix, namespace string, options []verso.RouteOption) (*Scope, error) {
	chosen := optionsOf(options)
	use(&chosen)
	p, err := rs.api.plan(&chosen)
	if err != nil {
		return nil, err
	}
	s := &Scope{routes: rs, group: &group{prefix: prefix, name: route.Join(namespace, ""), options: chosen, plan: p}}
	rs.adding.Lock()
	defer rs.adding.Unlock()
	rs.groups = append(rs.groups, s.group)
	rs.changes.Add(1)
	return s, nil
}

// Route returns the route of a request in the scope, by the host, the method and the
// pattern that the framework has matched: see [Binding.Lookup].
func (s *Scope) Route(host, method, pattern string) *route.Route {
	p := s.routes.find(pattern)
	at := route.Route{Method: notOptions, Path: pattern}
	if r := p.in(host, method); r != nil {
		at.Method, at.Pattern, at.AnyMethod, at.SharesHandler = r.Method, r.Pattern, r.AnyMethod ||
			isOfAny(r), r.SharesHandler
	} else if p.foreign != nil {
		at.Pattern = p.foreign.Pattern
	}
	if found, ok := s.byPlace.Load(placeOf(&at)); ok {
		return found.(*route.Route)
	}
	s.group.describe(&at)
	found, _ := s.byPlace.LoadOrStore(placeOf(&at), at.Prepare())
	return found.(*route.Route)
}
