package versoecho5

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/labstack/echo/v5"

	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
)

// router is the [adapter.Router] of an Echo instance.
type router struct {
	echo   *echo.Echo
	own    map[string]bool // methods and paths of the routes that carry a check
	seen   sync.Map        // [seen] of all routes that were registered, several at once with a concurrent router
	adding bool            // Routes registers a route

	changed func()
	passing sync.Map // paths of RouteNotFound routes that have left a request to NotFound
	awaited sync.Map // methods and paths that were registered and not listed yet: how many lists were without
}

// seen is what identifies the handler of a route and its middleware.
type seen struct {
	handler    any
	middleware []any
	answers    bool // requests without a route
	shared     bool // the handler had another method of the path, too, which another route has replaced
}

// maxAwaited bounds the lists in which a route is awaited: another hook may refuse it.
const maxAwaited = 100

// watch reports the routes that are registered from now on, and refuses those that
// would be in the place of another: before the router has them.
func (r *router) watch(changed func()) {
	r.changed = changed
	for _, info := range r.echo.Router().Routes() {
		r.seen.Store(keyOf(info.Method, info.Path), new(seen))
	}
	accept := r.echo.OnAddRoute
	r.echo.OnAddRoute = func(added echo.Route) error {
		if r.isTwice(added) {
			return fmt.Errorf("versoecho5: route %s %s is registered twice: for a handler per version, register it once with HandleVersions", added.Method, added.Path)
		}
		r.keepShared(added)
		r.seen.Store(keyOf(added.Method, added.Path), &seen{
			handler: adapter.Identity(added.Handler), middleware: adapter.Identities(added.Middlewares),
			answers: added.Method == echo.RouteNotFound && added.Handler != nil, // Echo's own for groups are nil
		})
		r.awaited.Store(keyOf(added.Method, added.Path), 0)
		changed()
		if accept != nil {
			return accept(added)
		}
		return nil
	}
}

// keepShared marks the routes whose handler loses a method of its path to another route. Echo does not report the
// handlers of the routes that it had before.
func (r *router) keepShared(added echo.Route) {
	before, isTwice := r.seen.Load(keyOf(added.Method, added.Path))
	if !isTwice || before.(*seen).handler == nil {
		return
	}
	_, path := placeOf(added.Method, added.Path)
	r.seen.Range(func(key, known any) bool {
		at, other := key.(string), *known.(*seen)
		if at[strings.IndexByte(at, '/'):] == path && other.handler == before.(*seen).handler {
			other.shared = true
			r.seen.Store(key, &other)
		}
		return true
	})
}

var errTaken = errors.New("versoecho5: the route is not registered")

// taken returns the route that Echo would register, with the prefix and the middleware
// of its group, and keeps Echo from it.
func (r *router) taken(register func()) echo.Route {
	taken := r.tried(register)
	if taken.Handler == nil {
		fail("the route is in a group of another Echo instance: make one with New for it")
	}
	return taken
}

// tried is taken, where Echo may register nothing.
func (r *router) tried(register func()) (taken echo.Route) {
	accept := r.echo.OnAddRoute
	r.echo.OnAddRoute = func(added echo.Route) error {
		taken = added
		return errTaken
	}
	defer func() {
		r.echo.OnAddRoute = accept
		if reason := recover(); reason != nil && reason != any(errTaken) {
			panic(reason)
		}
	}()
	register()
	return taken
}

func (r *router) isTwice(added echo.Route) bool {
	key := keyOf(added.Method, added.Path)
	if _, seen := r.seen.Load(key); !seen {
		return r.own[key]
	}
	return r.own[key] || r.adding && // it may have been removed since
		slices.ContainsFunc(r.echo.Router().Routes(),
			func(other echo.RouteInfo) bool { return keyOf(other.Method, other.Path) == key })
}

func keyOf(method, path string) string {
	method, path = placeOf(method, path)
	return method + path
}

// Engine returns what New got.
func (r *router) Engine() any { return r.echo }

// Routes returns the routes of the instance, without RouteNotFound ones.
func (r *router) Routes() []adapter.Listed {
	infos := r.echo.Router().Routes()
	all := make([]adapter.Listed, 0, len(infos))
	beside := make(map[string]int) // how many routes a path has
	for _, info := range infos {
		if _, path := placeOf(info.Method, info.Path); info.Method != echo.RouteNotFound {
			beside[path]++
		}
	}
	for _, info := range infos {
		key := keyOf(info.Method, info.Path)
		r.awaited.Delete(key)
		if info.Method != echo.RouteNotFound {
			listed := adapter.Listed{Route: routeOf(info)}
			if noted, ok := r.seen.Load(key); ok {
				listed.Handler, listed.Middleware = noted.(*seen).handler, noted.(*seen).middleware
				isPerhaps := noted.(*seen).handler == nil && beside[listed.Path] > 1 // from before New: not known
				listed.SharesHandler = noted.(*seen).shared || isPerhaps
			}
			all = append(all, listed)
		}
	}
	r.awaited.Range(func(key, lists any) bool { // of another goroutine, which is still registering it
		if lists == maxAwaited {
			r.awaited.Delete(key)
		} else {
			r.awaited.Store(key, lists.(int)+1)
			r.changed()
		}
		return true
	})
	return all
}

// IsInstalled reports whether the instance has a middleware, which Echo lists with no route.
func (r *router) IsInstalled(identity any) bool {
	installed, ok := middlewareOf(r.echo)
	return !ok || slices.Contains(installed, identity)
}

// middlewareOf returns the identities of the middleware of an instance or a group. It is not ok if Echo has changed.
func middlewareOf(in registrar) (identities []any, ok bool) {
	field := reflect.ValueOf(in).Elem().FieldByName("middleware")
	if !field.IsValid() || field.Type() != reflect.TypeFor[[]echo.MiddlewareFunc]() {
		return nil, false
	}
	return adapter.Identities(*(*[]echo.MiddlewareFunc)(field.Addr().UnsafePointer())), true
}

// LastTakesRest reports that /files/:name has the path /files/a/b, too, if no route continues it.
func (*router) LastTakesRest() bool { return true }

// TakenNotFound returns the RouteNotFound routes of other code, which may answer in place of NotFound.
func (r *router) TakenNotFound() (routes []*route.Route) {
	for _, info := range r.echo.Router().Routes() {
		_, passes := r.passing.Load(info.Path)
		if noted, ok := r.seen.Load(keyOf(info.Method, info.Path)); ok && noted.(*seen).answers && !passes {
			own := routeOf(info)
			own.Method = ""
			routes = append(routes, &own)
		}
	}
	return routes
}

// notePassing notes that the RouteNotFound route of a path has left a request to NotFound.
func (r *router) notePassing(path string) {
	if _, known := r.passing.LoadOrStore(path, true); !known {
		r.changed()
	}
}

// placeOf returns where a route is: its method, "" for any, and its path as that of
// Context#Path, with a slash.
func placeOf(method, path string) (string, string) {
	if !strings.HasPrefix(path, "/") { // else it is the very text that a request has, and cheap to compare
		path = "/" + path
	}
	if method == echo.RouteAny {
		method = ""
	}
	return method, path
}

func routeOf(info echo.RouteInfo) route.Route {
	method, path := placeOf(info.Method, info.Path)
	r := route.Route{Method: method, Path: path, Name: info.Name, Pattern: route.Colons(path)}
	if info.Name == info.Method+":"+info.Path { // as Echo names a route
		r.Name = ""
	}
	return r
}
