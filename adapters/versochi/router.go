package versochi

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/adapter/overhttp"
	"github.com/goverso/verso/core/route"
)

// router is the [adapter.Router] of a router of chi.
type router struct {
	of     chi.Routes
	checks sync.Map // *overhttp.Check to the path that it was registered at
	guards sync.Map // *guarded to []checked
	trees  sync.Map // chi.Routes to *tree, since the routes were listed

	methods func() []string // that chi knows, once it serves
	rejects atomic.Bool     // NotFound is in use
}

// PathParam decodes what chi cuts from the path: as it was sent, if Go keeps that.
func (*router) PathParam(request any, name string) (value string, ok bool) {
	r := request.(*http.Request)
	at := contextOf(r)
	value = at.URLParam(name)
	if plain, err := url.PathUnescape(value); err == nil && r.URL.RawPath != "" {
		value = plain
	}
	return value, slices.Contains(at.URLParams.Keys, name)
}

// Routes lists the routes of the router and its subrouters. chi has no names.
func (r *router) Routes() (all []adapter.Listed) {
	r.trees.Clear()
	paths, served := make(map[*overhttp.Check]string), newTree(r.of)
	for _, at := range served.endpoints {
		listed := adapter.Listed{Route: at.Route, Middleware: adapter.Identities(at.middleware)}
		check, _ := at.handler.(*overhttp.Check)
		if own, ok := at.handler.(*guarded); ok {
			inline, its, isChecked := r.checkOf(own, at.Path, served)
			if check = its; isChecked && check == nil {
				continue
			}
			listed.Middleware = append(listed.Middleware, adapter.Identities(inline)...)
		}
		if given, isOwn := r.checks.Load(check); isOwn {
			if paths[check] = cmp.Or(paths[check], at.Path); paths[check] != at.Path {
				continue // the path of a mount, with a slash
			}
			listed.Registration = check.Registration // wherever its router is mounted
			if text := given.(string); at.isRoot && text != "/" && strings.HasSuffix(text, "/") {
				listed.Path, listed.Pattern = at.Path+"/", read(at.Path+"/")
			}
		}
		all = append(all, listed)
	}
	return all
}

// ListsRegistrations reports that Routes finds each route of v by its check.
func (*router) ListsRegistrations() bool { return true }

// endpoint has the handlers of chi for a method and a pattern.
type endpoint struct {
	route.Route
	handler    http.Handler
	middleware chi.Middlewares
	isRoot     bool // of a subrouter, which has the path with a slash, too
}

// tree is what is in a router and its subrouters. chi itself lists them in another order each time, gives
// [chi.Walk] middleware that it changes afterwards, and leaves the slash to the root of a subrouter.
type tree struct {
	endpoints []endpoint
	subs      map[string]chi.Routes // by the pattern, without a slash at its end
	methods   map[string]bool       // of all endpoints
	has       map[[2]string]bool    // a method and a pattern that is not the root of a subrouter
}

func newTree(routes chi.Routes) *tree {
	t := &tree{subs: make(map[string]chi.Routes), methods: make(map[string]bool), has: make(map[[2]string]bool)}
	t.add(routes, "", nil)
	slices.SortStableFunc(t.endpoints, func(a, b endpoint) int {
		return cmp.Compare(a.Path+" "+a.Method, b.Path+" "+b.Method)
	})
	return t
}

func (t *tree) add(routes chi.Routes, prefix string, around chi.Middlewares) {
	around = slices.Concat(around, routes.Middlewares())
	all := listOf(routes)
	all = append(all, stubsOf(routes, all)...)
	for _, at := range all {
		if at.SubRoutes != nil && !isGuarded(at) {
			inline, _ := unchained(at.Handlers["*"])
			below := prefix + strings.TrimSuffix(at.Pattern, "/*")
			t.subs[below] = at.SubRoutes
			t.add(at.SubRoutes, below, slices.Concat(around, inline))
		}
		for _, method := range methodsOf(at) {
			inline, handler := unchained(at.Handlers[method])
			e := endpoint{route.Route{Method: method, Path: prefix + at.Pattern}, handler, slices.Concat(around, inline),
				prefix != "" && at.Pattern == "/"}
			if e.isRoot {
				e.Path = prefix
			}
			e.Pattern = read(e.Path)
			t.endpoints, t.methods[method] = append(t.endpoints, e), true
			t.has[[2]string{method, e.Path}] = t.has[[2]string{method, e.Path}] || !e.isRoot
		}
	}
}

