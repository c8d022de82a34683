package versoecho

import (
	"cmp"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/labstack/echo/v4"

	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
)

// router is the [adapter.Router] of an Echo instance.
type router struct {
	echo   *echo.Echo
	noted  map[spot]note
	scopes []any    // what identifies the checks of groups of Echo's own
	adding bool     // Routes registers a route
	paths  sync.Map // bool by the first byte of a path: only routes with a check are registered with this very string

	changed func()
	passing sync.Map // paths of RouteNotFound routes that have left a request to NotFound
}

// spot is where Echo has a route. It forgets the one that was there before.
type spot struct{ host, method, path string }

func spotOf(host string, r *echo.Route) spot { return spot{host, r.Method, r.Path} }

// note is what is known of a registered route.
type note struct {
	made    string // the name that Echo derived from its handler
	handler any    // identifies it; nil: it is not known
	checked bool   // it has a check
	behind  []any  // what identifies its middleware
	answers bool   // requests without a route, by another handler than Echo's own
	shared  bool   // the handler had another method of the path, too, which another route has replaced
}

// hasHandlerOf reports whether two routes have the same handler, by its name if Echo reports nothing else.
func (n note) hasHandlerOf(other note) bool {
	if n.handler == nil || other.handler == nil {
		return n.made != "" && n.made == other.made
	}
	return n.handler == other.handler
}

func newRouter(e *echo.Echo) *router {
	r := &router{echo: e, noted: make(map[spot]note)}
	for registered, host := range r.all() {
		r.noted[spotOf(host, registered)] = note{made: madeOf(registered.Name)}
	}
	return r
}

// madeOf returns the name of a route if it seems to be that of its handler.
func madeOf(name string) string {
	isPath := strings.HasPrefix(name, "main.") || strings.ContainsAny(name, "/(")
	if isPath && strings.Contains(name[strings.LastIndexByte(name, '/')+1:], ".") && !strings.Contains(name, ":") {
		return name
	}
	return ""
}

// watch notes the routes that are registered from now on, and reports each.
func (r *router) watch(changed func()) {
	r.changed = changed
	notify := r.echo.OnAddRouteHandler
	r.echo.OnAddRouteHandler = func(host string, added echo.Route, handler echo.HandlerFunc, m []echo.MiddlewareFunc) {
		r.take(host, &added, adapter.Identity(handler), adapter.Identities(m))
		changed()
		if notify != nil {
			notify(host, added, handler, m)
		}
	}
}

// take notes a route that was registered, and what identifies its handler.
func (r *router) take(host string, added *echo.Route, handler any, behind []any) {
	at := spotOf(host, added)
	before, twice := r.noted[at]
	if twice && (r.adding || before.checked) {
		fail("route %s %s is registered twice, and Echo forgets the first: for a handler per version, register it once with HandleVersions", added.Method, host+added.Path)
	}
	if twice {
		r.keepShared(at, before)
	}
	r.noted[at] = note{made: added.Name, handler: handler, checked: r.adding, behind: behind,
		answers: added.Method == echo.RouteNotFound && handler != adapter.Identity(echo.NotFoundHandler)}
	isScoped := slices.ContainsFunc(behind, func(m any) bool { return slices.Contains(r.scopes, m) })
	if first := identityOf(added.Path); r.adding || isScoped {
		r.paths.LoadOrStore(first, true)
	} else if added.Method != echo.RouteNotFound {
		r.paths.Store(first, false)
	}
	r.adding = false // for what a hook adds to it
}

// keepShared marks the routes whose handler loses a method of its path to another route.
func (r *router) keepShared(replaced spot, before note) {
	for at, known := range r.noted {
		if at.host == replaced.host && at.path == replaced.path && known.hasHandlerOf(before) {
			known.shared = true
			r.noted[at] = known
		}
	}
}

// all yields all routes with their hosts, "" for the default router.
func (r *router) all() iter.Seq2[*echo.Route, string] {
	return func(yield func(*echo.Route, string) bool) {
		routers := map[string]*echo.Router{"": r.echo.Router()}
		maps.Copy(routers, r.echo.Routers())
		for host, hosted := range routers {
			for _, registered := range hosted.Routes() {
				if !yield(registered, host) {
					return
				}
			}
		}
	}
}

// Engine returns what New got.
func (r *router) Engine() any { return r.echo }

