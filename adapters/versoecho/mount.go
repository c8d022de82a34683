package versoecho

import (
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
// it has none. Middleware that a function adds with Use runs for its version only, after
// the check. Requests that match no route get what the group of the first version has for them,
// as in Echo: RouteNotFound, and the middleware of groups.
//
//	v.RegisterVersions(map[string]func(*echo.Group){
//		"v1": func(g *echo.Group) { apiv1.RegisterHandlers(g, serverV1) },
//		"v2": func(g *echo.Group) { apiv2.RegisterHandlers(g, serverV2) },
//	})
//
// It panics as HandleVersions does, and if a function registers nothing with its group, a
// route twice, or one with Echo itself.
func (r *Routes) RegisterVersions(versions map[string]func(*echo.Group)) {
	unmatched := make(map[string]echo.HandlerFunc) // by the path
	record := func(register func(*echo.Group), note func(route.Route, echo.HandlerFunc)) {
		for path, handler := range record(register, note) {
			if unmatched[path] == nil {
				unmatched[path] = handler
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
	for path, handler := range unmatched {
		forms, _, _ := r.forms(path) // nil outside the prefix
		for _, form := range forms {
			if r.of.Each {
				r.in.Add(echo.RouteNotFound, form, handler, *r.before...)
			} else {
				r.in.Add(echo.RouteNotFound, form, handler)
			}
		}
	}
}

// base is the prefix of what takes note of routes: without one, Echo changes "" to "/".
const base = "/mount"

// record lets Echo put the groups together. It returns what they have for requests that match no route.
func record(register func(*echo.Group), note func(route.Route, echo.HandlerFunc)) map[string]echo.HandlerFunc {
	scratch, handlers := newRouter(echo.New()), make(map[spot]echo.HandlerFunc)
	unmatched := make(map[string]echo.HandlerFunc)
	scratch.echo.OnAddRouteHandler = func(host string, added echo.Route, handler echo.HandlerFunc,
		middleware []echo.MiddlewareFunc) {
		at := spotOf(host, &added)
		if added.Method != echo.RouteNotFound && (handler == nil || handlers[at] != nil) {
			fail("RegisterVersions: route %s %s is registered twice, or without a handler", added.Method,
				strings.TrimPrefix(added.Path, base))
		}
		for _, middleware := range slices.Backward(middleware) {
			handler = middleware(handler)
		}
		handlers[at] = handler
		if added.Method == echo.RouteNotFound && host == "" {
			unmatched[strings.TrimPrefix(added.Path, base)] = handler
		}
	}
	scratch.watch(func() {})
	register(scratch.echo.Group(base))
	for _, found := range scratch.Routes() {
		path := strings.TrimPrefix(found.Path, base)
		note(route.Route{Method: found.Method, Path: path, Name: found.Name, Pattern: route.Colons(path)},
			handlers[spot{found.Host, found.Method, found.Path}])
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
