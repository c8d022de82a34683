package versochi

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/go-chi/chi/v5"

	"github.com/goverso/verso/core/adapter/overhttp"
)

// guarded is what takes the place of a handler in a router that Verso has not made. The router is mounted as it
// is; where [Routes.Mount] has mounted it, there is a check in front of the handler, and elsewhere there is none.
type guarded struct {
	http.Handler
	of              *chi.Mux
	method, pattern string
	also            []string // behind the pattern
	sharesHandler   bool     // the handler has another method of the path, too
}

// mounting is a place where a router is mounted.
type mounting struct {
	checks sync.Map     // *guarded to []checked
	next   http.Handler // of chi, which goes into the router
}

// checked is a handler at a path, with its check.
type checked struct {
	path    string
	handler http.Handler // with its check; nil: the version does not have the route
}

type mountingKey struct{}

// ServeHTTP calls the handler, behind its check.
func (g *guarded) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if p, ok := r.Context().Value(passingKey{}).(*passing); ok && p.past == g { // its check is in front of its router
		g.Handler.ServeHTTP(w, r)
		return
	}
	var all []checked
	if in, ok := r.Context().Value(mountingKey{}).(*mounting); ok {
		all = checksOf(&in.checks, g)
	}
	if len(all) == 0 { // mounted by chi alone, or in a handler with a check
		g.Handler.ServeHTTP(w, r)
	} else if handler := best(all, contextOf(r)).handler; handler != nil {
		handler.ServeHTTP(w, r)
	} else {
		g.of.NotFoundHandler().ServeHTTP(w, r)
	}
}

// pass calls the handler, or the router in front of it: see [passing].
func (g *guarded) pass(w http.ResponseWriter, r *http.Request) {
	if p, ok := r.Context().Value(passingKey{}).(*passing); ok && p.past == g {
		p.next.ServeHTTP(w, r)
		return
	}
	g.Handler.ServeHTTP(w, r)
}

func checksOf(checks *sync.Map, g *guarded) []checked {
	all, _ := checks.Load(g)
	known, _ := all.([]checked)
	return known
}

// best returns what is at the path of a request, which may begin in another router.
func best(all []checked, at *chi.Context) checked {
	if len(all) == 1 {
		return all[0]
	}
	return atPath(all, patternOf(at))
}

// atPath returns what is at a path, with or without a slash at its end.
func atPath(all []checked, path string) checked {
	length := func(c checked) int { return common(strings.TrimSuffix(c.path, "/"), strings.TrimSuffix(path, "/")) }
	return slices.MaxFunc(all, func(a, b checked) int { return cmp.Compare(length(a), length(b)) })
}

// common returns how much of their end two paths have in common.
func common(a, b string) (length int) {
	for length < min(len(a), len(b)) && a[len(a)-1-length] == b[len(b)-1-length] {
		length++
	}
	return length
}

// isGuarded reports whether a mount is a route, with a check.
func isGuarded(at chi.Route) bool {
	for _, handler := range at.Handlers {
		_, handler = unchained(handler)
		if g, ok := handler.(*guarded); ok && isMount(g.Handler) {
			return true
		}
	}
	return false
}

// passing is a request to a route that came late, whose check is in front of all that its router does.
type passing struct {
	past *guarded // whose place the route has taken
	next http.Handler
}

type passingKey struct{}

// identityOf returns what two handlers of one route have in common, without their middleware and their checks.
func identityOf(handler http.Handler) any {
	_, handler = unchained(handler)
	if g, ok := handler.(*guarded); ok {
		handler = g.Handler
	}
	return overhttp.Identity(handler)
}
