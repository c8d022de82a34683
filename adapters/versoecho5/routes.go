package versoecho5

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/labstack/echo/v5"

	"github.com/goverso/verso/core/route"
)

// routes are the routes of the Echo instances that a middleware serves, which
// is one but for rare cases. Echo adds routes at any time, so a table is made
// when one is first needed, and again after the routes changed.
type routes struct {
	latest    atomic.Pointer[snapshot] // of the last instance
	mu        sync.Mutex
	instances map[*echo.Echo]*snapshot // guarded by mu
}

// snapshot is the table of the routes that an Echo instance has.
type snapshot struct {
	echo  *echo.Echo
	all   echo.Routes
	table *route.Table
	added *atomic.Bool // a route was added; nil if Echo does not tell
}

// match returns the namespace of the route that the request matched. There is
// none when Echo answers 404, 405 or OPTIONS by itself: then there is no path,
// or it is that of another method's or of a RouteNotFound route.
func (r *routes) match(c *echo.Context) (namespace string, matched bool) {
	if c.Path() == "" {
		return "", false
	}
	if found, ok := r.lookup(c); ok {
		return found.Namespace(), true
	}
	// This is always right, and alone when the method was overridden or HEAD
	// leads to GET, but it allocates.
	info := c.RouteInfo()
	if info.Method == "" || info.Method == echo.RouteNotFound {
		return "", false
	}
	return namespaceOf(info), true
}

// lookup returns the route that the request matched, if it can be told by the
// path and the method. The routes of other routers than Echo's own may change
// while they are used, so it tells nothing of them.
func (r *routes) lookup(c *echo.Context) (found *route.Route, ok bool) {
	if _, fixed := c.Echo().Router().(*echo.DefaultRouter); !fixed {
		return nil, false
	}
	table, method := r.of(c.Echo()).table, c.Request().Method
	found, ok = table.Lookup("", method, c.Path())
	if !ok && method != http.MethodHead { // which a route for GET has before a route for any method
		found, ok = table.Lookup("", echo.RouteAny, c.Path())
	}
	return found, ok
}

// of returns the routes of an Echo instance.
func (r *routes) of(e *echo.Echo) *snapshot {
	s := r.latest.Load()
	if s != nil && s.echo == e && s.current() {
		return s
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	s = r.instances[e]
	if s == nil || !s.current() {
		s = take(e, s)
		if r.instances == nil {
			r.instances = make(map[*echo.Echo]*snapshot)
		}
		r.instances[e] = s
	}
	r.latest.Store(s)
	return s
}

// current reports whether the instance still has these routes. Where Echo tells
// of added routes it takes the same time for any number of routes; a route can
// then only be removed unseen.
func (s *snapshot) current() bool {
	all := s.echo.Router().Routes()
	if s.added != nil {
		return !s.added.Load() && len(all) == len(s.all)
	}
	return slices.EqualFunc(all, s.all, func(a, b echo.RouteInfo) bool {
		return a.Name == b.Name && a.Method == b.Method && a.Path == b.Path
	})
}

// hooking is held while the hook of an Echo instance is replaced: several
// middlewares may do so at the first requests.
var hooking sync.Mutex

// take makes a snapshot of all routes of an Echo instance, and lets the
// instance tell when a route is added. It does so with Echo's own router only:
// with others, which may be safe to add routes to while requests are served, it
// would race with who adds one.
func take(e *echo.Echo, previous *snapshot) *snapshot {
	s := &snapshot{echo: e}
	if previous != nil {
		s.added = previous.added
	} else if _, ok := e.Router().(*echo.DefaultRouter); ok {
		changed := new(atomic.Bool)
		s.added = changed
		hooking.Lock()
		defer hooking.Unlock()
		check := e.OnAddRoute
		e.OnAddRoute = func(added echo.Route) error {
			if check != nil {
				if err := check(added); err != nil {
					return err
				}
			}
			changed.Store(true)
			return nil
		}
	}
	if s.added != nil {
		s.added.Store(false)
	}
	s.all = slices.Clone(e.Router().Routes())
	var all []route.Route
	for _, info := range s.all {
		if info.Method == echo.RouteNotFound {
			continue
		}
		path := pathOf(info)
		all = append(all, route.Route{
			Method:  info.Method,
			Path:    path,
			Name:    nameOf(info),
			Pattern: route.Colons(path),
		})
	}
	s.table = route.NewTable(all...)
	return s
}

func namespaceOf(info echo.RouteInfo) string {
	return route.Route{Name: nameOf(info)}.Namespace()
}

// nameOf returns the name that a route was given, "" when Echo named it.
func nameOf(info echo.RouteInfo) string {
	if info.Name == info.Method+":"+info.Path {
		return ""
	}
	return info.Name
}

// pathOf returns the path of a route as Context#Path has it.
func pathOf(info echo.RouteInfo) string {
	if strings.HasPrefix(info.Path, "/") {
		return info.Path
	}
	return "/" + info.Path
}
