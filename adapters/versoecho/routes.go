package versoecho

import (
	"iter"
	"sync"
	"sync/atomic"

	"github.com/labstack/echo/v4"

	"github.com/goverso/verso/core/route"
)

// routes are the routes of the Echo instances that a middleware serves, which
// is one but for rare cases. Echo names routes after it has registered them and
// adds routes at any time, so a table is made at the first request, and again
// after a route was added.
type routes struct {
	current   atomic.Pointer[snapshot] // of the last instance
	mu        sync.Mutex
	instances map[*echo.Echo]*snapshot // guarded by mu
}

// snapshot is the table of the routes that an Echo instance has.
type snapshot struct {
	echo  *echo.Echo
	table *route.Table
	stale *atomic.Bool // a route was added
}

// find returns the route that the request matched. There is none when Echo
// answers 404, 405 or OPTIONS by itself: then the path is empty, or that of
// another method's or of a group's RouteNotFound route.
func (r *routes) find(c echo.Context) (matched *route.Route, ok bool) {
	if c.Path() == "" {
		return nil, false
	}
	return findIn(r.of(c.Echo()).table, c)
}

func findIn(table *route.Table, c echo.Context) (matched *route.Route, ok bool) {
	host, method, path := c.Request().Host, c.Request().Method, c.Path()
	if matched, ok = table.Lookup(host, method, path); ok {
		return matched, method != echo.RouteNotFound // which a client may send as a method
	}
	if c.Get(echo.ContextKeyHeaderAllow) != nil {
		return nil, false
	}
	if _, notFound := table.Lookup(host, echo.RouteNotFound, path); notFound {
		return nil, false
	}
	// A middleware has changed the method after routing.
	return table.LookupPath(host, path)
}

// of returns the routes of an Echo instance.
func (r *routes) of(e *echo.Echo) *snapshot {
	s := r.current.Load()
	if s != nil && s.echo == e && !s.stale.Load() {
		return s
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	s = r.instances[e]
	if s == nil || s.stale.Load() {
		s = take(e, s)
		if r.instances == nil {
			r.instances = make(map[*echo.Echo]*snapshot)
		}
		r.instances[e] = s
	}
	r.current.Store(s)
	return s
}

// hooking is held while the hook of an Echo instance is replaced: several
// middlewares may do so at the first requests.
var hooking sync.Mutex

// take makes a snapshot of all routes of an Echo instance, and lets the
// instance tell when it is stale.
func take(e *echo.Echo, previous *snapshot) *snapshot {
	s := &snapshot{echo: e}
	if previous != nil {
		s.stale = previous.stale
	} else {
		s.stale = new(atomic.Bool)
		hooking.Lock()
		defer hooking.Unlock()
		notify := e.OnAddRouteHandler
		e.OnAddRouteHandler = func(host string, added echo.Route, handler echo.HandlerFunc, m []echo.MiddlewareFunc) {
			s.stale.Store(true)
			if notify != nil {
				notify(host, added, handler, m)
			}
		}
	}
	s.stale.Store(false)
	var all []route.Route
	for registered, host := range allRoutes(e) {
		all = append(all, route.Route{
			Host:    host,
			Method:  registered.Method,
			Path:    registered.Path,
			Name:    registered.Name,
			Pattern: route.Colons(registered.Path),
		})
	}
	s.table = route.NewTable(all...)
	return s
}

// allRoutes yields the routes of an Echo instance with their hosts, "" for the
// default router.
func allRoutes(e *echo.Echo) iter.Seq2[*echo.Route, string] {
	return func(yield func(*echo.Route, string) bool) {
		for _, registered := range e.Routes() {
			if !yield(registered, "") {
				return
			}
		}
		for host, router := range e.Routers() {
			for _, registered := range router.Routes() {
				if !yield(registered, host) {
					return
				}
			}
		}
	}
}
