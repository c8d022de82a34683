package versoecho

import (
	"iter"
	"sync"
	"sync/atomic"

	"github.com/labstack/echo/v4"

	"github.com/goverso/verso/core/route"
)

// routes finds the route that Echo matched. Echo gives routes their names after
// it has registered them and adds routes at any time, so the table is made at
// the first request, and again when a route is not in it.
type routes struct {
	current atomic.Pointer[snapshot]
	mu      sync.Mutex // held while a snapshot is made
}

// snapshot is the table of the routes that an Echo instance had.
type snapshot struct {
	echo  *echo.Echo
	table *route.Table
}

// find returns the route that the request matched. There is none when Echo
// answers 404, 405 or OPTIONS by itself: then the path is empty, or that of
// another method's or of a group's RouteNotFound route.
func (r *routes) find(c echo.Context) (matched *route.Route, ok bool) {
	if c.Path() == "" {
		return nil, false
	}
	s := r.current.Load()
	if s == nil || s.echo != c.Echo() {
		s = r.take(c.Echo())
	}
	if matched, ok = s.lookup(c); ok || s.answersByItself(c) {
		return matched, ok
	}
	return r.take(c.Echo()).lookup(c)
}

func (s *snapshot) lookup(c echo.Context) (*route.Route, bool) {
	return s.table.Lookup(c.Request().Host, c.Request().Method, c.Path())
}

// answersByItself reports whether it is no surprise that the request's route is
// not in the table: so a new one is made for new routes only.
func (s *snapshot) answersByItself(c echo.Context) bool {
	if c.Get(echo.ContextKeyHeaderAllow) != nil {
		return true
	}
	_, notFound := s.table.Lookup(c.Request().Host, echo.RouteNotFound, c.Path())
	return notFound
}

// take makes a snapshot of all routes of an Echo instance.
func (r *routes) take(e *echo.Echo) *snapshot {
	r.mu.Lock()
	defer r.mu.Unlock()
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
	s := &snapshot{echo: e, table: route.NewTable(all...)}
	r.current.Store(s)
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