// methodsOf returns the methods that a pattern has handlers for. Those of a subrouter were registered in
// its place later.
func methodsOf(at chi.Route) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(at.Handlers)), func(method string) bool {
		return method == "*" || at.SubRoutes != nil && isMount(at.Handlers[method])
	})
}

// unchained returns the middleware of an endpoint, and its handler.
func unchained(handler http.Handler) (chi.Middlewares, http.Handler) {
	if chain, ok := handler.(*chi.ChainHandler); ok {
		return chain.Middlewares, chain.Endpoint
	}
	return nil, handler
}

// isMount reports whether [chi.Mux.Mount] has made a handler.
func isMount(handler http.Handler) bool {
	_, handler = unchained(handler)
	return pointer(handler) == mounted
}

// listOf returns what a router lists, with the subrouters that are chi's own: a router in another type is a handler.
// chi goes on to list a subrouter in whose place another handler is mounted later, which it does not always refuse
// where patterns have parameters.
func listOf(routes chi.Routes) []chi.Route {
	all := routes.Routes()
	for i, at := range all {
		sub, isRouter := routerOf(at.SubRoutes)
		_, handler := unchained(at.Handlers["*"])
		if at.SubRoutes == nil || isOwn(at.SubRoutes) || isGuarded(at) {
			continue
		}
		if !isRouter || strings.Contains(at.Pattern, "{") && isMount(handler) && len(sub.Routes()) > 0 &&
			!callsRouter(handler) {
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
	return all
}

// unnamed returns a pattern without the names of its parameters, which have one place in chi.
func unnamed(pattern string) string { return names.ReplaceAllString(pattern, "{") }

var names = regexp.MustCompile(`\{[^{}:]+`)

// callsRouter reports whether the handler of a mount calls a router of chi, which asks for the context before
// anything else.
func callsRouter(mount http.Handler) (does bool) {
	defer func() { _ = recover() }()
	p := &probe{Context: context.Background(), does: &does}
	mount.ServeHTTP(nil, (&http.Request{Method: "-", URL: new(url.URL), Header: http.Header{}}).WithContext(p))
	return false
}

// probe is a context that stops its request when it is asked a second time: Mount asks first.
type probe struct {
	context.Context
	asked bool
	does  *bool
}

func (p *probe) Value(any) any {
	if !p.asked {
		p.asked = true
		return chi.NewRouteContext()
	}
	callers := make([]uintptr, 2)
	frames := runtime.CallersFrames(callers[:runtime.Callers(2, callers)])
	serve, _ := frames.Next()
	mount, _ := frames.Next()
	*p.does = serve.Function == serveHTTP &&
		strings.HasPrefix(mount.Function, strings.TrimSuffix(serveHTTP, "ServeHTTP")+"Mount.")
	panic(p)
}

var serveHTTP = runtime.FuncForPC(reflect.ValueOf((*chi.Mux).ServeHTTP).Pointer()).Name()

var mounted = func() uintptr {
	r := chi.NewRouter()
	r.Mount("/", http.NotFoundHandler())
	return pointer(r.Routes()[0].Handlers["*"])
}()

func pointer(function any) uintptr {
	if v := reflect.ValueOf(function); v.Kind() == reflect.Func {
		return v.Pointer()
	}
	return 0
}

// methods returns the methods that chi knows.
func methods() []string {
	r := chi.NewRouter()
	r.Handle("/", http.NotFoundHandler())
	return methodsOf(r.Routes()[0])
}

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
			found := patternOf(at)
			if found == pattern {
				stubs = append(stubs, method)
			}
			ok = ok && (found == pattern || !strings.Contains(pattern, "{") || !strings.Contains(found, ":"))
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

// read reads a pattern of chi, whose expressions never match a slash.
func read(pattern string) route.Pattern {
	known := route.Braces(pattern)
	if known.Err() == nil {
		return known
	}
	return route.Braces(expression.ReplaceAllString(pattern, "{$1}"))
}

var expression = regexp.MustCompile(`\{(\w+):(?:[^{}]|\{[^{}]*\})*\}`)

// Middleware returns a middleware that checks requests to routes that other code
// registers. A route of v decides for itself, behind all middleware: what runs between
// the two sees neither its version nor a rejection, which [Routes.AfterCheck] does.
// Install it with [chi.Router.With], or with [chi.Router.Use] or around the router, where it
// looks the route up once more. Requests that match no route pass untouched.
//
// Routes that other code registers have no options, and no namespace. A middleware of a subrouter that
// changes the path or the method hides its requests, unless chi has it: install it in
// front, or let the code register with [Routes.Router].
func (v *Routes) Middleware() func(http.Handler) http.Handler {
	check := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			at := contextOf(r)
			matched, pattern, method := r, patternOf(at), cmp.Or(at.RouteMethod, r.Method)
			if pattern == "" || strings.HasSuffix(pattern, "*") ||
				v.root.treeOf(v.root.of).subs[strings.TrimSuffix(pattern, "/")] != nil {
				matched, method, pattern = v.match(r, method) // chi has not matched the route of a subrouter yet
			}
			if pattern == "" {
				next.ServeHTTP(w, r)
				return
			}
			v.over.CheckMatched(w, r, matched, method, pattern, next)
		})
	}
	v.over.Seam.NoteMiddleware(adapter.Identity(check))
	return check
}

