package versogin

import (
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
)

// RegisterVersions registers the routes of several versions on the same paths, such as the
// generated servers of v1 and v2 behind a header. Each function gets a router that only
// records routes. Each method and path among them becomes a route with a handler for each
// version, registered as [Routes.HandleVersions] does, whatever the names of its path
// parameters. A version without a function has the routes of the one before it; after nil
// it has none. Middleware that a function adds with Use runs for its own routes only, after
// the check.
//
//	v.RegisterVersions(map[string]func(gin.IRouter){
//		"v1": func(r gin.IRouter) { apiv1.RegisterHandlers(r, serverV1) },
//		"v2": func(r gin.IRouter) { apiv2.RegisterHandlers(r, serverV2) },
//	})
//
// It panics as HandleVersions does, and if a function registers nothing with its router, a
// route twice, a folder, or one with Gin itself.
func (r *Routes) RegisterVersions(versions map[string]func(gin.IRouter)) {
	err := adapter.RouteJoiner[gin.IRouter, []gin.HandlerFunc]{Rename: rename,
		Record: func(register func(gin.IRouter), note func(route.Route, []gin.HandlerFunc)) {
			r.record("RegisterVersions", register, note)
		},
		Add: func(first route.Route, chains map[string][]gin.HandlerFunc) {
			r.handleVersions(first, first.Path, chains, nil)
		}}.Join(r.seam.Binding, versions)
	r.of.Must("RegisterVersions", err)
}

// namesKey is where rename keeps the names that parameters have in the path of the route, by those that they have
// meanwhile.
const namesKey = "github.com/goverso/verso/adapters/versogin.names"

// rename gives path parameters their names in a version while its handlers run.
func rename(chain []gin.HandlerFunc, from, to []string) []gin.HandlerFunc {
	change := func(c *gin.Context, from, to []string) {
		for i := range c.Params {
			if at := slices.Index(from, c.Params[i].Key); at >= 0 {
				c.Params[i].Key = to[at]
			}
		}
	}
	inPath := make(map[string]string, len(to))
	for i, name := range to {
		inPath[name] = from[i]
	}
	return slices.Concat([]gin.HandlerFunc{func(c *gin.Context) {
		change(c, from, to)
		c.Set(namesKey, inPath)
		c.Next()
		change(c, to, from)
		c.Set(namesKey, nil)
	}}, chain)
}

// Register registers the routes that a function registers with a group of Gin's own, for generated code
// that takes one. Each becomes a route of r, with what [Routes.PerRoute] returns for it, and behind
// [Routes.EachVersion] in each version. Middleware that the function adds with Use runs before the check.
//
//	v.Register(func(g *gin.RouterGroup) { registerOperations(humagin.NewWithGroup(r, g, config)) })
//
// It panics as [Routes.Handle] does, and if the function registers nothing with its group, a route twice, or
// a folder. Routes that it registers later are a finding, route_lost.
func (r *Routes) Register(register func(*gin.RouterGroup)) {
	if register == nil {
		r.of.Fail("Register: the function is nil: give it one")
	}
	none := true
	recorded := func(router gin.IRouter) {
		r.of.Must("Register", r.seam.Recorded(func() { register(router.(*gin.RouterGroup)) }))
	}
	r.record("Register", recorded, func(at route.Route, chain []gin.HandlerFunc) {
		none = false
		method := at.Method
		if at.AnyMethod {
			method = ""
		}
		r.chosen(method, at.Path).add(route.Route{Method: at.Method, AnyMethod: at.AnyMethod,
			SharesHandler: at.SharesHandler}, at.Path, chain, len(chain)-1, nil)
	})
	if none {
		r.of.Fail("Register: the function registers no route with its group: register them with what it gets")
	}
}

// record lets Gin put the groups together. Without a prefix, Gin changes "" to "/"; Gin's log and its panics
// show it.
func (r *Routes) record(what string, register func(gin.IRouter), note func(route.Route, []gin.HandlerFunc)) {
	scratch, base := gin.New(), "/"+what
	register(scratch.Group(base))
	chains, methods := chainsOf(scratch), make(map[[2]any]int) // by path and handler
	for _, info := range scratch.Routes() {
		methods[[2]any{info.Path, adapter.Identity(info.HandlerFunc)}]++
	}
	for _, info := range scratch.Routes() {
		path, shared := strings.TrimPrefix(info.Path, base),
			methods[[2]any{info.Path, adapter.Identity(info.HandlerFunc)}]
		switch {
		case chains == nil:
			r.of.Fail("%s: this Gin keeps its routes in another way: "+
				"use a Gin with which this release of versogin was tested", what)
		case strings.Contains(info.Handler, ".createStaticHandler."):
			r.of.Fail(
				"%s: route %s %s: a folder is served by its path, which is not known there: register it with v",
				what, info.Method, path)
		}
		note(route.Route{Method: info.Method, Path: path, Pattern: route.Colons(path), SharesHandler: shared > 1,
			AnyMethod: shared == len(anyMethods)}, chains[info.Method+info.Path])
	}
	known := scratch.Routes()
	r.router.late = append(r.router.late, func() (lost []*route.Route) {
		for _, info := range scratch.Routes() {
			isKnown := func(other gin.RouteInfo) bool { return other.Method == info.Method && other.Path == info.Path }
			if !slices.ContainsFunc(known, isKnown) {
				lost = append(lost, &route.Route{Pattern: route.Colons(strings.TrimPrefix(info.Path, base))})
			}
		}
		return lost
	})
}
