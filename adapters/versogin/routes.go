package versogin

import (
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/core/route"
)

// Routes is a [gin.RouterGroup] whose routes can have names and a namespace. It
// registers routes as the group does and takes note of them.
//
//	routes := versogin.NewRoutes(r)
//	r.Use(versogin.New(scheme, versogin.WithRoutes(routes)))
//
//	v1 := routes.Group("/v1").Namespace("v1")
//	v1.Name("user-list").GET("/users", listUsers)
//	v1.Name("user").GET("/users/:id", showUser).PUT("/users/:id", changeUser)
//
// The full names of these routes are "v1:user-list" and "v1:user".
type Routes struct {
	*gin.RouterGroup
	registry  *registry
	namespace string
	name      string
}

var _ gin.IRoutes = (*Routes)(nil)

// NewRoutes returns the root group of the engine, without a namespace. All
// groups made from it take note of their routes in one place.
func NewRoutes(engine *gin.Engine) *Routes {
	return &Routes{RouterGroup: &engine.RouterGroup, registry: new(registry)}
}

// Group returns a new group under the prefix, in the same namespace.
func (r *Routes) Group(relativePath string, handlers ...gin.HandlerFunc) *Routes {
	return &Routes{r.RouterGroup.Group(relativePath, handlers...), r.registry, r.namespace, ""}
}

// Namespace returns the same group in the given namespace, within the one that
// it has: "v1" in "api" is "api:v1". It panics when namespace is empty.
func (r *Routes) Namespace(namespace string) *Routes {
	if namespace == "" {
		panic(`versogin: Namespace needs a name, such as "v1"`)
	}
	return &Routes{r.RouterGroup, r.registry, join(r.namespace, namespace), ""}
}

// Name returns the same group with a name for the routes that are registered
// with what it returns. Several routes may share a name if they have the same
// path, or other parameters.
func (r *Routes) Name(name string) *Routes {
	return &Routes{r.RouterGroup, r.registry, r.namespace, name}
}

// Handle registers a route as [gin.RouterGroup.Handle] does. Like all methods
// that register, it panics when the name of the route stands for another path
// with the same parameters already.
func (r *Routes) Handle(method, relativePath string, handlers ...gin.HandlerFunc) gin.IRoutes {
	r.RouterGroup.Handle(method, relativePath, handlers...)
	r.note(relativePath, method)
	return r
}

// GET registers a route: see [Routes.Handle].
func (r *Routes) GET(relativePath string, handlers ...gin.HandlerFunc) gin.IRoutes {
	return r.Handle(http.MethodGet, relativePath, handlers...)
}

// POST registers a route: see [Routes.Handle].
func (r *Routes) POST(relativePath string, handlers ...gin.HandlerFunc) gin.IRoutes {
	return r.Handle(http.MethodPost, relativePath, handlers...)
}

// DELETE registers a route: see [Routes.Handle].
func (r *Routes) DELETE(relativePath string, handlers ...gin.HandlerFunc) gin.IRoutes {
	return r.Handle(http.MethodDelete, relativePath, handlers...)
}

// PATCH registers a route: see [Routes.Handle].
func (r *Routes) PATCH(relativePath string, handlers ...gin.HandlerFunc) gin.IRoutes {
	return r.Handle(http.MethodPatch, relativePath, handlers...)
}

// PUT registers a route: see [Routes.Handle].
func (r *Routes) PUT(relativePath string, handlers ...gin.HandlerFunc) gin.IRoutes {
	return r.Handle(http.MethodPut, relativePath, handlers...)
}

// OPTIONS registers a route: see [Routes.Handle].
func (r *Routes) OPTIONS(relativePath string, handlers ...gin.HandlerFunc) gin.IRoutes {
	return r.Handle(http.MethodOptions, relativePath, handlers...)
}

// HEAD registers a route: see [Routes.Handle].
func (r *Routes) HEAD(relativePath string, handlers ...gin.HandlerFunc) gin.IRoutes {
	return r.Handle(http.MethodHead, relativePath, handlers...)
}

// anyMethods are the methods of [gin.RouterGroup.Any].
var anyMethods = []string{
	http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodHead,
	http.MethodOptions, http.MethodDelete, http.MethodConnect, http.MethodTrace,
}