// contextOf returns what chi knows of a request.
func contextOf(r *http.Request) *chi.Context { return cmp.Or(chi.RouteContext(r.Context()), &unrouted) }

var unrouted chi.Context

// patternOf returns the pattern that chi has matched so far.
func patternOf(at *chi.Context) string { return joined(at.RoutePatterns) }

// joined joins the patterns of routers. That of a subrouter's "/" has no slash.
func joined(patterns []string) string {
	var all strings.Builder
	last := len(patterns) - 1
	for i, pattern := range patterns {
		if i < last {
			pattern = strings.TrimSuffix(strings.TrimSuffix(pattern, "*"), "/")
		}
		all.WriteString(pattern)
	}
	path := all.String()
	if last > 0 && patterns[last] == "/" && !strings.HasSuffix(patterns[last-1], "*") {
		path = cmp.Or(strings.TrimRight(path, "/"), "/")
	}
	return path
}

// match returns a request with the context that chi will have behind the route of a method, the
// method of the route, and its pattern, "" if there is none.
func (v *Routes) match(r *http.Request, method string) (matched *http.Request, of, pattern string) {
	before, at, path := contextOf(r), chi.NewRouteContext(), cmp.Or(r.URL.RawPath, r.URL.Path, "/")
	if len(before.RoutePatterns) == 0 {
		path = cmp.Or(before.RoutePath, path) // which middleware may set
	}
	routes := cmp.Or(before.Routes, v.root.of)
	of, ok := v.root.find(r, routes, at, method, path)
	if !ok {
		return nil, "", ""
	}
	if pattern = patternOf(at); !v.root.treeOf(v.root.of).has[[2]string{of, pattern}] {
		pattern = cmp.Or(strings.TrimSuffix(pattern, "/"), "/") // the path of a mount, with a slash
	}
	return r.WithContext(context.WithValue(r.Context(), chi.RouteCtxKey, at)), of, pattern
}

// treeOf returns what is in a router.
func (r *router) treeOf(routes chi.Routes) *tree {
	if !reflect.ValueOf(routes).Comparable() { // a type with a function in it
		return newTree(routes)
	}
	if known, ok := r.trees.Load(routes); ok {
		return known.(*tree)
	}
	t := newTree(routes)
	r.trees.Store(routes, t)
	return t
}

