package versoecho

import (
	"cmp"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/labstack/echo/v4"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
)

// Namespace puts all routes that register adds to e into a namespace, by
// putting it before their names: a route named "user-list" becomes
// "v1:user-list". Calls nest: in a call for "api", a call for "v1" makes
// "api:v1:user-list". Routes named by their own full name need no such call.
//
//	func users(g *echo.Group) {
//		g.GET("/users", listUsers).Name = "user-list"
//	}
//
//	v.Namespace(e, "v1", func() { users(e.Group("/v1")) })
//	v.Namespace(e, "v2", func() { users(e.Group("/v2")) })
//
// Names must be given before register returns. It panics when namespace is
// empty.
func (v *Routes) Namespace(e *echo.Echo, namespace string, register func()) {
	if namespace == "" {
		panic(`versoecho: the namespace is empty: give it a name, such as "v1"`)
	}
	for registered := range added(e, register) {
		registered.Name = route.Join(namespace, registered.Name)
	}
}

// added returns the routes that register adds to e.
func added(e *echo.Echo, register func()) map[*echo.Route]string {
	before := hostsOf(e)
	register()
	after := hostsOf(e)
	maps.DeleteFunc(after, func(registered *echo.Route, _ string) bool {
		_, old := before[registered]
		return old
	})
	return after
}

// Link builds the URL of a route of e outside of a request, for a job or a mail,
// in the version of the target: see [verso.Versioning.Link].
func (v *Routes) Link(e *echo.Echo, target verso.Target) (string, error) {
	return v.snapshotOf(e).links.Link(target)
}

// Explain returns what is configured, what each kind of request gets, the routes
// of e, and what may be a mistake: see [verso.Versioning.Explain].
func (v *Routes) Explain(e *echo.Echo) *verso.Explanation {
	return v.snapshotOf(e).links.Explain()
}

// snapshot is which routes an Echo instance has. Echo names routes after it has
// registered them and adds routes at any time, so a snapshot is made at the first
// request, and again after a route was added.
type snapshot struct {
	echo     *echo.Echo
	links    *verso.Versioning // builds links to the routes outside of requests
	stale    *atomic.Bool      // a route was added
	count    int               // of all routes
	table    *route.Table      // without RouteNotFound routes
	notFound map[string]bool   // the paths that have RouteNotFound routes only
}

// noRoutes is the table where there is no Echo instance.
var noRoutes = route.NewTable()

// table returns the routes that a link in a request may lead to.
func (v *Routes) table(r verso.Request) *route.Table {
	if c, ok := r.Unwrap().(echo.Context); ok {
		return v.snapshotOf(c.Echo()).table
	}
	return noRoutes
}

// match reports whether the request matched a route, and returns the route if it
// is known. Where Echo has found no route it sets no parameter names, not even an
// empty list, and either no path (404, and before the router) or the methods that
// are allowed (405 and its own OPTIONS).
func (v *Routes) match(c echo.Context) (matched *route.Route, ok bool) {
	path := c.Path()
	if c.ParamNames() == nil && (path == "" || c.Get(echo.ContextKeyHeaderAllow) != nil) {
		return nil, false
	}
	s, r := v.snapshotOf(c.Echo()), c.Request()
	if matched, ok = s.table.Lookup(r.Host, r.Method, path); ok {
		return matched, true
	}
	return v.matchUnknown(s, c)
}

// matchUnknown is match for a route that is not in the table by the host, the
// method and the path of the request: a middleware has changed one of them, or
// the route was added to Echo's router alone. Only a RouteNotFound route is
// unmatched: where it cannot be told from another one, the request is matched.
func (v *Routes) matchUnknown(s *snapshot, c echo.Context) (matched *route.Route, ok bool) {
	if count(s.echo) != s.count { // a route was added, and the hook did not run
		s.stale.Store(true)
		return v.match(c)
	}
	r, path := c.Request(), c.Path()
	if s.notFound[path] && codeOf(c.Handler()) == addedHandler() {
		return nil, false
	}
	if matched, ok = s.table.LookupPath(r.Host, path); ok {
		return matched, true
	}
	for other := range s.table.Routes() {
		if other.Path == path && (matched == nil || other.Method == r.Method) {
			matched = other
		}
	}
	return matched, true
}

// addedHandler returns the code of the handlers of all routes that Echo#Add
// adds. Those that Router#Add adds have their own, and Echo does not list them.
var addedHandler = sync.OnceValue(func() uintptr {
	e := echo.New()
	e.GET("/", echo.NotFoundHandler)
	c := e.NewContext(nil, nil)
	e.Router().Find(http.MethodGet, "/", c)
	return codeOf(c.Handler())
})

func codeOf(handler echo.HandlerFunc) uintptr { return reflect.ValueOf(handler).Pointer() }

// snapshotOf returns the present routes of an Echo instance.
func (v *Routes) snapshotOf(e *echo.Echo) *snapshot {
	s := v.latest.Load()
	if s != nil && s.echo == e && !s.stale.Load() {
		return s
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	s = v.all[e]
	if s == nil || s.stale.Load() {
		s = v.newSnapshot(e, s)
		v.all[e] = s
	}
	v.latest.Store(s)
	return s
}

func (v *Routes) newSnapshot(e *echo.Echo, previous *snapshot) *snapshot {
	if previous == nil {
		links := v.api.WithRoutes(func(verso.Request) *route.Table { return v.snapshotOf(e).table })
		previous = &snapshot{links: links, stale: watch(e)}
	}
	s := &snapshot{echo: e, links: previous.links, stale: previous.stale, notFound: make(map[string]bool)}
	s.stale.Store(false)
	var all []route.Route
	for registered, host := range hostsOf(e) {
		s.count++
		if registered.Method == echo.RouteNotFound {
			s.notFound[registered.Path] = true
			continue
		}
		all = append(all, route.Route{
			Host:    host,
			Method:  registered.Method,
			Path:    registered.Path,
			Name:    nameOf(registered),
			Plan:    v.planOf(registered),
			Pattern: route.Colons(registered.Path),
		})
	}
	slices.SortFunc(all, func(a, b route.Route) int { // Echo has them in a map
		return cmp.Or(cmp.Compare(a.Host, b.Host), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Method, b.Method))
	})
	for i := range all {
		delete(s.notFound, all[i].Path)
	}
	s.table = route.NewTable(all...)
	return s
}

// hookMu is held while the hook of an Echo instance is replaced: several
// middlewares may do so at the first requests.
var hookMu sync.Mutex

// watch returns a flag that is set when a route is added to e.
func watch(e *echo.Echo) *atomic.Bool {
	hookMu.Lock()
	defer hookMu.Unlock()
	added, notify := new(atomic.Bool), e.OnAddRouteHandler
	e.OnAddRouteHandler = func(host string, r echo.Route, handler echo.HandlerFunc, m []echo.MiddlewareFunc) {
		added.Store(true)
		if notify != nil {
			notify(host, r, handler, m)
		}
	}
	return added
}

// hostsOf returns the routes of an Echo instance with their hosts, "" for the
// default router.
func hostsOf(e *echo.Echo) map[*echo.Route]string {
	hosts := make(map[*echo.Route]string)
	for _, registered := range e.Routes() {
		hosts[registered] = ""
	}
	for host, router := range e.Routers() {
		for _, registered := range router.Routes() {
			hosts[registered] = host
		}
	}
	return hosts
}

// count returns how many routes an Echo instance has.
func count(e *echo.Echo) int {
	n := len(e.Routes())
	for _, router := range e.Routers() {
		n += len(router.Routes())
	}
	return n
}
