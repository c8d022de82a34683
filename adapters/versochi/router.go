package versochi

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"reflect"
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
	of         chi.Router
	checks     sync.Map // *overhttp.Check to the path that it was registered at
	guards     sync.Map // *guarded to []checked
	guardsAt   sync.Map // router, method and pattern to *guarded
	lateChecks sync.Map // method and path to the *overhttp.Check of a route that came late to a mounted router

	atRoots  sync.Map // has the path of the rest behind a subrouter or a mount at "/" of a group
	trees    sync.Map // chi.Routes to *tree, since the routes were listed
	unlisted sync.Map // router, method and pattern that a tree lacked once: it is made again

	recorded []func() []*route.Route // routes that functions of RegisterVersions have registered too late

	late    []func()    // put checks into mounted routers
	rejects atomic.Bool // NotFound is in use
}

// PathParam decodes what chi cuts from the path as it was sent, if Go keeps that. Behind middleware such as
// StripSlashes and URLFormat, chi cuts from the decoded path.
func (*router) PathParam(request any, name string) (value string, ok bool) {
	r := request.(*http.Request)
	at := contextOf(r)
	value = at.URLParam(name)
	if sent := r.URL.RawPath; sent != "" &&
		(strings.Contains(sent+"/", value+"/") || !strings.Contains(r.URL.Path, value)) {
		if plain, err := url.PathUnescape(value); err == nil {
			value = plain
		}
	}
	return value, slices.Contains(at.URLParams.Keys, name)
}

// Engine returns what New got.
func (r *router) Engine() any { return r.of }

// Routes lists the routes of the router and its subrouters. chi has no names.
func (r *router) Routes() (all []adapter.Listed) {
	r.trees.Clear()
	defer r.trees.Clear() // more routes may come
	paths, served := make(map[*overhttp.Check]string), r.treeOf(r.of)
	shared := served.shared()
	for _, at := range served.endpoints {
		listed := adapter.Listed{Route: at.Route, Handler: identityOf(at.handler),
			Middleware: adapter.Identities(at.middleware)}
		listed.SharesHandler = isMount(at.handler)
		check, _ := at.handler.(*overhttp.Check)
		if own, ok := at.handler.(*guarded); ok {
			inline, its, isChecked := r.checkOf(own, at.Path, served)
			if check = its; isChecked && check == nil {
				continue
			}
			listed.Middleware = append(listed.Middleware, adapter.Identities(inline)...)
		}
		if check == nil {
			late, _ := r.lateChecks.Load([2]string{at.Method, at.Path})
			check, _ = late.(*overhttp.Check)
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
		if !shared[at.unslashed()] || r.isReached(at, listed.Path) {
			all = append(all, listed)
		}
	}
	return all
}

// isReached reports whether chi gives a route its path, which a route in another router has, too. The path of a root may
// have a slash that its pattern lacks.
func (r *router) isReached(at endpoint, path string) bool {
	request, err := http.NewRequest(at.Method, "/", nil)
	if err != nil || strings.Contains(at.Path, ":") { // no path matches an expression for sure
		return true
	}
	context := chi.NewRouteContext()
	_, ok := r.find(request, r.of, context, at.Method, path)
	found := patternOf(context)
	return !ok || found != at.Path && found != path || routersOf(context.RoutePatterns) == at.routers
}

// Lost returns the routes that functions have registered after they had returned.
func (r *router) Lost() (lost []*route.Route) {
	for _, late := range r.recorded {
		lost = append(lost, late()...)
	}
	return lost
}

// ListsRegistrations reports that Routes finds each route of v by its check.
func (*router) ListsRegistrations() bool { return true }

// treeOf returns what is in a router.
func (r *router) treeOf(routes chi.Routes) *tree {
	if _, isMux := routes.(*chi.Mux); !isMux && !reflect.ValueOf(routes).Comparable() { // a type with a function in it
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
	if t.isReplaced(method, pattern) || t.lacks(method, pattern) && r.isFirst(routes, method, pattern) {
		r.trees.Clear()
		t = r.treeOf(routes)
	}
	sub, has := t.direct[baseOf(pattern)], t.hasDirect(method, pattern)
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
	method, path, passes := r.moved(request, sub.Middlewares(), method, path)
	if !passes {
		return "", false
	}
	return r.find(request, sub, at, method, path)
}

// isFirst reports whether a tree lacks a route for the first time: chi hides some for good.
func (r *router) isFirst(routes chi.Routes, method, pattern string) bool {
	_, again := r.unlisted.LoadOrStore([3]any{routes, method, pattern}, true)
	return !again
}

// movers are the middlewares of chi that change the path or the method that their router sees, or redirect.
var movers = []uintptr{
	pointer(middleware.StripSlashes), pointer(middleware.URLFormat), pointer(middleware.GetHead),
	pointer(middleware.CleanPath), pointer(middleware.RedirectSlashes),
}

func isMover(m func(http.Handler) http.Handler) bool { return slices.Contains(movers, pointer(m)) }

// moversOf returns those of a router.
func moversOf(middlewares chi.Middlewares) (its chi.Middlewares) {
	for _, m := range middlewares {
		if isMover(m) {
			its = append(its, m)
		}
	}
	return its
}

// moved returns the method and the path behind the middlewares of a router, and whether they let the request pass. The
// path is "" if they do not change the path of the request.
func (r *router) moved(request *http.Request, middlewares chi.Middlewares, method, path string) (of, to string,
	passes bool) {
	for _, m := range moversOf(middlewares) {
		trial := chi.NewRouteContext()
		trial.Routes, trial.RouteMethod, trial.RoutePath = cmp.Or[chi.Routes](contextOf(request).Routes, r.of), method, path
		passes = false
		next := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { passes = true })
		m(next).ServeHTTP(adapter.Discard{}, request.WithContext(context.WithValue(request.Context(), chi.RouteCtxKey, trial)))
		if !passes {
			return "", "", false
		}
		method, path = trial.RouteMethod, trial.RoutePath
	}
	return method, path, true
}

// allow returns the methods that chi has found for the path of a request that it does not match, and whether it
// answers 405.
func (r *router) allow(request *http.Request) (allow []string, isNotAllowed bool) {
	at := contextOf(request)
	if at != &unrouted && !isKnown(cmp.Or(at.RouteMethod, request.Method)) {
		return nil, true // chi does not look for the path
	}
	if sub := r.treeOf(r.of).subs[baseOf(patternOf(at))]; sub != nil && isIdle(sub) {
		return nil, false
	}
	allow, isNotAllowed = allowedBy(at)
	if !isNotAllowed {
		return nil, false
	}
	slices.Sort(allow)
	return slices.Compact(allow), true
}

// checkOf returns the check of a handler at a path, and the middleware of the route in front of it. The check is nil if
// the version of the path does not have the route. It is not ok if chi alone has mounted the router there.
func (r *router) checkOf(g *guarded, path string, served *tree) (inline chi.Middlewares, check *overhttp.Check,
	ok bool) {
	all := checksOf(&r.guards, g)
	if len(all) == 0 {
		return nil, nil, false
	}
	at := atPath(all, path)
	isThere := func(e endpoint) bool { return e.Path == at.path }
	if at.path != path && at.path+"/" != path && slices.ContainsFunc(served.endpoints, isThere) {
		return nil, nil, false
	}
	inline, handler := unchained(at.handler)
	check, _ = handler.(*overhttp.Check)
	return inline, check, true
}
