package versoecho5

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/labstack/echo/v5"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
)

// RouteAdder is what routes are added to: an [*echo.Echo], an [*echo.Group], or
// one of them in a namespace.
type RouteAdder interface {
	AddRoute(route echo.Route) (echo.RouteInfo, error)
}

var _, _ RouteAdder = (*echo.Echo)(nil), (*echo.Group)(nil)

// Namespace returns a RouteAdder that adds routes in a namespace, which it puts
// before their names: a route named "user-list" becomes "v1:user-list". It
// nests: in a namespace "api", a namespace "v1" makes "api:v1:user-list". Routes
// named by their own full name need no such call.
//
//	func users(routes versoecho5.RouteAdder) error {
//		_, err := routes.AddRoute(echo.Route{Method: http.MethodGet, Path: "/users", Name: "user-list", Handler: listUsers})
//		return err
//	}
//
//	err1 := users(v.Namespace(e.Group("/v1"), "v1"))
//	err2 := users(v.Namespace(e.Group("/v2"), "v2"))
//
// It panics when namespace is empty.
func (v *Routes) Namespace(routes RouteAdder, namespace string) RouteAdder {
	if namespace == "" {
		panic(`versoecho5: the namespace is empty: give it a name, such as "v1"`)
	}
	return namespaced{routes, namespace}
}

// namespaced adds routes in a namespace.
type namespaced struct {
	routes    RouteAdder
	namespace string
}

func (n namespaced) AddRoute(added echo.Route) (echo.RouteInfo, error) {
	added.Name = route.Join(n.namespace, added.Name)
	return n.routes.AddRoute(added)
}

// Link builds the URL of a route of e outside of a request, for a job or a mail,
// in the version of the target: see [verso.Versioning.Link].
func (v *Routes) Link(e *echo.Echo, target verso.Target) (string, error) {
	return v.snapshotOf(e, true).links.Link(target)
}

// Explain returns what is configured, what each kind of request gets, the routes
// of e, and what may be a mistake: see [verso.Versioning.Explain].
func (v *Routes) Explain(e *echo.Echo) *verso.Explanation {
	return v.snapshotOf(e, true).links.Explain()
}

// snapshot is which routes an Echo instance has. Echo adds routes at any time, so
// a snapshot is made when one is first needed, and again after the routes
// changed.
type snapshot struct {
	echo  *echo.Echo
	links *verso.Versioning // builds links to the routes outside of requests
	added *atomic.Bool      // a route was added; nil if Echo does not tell
	all   echo.Routes
	table *route.Table // without RouteNotFound routes
}

// noRoutes is the table where there is no Echo instance.
var noRoutes = route.NewTable()

// table returns the routes that a link in a request may lead to.
func (v *Routes) table(r verso.Request) *route.Table {
	if c, ok := r.Unwrap().(*echo.Context); ok {
		return v.snapshotOf(c.Echo(), true).table
	}
	return noRoutes
}

// match reports whether the request matched a route, and returns the route if it
// is known.
func (v *Routes) match(c *echo.Context) (matched *route.Route, ok bool) {
	s, method := v.snapshotOf(c.Echo(), false), c.Request().Method
	if s.added != nil { // the routes are fixed, so the path and the method tell
		matched, ok = s.table.Lookup("", method, c.Path())
		if !ok && method != http.MethodHead { // which a route for GET has before a route for any method
			matched, ok = s.table.Lookup("", echo.RouteAny, c.Path())
		}
		if ok {
			return matched, true
		}
	}
	// What Echo says is always right, and alone when a middleware has changed the
	// method or the path, or HEAD leads to GET; but it allocates.
	info := c.RouteInfo()
	isNone := info.Name == echo.NotFoundRouteName || info.Name == echo.MethodNotAllowedRouteName ||
		info.Name == "" && c.Path() == "" // before the router
	if info.Method == echo.RouteNotFound || info.Method == "" && isNone {
		return nil, false
	}
	if matched, ok = s.table.Lookup("", info.Method, info.Path); !ok || matched.Name != nameOf(info) {
		matched, _ = v.snapshotOf(c.Echo(), true).table.Lookup("", info.Method, info.Path)
	}
	return matched, true
}

// Route returns the route that Echo has found. The middleware gives the one that
// it found to [verso.NewHTTPRequest], so it is asked for in links only, and where a
// router does not list its routes.
func (routerFacts) Route(request any) *route.Route {
	found := routeOf(request.(*echo.Context).RouteInfo())
	return &found
}

// snapshotOf returns the routes of an Echo instance: the present ones, or those
// that were last seen, unless fresh, where it takes time to see what changed.
func (v *Routes) snapshotOf(e *echo.Echo, fresh bool) *snapshot {
	s := v.latest.Load()
	if s != nil && s.echo == e && s.isCurrent(fresh) {
		return s
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	s = v.all[e]
	if s == nil || !s.isCurrent(fresh) {
		s = v.newSnapshot(e, s)
		v.all[e] = s
	}
	v.latest.Store(s)
	return s
}

// isCurrent reports whether the instance still has these routes. Where Echo does
// not tell of added routes it compares them all, if it is to.
func (s *snapshot) isCurrent(compare bool) bool {
	if s.added != nil {
		return !s.added.Load() && len(s.echo.Router().Routes()) == len(s.all)
	}
	return !compare || slices.EqualFunc(s.echo.Router().Routes(), s.all, func(a, b echo.RouteInfo) bool {
		return a.Name == b.Name && a.Method == b.Method && a.Path == b.Path
	})
}

func (v *Routes) newSnapshot(e *echo.Echo, previous *snapshot) *snapshot {
	if previous == nil {
		links := v.api.WithRoutes(func(verso.Request) *route.Table { return v.snapshotOf(e, true).table })
		previous = &snapshot{links: links, added: watch(e)}
	}
	if previous.added != nil {
		previous.added.Store(false)
	}
	s := &snapshot{echo: e, links: previous.links, added: previous.added, all: slices.Clone(e.Router().Routes())}
	var all []route.Route
	for _, info := range s.all {
		if info.Method != echo.RouteNotFound {
			added := routeOf(info)
			added.Plan = v.planOf(info)
			all = append(all, added)
		}
	}
	s.table = route.NewTable(all...)
	return s
}

// hookMu is held while the hook of an Echo instance is replaced: several
// middlewares may do so at the first requests.
var hookMu sync.Mutex

// watch returns a flag that is set when a route is added to e. It is nil unless e
// has Echo's own router: others may be safe to add routes to while requests are
// served, and replacing the hook would race with that.
func watch(e *echo.Echo) *atomic.Bool {
	if _, fixed := e.Router().(*echo.DefaultRouter); !fixed {
		return nil
	}
	hookMu.Lock()
	defer hookMu.Unlock()
	added, check := new(atomic.Bool), e.OnAddRoute
	e.OnAddRoute = func(r echo.Route) error {
		added.Store(true)
		if check != nil {
			return check(r)
		}
		return nil
	}
	return added
}

// routeOf returns a route. Its path is that of Context#Path, with a slash.
func routeOf(info echo.RouteInfo) route.Route {
	path := info.Path
	if !strings.HasPrefix(path, "/") { // else it is the very text that a request has, and cheap to compare
		path = "/" + path
	}
	return route.Route{Method: info.Method, Path: path, Name: nameOf(info), Pattern: route.Colons(path)}
}

// nameOf returns the name that a route was given, "" when Echo named it.
func nameOf(info echo.RouteInfo) string {
	if method, path, ok := strings.Cut(info.Name, ":"); ok && method == info.Method && path == info.Path {
		return ""
	}
	return info.Name
}
