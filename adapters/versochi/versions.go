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
// and so does a parameter beside the subrouter that hides its routes.
func (v *Routes) RegisterVersions(versions map[string]func(chi.Router)) {
	subs := make(map[string]*unmatched)  // by the path
	first := make(map[string]*unmatched) // by the path without the names of its parameters, which differ by version
	var all []endpoint                   // of the subrouters, too, without a method
	cover := sync.OnceFunc(func() {      // before the routes, which take the place of it
		for _, below := range slices.Sorted(maps.Keys(subs)) {
			v.coverBelow(below, subs[below], all)
		}
	})
	v.over.Must("RegisterVersions", adapter.RouteJoiner[chi.Router, http.HandlerFunc]{
		Record: func(register func(chi.Router), note func(route.Route, http.HandlerFunc)) {
			router := chi.NewRouter()
			register(router)
			t := newTree(router)
			v.root.recorded = append(v.root.recorded, func() []*route.Route { return t.lost(router) })
			if at, hidden, found := t.hidden(); found {
				v.failHidden(hidden, at.Path)
			}
			known := maps.Clone(first)
			for below, around := range t.around {
				if sub, isRouter := t.subs[below].(*chi.Mux); isRouter {
					if subs[below] = known[unnamed(below)]; subs[below] == nil {
						subs[below] = &unmatched{of: sub, in: router, below: below, root: v.root}
						subs[below].Handler = around.HandlerFunc(subs[below].answer)
						first[unnamed(below)] = subs[below]
					}
				}
			}
			all = append(all, t.endpoints...)
			for _, below := range slices.Sorted(maps.Keys(t.subs)) {
				all = append(all, endpoint{Route: route.Route{Path: below}}, endpoint{Route: route.Route{Path: below + "/*"}})
			}
			roots := make(map[string]bool)
			for _, at := range t.endpoints {
				v.over.Need("route "+at.Method+" "+at.Path, at.handler)
				handler := at.middleware.Handler(at.handler).ServeHTTP
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
					handler := atRest(at.middleware.Handler(at.handler), at.below+"/*")
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

// hidden returns a route of a subrouter, or the path of one within it, that chi never gets to, since a route beside the
// subrouter has its path.
func (t *tree) hidden() (at, hidden endpoint, found bool) {
	for _, at := range t.endpoints {
		for below := range t.subs {
			if len(below) <= len(at.in) || !strings.HasPrefix(at.Path, below+"/") {
				continue
			}
			for _, other := range t.endpoints {
				if other.Method == at.Method && strings.HasPrefix(other.in+"/", below+"/") && hides(at.Path, other.Path) {
					return at, other, true
				}
			}
			for inner := range t.subs {
				if strings.HasPrefix(inner, below+"/") && (hides(at.Path, inner) || hides(at.Path, inner+"/*")) {
					return at, endpoint{Route: route.Route{Method: at.Method, Path: inner}}, true
				}
			}
		}
	}
	for _, other := range t.endpoints {
		if other.routers != "" && other.routers[0] != '\n' {
			continue
		}
		for below := range t.direct { // a subrouter at "/" gets what is left
			if below != "" && hides(below+"/*", other.Path) {
				return endpoint{Route: route.Route{Path: below + "/*"}}, other, true
			}
		}
		for _, at := range t.endpoints {
			if at.routers == noRouter && at.Method == other.Method && hides(at.Path, other.Path) {
				return at, other, true
			}
		}
	}
	return at, hidden, false
}

func (v *Routes) failHidden(hidden endpoint, by string) {
	v.over.Fail("RegisterVersions: chi gives requests for %s %s to %s, beside its subrouter: register that in the subrouter",
		hidden.Method, hidden.Path, by)
}

// needReached panics if a route beside a subrouter hides its routes: within a single router, chi prefers them.
func (v *Routes) needReached(below, pattern string, listed []chi.Route, all []endpoint) {
	for _, at := range listed {
		if !strings.HasPrefix(at.Pattern, pattern+"/") || strings.HasSuffix(at.Pattern, "*") {
			continue
		}
		for _, method := range methodsOf(at) {
			for _, other := range all {
				path, isBelow := strings.CutPrefix(other.Path, below+"/")
				path = pattern + "/" + path
				isHidden := hides(at.Pattern, path) || placed(at.Pattern) == placed(path)
				if isBelow && isHidden && (other.Method == method || other.Method == "") {
					other.Method = method
					v.failHidden(other, at.Pattern)
				}
			}
		}
	}
}

// hides reports whether two patterns have a path in common, for which chi prefers the second one within one router.
func hides(pattern, other string) bool {
	prefers := false
	for pattern != "" && other != "" {
		var mine, its string
		mine, pattern, _ = strings.Cut(pattern, "/")
		its, other, _ = strings.Cut(other, "/")
		isPlain := func(segment string) bool { return placed(segment) == "{}" && !strings.Contains(segment, ":") }
		switch isParam := strings.ContainsAny(mine, "{*"); {
		case mine == its, isPlain(mine) && isPlain(its):
		case its == "*":
			return prefers
		case isParam && !isPlain(its):
			if !strings.ContainsAny(its, "{*") && !takes(mine, its) {
				return false
			}
			prefers = true
		case !prefers || !isPlain(its):
			return false
		}
		if mine == "*" {
			return prefers
		}
	}
	return prefers && pattern == other
}

// takes reports whether a segment with parameters takes a text.
func takes(segment, text string) bool {
	var expression strings.Builder
	rest := 0
	for _, at := range parameters.FindAllStringIndex(segment, -1) {
		_, own, found := strings.Cut(strings.TrimSuffix(segment[at[0]:at[1]], "}"), ":")
		if !found {
			own = ".+"
		}
		expression.WriteString(regexp.QuoteMeta(segment[rest:at[0]]) + "(?:" + own + ")")
		rest = at[1]
	}
	expression.WriteString(strings.ReplaceAll(regexp.QuoteMeta(segment[rest:]), `\*`, ".*"))
	matches, err := regexp.MatchString("^"+expression.String()+"$", text)
	return matches || err != nil
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
func (v *Routes) coverBelow(below string, u *unmatched, all []endpoint) {
	v.mounts("RegisterVersions", below, func(in place, pattern, _ string) {
		patterns := []string{"/*"}
		if pattern = strings.TrimSuffix(pattern, "/"); pattern != "" {
			patterns = []string{pattern, pattern + "/", pattern + "/*"}
		}
		listed := in.Routes()
		if pattern != "" {
			v.needReached(below, pattern, listed, all)
		}
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
