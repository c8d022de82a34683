package versochi

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/go-chi/chi/v5"

	"github.com/goverso/verso/core/adapter/overhttp"
)

// foreign is a router that Verso has not made, with the places where [Routes.Mount] has mounted it.
type foreign struct {
	v      *Routes // registers in all places
	of     *chi.Mux
	places []*mounting

	serve      func()                              // guards what has come since the router was mounted, once
	guards     map[where]*guarded                  // when it begins to serve
	registered map[[2]string]*guarded              // of guards, by the method and the path
	known      atomic.Pointer[map[where][]located] // where the handlers of routes are

	adding sync.Mutex
	late   sync.Map // a method and a path to *lateRoute
}

// lateRoute is a route that a router has got while it serves.
type lateRoute struct {
	checks []checked // one for each place
	guard  *guarded  // whose place it has taken, or what it would have
}

// begin takes note of the routes at the first request.
func (m *foreign) begin() {
	m.guards, m.registered = make(map[where]*guarded), make(map[[2]string]*guarded)
	for _, at := range newTree(m.of).endpoints {
		if _, handler := unchained(at.handler); handler != nil {
			if g, ok := handler.(*guarded); ok {
				own, slashed := at.where(), where{at.Method, at.Path + "/", at.routers}
				m.guards[own], m.registered[own.route()] = g, g
				if at.isRoot && m.guards[slashed] == nil { // else it has a route of its own
					m.guards[slashed], m.registered[slashed.route()] = g, cmp.Or(m.registered[slashed.route()], g)
				}
			}
		}
	}
	m.look()
}

// look finds out which routes there are.
func (m *foreign) look() {
	known := handlersOf(m.of)
	m.known.Store(&known)
}

// isKnown reports whether the handlers of a route have checks.
func (m *foreign) isKnown(key where) bool {
	handlers, ok := (*m.known.Load())[key]
	return ok && !slices.ContainsFunc(handlers, located.isForeign)
}

// explain puts checks in front of late routes.
func (m *foreign) explain() {
	m.serve()
	m.look()
	byPath := func(a, b where) int {
		return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.method, b.method), cmp.Compare(a.routers, b.routers))
	}
	for _, key := range slices.SortedFunc(maps.Keys(*m.known.Load()), byPath) {
		if !m.isKnown(key) {
			m.checkLate(key)
		}
	}
}

// enter serves a request in a place.
func (m *foreign) enter(w http.ResponseWriter, r *http.Request, in *mounting) {
	m.serve()
	key, isLate := m.find(r)
	if !isLate {
		m.needAlone(r, key, m.guards[key])
		in.next.ServeHTTP(w, r)
		return
	}
	late := m.checkLate(key)
	m.needAlone(r, key, late.guard)
	at, p := late.checks[slices.Index(m.places, in)], &passing{late.guard, in.next}
	own := r.WithContext(context.WithValue(r.Context(), passingKey{}, p))
	own.Pattern = cmp.Or(strings.TrimSuffix(at.path, "/"), "/") // as chi has it
	if at.handler != nil {
		at.handler.ServeHTTP(w, own)
	} else {
		m.of.NotFoundHandler().ServeHTTP(w, own)
	}
	r.Pattern = own.Pattern // for what is around
}

// find returns where the route for a request is, and whether it came late.
func (m *foreign) find(r *http.Request) (key where, isLate bool) {
	for range 2 {
		var found bool
		if key, found = m.match(r, cmp.Or(contextOf(r).RouteMethod, r.Method)); !found || m.isKnown(key) {
			return key, false
		}
		if _, isChecked := m.late.Load(key.route()); isChecked {
			break
		}
		if m.v.root.trees.Clear(); readsTree() {
			m.look()
		}
	}
	return key, true
}

// match returns where the route for a request of a method is, if there is one.
func (m *foreign) match(r *http.Request, method string) (key where, found bool) {
	before, path := contextOf(r), "/"
	if last := len(before.URLParams.Keys) - 1; last >= 0 && before.URLParams.Keys[last] == "*" {
		path += before.URLParams.Values[last]
	}
	method, path, passes := m.v.root.moved(r, m.of.Middlewares(), method, path)
	if !passes {
		return key, false
	}
	at := trials.Get().(*chi.Context)
	defer trials.Put(at)
	at.Reset()
	if method, found = m.v.root.find(r, m.of, at, method, path); found {
		key = whereIs(method, patternOf(at), at.RoutePatterns)
	}
	return key, found
}

// needAlone panics for a preflight whose handler was for OPTIONS alone, and has another method by now.
func (m *foreign) needAlone(r *http.Request, key where, guard *guarded) {
	if key.method != http.MethodOptions || guard == nil || guard.sharesHandler || !readsTree() {
		return
	}
	known := methods()
	for _, method := range known {
		other, found := m.match(r, method)
		if _, isListed := (*m.known.Load())[other]; found && !isListed {
			m.v.root.trees.Clear()
			m.look()
		}
	}
	m.v.needAlike("Mount "+m.v.mount, guard, m.sharesHandler(key, known))
}