// find goes through a router and its subrouters as chi does, and returns the method of the route. In
// front of a subrouter [chi.Routes.Match] finds every method, and does not run the middleware of the
// subrouter, which may change the method and the path.
func (r *router) find(request *http.Request, routes chi.Routes, at *chi.Context, method, path string) (of string,
	ok bool) {
	patterns, params := len(at.RoutePatterns), len(at.URLParams.Keys)
	ok = routes.Match(at, method, path)
	if len(at.RoutePatterns) == patterns {
		return method, ok
	}
	t, pattern := r.treeOf(routes), at.RoutePatterns[patterns]
	sub, has := t.subs[strings.TrimSuffix(strings.TrimSuffix(pattern, "*"), "/")], t.has[[2]string{method, pattern}]
	path = "/"
	rest := slices.Index(at.URLParams.Keys[params:], "*")
	if rest >= 0 && strings.HasSuffix(pattern, "*") {
		at.URLParams.Keys, at.URLParams.Values = at.URLParams.Keys[:params+rest+1], at.URLParams.Values[:params+rest+1]
		path += at.URLParams.Values[params+rest]
	}
	if at.RoutePatterns = at.RoutePatterns[:patterns+1]; sub == nil || has {
		return method, true // whatever is in the subrouter
	}
	if len(path) > 1 {
		at.URLParams.Values[params+rest] = ""
	}
	method, path = r.moved(request, sub.Middlewares(), method, path)
	return r.find(request, sub, at, method, path)
}

// movers are the middlewares of chi that change the path or the method that their router sees, and nothing
// but the context of chi.
var movers = []uintptr{
	pointer(middleware.StripSlashes), pointer(middleware.URLFormat), pointer(middleware.GetHead),
}

// moved returns the method and the path behind the middlewares of a subrouter.
func (r *router) moved(request *http.Request, middlewares chi.Middlewares, method, path string) (of, to string) {
	for _, m := range middlewares {
		if slices.Contains(movers, pointer(m)) {
			trial := chi.NewRouteContext()
			trial.Routes, trial.RoutePath, trial.RouteMethod = cmp.Or(contextOf(request).Routes, r.of), path, method
			m(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})).ServeHTTP(nil,
				request.WithContext(context.WithValue(request.Context(), chi.RouteCtxKey, trial)))
			method, path = trial.RouteMethod, trial.RoutePath
		}
	}
	return method, path
}

// NotFound returns a handler for [chi.Router.NotFound] and MethodNotAllowed. It rejects
// requests for an unknown or ended version, so that you can delete
// the routes of an ended version: they still get 410. In a path parameter, an
// unknown version counts only where a route has the path: /favicon.ico is none. The next
// handler answers the rest; if it is nil, chi answers as usual. Subrouters of [Routes.Router] that have answers of
// their own for 404 and 405 reject as well; routers that [Routes.Mount] gets do not. The Allow field of
// a 405 has the methods of the version: chi gives those of a path to its own handler alone.
//
//	r.NotFound(v.NotFound(nil))
//	r.MethodNotAllowed(v.NotFound(nil))
func (v *Routes) NotFound(next http.HandlerFunc) http.HandlerFunc {
	v.root.rejects.Store(true)
	return func(w http.ResponseWriter, r *http.Request) {
		call, rejected := v.over.Unmatched(w, r)
		if rejected {
			return
		}
		allow, known := v.root.allow(r)
		if allow != nil {
			w.Header().Set("Allow", call.Allow(strings.Join(allow, ", ")))
		}
		switch {
		case next != nil:
			next(w, r)
		case allow != nil || !known:
			w.WriteHeader(http.StatusMethodNotAllowed)
		default:
			http.NotFound(w, r)
		}
	}
}

// allow returns the methods that the router which does not match a request has for its path, and whether chi knows
// the method of the request.
func (r *router) allow(request *http.Request) (allow []string, known bool) {
	at := contextOf(request)
	known = at == &unrouted || slices.Contains(r.methods(), cmp.Or(at.RouteMethod, request.Method))
	routes := cmp.Or(at.Routes, r.of)
	if len(at.RoutePatterns) > 0 {
		routes = r.treeOf(routes).subs[strings.TrimRight(strings.TrimSuffix(patternOf(at), "*"), "/")]
	}
	if routes == nil { // in a handler that does not list its routes
		return nil, known
	}
	path := cmp.Or(at.RoutePath, request.URL.RawPath, request.URL.Path, "/")
	for method := range r.treeOf(routes).methods {
		if _, ok := r.find(request, routes, chi.NewRouteContext(), method, path); ok {
			allow = append(allow, method)
		}
	}
	slices.Sort(allow)
	return allow, known
}
