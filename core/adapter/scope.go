package adapter

import (
	"cmp"
	"net/http"
	"slices"
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
	check   any      // what identifies it among the middleware of a [Listed], nil: it is not known
	apart   sync.Map // places under the prefix without the check
}

// NoteCheck records what identifies the check of the scope among the middleware of a [Listed]. A
// route under the prefix without it is not one of the scope. Without NoteCheck, each may be.
func (s *Scope) NoteCheck(identity any) { s.check = identity }

// note records whether a route that the framework lists under the prefix has the check.
func (s *Scope) note(l *Listed) {
	if s.check != nil && l.Middleware != nil && !slices.Contains(l.Middleware, s.check) {
		s.apart.Store(placeOf(&l.Route), true)
	}
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
	if !ok || rest != "" && rest[0] != '/' {
		return false
	}
	_, isApart := s.apart.Load(placeOf(r))
	return !isApart
}

// isOfAny reports whether other code has a route for each common method.
func isOfAny(r *route.Route) bool {
	for _, method := range [...]string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch,
		http.MethodDelete} {
		if !slices.ContainsFunc(r.SamePath(), func(same *route.Route) bool { return same.Method == method }) {
			return false
		}
	}
	return true
}
