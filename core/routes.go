package verso

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/goverso/verso/core/route"
)

// Registration is a route that has its check before its handler.
type Registration struct {
	binding *Binding
	given   route.Route
	at      atomic.Pointer[route.Route] // as requests see it; nil: not made yet
}

// place is where a router has a route.
type place struct{ host, method, path string }

func placeOf(r *route.Route) place { return place{r.Host, r.Method, r.Path} }

// asOf returns the place that the forms of a route have in common.
func asOf(r *route.Route) place { return place{r.Host, r.Method, cmp.Or(r.As, r.Path)} }

// Add records a route that an adapter registers, with its options. Host, Method and Path
// identify it in the router; an empty Host or Method means any. Name is its name in its
// namespace, or "v1:" if the framework gives the name later.
//
// The error joins [*Finding]s: route_twice for a second route of the same host, method
// and path, route_name for a name of another path with the same parameters,
// route_one_version for a handler of a version that no request to the route can have,
// and those of the options.
func (b *Binding) Add(r route.Route, options ...RouteOption) (*Registration, error) {
	b.adding.Lock()
	defer b.adding.Unlock()
	if b.own[placeOf(&r)] != nil {
		return nil, mistake("route_twice", "Routes", "the route is registered twice: for a handler per version, register it once with Choose")
	}
	plan, err := b.api.plan(options)
	if err != nil {
		return nil, err
	}
	b.place(&r)
	if plan != nil && plan.dispatches && r.As == "" {
		if err := b.checkReached(&r, plan); err != nil {
			return nil, err
		}
	}
	if err := b.addName(&r); err != nil {
		return nil, err
	}
	if plan != nil {
		r.Plan = plan
	}
	added := &Registration{binding: b, given: r}
	b.own[placeOf(&r)], b.order = added, append(b.order, added)
	b.Changed()
	return added, nil
}

// addName checks that links can tell the routes of a name apart.
func (b *Binding) addName(r *route.Route) error {
	same := b.named[r.Name]
	if !r.HasName() || slices.ContainsFunc(same, r.IsSamePath) {
		return nil
	}
	same = append(same, r)
	if err := route.Ambiguous(same); err != nil {
		return mistake("route_name", "Routes", "%w", err)
	}
	b.named[r.Name] = same
	return nil
}

// Route returns the route as requests to it have it.
func (r *Registration) Route() *route.Route {
	if at := r.at.Load(); at != nil {
		return at
	}
	return r.atFirst()
}

// atFirst is apart, so that Route is inlined.
func (r *Registration) atFirst() *route.Route {
	r.binding.serving.Store(true)
	r.binding.current()
	return r.at.Load()
}

// Changed tells b that the framework has another route.
func (b *Binding) Changed() { b.changes.Add(1) }

// CheckOthers tells b that a middleware checks the routes that others register.
func (b *Binding) CheckOthers() { b.everything.Store(true) }

// ChecksOthers reports whether CheckOthers was called: a middleware may have decided
// on a request before its route does.
func (b *Binding) ChecksOthers() bool { return b.everything.Load() }

// Lookup returns the route of a request for a middleware, by the host, the method, and
// the pattern that the framework has matched. Another middleware may have changed the
// host or the method since. So Lookup returns the route itself only if every route of
// the pattern has a check, which then verifies it: certain is true. Otherwise it returns
// a route without options, with a namespace only if all routes of the pattern share it.
// It is Foreign if some have no check, and has no Pattern if the router does not list
// it. If the version is read from the namespace, and a route without a check may have
// another than the rest, the decision is a programming error. If certain is false, a
// framework that can tell which route it has matched calls [Binding.Matched].
func (b *Binding) Lookup(host, method, pattern string) (at *route.Route, certain bool) {
	b.serving.Store(true)
	if known := b.current().of(b, pattern); known != nil {
		return known.at(host, method)
	}
	return b.lookAgain(host, method, pattern)
}

// Matched returns the route that a framework has matched, a Foreign one if the route is
// not known: see [Binding.Lookup].
func (b *Binding) Matched(r route.Route) *route.Route {
	if known := b.current().of(b, r.Path); known != nil {
		if at := known.routes[place{host: r.Host, method: r.Method}]; at != nil {
			return at
		}
	}
	r.Foreign = true
	return r.Prepare()
}

// maxLookedAgain bounds the patterns for which the routes are listed again: a middleware
// may set any path as the pattern of a request.
const maxLookedAgain = 1000

// lookAgain is Lookup for a pattern that is not among the known routes: the route was
// added since, or the router does not list it.
func (b *Binding) lookAgain(host, method, pattern string) (at *route.Route, certain bool) {
	if _, again := b.lookedAgain.Load(pattern); !again && b.lookedAgainFor.Add(1) <= maxLookedAgain {
		b.lookedAgain.Store(pattern, true)
		b.Changed()
		if known := b.current().of(b, pattern); known != nil {
			return known.at(host, method)
		}
	}
	unknown := route.Route{Path: pattern, Foreign: true}
	return unknown.Prepare(), false
}

