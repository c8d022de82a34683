package versochi

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/go-chi/chi/v5"
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
	late   sync.Map // a method and a path to []checked: one for each place, of a route since then
}

// begin takes note of the routes at the first request.
func (m *foreign) begin() {
	m.guards = make(map[[2]string]*guarded)
	for _, at := range newTree(m.of).endpoints {
		if _, handler := unchained(at.handler); handler != nil {
			if g, ok := handler.(*guarded); ok {
				m.guards[[2]string{at.Method, at.Path}] = g
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

// passing is a request to a route that came late, whose check is in front of all that its router does.
type passing struct {
	past *guarded // whose place the route has taken
	next http.Handler
}

type passingKey struct{}

// enter serves a request in a place.
func (m *foreign) enter(w http.ResponseWriter, r *http.Request, in *mounting) {
	m.serve()
	key, isLate := m.find(r)
	if !isLate {
		in.next.ServeHTTP(w, r)
		return
	}
	at, p := m.checkLate(key)[slices.Index(m.places, in)], &passing{m.guards[key], in.next}
	r.Pattern = cmp.Or(strings.TrimSuffix(at.path, "/"), "/") // as chi has it, for what is around
	r = r.WithContext(context.WithValue(r.Context(), passingKey{}, p))
	if at.handler != nil {
		at.handler.ServeHTTP(w, r)
	} else {
		m.of.NotFoundHandler().ServeHTTP(w, r)
	}
}

// find returns the method and the path of the route for a request, and whether it came late.
func (m *foreign) find(r *http.Request) (key [2]string, isLate bool) {
	before, path := contextOf(r), "/"
	if last := len(before.URLParams.Keys) - 1; last >= 0 && before.URLParams.Keys[last] == "*" {
		path += before.URLParams.Values[last]
	}
	method, path, passes := m.v.root.moved(r, m.of.Middlewares(), cmp.Or(before.RouteMethod, r.Method), path)
	if !passes {
		return key, false
	}
	at := trials.Get().(*chi.Context)
	defer trials.Put(at)
	for range 2 {
		at.Reset()
		if key[0], passes = m.v.root.find(r, m.of, at, method, path); !passes {
			return key, false
		}
		if key[1] = patternOf(at); m.isKnown(key) {
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

var trials = sync.Pool{New: func() any { return chi.NewRouteContext() }}

// checkLate returns the check of a route in each place.
func (m *foreign) checkLate(key [2]string) (all []checked) {
	m.adding.Lock()
	defer m.adding.Unlock()
	if known, ok := m.late.Load(key); ok {
		return known.([]checked)
	}
	if past := m.guards[key]; past != nil {
		for i, at := range m.places {
			all = append(all, atPath(checksOf(&at.checks, past), m.v.in[i].mount+key[1]))
		}
	} else {
		all = m.v.checksOf(key[0], key[1], http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r.Context().Value(passingKey{}).(*passing).next.ServeHTTP(w, r)
		}))
	}
	for _, c := range all {
		if _, check := unchained(c.handler); check != nil {
			m.v.root.lateChecks.Store([2]string{key[0], c.path}, check)
		}
	}
	m.late.Store(key, all)
	return all
}
