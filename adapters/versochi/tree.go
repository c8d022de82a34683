package versochi

import (
	"cmp"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/goverso/verso/core/route"
)

// endpoint has the handlers of chi for a method and a pattern.
type endpoint struct {
	route.Route
	handler    http.Handler
	middleware chi.Middlewares
	routers    string // see routersOf
	isRoot     bool   // of a subrouter, which has the path with a slash, too
}

// tree is what is in a router and its subrouters. chi itself lists them in another order each time, gives
// [chi.Walk] middleware that it changes afterwards, and leaves the slash to the root of a subrouter.
type tree struct {
	of        chi.Routes
	endpoints []endpoint
	nested    []subrouter             // those around first
	subs      map[string]chi.Routes   // by the pattern, without a slash at its end
	direct    map[string]chi.Routes   // those of subs that are mounted in the router itself
	has       map[where]bool          // a route that is not the root of a subrouter
	mounts    map[[2]string]mountedAt // in the router itself
}

// subrouter is a router of chi in another one.
type subrouter struct {
	*chi.Mux
	base          string // the pattern; it ends with a slash if the path without it is not there
	path, routers string // as an endpoint of the router has them
	around        chi.Middlewares
}

// plain returns the middleware of a subrouter and of those around it, without what is for finding a route.
func (s subrouter) plain() chi.Middlewares {
	return slices.DeleteFunc(slices.Clone(s.around), isMover)
}

// where is where a route of a method is in a router and its subrouters. Two may have one path, and are one route of v.
type where struct{ method, path, routers string }

func (w where) route() [2]string { return [2]string{w.method, w.path} }

func whereIs(method, path string, patterns []string) where {
	return where{method, path, routersOf(patterns)}
}

func newTree(routes chi.Routes) *tree {
	t := &tree{of: routes, subs: make(map[string]chi.Routes), direct: make(map[string]chi.Routes),
		has: make(map[where]bool), mounts: mountsOf(routes)}
	t.add(routes, nil, nil, nil)
	slices.SortStableFunc(t.endpoints, func(a, b endpoint) int {
		return cmp.Compare(a.Path+" "+a.Method, b.Path+" "+b.Method)
	})
	return t
}

// add adds the routes of a router at patterns. within are the routers around it: a router mounted in itself would have
// no end.
func (t *tree) add(routes chi.Routes, at []string, within []chi.Routes, around chi.Middlewares) {
	within, around = append(slices.Clip(within), routes), slices.Concat(around, routes.Middlewares())
	patterns, prefix := slices.Clip(at), strings.Join(at, "")
	all := listOf(routes)
	all = append(all, stubsOf(routes, all)...)
	for _, at := range all {
		if at.SubRoutes != nil && !isGuarded(at) && !isWithin(at.SubRoutes, within) {
			inline, _ := unchained(at.Handlers["*"])
			base := strings.TrimSuffix(at.Pattern, "/*")
			below := prefix + base
			if t.subs[below] = at.SubRoutes; len(patterns) == 0 {
				t.direct[below] = at.SubRoutes
			}
			if sub := muxOf(at.SubRoutes); sub != nil {
				s := subrouter{sub, base, below, routersOf(append(patterns, base, "/")),
					slices.Concat(around, inline, sub.Middlewares())}
				if base != "" && !isAt(routes, all, base) {
					s.base += "/"
				}
				t.nested = append(t.nested, s)
			}
			t.add(at.SubRoutes, append(patterns, base), within, slices.Concat(around, inline))
		}
		for _, method := range methodsOf(at) {
			inline, handler := unchained(at.Handlers[method])
			e := endpoint{route.Route{Method: method, Path: prefix + at.Pattern}, handler, slices.Concat(around, inline),
				routersOf(append(patterns, at.Pattern)), prefix != "" && at.Pattern == "/"}
			if e.isRoot {
				e.Path = prefix
			}
			e.Pattern = read(e.Path)
			t.endpoints = append(t.endpoints, e)
			if !e.isRoot {
				t.has[e.where()] = true
			}
		}
	}
}

