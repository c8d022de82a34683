package adapter

import (
	"cmp"
	"strings"
	"sync"

	"github.com/goverso/verso/core/internal/choice"
	"github.com/goverso/verso/core/route"
)

// Scope holds the options shared by all routes of a framework group whose check is
// middleware of the group, for example where generated code registers the routes:
// [Binding.Scope] returns it. Its routes are not registered with the [Binding]. The check
// gives the request what Route returns. The zero Scope is not valid.
type Scope struct {
	find    func(pattern string) *pathRoutes
	prefix  string
	name    string // "v1:" in a namespace
	options choice.Route
	plan    *plan
	byPlace sync.Map // routes by method and pattern
}

// Route returns the route of a request in the scope, by the host, the method and the
// pattern that the framework has matched: see [Binding.Lookup].
func (s *Scope) Route(host, method, pattern string) *route.Route {
	p := s.find(pattern)
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
	s.describe(&at)
	found, _ := s.byPlace.LoadOrStore(placeOf(&at), at.Prepare())
	return found.(*route.Route)
}

// describe gives a route the name and the options of the scope.
func (s *Scope) describe(r *route.Route) {
	r.Name = s.name + cmp.Or(r.Name, nameOf(&s.options, r))
	if s.plan != nil {
		r.Plan = s.plan
	}
}

// has reports whether a route that is not registered with the binding is in the scope.
func (s *Scope) has(r *route.Route) bool {
	rest, ok := strings.CutPrefix(r.Path, strings.TrimSuffix(s.prefix, "/"))
	return ok && (rest == "" || rest[0] == '/')
}
