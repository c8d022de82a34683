package versochi

import (
	"cmp"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/go-chi/chi/v5"

	"github.com/goverso/verso/core/adapter"
)

// methods returns the methods that chi knows.
func methods() []string {
	r := chi.NewRouter()
	r.Handle("/", http.NotFoundHandler())
	return methodsOf(r.Routes()[0])
}

// isKnown reports whether chi knows a method.
func isKnown(method string) bool {
	at := chi.NewRouteContext()
	isFound := oneRoute.Match(at, method, "/")
	_, isNotAllowed := allowedBy(at)
	return isFound || isNotAllowed
}

var oneRoute = func() chi.Routes {
	r := chi.NewRouter()
	r.Get("/", http.NotFound)
	return r
}()

// methodOf returns a method by its number in chi.
func methodOf(number uint64) string {
	if _, known := methodNames.Load(number); !known && readsTree() { // none, or by RegisterMethod since
		for _, method := range methods() {
			r := chi.NewRouter()
			r.Method(method, "/", http.NotFoundHandler())
			eachEndpoint(r, func(number uint64, _ string, _ reflect.Value) { methodNames.Store(number, method) })
		}
	}
	method, _ := methodNames.LoadOrStore(number, "") // chi has numbers of its own
	return method.(string)
}

var methodNames sync.Map // uint64 to string

// readsTree reports whether the structs of this chi are those that eachEndpoint reads: another release may differ.
var readsTree = sync.OnceValue(func() (reads bool) {
	defer func() { reads = recover() == nil && reads }()
	r := chi.NewRouter()
	r.Get("/{id}", http.NotFound)
	eachEndpoint(r, func(_ uint64, pattern string, handler reflect.Value) {
		reads = pattern == "/{id}" && handler.Type() == reflect.TypeFor[http.Handler]() && !isMountIn(handler)
	})
	return reads
})

// isInline reports whether With or Group has returned a router, or may have. Its middleware
// runs for its own routes alone.
func isInline(router chi.Router) bool {
	own := muxOf(router)
	if own == nil {
		return true
	}
	inline := reflect.ValueOf(own).Elem().FieldByName("inline")
	return !inline.IsValid() || inline.Kind() != reflect.Bool || inline.Bool()
}

// eachEndpoint calls found with the number of the method, the pattern and the handler of what is in a router itself,
// mounts included, which chi does not list.
func eachEndpoint(r *chi.Mux, found func(method uint64, pattern string, handler reflect.Value)) {
	eachNode(r, func(endpoints reflect.Value) {
		for all := endpoints.MapRange(); all.Next(); {
			at := all.Value().Elem()
			found(all.Key().Uint(), at.FieldByName("pattern").String(), at.FieldByName("handler"))
		}
	})
}

// eachNode calls found with the endpoints of each node in a router itself.
func eachNode(r *chi.Mux, found func(endpoints reflect.Value)) {
	var walk func(node reflect.Value)
	walk = func(node reflect.Value) {
		found(node.FieldByName("endpoints"))
		children := node.FieldByName("children")
		for i := range children.Len() {
			for j := range children.Index(i).Len() {
				walk(children.Index(i).Index(j).Elem())
			}
		}
	}
	walk(reflect.ValueOf(r).Elem().FieldByName("tree").Elem())
}

// handlerIn returns the handler that chi has there.
func handlerIn(at reflect.Value) http.Handler { return *(*http.Handler)(at.Addr().UnsafePointer()) }

// isMountIn reports whether chi has the handler of a mount there.
func isMountIn(at reflect.Value) bool { return isMount(handlerIn(at)) }

// mountedOver returns the patterns of routers in whose place a handler is mounted, which chi does not refuse beside
// parameters. It lists the router then. The handler of the router stays beside that for all methods, without a pattern.
func mountedOver(routes chi.Routes) map[string]bool {
	r := embedded(routes)
	if r == nil || !readsTree() {
		return nil
	}
	over := make(map[string]bool)
	eachNode(r, func(endpoints reflect.Value) {
		var router, last http.Handler
		var most uint64 // has the bits of all methods
		pattern := ""
		for all := endpoints.MapRange(); all.Next(); {
			at := all.Value().Elem()
			handler, where := handlerIn(at.FieldByName("handler")), at.FieldByName("pattern").String()
			switch number := all.Key().Uint(); {
			case where == "":
				router = handler
			case number > most:
				most, last, pattern = number, handler, where
			}
		}
		if isMount(router) && isMount(last) && functionOf(router) != functionOf(last) {
			over[pattern] = true
		}
	})
	return over
}