func (e endpoint) where() where { return where{e.Method, e.Path, e.routers} }

// unslashed returns the method and the path without a slash at its end: a mount has both paths.
func (e endpoint) unslashed() [2]string { return [2]string{e.Method, strings.TrimSuffix(e.Path, "/")} }

// shared returns the unslashed routes that several routers have.
func (t *tree) shared() map[[2]string]bool {
	first, shared := make(map[[2]string]string), make(map[[2]string]bool)
	for _, at := range t.endpoints {
		if in, isKnown := first[at.unslashed()]; isKnown && in != at.routers {
			shared[at.unslashed()] = true
		}
		first[at.unslashed()] = at.routers
	}
	return shared
}

// hasDirect reports whether there is a route in the router itself.
func (t *tree) hasDirect(method, pattern string) bool { return t.has[where{method, pattern, noRouter}] }

// isWithin reports whether a router is among the routers around it.
func isWithin(router chi.Routes, around []chi.Routes) bool {
	is := muxOf(router)
	return is != nil && slices.ContainsFunc(around, func(one chi.Routes) bool { return muxOf(one) == is })
}

// chis is the router of chi behind [Routes.Router].
type chis struct{ chi.Router }

func (c chis) ofChi() chi.Router { return c.Router }

// ours is what [Routes.Router] returns.
type ours interface{ ofChi() chi.Router }

func isOwn(router chi.Routes) bool {
	_, ok := router.(ours)
	return ok
}

// muxOf returns a router of chi itself, or the one behind [Routes.Router].
func muxOf(router chi.Routes) *chi.Mux {
	if own, ok := router.(ours); ok {
		router = own.ofChi()
	}
	is, _ := router.(*chi.Mux)
	return is
}

// listOf returns what a router lists, with the subrouters that are chi's own: a router in another type is a handler.
// chi still lists a subrouter in whose place another handler is mounted later, which it does not always refuse
// where patterns have parameters.
func listOf(routes chi.Routes) []chi.Route {
	all, over := routes.Routes(), mountedOver(routes)
	for i, at := range all {
		_, isRouter := routerOf(at.SubRoutes)
		_, handler := unchained(at.Handlers["*"])
		if at.SubRoutes == nil || isOwn(at.SubRoutes) || isGuarded(at) {
			continue
		}
		if at.Pattern == "/*" && !isMount(handler) { // a route for all paths has replaced the mount
			all[i].SubRoutes = nil
			continue
		}
		if !isRouter || over[at.Pattern] {
			all[i].SubRoutes = nil
			for _, method := range methods() { // which chi hides
				if !slices.ContainsFunc(all, func(other chi.Route) bool {
					return other.Handlers[method] != nil && unnamed(other.Pattern) == unnamed(at.Pattern)
				}) {
					at.Handlers[method] = at.Handlers["*"]
				}
			}
		}
	}
	return append(all, stubsBeside(routes, all)...)
}

// stubsBeside returns the paths of handlers whose mount has lost the paths below it to a router, mounted later with a
// slash at the end. Chi does not always refuse that where patterns have parameters, and lists the router alone.
func stubsBeside(routes chi.Routes, all []chi.Route) (stubs []chi.Route) {
	if !slices.ContainsFunc(all, func(at chi.Route) bool { return at.SubRoutes != nil }) {
		return nil
	}
	mounts, known := mountsOf(routes), methods()
	for _, at := range all {
		path, isBelow := strings.CutSuffix(at.Pattern, "/*")
		if at.SubRoutes == nil || !isBelow || path == "" {
			continue
		}
		for _, path := range []string{path, path + "/"} {
			stub := chi.Route{Pattern: path, Handlers: make(map[string]http.Handler)}
			for _, method := range known {
				here, isMount := mounts[[2]string{method, path}]
				router, isRouter := mounts[[2]string{method, at.Pattern}]
				if isMount && isRouter && here.was != router.was {
					stub.Handlers[method] = handlerIn(here.Value)
				}
			}
			if len(stub.Handlers) > 0 {
				stubs = append(stubs, stub)
			}
		}
	}
	return stubs
}

