package verso

import (
	"cmp"
	"slices"
	"strings"
	"sync"
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

// asOf returns what the forms of a route have in common.
func asOf(r *route.Route) place { return place{r.Host, r.Method, cmp.Or(r.As, r.Path)} }

// Add notes a route that an adapter registers, with its options. Host, Method and
// Path are what the router knows it by, "" for any host or method; Name is its name
// in its namespace, "v1:" where the framework gives the name, with the namespace or
// without it.
//
// The error joins [*ConfigError]s: route_twice for a second route of one place,
// route_name for a name that stands for another path with the same parameters, and
// those of the options.
func (b *Binding) Add(r route.Route, options ...RouteOption) (*Registration, error) {
	b.adding.Lock()
	defer b.adding.Unlock()
	if b.own[placeOf(&r)] != nil {
		return nil, joined([]Finding{refuse("route_twice", "Routes", "the route is registered twice: for a handler per version, register it once with Choose")})
	}
	b.place(&r)
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
	b.own[placeOf(&r)], b.order = added, append(b.order, added)
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
	all := b.current()
	known := all.byPath[pattern]
	if known == nil {
		known = b.lookAgain(all, pattern)
	}
	return known.at(host, method)
}

// lookAgain returns what is known of a pattern that is not among the routes: one
// that was added since, or one of another router.
func (b *Binding) lookAgain(all *routes, pattern string) *pathRoutes {
	if known, ok := all.unknown.Load(pattern); ok {
		return known.(*pathRoutes)
	}
	b.routes.Store(nil)
	all = b.current()
	if known := all.byPath[pattern]; known != nil {
		return known
	}
	unknown := route.Route{Path: pattern}
	known, _ := all.unknown.LoadOrStore(pattern, &pathRoutes{bare: map[string]*route.Route{"": unknown.Prepare()}})
	return known.(*pathRoutes)
}

// routes are the routes of a router at a time.
type routes struct {
	table   *route.Table
	byPath  map[string]*pathRoutes
	unknown sync.Map // *pathRoutes by patterns that are not among the routes
}

// pathRoutes are the routes of a pattern, on all hosts.
type pathRoutes struct {
	routes map[place]*route.Route
	bare   map[string]*route.Route // by method: without what is said of a route, for when it is not certain
	mixed  bool                    // some carry no check
	spaces map[string]bool         // namespaces
}

func (p *pathRoutes) at(host, method string) *route.Route {
	bare := p.bare[method]
	if bare == nil {
		return p.bare[""]
	}
	r := p.routes[place{host: host, method: method}]
	if r == nil {
		r = p.routes[place{method: method}]
	}
	if r == nil || p.mixed && (len(p.spaces) > 1 || planOf(r) != nil) {
		return bare
	}
	return r
}

// current returns the routes as they are. Names may be given until the first
// request, so nothing is kept before it.
func (b *Binding) current() *routes {
	if current := b.routes.Load(); current != nil {
		return current
	}
	b.adding.Lock()
	defer b.adding.Unlock()
	serving := b.serving.Load()
	all := b.all()
	for i := range all {
		b.place(&all[i])
	}
	b.assumed.Clear() // of routes that were
	current := &routes{table: route.NewTable(all...), byPath: make(map[string]*pathRoutes)}
	i := 0
	for r := range current.table.Routes() {
		if i < len(b.order) && serving {
			b.order[i].at.Store(r)
		}
		current.add(r)
		i++
	}
	if serving {
		b.routes.Store(current)
	}
	return current
}

func (all *routes) add(r *route.Route) {
	known := all.byPath[r.Path]
	if known == nil {
		known = &pathRoutes{routes: make(map[place]*route.Route), bare: make(map[string]*route.Route), spaces: make(map[string]bool)}
		bare := route.Route{Path: r.Path, Pattern: r.Pattern}
		known.bare[""] = bare.Prepare()
		all.byPath[r.Path] = known
	}
	known.routes[place{host: r.Host, method: r.Method}] = r
	bare := route.Route{Method: r.Method, Path: r.Path, Pattern: r.Pattern}
	known.bare[r.Method] = bare.Prepare()
	known.mixed = known.mixed || r.Foreign
	known.spaces[r.Namespace()] = true
}

// all returns the routes that b has registered, in order and with the names that the
// framework has for them, and behind them those of the framework alone.
func (b *Binding) all() (all []route.Route) {
	names, moved := make(map[place]string), make(map[*Registration]route.Route)
	var foreign []route.Route
	for _, r := range b.router.Routes() {
		own, isMoved := r.Plan.(*Registration)
		if !isMoved {
			own = b.own[placeOf(&r)]
		}
		if own == nil {
			r.Foreign = true
			for _, s := range b.scopes {
				if s.has(&r) {
					s.describe(&r)
				}
			}
			foreign = append(foreign, r)
			continue
		}
		if r.Name != "" { // the framework has the name of one form of a route only
			names[asOf(&own.given)] = r.Name
		}
		if isMoved {
			moved[own] = r
		}
	}
	for _, own := range b.order {
		r := own.given
		if !r.HasName() {
			r.Name += strings.TrimPrefix(names[asOf(&r)], r.Name)
		}
		if at, ok := moved[own]; ok {
			r.Path, r.Pattern = at.Path, at.Pattern
		}
		all = append(all, r)
	}
	return append(all, foreign...)
}

// place says under which prefix of a version a route is.
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

// isPlain reports whether nothing is said of a route but its pattern.
func (b *Binding) isPlain(r *route.Route) bool {
	return r == nil || r.Plan == nil && (!b.api.byNamespace || len(r.Namespaces()) == 0)
}
