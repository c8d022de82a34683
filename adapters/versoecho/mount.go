package versoecho

import (
	"cmp"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
)

// RegisterVersions registers the routes of several versions on the same paths, such as the
// generated servers of v1 and v2 behind a header. Each function gets a group that only
// records routes. Each method and path among them becomes a route with a handler for each
// version, registered as [Routes.HandleVersions] does, whatever the names of its path
// parameters. A version without a function has the routes of the one before it; after nil
// it has none. Middleware that a function adds with Use runs for its own routes only, after
// the check. Requests that match no route run what Echo would, RouteNotFound and the middleware of groups, from the first version.
//
//	v.RegisterVersions(map[string]func(*echo.Group){
//		"v1": func(g *echo.Group) { apiv1.RegisterHandlers(g, serverV1) },
//		"v2": func(g *echo.Group) { apiv2.RegisterHandlers(g, serverV2) },
//	})
//
// It panics as HandleVersions does, and if a function registers nothing with its group, a
// route twice, or one with Echo itself.
func (r *Routes) RegisterVersions(versions map[string]func(*echo.Group)) {
	var unmatched []unmatchedRoute
	record := func(register func(*echo.Group), note func(route.Route, echo.HandlerFunc)) {
		known := unmatched
		for _, found := range r.record(register, note) {
			shape := route.Colons(found.path).Shape() // versions have their own names of parameters
			isKnown := func(other unmatchedRoute) bool { return route.Colons(other.path).Shape() == shape }
			if !slices.ContainsFunc(known, isKnown) {
				unmatched = append(unmatched, found)
			}
		}
	}
	err := adapter.RouteJoiner[*echo.Group, echo.HandlerFunc]{Record: record, Rename: rename,
		Add: func(first route.Route, handlers map[string]echo.HandlerFunc) {
			if added := r.HandleVersions(first.Method, first.Path, handlers); first.Name != "" {
				added.Name = first.Name
			}
		}}.Join(r.seam.Binding, versions)
	r.of.Must("RegisterVersions", err)
	r.addUnmatched(unmatched)
}

// unmatchedRoute answers requests that match no route of a group.
type unmatchedRoute struct {
	path       string
	handler    echo.HandlerFunc
	middleware []echo.MiddlewareFunc
}

// addUnmatched registers what groups have for requests that match no route, in the order in which they did: Echo takes
// some paths for the same, and the last one answers.
func (r *Routes) addUnmatched(unmatched []unmatchedRoute) {
	for _, found := range unmatched {
		group := strings.TrimSuffix(found.path, "/*")
		forms, _, _ := r.forms(group) // nil outside the prefix
		for _, form := range forms {
			form += found.path[len(group):]
			middleware := found.middleware
			if r.of.Each {
				middleware = slices.Concat(*r.before, middleware)
			}
			r.in.Add(echo.RouteNotFound, form, found.handler, middleware...)
		}
	}
}

// Register registers the routes that a function registers with a group of Echo's own, for generated code
// that takes one. Each becomes a route of r, with what [Routes.PerRoute] returns for it, and behind
// [Routes.EachVersion] in each version. Middleware that the function adds with Use runs before the check.
//
//	v.Register(func(g *echo.Group) { registerOperations(humaecho.NewWithGroup(e, g, config)) })
//
// It panics as [Routes.Add] does, and if the function registers nothing with its group, also later, when
// the function has returned.
func (r *Routes) Register(register func(*echo.Group)) {
	if register == nil {
		fail("Register: the function is nil: give it one")
	}
	var all []recorded
	var unmatched []unmatchedRoute
	r.of.Must("Register", r.seam.Recorded(func() { all, unmatched = r.collect("Register", register) }))
	if len(all) == 0 {
		fail("Register: the function registers no route with its group: register them with what it gets")
	}
	type use struct{ path, handler any }
	uses := make(map[use]int)
	for i := range all {
		uses[use{all[i].Path, all[i].Handler}]++
	}
	for _, found := range all {
		g, shared := r.with(r.of), uses[use{found.Path, found.Handler}]
		g.sharesHandler, g.anyMethod = shared > 1, shared == len(anyMethods)
		if added := g.Add(found.Method, found.Path, found.handler, found.middleware...); found.Name != "" {
			added.Name = found.Name
		}
	}
	r.addUnmatched(unmatched)
}