// Any registers a route for all methods: see [Routes.Handle].
func (r *Routes) Any(relativePath string, handlers ...gin.HandlerFunc) gin.IRoutes {
	return r.Match(anyMethods, relativePath, handlers...)
}

// Match registers a route for the given methods: see [Routes.Handle].
func (r *Routes) Match(methods []string, relativePath string, handlers ...gin.HandlerFunc) gin.IRoutes {
	r.RouterGroup.Match(methods, relativePath, handlers...)
	r.note(relativePath, methods...)
	return r
}

// StaticFile registers a route for a file: see [gin.RouterGroup.StaticFile].
func (r *Routes) StaticFile(relativePath, file string) gin.IRoutes {
	r.RouterGroup.StaticFile(relativePath, file)
	r.note(relativePath, http.MethodGet, http.MethodHead)
	return r
}

// StaticFileFS registers a route for a file: see [gin.RouterGroup.StaticFileFS].
func (r *Routes) StaticFileFS(relativePath, file string, fs http.FileSystem) gin.IRoutes {
	r.RouterGroup.StaticFileFS(relativePath, file, fs)
	r.note(relativePath, http.MethodGet, http.MethodHead)
	return r
}

// Static registers a route for a folder: see [gin.RouterGroup.Static].
func (r *Routes) Static(relativePath, root string) gin.IRoutes {
	return r.StaticFS(relativePath, gin.Dir(root, false))
}

// StaticFS registers a route for a folder: see [gin.RouterGroup.StaticFS].
func (r *Routes) StaticFS(relativePath string, fs http.FileSystem) gin.IRoutes {
	r.RouterGroup.StaticFS(relativePath, fs)
	r.note(path.Join(relativePath, "/*filepath"), http.MethodGet, http.MethodHead)
	return r
}

// Use adds middleware to the group: see [gin.RouterGroup.Use].
func (r *Routes) Use(middleware ...gin.HandlerFunc) gin.IRoutes {
	r.RouterGroup.Use(middleware...)
	return r
}

// note takes note of a registered route, under the path by which Gin reports a
// match. A route without a name gets an empty one in its namespace.
func (r *Routes) note(relativePath string, methods ...string) {
	registered := joinPaths(r.BasePath(), relativePath)
	name := r.name
	if r.namespace != "" {
		name = join(r.namespace, r.name)
	}
	for _, method := range methods {
		r.registry.add(route.Route{
			Method:  method,
			Path:    strings.ReplaceAll(registered, `\:`, ":"),
			Name:    name,
			Pattern: route.Colons(registered),
		})
	}
}

// join puts a name into a namespace.
func join(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + ":" + name
}

// joinPaths joins paths as Gin does: cleaned, a slash at the end kept.
func joinPaths(base, relative string) string {
	if relative == "" {
		return base
	}
	joined := path.Join(base, relative)
	if strings.HasSuffix(relative, "/") && !strings.HasSuffix(joined, "/") {
		return joined + "/"
	}
	return joined
}

// registry is what all groups of an engine know of their routes. The table is
// made of it at the first look-up, and again after a route is added.
type registry struct {
	current atomic.Pointer[route.Table]
	mu      sync.Mutex
	routes  []route.Route
	names   map[string][]route.Route
}

func (reg *registry) add(r route.Route) {
	reg.mu.Lock()
	defer reg.mu.Unlock()
	if r.Name != "" && !strings.HasSuffix(r.Name, ":") {
		same := append(slices.Clip(reg.names[r.Name]), r)
		if err := route.NewTable(same...).Ambiguous(); err != nil {
			panic(fmt.Errorf("versogin: %w", err))
		}
		if reg.names == nil {
			reg.names = make(map[string][]route.Route)
		}
		reg.names[r.Name] = same
	}
	reg.routes = append(reg.routes, r)
	reg.current.Store(nil)
}

func (reg *registry) table() *route.Table {
	if table := reg.current.Load(); table != nil {
		return table
	}
	reg.mu.Lock()
	defer reg.mu.Unlock()
	table := route.NewTable(reg.routes...)
	reg.current.Store(table)
	return table
}

// namespace returns the namespace of the route that Gin matched.
func (reg *registry) namespace(method, fullPath string) string {
	matched, ok := reg.table().Lookup("", method, fullPath)
	if !ok {
		return ""
	}
	return matched.Namespace()
}
