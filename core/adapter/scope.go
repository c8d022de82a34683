package adapter

import (
	"sync"

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
