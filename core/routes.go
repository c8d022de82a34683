package verso

import (
	"slices"
	"sync/atomic"

	"github.com/goverso/verso/core/route"
)

// Registration is a route that carries its check.
type Registration struct {
	binding *Binding
	given   route.Route
	at      atomic.Pointer[route.Route] // as requests see it; nil: not made yet
}

// place is where a router has a route.
type place struct{ host, method, path string }

func placeOf(r *route.Route) place { return place{r.Host, r.Method, r.Path} }

// Add notes a route that an adapter registers, with its options. Host, Method and
// Path are what the router knows it by, "" for any host or method; Name is its name
// in its namespace, "v1:" where the framework gives the name.
//
// The error joins [*ConfigError]s: route_twice for a second route of one place,
// route_name for a name that stands for another path with the same parameters, and
// those of the options.
func (b *Binding) Add(r route.Route, options ...RouteOption) (*Registration, error) {
	if b.own[placeOf(&r)] != nil {
		return nil, joined([]Finding{refuse("route_twice", "Routes", "the route is registered twice: for a handler per version, register it once with Choose")})
	}
	if err := b.addName(&r); err != nil {
		return nil, err
	}
	plan, err := b.api.plan(options)
	if err != nil {
		return nil, err
	}
	if plan != nil {
		r.Plan = plan
	}
	added := &Registration{binding: b, given: r}
	b.own[placeOf(&r)] = added
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
		return joined([]Finding{refuse("route_name", "Routes", "%w", err)})
	}
	b.named[r.Name] = same
	return nil
}

// Route returns the route as requests to it have it.
func (r *Registration) Route() *route.Route {
	if at := r.at.Load(); at != nil {
		return at
	}
	r.binding.serving.Store(true)
	r.binding.current()
	return r.at.Load()
}

// Changed tells b that the framework has a new route.
func (b *Binding) Changed() { b.changes.Add(1) }

// CheckOthers tells b that a middleware checks the routes behind it that others
// register.
func (b *Binding) CheckOthers() { b.everything.Store(true) }

// Lookup returns what is known of a request in a middleware, by the host, the
// method, and the pattern that the framework says it has matched. Another middleware
// may have set the host or the method since the framework matched, so the route
// itself is returned only when each route of the pattern carries a check, which then
// verifies it. Otherwise it is one without options, and with a namespace only if all
// routes of the pattern share it. For a pattern that the router does not list it is
// one without a Pattern.
func (b *Binding) Lookup(host, method, pattern string) *route.Route {
	at, _ := b.TryLookup(host, method, pattern)
	return at
}

// TryLookup is [Binding.Lookup] for a framework that can tell which route it has
// matched: where certain is false, ask it and [Binding.Matched].
func (b *Binding) TryLookup(host, method, pattern string) (at *route.Route, certain bool) {
	b.serving.Store(true)
	known := b.current().byPath[pattern]
	if known == nil {
		known = b.lookAgain(pattern)
	}
	if known == nil {
		unknown := route.Route{Path: pattern}
		return unknown.Prepare(), false
	}
	return known.at(host, method)
}

// Matched returns a route that the framework says it has matched as requests to it
// have it: with what was said when it was registered.
func (b *Binding) Matched(r route.Route) *route.Route {
	b.serving.Store(true)
	if known := b.current().byPath[r.Path]; known != nil && known.routes[place{host: r.Host, method: r.Method}] != nil {
		return known.routes[place{host: r.Host, method: r.Method}]
	}
	return r.Prepare()
}

// maxLookedAgain bounds for how many patterns the routes are listed again: a
// middleware may set any path as the pattern of a request.
const maxLookedAgain = 1000

// lookAgain returns the routes of a pattern that was not among the routes: they were
// added since. It returns nil when the router does not list them.
func (b *Binding) lookAgain(pattern string) *pathRoutes {
	if _, again := b.lookedAgain.Load(pattern); again || b.lookedAgainFor.Add(1) > maxLookedAgain {
		return nil
	}
	b.lookedAgain.Store(pattern, true)
	b.Changed()
	return b.current().byPath[pattern]
}

