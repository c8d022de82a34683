package verso

import (
	"strings"
	"sync"

	"github.com/goverso/verso/core/route"
)

// Scope is the options of all routes in a group of the framework that has a check as
// middleware, and whose routes are not registered with a [Binding].
type Scope struct {
	binding *Binding
	prefix  string
	name    string // "v1:" in a namespace
	plan    *plan
	routes  sync.Map // by method and pattern
}

// Scope gives all routes that the framework has under a prefix the same namespace and
// options. The errors are those of [Binding.Add].
func (b *Binding) Scope(prefix, namespace string, options ...RouteOption) (*Scope, error) {
	p, err := b.api.plan(options)
	if err != nil {
		return nil, err
	}
	s := &Scope{binding: b, prefix: prefix, name: route.Join(namespace, ""), plan: p}
	b.adding.Lock()
	defer b.adding.Unlock()
	b.scopes = append(b.scopes, s)
	b.Changed()
	return s, nil
}

// Route returns the route of a request in the scope: see [Binding.Lookup]. The method
// of the route is "-" if no route of the pattern has that of the request.
func (s *Scope) Route(host, method, pattern string) *route.Route {
	at, _ := s.binding.Lookup(host, method, pattern)
	if known, ok := s.routes.Load([2]string{at.Method, at.Path}); ok {
		return known.(*route.Route)
	}
	own := route.Route{Method: at.Method, Path: at.Path, Pattern: at.Pattern}
	s.describe(&own)
	if own.Method == "" {
		own.Method = "-" // not OPTIONS, at any rate
	}
	known, _ := s.routes.LoadOrStore([2]string{at.Method, at.Path}, own.Prepare())
	return known.(*route.Route)
}

func (s *Scope) describe(r *route.Route) {
	r.Name = s.name + r.Name
	if s.plan != nil {
		r.Plan = s.plan
	}
}

// has reports whether a route that is not registered with the binding is in the scope.
func (s *Scope) has(r *route.Route) bool {
	rest, ok := strings.CutPrefix(r.Path, strings.TrimSuffix(s.prefix, "/"))
	return ok && (rest == "" || rest[0] == '/')
}
