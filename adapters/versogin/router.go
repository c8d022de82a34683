package versogin

import (
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
)

// Router returns r as a [gin.IRouter], for generated code. Its groups are Gin's own,
// as the interface wants: see [Routes.RouterGroup].
func (r *Routes) Router() gin.IRouter { return ginRouter{r} }

type ginRouter struct{ *Routes }

func (r ginRouter) Group(relativePath string, handlers ...gin.HandlerFunc) *gin.RouterGroup {
	return r.RouterGroup(relativePath, handlers...)
}

// RouterGroup returns a group of Gin's own, for a function that takes one. Its routes
// have the namespace and the options of r, and the names of [verso.Names]. The check runs
// after the given middleware, and before what the group and its groups add later. It panics
// behind [Routes.EachVersion], [Routes.Rewrite] and [Routes.PerRoute], which are for single routes:
// see [Routes.Register].
func (r *Routes) RouterGroup(relativePath string, handlers ...gin.HandlerFunc) *gin.RouterGroup {
	switch {
	case r.of.Each:
		r.of.Fail("RouterGroup %s: a group of Gin's own has one path: use Register behind EachVersion", relativePath)
	case r.of.Rewriter != nil:
		r.of.Fail("RouterGroup %s: the routes of a group of Gin's own are not rewritten: use Register behind Rewrite",
			relativePath)
	case !r.perRoute.IsZero():
		r.of.Fail("RouterGroup %s: the routes of a group of Gin's own have the same options: use Register behind PerRoute",
			relativePath)
	}
	r.of.Need("RouterGroup "+relativePath, handlers...)
	prefix := r.group.Group(relativePath).BasePath()
	scope := r.of.Scope("RouterGroup "+prefix, unescaped(prefix))
	var serve gin.HandlerFunc = (&check{r.bound, func(c *gin.Context) *route.Route {
		return scope.Route("", r.router.methodOf(c), c.FullPath())
	}, nil}).serve
	scope.NoteCheck(adapter.Identity(serve))
	return r.group.Group(relativePath, slices.Concat(handlers, []gin.HandlerFunc{serve}, r.of.After())...)
}

// StaticFile registers a route for a file: see [gin.RouterGroup.StaticFile].
func (r *Routes) StaticFile(relativePath, file string) gin.IRoutes {
	return r.static(relativePath, func(g *gin.RouterGroup, path string) { g.StaticFile(path, file) })
}

// StaticFileFS registers a route for a file: see [gin.RouterGroup.StaticFileFS].
func (r *Routes) StaticFileFS(relativePath, file string, fs http.FileSystem) gin.IRoutes {
	return r.static(relativePath, func(g *gin.RouterGroup, path string) { g.StaticFileFS(path, file, fs) })
}

// Static registers a route for a folder: see [gin.RouterGroup.Static].
func (r *Routes) Static(relativePath, root string) gin.IRoutes {
	return r.StaticFS(relativePath, gin.Dir(root, false))
}

// StaticFS registers a route for a folder: see [gin.RouterGroup.StaticFS].
func (r *Routes) StaticFS(relativePath string, fs http.FileSystem) gin.IRoutes {
	return r.static(path.Join(relativePath, "/*filepath"), func(g *gin.RouterGroup, path string) {
		g.StaticFS(strings.TrimSuffix(path, "/*filepath"), fs)
	})
}

// static registers the routes for GET and HEAD that Gin makes for files.
func (r *Routes) static(relativePath string, register func(g *gin.RouterGroup, path string)) gin.IRoutes {
	all, get := r, route.Route{Method: http.MethodGet}
	r = r.chosen(http.MethodGet, relativePath)
	for _, form := range r.forms(&get, relativePath) {
		head := get
		head.Method = http.MethodHead
		added := map[bool]*adapter.Registration{false: r.note(get, form), true: r.note(head, form)}
		routeOf := func(c *gin.Context) *route.Route { return added[c.Request.Method == http.MethodHead].Route() }
		check := &check{r.bound, routeOf, nil}
		// Gin refuses parameters in what it strips, and the version may be within the path.
		prefix, own := splitCommon(form, relativePath)
		register(r.group.Group(prefix, slices.Concat([]gin.HandlerFunc{check.serve}, r.of.After())...), own)
	}
	return all
}

// splitCommon splits a path in front of the segments at its end that another path has, too.
func splitCommon(full, other string) (prefix, common string) {
	if prefix, ok := strings.CutSuffix(full, other); ok {
		return prefix, other
	}
	at := len(full)
	for i := 1; i <= min(len(full), len(other)) && full[len(full)-i] == other[len(other)-i]; i++ {
		if full[len(full)-i] == '/' {
			at = len(full) - i
		}
	}
	return full[:at], full[at:]
}
