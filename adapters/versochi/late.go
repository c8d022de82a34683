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

	serve  func()                                  // guards what has come since the router was mounted, once
	guards map[[2]string]*guarded                  // by the method and the path, when it begins to serve
	known  atomic.Pointer[map[[2]string][]located] // where the handlers of a method and a path are

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
	m.guards = make(map[[2]string]*guarded)
	for _, at := range newTree(m.of).endpoints {
		if _, handler := unchained(at.handler); handler != nil {
			if g, ok := handler.(*guarded); ok {
				m.guards[[2]string{at.Method, at.Path}] = g
				slashed := [2]string{at.Method, at.Path + "/"}
				if at.isRoot && m.guards[slashed] == nil { // else it has a route of its own
					m.guards[slashed] = g
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

// isKnown reports whether the handlers of a method and a path have checks.
func (m *foreign) isKnown(key [2]string) bool {
	handlers, ok := (*m.known.Load())[key]
	return ok && !slices.ContainsFunc(handlers, located.isForeign)
}

// explain puts checks in front of late routes.
func (m *foreign) explain() {
	m.serve()
	m.look()
	byPath := func(a, b [2]string) int { return cmp.Or(cmp.Compare(a[1], b[1]), cmp.Compare(a[0], b[0])) }
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

// find returns the method and the path of the route for a request, and whether it came late.
func (m *foreign) find(r *http.Request) (key [2]string, isLate bool) {
	for range 2 {
		var found bool
		if key, found = m.match(r, cmp.Or(contextOf(r).RouteMethod, r.Method)); !found || m.isKnown(key) {
			return key, false
		}
		if _, isChecked := m.late.Load(key); isChecked {
			break
		}
		if m.v.root.trees.Clear(); readsTree() {
			m.look()
		}
	}
	return key, true
}

// match returns the method and the path of the route for a request of a method, if there is one.
func (m *foreign) match(r *http.Request, method string) (key [2]string, found bool) {
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
	if key[0], found = m.v.root.find(r, m.of, at, method, path); found {
		key[1] = patternOf(at)
	}
	return key, found
}

// needAlone panics for a preflight whose handler was for OPTIONS alone, and has another method by now.
func (m *foreign) needAlone(r *http.Request, key [2]string, guard *guarded) {
	if key[0] != http.MethodOptions || guard == nil || guard.sharesHandler || !readsTree() {
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
func (m *foreign) checkLate(key [2]string) *lateRoute {
	m.adding.Lock()
	defer m.adding.Unlock()
	if known, ok := m.late.Load(key); ok {
		return known.(*lateRoute)
	}
	one := m.v.with(m.v.over.Group)
	one.sharesHandler = m.sharesHandler(key, methods())
	late := &lateRoute{guard: m.guards[key]}
	if late.guard != nil {
		one.needAlike("Mount "+m.v.mount, late.guard, one.sharesHandler)
		for i, at := range m.places {
			late.checks = append(late.checks, atPath(checksOf(&at.checks, late.guard), m.v.in[i].mount+key[1]))
		}
	} else {
		late.guard = &guarded{method: key[0], pattern: key[1], sharesHandler: one.sharesHandler}
		late.checks = one.checksOf(key[0], key[1], http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r.Context().Value(passingKey{}).(*passing).next.ServeHTTP(w, r)
		}))
	}
	for _, c := range late.checks {
		if _, check := unchained(c.handler); check != nil {
			m.v.root.lateChecks.Store([2]string{key[0], c.path}, check)
		}
	}
	m.late.Store(key, late)
	return late
}

// sharesHandler reports whether the handler of a late route may have another of some methods, too.
func (m *foreign) sharesHandler(key [2]string, methods []string) bool {
	beside, known := make(map[string]http.Handler), *m.known.Load()
	for _, method := range methods {
		if at := known[[2]string{method, key[1]}]; len(at) > 0 { // else it is not known what is there
			own := slices.IndexFunc(at, func(l located) bool { return !l.isRouter })
			beside[method] = handlerIn(at[max(own, 0)].Value)
		}
	}
	handler := beside[key[0]] // nil: it is below a router that chi does not know
	return handler == nil || isMount(handler) || isShared(beside, key[0])
}

// located is where chi has a handler.
type located struct {
	reflect.Value
	isRouter bool // a router is mounted there
}

// handlersOf returns where chi has the handlers of a router and its subrouters, by the method and the path.
func handlersOf(r *chi.Mux) map[[2]string][]located {
	all, slashed := make(map[[2]string][]located), make(map[[2]string]string) // to the path without the slash
	add := func(method, path string) { all[[2]string{method, path}] = nil }
	t := newTree(r)
	for _, at := range t.endpoints {
		add(at.Method, at.Path)
		_, handler := unchained(at.handler)
		if g, ok := handler.(*guarded); at.isRoot || ok && isMount(g.Handler) {
			add(at.Method, at.Path+"/")
			slashed[[2]string{at.Method, at.Path + "/"}] = at.Path
		}
	}
	for path := range t.unmatched {
		for _, method := range methods() {
			add(method, path)
		}
	}
	if !readsTree() {
		return all
	}
	locate(r, "", func(method, path string, at located) {
		key := [2]string{method, path}
		if _, isRoute := all[key]; isRoute {
			all[key] = append(all[key], at)
		}
	})
	for key, path := range slashed {
		all[key] = append(all[key], all[[2]string{key[0], path}]...)
	}
	maps.DeleteFunc(all, func(_ [2]string, at []located) bool { return len(at) == 0 })
	return all
}

// locate calls found for each handler in a router and its subrouters.
func locate(r *chi.Mux, below string, found func(method, path string, at located)) {
	subs := make(map[string]*chi.Mux)
	for _, at := range listOf(r) {
		if sub := muxOf(at.SubRoutes); sub != nil && !isGuarded(at) {
			subs[strings.TrimSuffix(at.Pattern, "/*")] = sub
		}
	}
	eachEndpoint(r, func(method uint64, pattern string, handler reflect.Value) {
		at := located{handler, isMountIn(handler) && subs[strings.TrimSuffix(strings.TrimSuffix(pattern, "*"), "/")] != nil}
		found(methodOf(method), below+pattern, at)
		if pattern == "/" && below != "" {
			found(methodOf(method), below, at)
		}
	})
	for base, sub := range subs {
		locate(sub, below+base, found)
	}
}

// isForeign reports whether the handler there has no check now.
func (l located) isForeign() bool {
	if isMountIn(l.Value) {
		return !l.isRouter
	}
	switch _, handler := unchained(handlerIn(l.Value)); handler.(type) {
	case *guarded, *overhttp.Check, *unmatched:
		return false
	}
	return true
}