// unnamed returns a pattern without the names of its parameters, which have one place in chi.
func unnamed(pattern string) string { return names.ReplaceAllString(pattern, "{") }

// names finds names of parameters, and no counts of an expression.
var names = regexp.MustCompile(`\{[^{}:0-9][^{}:]*`)

// stubsAt returns the methods for which a router has a mount at a pattern, which chi does not list. It is not ok
// if that is unknown: chi matches paths, and not patterns.
func stubsAt(routes chi.Routes, all []chi.Route, pattern string) (stubs []string, ok bool) {
	var listed []string
	for _, at := range all {
		if at.Pattern == pattern {
			listed = append(listed, methodsOf(at)...)
		}
	}
	ok = !strings.Contains(pattern, ":")
	for _, method := range methods() {
		if at := chi.NewRouteContext(); !slices.Contains(listed, method) && routes.Match(at, method, pattern) {
			isHere := slices.Equal(at.RoutePatterns, []string{pattern}) // a subrouter at "/" may have a route there, too
			if isHere {
				stubs = append(stubs, method)
			}
			ok = ok && (isHere || !strings.Contains(pattern, "{") || !strings.Contains(patternOf(at), ":"))
		}
	}
	return stubs, ok
}

// isAt reports whether a mount is at a path without a slash, too.
func isAt(routes chi.Routes, all []chi.Route, path string) bool {
	stubs, _ := stubsAt(routes, all, path)
	return len(stubs) > 0 || strings.Contains(path, ":")
}

// stubsOf returns the paths of the handlers without routes that are mounted in a router: the path, and where it is
// another route, the path with a slash.
func stubsOf(routes chi.Routes, all []chi.Route) (stubs []chi.Route) {
	for _, at := range all {
		path, isBelow := strings.CutSuffix(at.Pattern, "/*")
		if !isBelow || path == "" || at.SubRoutes != nil || !isMount(at.Handlers["*"]) {
			continue
		}
		here, isKnown := stubsAt(routes, all, path)
		behind, _ := stubsAt(routes, all, path+"/")
		if !isKnown && !slices.ContainsFunc(all, func(at chi.Route) bool { return at.Pattern == path }) {
			here = methodsOf(at)
		}
		behind = slices.DeleteFunc(behind, func(method string) bool { return slices.Contains(here, method) })
		for path, methods := range map[string][]string{path: here, path + "/": behind} {
			stub := chi.Route{Pattern: path, Handlers: make(map[string]http.Handler)}
			for _, method := range methods {
				stub.Handlers[method] = at.Handlers["*"]
			}
			stubs = append(stubs, stub)
		}
	}
	return stubs
}

// lacks reports whether a route of a router of chi was registered beside its mounts since the routes were listed.
func (t *tree) lacks(method, pattern string) bool {
	at := [2]string{method, pattern}
	_, wasMount := t.mounts[at]
	return t.mounts != nil && !wasMount && !t.hasDirect(method, pattern)
}

// isReplaced reports whether a route, or another mount, was registered in the place of a mount since the routes were
// listed.
func (t *tree) isReplaced(method, pattern string) bool {
	at, wasMount := t.mounts[[2]string{method, pattern}]
	return wasMount && (!isMountIn(at.Value) || functionOf(handlerIn(at.Value)) != at.was)
}

// isIdle reports whether a router answers 404 without a look at its routes: it has none, and is in no With.
func isIdle(routes chi.Routes) bool {
	own := muxOf(routes)
	if own == nil {
		return len(routes.Routes()) == 0
	}
	handler := reflect.ValueOf(own).Elem().FieldByName("handler")
	return handler.IsValid() && handler.IsNil()
}