var trials = sync.Pool{New: func() any { return chi.NewRouteContext() }}

// checkLate returns a late route with its checks.
func (m *foreign) checkLate(key where) *lateRoute {
	m.adding.Lock()
	defer m.adding.Unlock()
	if known, ok := m.late.Load(key.route()); ok {
		return known.(*lateRoute)
	}
	one := m.v.with(m.v.over.Group)
	one.sharesHandler = m.sharesHandler(key, methods())
	late := &lateRoute{guard: m.registered[key.route()]}
	if late.guard != nil && (late.guard.method != "" || one.sharesHandler) { // else it takes a method from a mount alone
		one.needAlike("Mount "+m.v.mount, late.guard, one.sharesHandler)
		for i, at := range m.places {
			late.checks = append(late.checks, atPath(checksOf(&at.checks, late.guard), m.v.in[i].mount+key.path))
		}
	} else {
		late.guard = &guarded{method: key.method, pattern: key.path, sharesHandler: one.sharesHandler}
		late.checks = one.checksOf(key.method, key.path, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r.Context().Value(passingKey{}).(*passing).next.ServeHTTP(w, r)
		}))
	}
	for _, c := range late.checks {
		if _, check := unchained(c.handler); check != nil {
			m.v.root.lateChecks.Store([2]string{key.method, c.path}, check)
		}
	}
	m.late.Store(key.route(), late)
	return late
}

// sharesHandler reports whether the handler of a late route may have another of some methods, too.
func (m *foreign) sharesHandler(key where, methods []string) bool {
	beside, known := make(map[string]http.Handler), *m.known.Load()
	for _, method := range methods {
		if at := known[where{method, key.path, key.routers}]; len(at) > 0 { // else it is not known what is there
			own := slices.IndexFunc(at, func(l located) bool { return !l.isRouter })
			beside[method] = handlerIn(at[max(own, 0)].Value)
		}
	}
	handler := beside[key.method] // nil: it is below a router that chi does not know
	return handler == nil || isMount(handler) || isShared(beside, key.method)
}

// located is where chi has a handler.
type located struct {
	reflect.Value
	isRouter bool // a router is mounted there
}

// handlersOf returns where chi has the handlers of a router and its subrouters.
func handlersOf(r *chi.Mux) map[where][]located {
	all, slashed := make(map[where][]located), make(map[where]where) // to the path without the slash
	t := newTree(r)
	for _, at := range t.endpoints {
		key := at.where()
		all[key] = nil
		_, handler := unchained(at.handler)
		if g, ok := handler.(*guarded); at.isRoot || ok && isMount(g.Handler) {
			behind := where{at.Method, at.Path + "/", at.routers}
			all[behind], slashed[behind] = nil, key
		}
	}
	if !readsTree() {
		return all
	}
	locate(r, "", nil, func(key where, at located) {
		if _, isRoute := all[key]; isRoute {
			all[key] = append(all[key], at)
		}
	})
	for behind, key := range slashed {
		all[behind] = append(all[behind], all[key]...)
	}
	maps.DeleteFunc(all, func(_ where, at []located) bool { return len(at) == 0 })
	return all
}

// locate calls found for each handler in a router and its subrouters.
func locate(r *chi.Mux, below string, within []string, found func(key where, at located)) {
	subs := make(map[string]*chi.Mux)
	for _, at := range listOf(r) {
		if sub := muxOf(at.SubRoutes); sub != nil && !isGuarded(at) {
			subs[strings.TrimSuffix(at.Pattern, "/*")] = sub
		}
	}
	mounts := mountsOf(r)
	eachEndpoint(r, func(method uint64, pattern string, handler reflect.Value) {
		at, base := located{Value: handler}, baseOf(pattern)
		if isMountIn(handler) && subs[base] != nil {
			router, isThere := mounts[[2]string{methodOf(method), base + "/*"}]
			at.isRouter = !isThere || router.was == functionOf(handlerIn(handler))
		}
		key := whereIs(methodOf(method), below+pattern, append(slices.Clip(within), pattern))
		found(key, at)
		if pattern == "/" && below != "" {
			key.path = below
			found(key, at)
		}
	})
	for base, sub := range subs {
		locate(sub, below+base, append(slices.Clip(within), base), found)
	}
}

// isForeign reports whether the handler there has no check now.
func (l located) isForeign() bool {
	if isMountIn(l.Value) {
		return !l.isRouter
	}
	switch _, handler := unchained(handlerIn(l.Value)); handler.(type) {
	case *guarded, *overhttp.Check:
		return false
	}
	return true
}