// routes are the routes of a router at some time.
type routes struct {
	changes int64 // of [Binding] that they include
	table   *route.Table
	once    sync.Once
	byPath  map[string]*pathRoutes // made when a middleware asks
}

// of returns the routes of a pattern, nil for none.
func (all *routes) of(b *Binding, pattern string) *pathRoutes {
	all.once.Do(func() {
		all.byPath = make(map[string]*pathRoutes)
		for r := range all.table.Routes() {
			all.add(r, b.api.byNamespace)
		}
	})
	return all.byPath[pattern]
}

// pathRoutes are the routes of a pattern, on all hosts.
type pathRoutes struct {
	routes map[place]*route.Route
	bare   map[string]*route.Route // by method: with what all routes of the pattern share
	mixed  bool                    // some carry no check
}

func (p *pathRoutes) at(host, method string) (at *route.Route, certain bool) {
	for _, at := range [...]place{{host: host, method: method}, {method: method}, {host: host}, {}} {
		r := p.routes[at]
		if r == nil {
			continue
		}
		if !p.mixed || r.Foreign && r.Plan == nil && p.bare[""].Plan == nil && r.Namespace() == p.bare[""].Namespace() {
			return r, true
		}
		break
	}
	if bare := p.bare[method]; bare != nil {
		return bare, false
	}
	return p.bare[""], false
}

// current returns the current routes. Routes may get names until the first request, so
// nothing is kept before it.
func (b *Binding) current() *routes {
	if current := b.routes.Load(); current != nil && current.changes == b.changes.Load() {
		return current
	}
	b.adding.Lock()
	defer b.adding.Unlock()
	changes := b.changes.Load() // a change from now on makes another list
	if current := b.routes.Load(); current != nil && current.changes == changes {
		return current
	}
	serving := b.serving.Load()
	all, owners := b.all()
	current := &routes{changes: changes, table: route.NewTable(all...)}
	b.assumed.Clear() // of routes that were
	if serving {
		i := 0
		for r := range current.table.Routes() {
			if i < len(owners) {
				owners[i].at.Store(r)
			}
			i++
		}
		b.routes.Store(current)
	}
	return current
}

func (all *routes) add(r *route.Route, byNamespace bool) {
	shared := route.Route{Name: route.Join(r.Namespace(), ""), Path: r.Path, Pattern: r.Pattern}
	known := all.byPath[r.Path]
	if known == nil {
		known = &pathRoutes{make(map[place]*route.Route), map[string]*route.Route{"": shared.Prepare()}, false}
		all.byPath[r.Path] = known
	}
	known.routes[place{host: r.Host, method: r.Method}] = r
	known.mixed = known.mixed || r.Foreign
	shared.Foreign = known.mixed
	if before := known.bare[""]; before.Name != shared.Name || before.Plan != nil {
		if before.Plan != nil || byNamespace && r.Foreign && (before.Foreign || shared.Name != "") {
			shared.Plan = severalNamespaces
		}
		shared.Name = ""
	}
	known.bare[r.Method] = nil
	for method := range known.bare {
		shared.Method = method
		known.bare[method] = shared.Prepare()
	}
}

// all returns the routes that are registered with b, in order, with their registrations
// and the names that the framework has for them, and then the other routes of the
// framework.
func (b *Binding) all() (all []route.Route, owners []*Registration) {
	names, moved := make(map[place]string), make(map[*Registration]route.Route)
	var foreign []route.Route
	for _, r := range b.router.Routes() {
		own, elsewhere := r.Plan.(*Registration)
		if !elsewhere {
			own = b.own[placeOf(&r)]
		}
		switch {
		case own == nil:
			r.Foreign = true
			for _, s := range b.scopes {
				if s.has(&r) {
					s.describe(&r)
				}
			}
			foreign = append(foreign, r)
			continue
		case elsewhere:
			moved[own] = r
		}
		if r.Name != "" { // the framework has the name of one form of a route only
			names[asOf(&own.given)] = r.Name
		}
	}
	for _, own := range b.order {
		r := own.given
		if at, ok := moved[own]; ok {
			r.Path, r.Pattern = at.Path, at.Pattern
		}
		if !r.HasName() {
			r.Name += strings.TrimPrefix(names[asOf(&own.given)], r.Name)
		}
		all, owners = append(all, r), append(owners, own)
	}
	all = append(all, foreign...)
	for i := range all {
		b.place(&all[i])
	}
	return all, owners
}

// place sets the prefix that a route is under.
func (b *Binding) place(r *route.Route) {
	p := b.api.prefix
	if p == nil || r.Pattern.Err() != nil {
		return
	}
	text, segment, ok := p.split(&r.Pattern)
	if ok = ok && (b.served.set.lookup(text) != nil || p.isVersion(text)); ok {
		r.Space = text
	} else {
		segment = ""
	}
	r.Twin = p.twin(&r.Pattern, segment)
}

// isPlain reports whether a route has neither options nor a namespace that matters.
func (b *Binding) isPlain(r *route.Route) bool {
	return r == nil || r.Plan == nil && (!b.api.byNamespace || len(r.Namespaces()) == 0)
}
