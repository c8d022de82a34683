package versochi

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/go-chi/chi/v5"

	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
)

// RegisterVersions registers the routes of several versions on the same paths, such as the
// generated servers of v1 and v2 behind a header. Each function gets a router of its own.
// Each method and path among their routes becomes a route with a handler for each
// version, registered as [Routes.HandleVersions] does, whatever the names of its path
// parameters. A version without a function has the routes of the one before it; after nil
// it has none. Middleware of a function's router runs after the check.
//
//	v.RegisterVersions(map[string]func(chi.Router){
//		"v1": func(r chi.Router) { apiv1.HandlerFromMux(serverV1, r) },
//		"v2": func(r chi.Router) { apiv2.HandlerFromMux(serverV2, r) },
//	})
//
// Other requests below a subrouter run the middleware of the subrouter of the first version, and get its 404 and 405.
// Middleware of a subrouter that changes the path or the method has no effect on which route is found, and a
// subrouter at "/" or at a parameter has its routes beside those of the router around it.
//
// It panics as HandleVersions does, if a function registers nothing with its router or a route twice, and if a
// path has two parameters of one name. As in chi, a subrouter takes its path: a route or a mount there as well panics,
// and so does a route or a mount beside the subrouter that hides its routes; if it comes later, Explain panics, and so
// does each request for a route of the functions.
func (v *Routes) RegisterVersions(versions map[string]func(chi.Router)) {
	subs := make(map[string]*unmatched)  // by the path
	first := make(map[string]*unmatched) // by the path without the names of its parameters, which differ by version
	others := &beside{over: v.over, first: func() {}}
	cover := sync.OnceFunc(func() { // before the routes, which take the place of it
		for _, below := range slices.Sorted(maps.Keys(subs)) {
			v.coverBelow(below, subs[below], others)
		}
	})
	v.over.Must("RegisterVersions", adapter.RouteJoiner[chi.Router, http.HandlerFunc]{
		Record: func(register func(chi.Router), note func(route.Route, http.HandlerFunc)) {
			router := chi.NewRouter()
			register(router)
			t := newTree(router)
			v.root.recorded = append(v.root.recorded, func() []*route.Route { return t.lost(router) })
			if at, hidden, found := t.hidden(); found {
				others.fail(hidden, at.Path)
			}
			known := maps.Clone(first)
			for below, around := range t.around {
				if sub, isRouter := t.subs[below].(*chi.Mux); isRouter {
					if subs[below] = known[unnamed(below)]; subs[below] == nil {
						subs[below] = &unmatched{of: sub, outer: t.outer[below], in: router, below: below, root: v.root}
						subs[below].Handler = around.HandlerFunc(subs[below].answer)
						first[unnamed(below)] = subs[below]
					}
				}
			}
			others.own = slices.Concat(others.own, t.endpoints, t.covers)
			roots := make(map[string]bool)
			for _, at := range t.endpoints {
				v.over.Need("route "+at.Method+" "+at.Path, at.handler)
				handler := others.looked(at.middleware.Handler(at.handler).ServeHTTP)
				note(at.Route, handler)
				if isMount(at.handler) && !strings.HasSuffix(at.Path, "/*") && !strings.HasSuffix(at.Path, "/") {
					noteAt(at, at.Path+"/", handler, note)
				}
				if at.isRoot {
					roots[at.Method+" "+at.Path] = true
					noteAt(at, at.Path+"/", handler, note)
				}
			}
			for _, at := range t.endpoints {
				if at.below != "" && !roots[at.Method+" "+at.below] {
					handler := others.looked(atRest(at.middleware.Handler(at.handler), at.below+"/*"))
					noteAt(at, at.below, handler, note)
					noteAt(at, at.below+"/", handler, note)
				}
			}
		},
		Rename: rename,
		Add: func(first route.Route, handlers map[string]http.HandlerFunc) {
			cover()
			v.HandleVersions(first.Method, first.Path, handlers)
		},
	}.Join(v.over.Seam.Binding, versions))
	if others.settle(); len(others.places) > 0 {
		v.root.late = append(v.root.late, others.look)
	}
}

// lost returns the routes that a router has got since.
func (t *tree) lost(router *chi.Mux) (lost []*route.Route) {
	for _, at := range newTree(router).endpoints {
		isSame := func(known endpoint) bool { return known.Method == at.Method && known.Path == at.Path }
		if !slices.ContainsFunc(t.endpoints, isSame) {
			lost = append(lost, &at.Route)
		}
	}
	return lost
}

// noteAt takes note of a route at another path.
func noteAt(at endpoint, path string, handler http.HandlerFunc, note func(route.Route, http.HandlerFunc)) {
	at.Path, at.Pattern = path, read(path)
	note(at.Route, handler)
}

// atRest returns a handler of "/*" at the path of its subrouter, where the rest of the path is empty.
func atRest(handler http.Handler, pattern string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		at := contextOf(r)
		at.URLParams.Add("*", "")
		if last := len(at.RoutePatterns) - 1; last >= 0 {
			at.RoutePatterns[last] = pattern
		}
		r.Pattern = at.RoutePattern() // as chi has it
		handler.ServeHTTP(w, r)
	}
}

// coverBelow registers what answers below a subrouter, where nothing else is.
func (v *Routes) coverBelow(below string, u *unmatched, others *beside) {
	v.mounts("RegisterVersions", below, func(in place, pattern, _ string) {
		patterns := []string{"/*"}
		if pattern = strings.TrimSuffix(pattern, "/"); pattern != "" {
			patterns = []string{pattern, pattern + "/", pattern + "/*"}
		}
		listed := in.Routes()
		others.need(below, pattern, in.Routes)
		isTaken := func(at chi.Route) bool { return placed(at.Pattern) == placed(pattern+"/*") }
		if !slices.ContainsFunc(listed, isTaken) {
			in.Mount(pattern+"/", recorded{u.of}) // whose handlers are replaced
		}
		for _, pattern := range patterns {
			taken := make(map[string]bool)
			for _, at := range listed {
				if at.Pattern != pattern {
					continue
				}
				for method, handler := range at.Handlers {
					if _, isOwn := handler.(*unmatched); !isOwn && method != "*" && !strings.HasSuffix(pattern, "*") {
						v.over.Fail("RegisterVersions: %s %s is there already, and the subrouter takes its path: "+
							"register it in the subrouter", method, pattern)
					}
					taken[method] = true
				}
			}
			for _, method := range methods() {
				if !taken[method] && !taken["*"] {
					in.Method(method, pattern, u)
				}
			}
		}
	})
}

// placed returns a pattern without its parameters.
func placed(pattern string) string { return parameters.ReplaceAllString(pattern, "{}") }

var parameters = regexp.MustCompile(`\{(?:[^{}]|\{[^{}]*\})*\}`)

// rename gives path parameters their names in a version.
func rename(handler http.HandlerFunc, from, to []string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		values := make([]string, len(from))
		for i, name := range from {
			values[i] = chi.URLParam(r, name)
		}
		for i, name := range to {
			contextOf(r).URLParams.Add(name, values[i])
			r.SetPathValue(name, values[i])
		}
		handler(w, r)
	}
}