// routes are the routes of a router at a time.
type routes struct {
	changes int64 // that were known
	table   *route.Table
	byPath  map[string]*pathRoutes
}

// pathRoutes are the routes of a pattern, on all hosts.
type pathRoutes struct {
	routes map[place]*route.Route  // by host and method
	bare   map[string]*route.Route // by method: what all have in common, for when it is not certain which one it is
	mixed  bool                    // some carry no check
	spaces map[string]bool         // namespaces
}

func (p *pathRoutes) at(host, method string) (at *route.Route, certain bool) {
	for _, at := range [...]place{{host: host, method: method}, {method: method}, {host: host}, {}} {
		if r := p.routes[at]; r == nil {
			continue
		} else if !p.mixed || len(p.spaces) == 1 && planOf(r) == nil {
			return r, true
		}
		break
	}
	if bare := p.bare[method]; bare != nil {
		return bare, false
	}
	return p.bare[""], false
}

// prepare makes what all have in common.
func (p *pathRoutes) prepare() {
	common := route.Route{}
	methods := []string{""}
	for at, r := range p.routes {
		common.Path, common.Pattern = r.Path, r.Pattern
		if len(p.spaces) == 1 {
			common.Name = route.Join(r.Namespace(), "")
		}
		methods = append(methods, at.method)
	}
	p.bare = make(map[string]*route.Route, len(methods))
	for _, method := range methods {
		common.Method = method
		p.bare[method] = common.Prepare()
	}
}

// current returns the routes as they are. Names may be given until the first
// request, so nothing is kept before it.
func (b *Binding) current() *routes {
	if current := b.routes.Load(); current != nil && current.changes == b.changes.Load() {
		return current
	}
	b.listing.Lock()
	defer b.listing.Unlock()
	changes := b.changes.Load() // a change from now on makes another list
	if current := b.routes.Load(); current != nil && current.changes == changes {
		return current
	}
	table := route.NewTable(b.all()...)
	current := &routes{changes: changes, table: table, byPath: make(map[string]*pathRoutes)}
	for r := range table.Routes() {
		if own := b.own[placeOf(r)]; own != nil && b.serving.Load() {
			own.at.Store(r)
		}
		current.add(r)
	}
	for _, known := range current.byPath {
		known.prepare()
	}
	if b.serving.Load() {
		b.routes.Store(current)
	}
	return current
}

// linkable returns the table of the routes that links lead to.
func (b *Binding) linkable() *route.Table {
	if changing, ok := b.router.(interface{ HasChanged() bool }); ok && changing.HasChanged() {
		b.Changed()
	}
	return b.current().table
}

func (all *routes) add(r *route.Route) {
	known := all.byPath[r.Path]
	if known == nil {
		known = &pathRoutes{routes: make(map[place]*route.Route), spaces: make(map[string]bool)}
		all.byPath[r.Path] = known
	}
	known.routes[place{host: r.Host, method: r.Method}] = r
	known.mixed = known.mixed || r.Foreign
	known.spaces[r.Namespace()] = true
}

// all returns the routes of the router, joined with what was said when they were
// registered.
func (b *Binding) all() []route.Route {
	all := b.router.Routes()
	listed := make(map[place]bool, len(all))
	for i := range all {
		r := &all[i]
		listed[placeOf(r)] = true
		own := b.own[placeOf(r)]
		if own == nil {
			r.Foreign = true
			for _, s := range b.scopes {
				if s.has(r) {
					s.describe(r)
				}
			}
			continue
		}
		name := r.Name
		*r = own.given
		if !r.HasName() {
			r.Name += name
		}
	}
	for at, own := range b.own {
		if !listed[at] {
			all = append(all, own.given)
		}
	}
	return all
}

// isPlain reports whether nothing is said of a route but its pattern.
func (b *Binding) isPlain(r *route.Route) bool {
	return r == nil || r.Plan == nil && (!b.api.byNamespace || len(r.Namespaces()) == 0)
}
