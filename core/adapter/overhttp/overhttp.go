// Package overhttp has what the adapters of routers over net/http share: the check of a
// request and its state, the answers, the rewriting of bodies, and what a group of routes
// knows. It is for authors of adapters: see the [page on adapters].
//
// An adapter keeps a [Group] in an unexported field of its Routes, and declares each verb
// itself:
//
//	type Routes struct {
//		over   overhttp.Group
//		router chi.Router
//	}
//
//	func (r *Routes) Name(name string) *Routes { return r.with(r.over.Name(name)) }
//
//	func (r *Routes) with(group adapter.Group[overhttp.Middleware]) *Routes {
//		changed := *r
//		changed.over.Group = group
//		return &changed
//	}
//
// [page on adapters]: https://github.com/goverso/verso/blob/main/adapters/README.md
package overhttp

import (
	"net/http"
	"slices"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/internal/nils"
	"github.com/goverso/verso/core/route"
)

// New returns the routes of a router without options. name is the name of the
// adapter's package, for panics and for the log. router and api must not be nil.
func New(name string, api *verso.Versioning, router adapter.Router, config Config) Group {
	a := &Adapter{Config: config, name: name}
	seam := adapter.Seam[*State, http.Handler]{
		Binding:   adapter.Bind(api, router),
		Load:      func(k *State) *verso.Result { return k.observed.Load() },
		Store:     (*State).store,
		Header:    func(k *State) http.Header { return k.w.Header() },
		Next:      (*State).next,
		NoContent: func(k *State) error { k.w.WriteHeader(http.StatusNoContent); return nil },
		Reject:    (*State).reject,
		Fail:      (*State).fail,

		OwnAnswers: config.ErrorHandler != nil,
		Skipper:    func(k *State) bool { return a.Skipper != nil && a.Skipper(k.Request) },
	}
	if a.ExemptFromSunset != nil {
		seam.ExemptFromSunset = func(k *State) bool { return a.ExemptFromSunset(k.Request) }
	}
	if a.Client != nil {
		seam.Client = func(k *State) string { return a.Client(k.Request) }
	}
	a.Seam = adapter.NewSeam(seam)
	return Group{a, adapter.NewGroup(name, a.Seam.Binding, joinVary)}
}

// Group is what the routes of a group have in common. The verbs of [adapter.Group] return what is
// to take its place in a copy of the Group. [New] returns one; the zero Group is not valid.
type Group struct {
	*Adapter
	adapter.Group[Middleware]
}

// Forms returns the paths at which a route is registered: its own, or one in each version,
// and then also the RegisteredPath of its [route.Route]. what names the route in a panic.
func (g Group) Forms(what, path string) (forms []string, registered string) {
	forms, err := g.Group.Forms(path)
	g.Must("route "+what, err)
	if g.Each {
		registered = path
	}
	return forms, registered
}

// joinVary makes the Vary field one line before the handler runs: see [verso.AddVary].
func joinVary(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		verso.AddVary(w.Header())
		next.ServeHTTP(w, r)
	})
}

// Rewrite rewrites the bodies of older versions. It panics if rewriter is nil, or if the
// routes have one.
func (g Group) Rewrite(rewriter verso.Rewriter) adapter.Group[Middleware] {
	rewriter = g.Seam.Bound(rewriter)
	return g.Group.Rewrite(rewriter, g.rewriting(rewriter))
}

// Add records a route with the name, the options and the rewriter of the group, and returns
// its handler. pick comes from [Group.Handler] or [Versions].
func (g Group) Add(what string, at route.Route, pick Pick) *Check {
	return &Check{g.Group.Add(what, at), g.Adapter, pick}
}

// Handler returns the handler for all versions, behind the middleware of [Group.AfterCheck].
// It panics if the handler is nil.
func (g Group) Handler(what string, handler http.Handler) Pick {
	g.Need("route "+what, handler)
	last := g.Around(what, handler, g.After())
	return func(*verso.Result) http.Handler { return last }
}

// Versions returns the handler of each version, and a group with the option that limits
// the route to the versions that have one. It panics with the errors of [adapter.Picker].
func Versions[H http.Handler](g Group, what string, handlers map[string]H) (adapter.Group[Middleware], Pick) {
	of := g.WithoutDefault()
	chains := make(verso.Handlers[http.Handler], len(handlers))
	for version, handler := range handlers {
		if chains[version] = nil; !nils.Is(handler) {
			chains[version] = g.Around(what, handler, of.After())
		}
	}
	return adapter.PickFor(of, what, chains)
}

// Around puts middleware around a handler, the first one outermost. It panics if one is nil, or
// returns nil.
func (g Group) Around(what string, handler http.Handler, middleware []Middleware) http.Handler {
	for _, wrap := range slices.Backward(middleware) {
		g.Group.Need("route "+what, wrap)
		if handler = wrap(handler); nils.Is(handler) {
			g.Fail("route %s: a middleware returns a nil handler: let it return one", what)
		}
	}
	return handler
}

// Need panics if a handler is nil. what names the method or the route of the handler.
func (g Group) Need(what string, handler http.Handler) {
	if nils.Is(handler) {
		g.Fail("%s: the handler is nil: give it one", what)
	}
}
