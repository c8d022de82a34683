package versochi

import (
	"maps"
	"net/http"
	"reflect"
	"strings"
	"sync"

	"github.com/go-chi/chi/v5"

	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/adapter/overhttp"
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

// mountedOver returns the patterns of routers in whose place a handler is mounted, which chi does not refuse beside
// parameters. It lists the router then. The handler of the router stays beside that for all methods, without a pattern.
func mountedOver(routes chi.Routes) map[string]bool {
	r, ok := routes.(*chi.Mux)
	if !ok || !readsTree() {
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

// mountsOf returns where chi has the handlers of what is mounted in a router itself, by the method and the pattern.
func mountsOf(routes chi.Routes) map[[2]string]reflect.Value {
	r, ok := routes.(*chi.Mux)
	if !ok || !readsTree() {
		return nil
	}
	mounts := make(map[[2]string]reflect.Value)
	eachEndpoint(r, func(method uint64, pattern string, handler reflect.Value) {
		if isMountIn(handler) {
			mounts[[2]string{methodOf(method), pattern}] = handler
		}
	})
	return mounts
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
		router := at.SubRoutes
		if own, ok := router.(mux); ok {
			router = own.chis.Router
		}
		if sub, ok := router.(*chi.Mux); ok && !isGuarded(at) {
			subs[strings.TrimSuffix(at.Pattern, "/*")] = sub
		}
	}
	eachEndpoint(r, func(method uint64, pattern string, handler reflect.Value) {
		at := located{handler, subs[strings.TrimSuffix(strings.TrimSuffix(pattern, "*"), "/")] != nil}
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

// isReplaced reports whether a route was registered in the place of a mount since the routes were listed.
func (t *tree) isReplaced(method, pattern string) bool {
	handler, wasMount := t.mounts[[2]string{method, pattern}]
	return wasMount && !isMountIn(handler)
}

// isMountIn reports whether chi has the handler of a mount there.
func isMountIn(at reflect.Value) bool { return isMount(handlerIn(at)) }
