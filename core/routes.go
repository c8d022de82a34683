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
	plan, err := b.api.plan(options)
	if err != nil {
		return nil, err
	}
	if err := b.addName(&r); err != nil {
		return nil, err
	}
	if plan != nil {
		r.Plan = plan
	}
	added := &Registration{binding: b, given: r}
	b.added = append(b.added, added)
	b.own[placeOf(&r)] = added
	b.routes.Store(nil)
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
func (b *Binding) Changed() { b.routes.Store(nil) }

// CheckOthers tells b that a middleware checks the routes behind it that others
// register.
func (b *Binding) CheckOthers() { b.everything.Store(true) }

// Lookup returns what is known of a request in a middleware, by the host, the
// method, and the pattern that the framework says it has matched. Another middleware
// may have set the host or the method since the framework matched, so the route
// itself is returned only when each route of the pattern carries a check, which then
// verifies it. Otherwise it is one without options, and with a namespace only if all
// routes of the pattern share it.
func (b *Binding) Lookup(host, method, pattern string) *route.Route {
	b.serving.Store(true)
	known := b.current().byPath[pattern]
	if known == nil {
		known = b.lookAgain(pattern)
	}
	return known.at(host, method)
}

// lookAgain returns what is known of a pattern that is not among the routes: one
// that was added since, or one of another router, which is looked for once.
func (b *Binding) lookAgain(pattern string) *pathRoutes {
	if known, ok := b.unlisted.Load(pattern); ok {
		return known.(*pathRoutes)
	}
	b.routes.Store(nil)
	if known := b.current().byPath[pattern]; known != nil {
		return known
	}
	unknown := route.Route{Path: pattern}
	known, _ := b.unlisted.LoadOrStore(pattern, &pathRoutes{bare: map[string]*route.Route{"": unknown.Prepare()}})
	return known.(*pathRoutes)
}

// routes are the routes of a router at a time.
type routes struct {
	table  *route.Table
	byPath map[string]*pathRoutes
}

// pathRoutes are the routes of a pattern, on all hosts.
type pathRoutes struct {
	routes map[place]*route.Route
	bare   map[string]*route.Route // by method: without what is said of a route, for when it is not certain
	mixed  bool                    // some carry no check
}

func (p *pathRoutes) at(host, method string) *route.Route {
	if p.bare[method] == nil {
		method = ""
	}
	r := p.routes[place{host: host, method: method}]
	if r == nil {
		r = p.routes[place{method: method}]
	}
	if r == nil || p.mixed {
		return p.bare[method]
	}
	return r
}

// prepare makes the routes for when it is not certain which one is meant.
func (p *pathRoutes) prepare() {
	p.bare = make(map[string]*route.Route)
	var bare route.Route
	shared := true
	for _, r := range p.routes {
		namespace := route.Join(r.Namespace(), "")
		shared = shared && (len(p.bare) == 0 || namespace == bare.Name)
		bare = route.Route{Path: r.Path, Pattern: r.Pattern, Name: namespace}
		p.bare[r.Method] = nil
		p.mixed = p.mixed || r.Foreign
	}
	if !shared {
		bare.Name = ""
	}
	p.bare[""] = nil
	for method := range p.bare {
		bare.Method = method
		p.bare[method] = bare.Prepare()
	}
}

// current returns the routes as they are. Names may be given until the first
// request, so nothing is kept before it.
func (b *Binding) current() *routes {
	if current := b.routes.Load(); current != nil {
		return current
	}
	b.making.Lock()
	defer b.making.Unlock()
	if current := b.routes.Load(); current != nil {
		return current
	}
	table := route.NewTable(b.all()...)
	current := &routes{table: table, byPath: make(map[string]*pathRoutes)}
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

func (all *routes) add(r *route.Route) {
	known := all.byPath[r.Path]
	if known == nil {
		known = &pathRoutes{routes: make(map[place]*route.Route)}
		all.byPath[r.Path] = known
	}
	known.routes[place{host: r.Host, method: r.Method}] = r
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
	for _, own := range b.added {
		if !listed[placeOf(&own.given)] {
			all = append(all, own.given)
		}
	}
	return all
}

// isPlain reports whether nothing is said of a route but its pattern.
func (b *Binding) isPlain(r *route.Route) bool {
	return r == nil || r.Plan == nil && (!b.api.byNamespace || len(r.Namespaces()) == 0)
}