// functionOf identifies a function of chi.
func functionOf(handler http.Handler) any {
	_, handler = unchained(handler)
	return adapter.Identity(handler.(http.HandlerFunc))
}

// mountedAt is where chi has the handler of a mount, and which it was.
type mountedAt struct {
	reflect.Value
	was any // of functionOf
}

// mountsOf returns what is mounted in a router itself, by the method and the pattern.
func mountsOf(routes chi.Routes) map[[2]string]mountedAt {
	r := embedded(routes)
	if r == nil || !readsTree() {
		return nil
	}
	mounts := make(map[[2]string]mountedAt)
	eachEndpoint(r, func(method uint64, pattern string, handler reflect.Value) {
		if isMountIn(handler) {
			mounts[[2]string{methodOf(method), pattern}] = mountedAt{handler, functionOf(handlerIn(handler))}
		}
	})
	return mounts
}

// embedded returns a router of chi itself, or the one in a type around it, or nil.
func embedded(routes chi.Routes) *chi.Mux {
	if r, ok := routes.(*chi.Mux); ok {
		return r
	}
	of := reflect.Indirect(reflect.ValueOf(routes))
	if of.Kind() != reflect.Struct {
		return nil
	}
	for i := range of.NumField() {
		if field := of.Type().Field(i); field.Anonymous && field.IsExported() {
			if inner, ok := reflect.TypeAssert[chi.Routes](of.Field(i)); ok {
				return embedded(inner)
			}
		}
	}
	return nil
}

// allowedBy reads the fields in which chi has noted the methods of a path.
func allowedBy(at *chi.Context) (allow []string, isNotAllowed bool) {
	fields := reflect.ValueOf(at).Elem()
	of, is := fields.FieldByName("methodsAllowed"), fields.FieldByName("methodNotAllowed")
	if !of.IsValid() || !is.IsValid() { // another chi
		return nil, false
	}
	for i := range of.Len() {
		allow = append(allow, methodOf(of.Index(i).Uint()))
	}
	return allow, is.Bool()
}

// contextOf returns what chi knows of a request.
func contextOf(r *http.Request) *chi.Context { return cmp.Or(chi.RouteContext(r.Context()), &unrouted) }

var unrouted chi.Context

// patternOf returns the pattern that chi has matched so far.
func patternOf(at *chi.Context) string { return joined(at.RoutePatterns) }

// joined joins the patterns of routers. That of a subrouter's "/" has no slash.
func joined(patterns []string) string {
	if len(patterns) == 1 {
		return patterns[0]
	}
	var all strings.Builder
	all.Grow(64)
	last := len(patterns) - 1
	for i, pattern := range patterns {
		if i < last {
			pattern = baseOf(pattern)
		}
		all.WriteString(pattern)
	}
	path := all.String()
	if last > 0 && patterns[last] == "/" && !strings.HasSuffix(patterns[last-1], "*") {
		path = cmp.Or(strings.TrimRight(path, "/"), "/")
	}
	return path
}

// noRouter is for routes in no subrouter. A subrouter at "/" is "".
const noRouter = "none"

// routersOf returns where the router of a route is, of the patterns of routers on the way to it.
func routersOf(patterns []string) string {
	switch len(patterns) {
	case 1:
		return noRouter
	case 2:
		return baseOf(patterns[0])
	}
	bases := make([]string, len(patterns)-1)
	for i := range bases {
		bases[i] = baseOf(patterns[i])
	}
	return strings.Join(bases, "\n")
}

// baseOf returns the pattern of a subrouter without what chi adds.
func baseOf(pattern string) string { return strings.TrimSuffix(strings.TrimSuffix(pattern, "*"), "/") }

// methodsOf returns the methods that a pattern has handlers for. Chi hides those of a subrouter.
func methodsOf(at chi.Route) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(at.Handlers)), func(method string) bool { return method == "*" })
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

// routerOf returns a router of chi, unless it is in another type or from [chi.Router.With].
func routerOf(handler any) (*chi.Mux, bool) {
	r, ok := handler.(*chi.Mux)
	return r, ok && (len(r.Middlewares()) == 0 || len(r.Routes()) == 0 || len(r.With().Middlewares()) == 0)
}
