package conformance_test

import (
	"errors"
	"maps"
	"net/http"
	"slices"

	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
)

// scope registers routes of the reference adapter. Its methods return a copy.
type scope struct {
	of                *reference
	prefix, namespace string
	each              bool
	options           []verso.RouteOption
	before, after     []conformance.Middleware
	rewriter          verso.Rewriter // nil: bodies stay
	outside           int            // how much of after is outside of the rewriting
}

func (s *scope) with(method string, change func(*scope)) *scope {
	made := *s
	change(&made)
	if s.of.group != nil {
		s.of.group(method, s, &made)
	}
	return &made
}

func (s *scope) Group(prefix string, middleware ...conformance.Middleware) *scope {
	if len(middleware) > 0 {
		s = s.With(s.track()...)
	}
	return s.with("Group", func(g *scope) { g.prefix, g.before = s.prefix+prefix, slices.Concat(s.before, middleware) })
}

func (s *scope) EachVersion(middleware ...conformance.Middleware) *scope {
	return s.with("EachVersion", func(g *scope) { g.each, g.before = true, slices.Concat(s.before, middleware) })
}

func (s *scope) AfterCheck(middleware ...conformance.Middleware) *scope {
	return s.With(s.track()...).with("AfterCheck", func(g *scope) { g.after = slices.Concat(s.after, middleware) })
}

func (s *scope) Rewrite(rewriter verso.Rewriter) *scope {
	if !s.of.rewriting.unbound {
		rewriter = s.of.seam.Bound(rewriter)
	}
	return s.With(s.track()...).with("Rewrite", func(g *scope) { g.rewriter, g.outside = rewriter, len(s.after) })
}

func (s *scope) Namespace(namespace string) *scope {
	if namespace == "" {
		s.of.refuse(errNoNamespace)
	}
	return s.with("Namespace", func(g *scope) { g.namespace = route.Join(s.namespace, namespace) })
}

func (s *scope) With(options ...verso.RouteOption) *scope {
	if len(options) > 0 {
		options = append(options, s.track()...)
	}
	return s.with("With", func(g *scope) { g.options = slices.Concat(s.options, options) })
}

func (s *scope) track() []verso.RouteOption {
	if s.of.untracked {
		return nil
	}
	return []verso.RouteOption{s.of.seam.Track()}
}

func (s *scope) Since(version string) *scope     { return s.With(verso.Since(version)) }
func (s *scope) RemovedIn(version string) *scope { return s.With(verso.RemovedIn(version)) }
func (s *scope) Neutral() *scope                 { return s.With(verso.Neutral()) }

// add registers a route, with its check.
func (s *scope) add(r conformance.Route) {
	a, own := s.of, &registered{Route: r}
	if r.Handle == nil && r.Handlers == nil {
		a.refuse(errNoHandler)
	}
	own.Pattern = s.prefix + r.Pattern
	if r.Outside && !a.greedy || r.Foreign || a.alone && own.isBare() {
		a.routes = append(a.routes, own)
		return
	}
	if a.options != nil {
		r.Options = a.options(r)
	}
	if r.Group != nil && r.Group.Scope { // the check is in front of the middleware of the route
		if s.each || s.rewriter != nil {
			a.refuse(errInScope)
		}
		own.Middleware = nil
		s = s.with("Scope", func(g *scope) { g.after = slices.Concat(s.after, r.Middleware) })
	}
	var of map[string]responder
	if r.Handlers != nil {
		own.Handle = func(conformance.Call) conformance.Response { return conformance.Response{Status: http.StatusNoContent} }
		of = conformance.Handlers(r, func(handle handler) responder {
			return func(r *matched) { r.of.call(r, handle) }
		})
	}
	s.With(r.Options...).handleVersions(own, of)
}

// choose registers a route that has a handler for each version, nil if it has one.
func (s *scope) handleVersions(own *registered, handlers verso.Handlers[responder]) {
	a := s.of
	if handlers != nil {
		if d, ok := s.rewriter.(verso.DefaultRewriter); ok && d.IsDefault() && !a.rewriting.insists {
			s = s.with("WithoutDefault", func(g *scope) { g.rewriter = nil })
		}
		pick, option, err := adapter.Picker(handlers, a.seam.Binding)
		a.refuse(err)
		if own.pick = pick; pick != nil {
			s = s.With(option)
		}
	}
	own.in, own.Middleware = s, slices.Concat(s.before, own.Middleware)
	forms, as := []string{own.Pattern}, ""
	if s.each || own.EachVersion {
		var err error
		as = own.Pattern
		options := s.options
		if a.eager {
			options = nil
		}
		if forms, err = a.seam.Forms(as, options...); err != nil {
			a.refuse(err)
			return
		}
		if a.forms != nil {
			forms = a.forms(forms)
		}
	}
	for _, form := range forms {
		at := *own
		at.Pattern, at.as = form, as
		a.register(&at, s.options)
		a.routes = append(a.routes, &at)
	}
}

// register adds the check to a route.
func (a *reference) register(r *registered, options []verso.RouteOption) {
	var err error
	if r.check, err = a.seam.Add(r.describe(), options...); err != nil {
		a.refuse(err)
		r.check, _ = a.seam.Add(r.describe()) // nil for a route that is there already
	}
}

var (
	errNoHandler   = errors.New("the route has no handler")
	errNoNamespace = errors.New("the namespace has no name")
	errInScope     = errors.New("a group of the framework's own has one path, and bodies as they are")
)

// recorder takes note of what a version of Mount registers.
type recorder struct {
	middleware []conformance.Middleware
	routes     []conformance.Route
}

// mount registers the routes of several versions.
func (s *scope) mount(m conformance.Mounted) {
	a := s.of
	versions := conformance.Versions(m, func(version *conformance.MountedVersion) func(*recorder) {
		return func(r *recorder) {
			r.middleware, r.routes = version.Middleware, version.Routes
			if a.versions != nil {
				a.versions(r)
			}
		}
	})
	mount := adapter.RouteJoiner[*recorder, responder]{
		Record: a.record,
		Rename: func(handle responder, from, to []string) responder {
			return func(r *matched) {
				sent := maps.Clone(r.params)
				for i, name := range from {
					if value, ok := sent[name]; ok && !a.rename {
						r.params[to[i]] = value
						if a.lost && !slices.Contains(to, name) {
							delete(r.params, name)
						}
					}
				}
				handle(r)
			}
		},
		Add: func(first route.Route, handlers map[string]responder) {
			s.handleVersions(&registered{Route: conformance.Route{Method: first.Method, Pattern: s.prefix + first.Path, Name: first.Name, Handle: answerNothing}}, handlers)
		},
	}
	a.refuse(mount.Join(a.seam.Binding, versions))
}

func answerNothing(conformance.Call) conformance.Response { return conformance.Response{} }

func (a *reference) record(register func(*recorder), note func(route.Route, responder)) {
	var noted recorder
	register(&noted)
	for _, r := range noted.routes {
		if r.Handle == nil {
			a.refuse(errNoHandler)
		}
		middleware := slices.Concat(noted.middleware, r.Middleware)
		note(route.Route{Method: r.Method, Path: r.Pattern, Name: r.Name, Pattern: route.Braces(r.Pattern)}, func(to *matched) {
			a.run(middleware, to, a.seam, func() { a.call(to, r.Handle) })
		})
	}
}