// isAround reports whether the group has middleware, which groups within it have, too.
func (r *Routes) isAround() bool {
	group, ok := r.in.(*echo.Group)
	return len(*r.before) > 0 || ok && fieldOf(group, "middleware").Len() > 0
}

// base is the prefix of what takes note of routes: without one, Echo changes "" to "/".
const base = "/mount"

// recorded is a route that a function has registered.
type recorded struct {
	adapter.Listed
	handler    echo.HandlerFunc
	middleware []echo.MiddlewareFunc
	order      int // of registration
}

// wrapped returns the handler with the middleware.
func (r *recorded) wrapped() echo.HandlerFunc {
	handler := r.handler
	for _, middleware := range slices.Backward(r.middleware) {
		handler = middleware(handler)
	}
	return handler
}

// collect lets Echo put the groups together. It returns their routes, and what they have for requests that
// match none, also those whose middleware is around. what is the method that asks, for panics.
func (r *Routes) collect(what string, register func(*echo.Group)) (all []recorded, unmatched []unmatchedRoute) {
	scratch, known := newRouter(echo.New()), make(map[spot]recorded)
	group, around := scratch.echo.Group(base), []echo.MiddlewareFunc(nil)
	if r.isAround() { // or Echo gives the groups within no 404 of their own
		around = append(around, func(next echo.HandlerFunc) echo.HandlerFunc { return next })
		group = scratch.echo.Group(base, around...)
	}
	scratch.echo.OnAddRouteHandler = func(host string, added echo.Route, handler echo.HandlerFunc,
		middleware []echo.MiddlewareFunc) {
		at, path := spotOf(host, &added), strings.TrimPrefix(added.Path, base)
		if added.Method != echo.RouteNotFound && (handler == nil || known[at].handler != nil) {
			fail("%s: route %s %s is registered twice, or without a handler", what, added.Method, path)
		}
		r := recorded{handler: handler, middleware: middleware[len(around):], order: len(known)}
		if known[at] = r; added.Method == echo.RouteNotFound && host == "" {
			isSame := func(other unmatchedRoute) bool { return other.path == path }
			unmatched = append(slices.DeleteFunc(unmatched, isSame), unmatchedRoute{path, handler, r.middleware})
		}
	}
	scratch.watch(func() {})
	register(group)
	for _, found := range scratch.Routes() {
		r := known[spot{found.Host, found.Method, found.Path}]
		found.Path = strings.TrimPrefix(found.Path, base)
		r.Listed = found
		all = append(all, r)
	}
	slices.SortStableFunc(all, func(a, b recorded) int { // as registered: Echo shows the last path of a 405
		return cmp.Compare(a.order, b.order)
	})
	scratch.echo.OnAddRouteHandler = func(_ string, added echo.Route, _ echo.HandlerFunc, _ []echo.MiddlewareFunc) {
		fail("%s: route %s %s: the function has returned: register it while it runs", what, added.Method,
			strings.TrimPrefix(added.Path, base))
	}
	return all, unmatched
}

// record takes note of the routes of a version.
func (r *Routes) record(register func(*echo.Group), note func(route.Route, echo.HandlerFunc)) []unmatchedRoute {
	all, unmatched := r.collect("RegisterVersions", register)
	for i := range all {
		found := &all[i]
		note(route.Route{Method: found.Method, Path: found.Path, Name: found.Name, Pattern: route.Colons(found.Path)},
			found.wrapped())
	}
	return unmatched
}

// rename gives path parameters their names in a version while its handler runs.
func rename(handler echo.HandlerFunc, from, to []string) echo.HandlerFunc {
	return func(c echo.Context) error {
		names := c.ParamNames()
		renamed := slices.Clone(names)
		for i, name := range names {
			if at := slices.Index(from, name); at >= 0 {
				renamed[i] = to[at]
			}
		}
		c.SetParamNames(renamed...)
		defer c.SetParamNames(names...)
		return handler(c)
	}
}