// Routes returns the routes of the instance, without RouteNotFound ones.
func (r *router) Routes() []adapter.Listed {
	all := make([]adapter.Listed, 0, len(r.noted))
	beside := make(map[[2]string][]string) // the names of the handlers at a host and a path
	for at, noted := range r.noted {
		if at.method != echo.RouteNotFound {
			beside[[2]string{at.host, at.path}] = append(beside[[2]string{at.host, at.path}], noted.made)
		}
	}
	for registered, host := range r.all() {
		if registered.Method == echo.RouteNotFound {
			continue
		}
		listed := r.listed(host, registered)
		if noted := r.noted[spotOf(host, registered)]; noted.handler == nil { // from before New
			same := 0 // itself, and what may have its handler
			for _, made := range beside[[2]string{host, registered.Path}] {
				if made == noted.made || made == "" || noted.made == "" { // given names hide it
					same++
				}
			}
			listed.SharesHandler = listed.SharesHandler || same > 1
		}
		all = append(all, listed)
	}
	slices.SortFunc(all, func(a, b adapter.Listed) int { // Echo has them in a map
		return cmp.Or(cmp.Compare(a.Host, b.Host), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Method, b.Method))
	})
	return all
}

// listed returns a route with the name that it was given, without the one that Echo makes of its
// handler. That name identifies the handler if Echo reports nothing else.
func (r *router) listed(host string, registered *echo.Route) adapter.Listed {
	noted, ok := r.noted[spotOf(host, registered)]
	listed := adapter.Listed{Handler: noted.handler, Middleware: noted.behind, Route: route.Route{
		Host: host, Method: registered.Method, Path: registered.Path, SharesHandler: noted.shared, Pattern: route.Colons(registered.Path),
	}}
	if listed.Handler == nil {
		listed.Handler = cmp.Or(noted.made, registered.Name)
	}
	if !ok { // other code has replaced the hook
		noted.made = madeOf(registered.Name)
	}
	if registered.Name != noted.made {
		listed.Name = registered.Name
	}
	return listed
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
	for registered, host := range r.all() {
		_, passes := r.passing.Load(registered.Path)
		if registered.Method == echo.RouteNotFound && r.noted[spotOf(host, registered)].answers && !passes {
			routes = append(routes, &route.Route{Host: host, Path: registered.Path, Pattern: route.Colons(registered.Path)})
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

// isNotFound reports whether Echo has matched a noted RouteNotFound route.
func (r *router) isNotFound(c echo.Context) bool {
	at := spot{"", echo.RouteNotFound, c.Path()}
	if host := c.Request().Host; r.echo.Routers()[host] != nil {
		at.host = host
	}
	_, ok := r.noted[at]
	return ok && r.finds(echo.RouteNotFound, c)
}

// isForNone reports whether the routes of a pattern are all for requests that have
// no route.
func (r *router) isForNone(pattern string) bool {
	found := false
	for registered := range r.all() {
		if registered.Path == pattern {
			if registered.Method != echo.RouteNotFound {
				return false
			}
			found = true
		}
	}
	return found
}

// PathParam returns a path parameter: see [Param].
func (*router) PathParam(request any, name string) (value string, ok bool) {
	return param(request.(echo.Context), name)
}

// Param returns the named path parameter, percent-decoded once, and "" if there is
// none. Echo's own Context#Param leaves it encoded when the path was sent with escapes
// that Go would not write, such as the "a%2Bb" for "a+b" in a URL of [Link].
func Param(c echo.Context, name string) string {
	value, _ := param(c, name)
	return value
}

// param decodes what Echo cuts from the path: from the path as it was sent, if Go
// keeps that, else from the decoded one.
func param(c echo.Context, name string) (value string, ok bool) {
	values := c.ParamValues()
	for i, known := range c.ParamNames() {
		if known != name || i >= len(values) {
			continue
		}
		if c.Request().URL.RawPath != "" {
			if plain, err := url.PathUnescape(values[i]); err == nil {
				return plain, true
			}
		}
		return values[i], true
	}
	return "", false
}

// methodOf returns the method of a request as [adapter.Binding.Lookup] wants it. A middleware
// may have set it to OPTIONS, and Echo does not report the method of the matched route.
func (r *router) methodOf(c echo.Context) string {
	if method := c.Request().Method; method != http.MethodOptions || r.finds(method, c) {
		return method
	}
	return "-"
}

// finds reports whether Echo finds the matched route for a method, or for RouteNotFound as a request without a route:
// each has a handler of its own.
func (r *router) finds(method string, c echo.Context) bool {
	request := c.Request()
	of, ok := r.echo.Routers()[request.Host]
	if !ok {
		of = r.echo.Router()
	}
	found := r.echo.AcquireContext()
	defer r.echo.ReleaseContext(found)
	found.Reset(request, nil)
	of.Find(method, echo.GetPath(request), found)
	return adapter.Identity(found.Handler()) == adapter.Identity(c.Handler())
}

// isChecked reports whether the route that Echo has matched has a check, by the pattern
// that Echo reports. Nothing else identifies it: the method and the host of a request may
// be those that a middleware has set, and routes of one path have equal patterns. But Echo
// returns the string that a route was registered with, and Routes registers copies.
func (r *router) isChecked(pattern string) bool {
	only, ok := r.paths.Load(identityOf(pattern))
	return ok && only.(bool)
}
