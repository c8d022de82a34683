package versoecho5

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v5"

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
	var unmatched []echo.Route
	record := func(register func(*echo.Group), note func(route.Route, echo.HandlerFunc)) {
		known := unmatched
		for _, found := range r.record(register, note) {
			shape := route.Colons(found.Path).Shape() // versions have their own names of parameters
			isKnown := func(other echo.Route) bool { return route.Colons(other.Path).Shape() == shape }
			if !slices.ContainsFunc(known, isKnown) {
				unmatched = append(unmatched, found)
			}
		}
	}
	err := adapter.RouteJoiner[*echo.Group, echo.HandlerFunc]{Record: record, Rename: rename,
		Add: func(first route.Route, handlers map[string]echo.HandlerFunc) {
			named := r
			if first.Name != "" {
				named = r.Name(first.Name)
			}
			named.HandleVersions(cmp.Or(first.Method, echo.RouteAny), first.Path, handlers)
		}}.Join(r.seam.Binding, versions)
	r.of.Must("RegisterVersions", err)
	for _, found := range unmatched {
		r.addUnmatched(found)
	}
}

// addUnmatched registers a route for requests that match no other one, which has no version.
func (r *Routes) addUnmatched(added echo.Route) {
	if !r.of.Each {
		_, err := r.in.AddRoute(added)
		r.of.Must("RegisterVersions", err)
		return
	}
	at := added.WithPrefix(r.within, *r.before)
	at.Method, at.Handler = http.MethodGet, noContent
	taken := r.taken(func() { _, _ = r.in.AddRoute(at) })
	group := strings.TrimSuffix(taken.Path, "/*")
	forms, _ := r.of.Forms(group) // nil outside the prefix
	for _, form := range forms {
		added.Path, added.Middlewares = form+taken.Path[len(group):], taken.Middlewares
		_, err := r.echo.AddRoute(added)
		r.of.Must("RegisterVersions", err)
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
	var all, unmatched []echo.Route
	r.of.Must("Register", r.seam.Recorded(func() { all, unmatched = r.collect(register) }))
	if len(all) == 0 {
		fail("Register: the function registers no route with its group: register them with what it gets")
	}
	type use struct{ path, handler any }
	uses := make(map[use]int)
	for i := range all {
		uses[use{all[i].Path, adapter.Identity(all[i].Handler)}]++
	}
	for _, added := range all {
		g := r.with(r.of)
		g.sharesHandler = uses[use{added.Path, adapter.Identity(added.Handler)}] > 1
		_, err := g.AddRoute(added)
		r.of.Must("route "+added.Method+" "+added.Path, err)
	}
	for _, found := range unmatched {
		r.addUnmatched(found)
	}
}

// isAround reports whether the group has middleware, which groups within it have, too.
func (r *Routes) isAround() bool {
	at := echo.Route{Method: http.MethodGet, Handler: noContent}
	return len(*r.before) > 0 || len(r.taken(func() { _, _ = r.in.AddRoute(at) }).Middlewares) > 0
}

// base is the prefix of what takes note of routes: without one, Echo changes "" to "/".
const base = "/mount"

// collect lets Echo put the groups together. It returns their routes, and what they have for requests that
// match none, also those whose middleware is around.
func (r *Routes) collect(register func(*echo.Group)) (all, unmatched []echo.Route) {
	pass := func(next echo.HandlerFunc) echo.HandlerFunc { return next }
	own404 := r.tried(func() { r.echo.Group(base, pass) })
	e := echo.NewWithConfig(echo.Config{NoGroupAutoRegister404Routes: own404.Method == ""})
	group, around := e.Group(base), []echo.MiddlewareFunc(nil)
	if r.isAround() { // or Echo gives the groups within no 404 of their own
		around = append(around, pass)
		group = e.Group(base, around...)
	}
	e.OnAddRoute = func(added echo.Route) error {
		added.Path, added.Middlewares = strings.TrimPrefix(added.Path, base), added.Middlewares[len(around):]
		if added.Method == echo.RouteNotFound {
			unmatched = append(slices.DeleteFunc(unmatched, func(other echo.Route) bool {
				return other.Path == added.Path
			}), added)
			return nil
		}
		all = append(all, added)
		return nil
	}
	register(group)
	e.OnAddRoute = func(added echo.Route) error {
		return fmt.Errorf("versoecho5: route %s %s: the function has returned: register it while it runs", added.Method,
			strings.TrimPrefix(added.Path, base))
	}
	return all, unmatched
}

// record takes note of the routes of a version.
func (r *Routes) record(register func(*echo.Group), note func(route.Route, echo.HandlerFunc)) (unmatched []echo.Route) {
	all, unmatched := r.collect(register)
	for _, added := range all {
		handler, method := added.Handler, added.Method
		for _, middleware := range slices.Backward(added.Middlewares) {
			handler = middleware(handler)
		}
		if method == echo.RouteAny {
			method = ""
		}
		note(route.Route{Method: method, Path: added.Path, Name: added.Name, Pattern: route.Colons(added.Path)}, handler)
	}
	return unmatched
}

// rename gives path parameters their names in a version while its handler runs.
func rename(handler echo.HandlerFunc, from, to []string) echo.HandlerFunc {
	change := func(values echo.PathValues, from, to []string) {
		for i := range values {
			if at := slices.Index(from, values[i].Name); at >= 0 {
				values[i].Name = to[at]
			}
		}
	}
	inPath := make(map[string]string, len(to))
	for i, name := range to {
		inPath[name] = from[i]
	}
	return func(c *echo.Context) error {
		change(c.PathValues(), from, to)
		c.Set(namesKey, inPath)
		defer func() { change(c.PathValues(), to, from); c.Set(namesKey, nil) }()
		return handler(c)
	}
}
