package versofiber

import (
	"slices"

	"github.com/gofiber/fiber/v3"

	"github.com/goverso/verso/core/route"
)

// Name names the latest route, within the namespace of r. As in Fiber, a name for a
// group without routes is put before the names of its routes instead. What v.Name returns for the v of New registers no
// route, which would not have the name.
func (r *Routes) Name(name string) fiber.Router {
	r.router.Name(r.of.Name(name).FullName())
	if _, isGroup := r.router.(*fiber.Group); isGroup || r.app != r.router {
		return r.Router()
	}
	named := r.with(r.of)
	named.named = true
	return named.Router()
}

// Use registers middleware or mounts an app: see [fiber.App.Use]. It panics behind
// EachVersion.
func (r *Routes) Use(args ...any) fiber.Router {
	isPath := func(arg any) bool { _, ok := arg.(string); return ok }
	switch {
	case r.seam == nil && !slices.ContainsFunc(args, isPath): // for RegisterVersions
		r.needNoting("Use")
		r.covers = append(r.covers, &cover{path: r.prefix, handlers: args})
		return r.Router()
	case r.of.Each:
		r.of.Fail("Use: Fiber installs it by path, which is not that of each version: give the middleware to EachVersion or Group")
	}
	r.router.Use(args...)
	return r.Router()
}

// Route passes a group to a function, and returns it: see [fiber.App.Route].
func (r *Routes) Route(prefix string, register func(fiber.Router), name ...string) fiber.Router {
	group := r.Group(prefix)
	if len(name) > 0 {
		group.Name(name[0])
	}
	register(group.Router())
	return group.Router()
}

// Add registers a route for several methods. The last handler is that of the route;
// those before it are its middleware, which runs before the check. The rejection of a request
// takes the place of an answer of theirs of status 2xx, with all its fields, except to OPTIONS.
// Verso logs that once.
func (r *Routes) Add(methods []string, path string, handler any, handlers ...any) fiber.Router {
	r.of.NeedMethod(path, methods)
	all := append([]any{handler}, handlers...)
	described := route.Route{SharesHandler: len(methods) > 1}
	if r.perRoute.IsZero() {
		return r.add(described, methods, path, nil, all[:len(handlers)], all[len(handlers)])
	}
	for _, method := range methods {
		r.chosen(method, path).add(described, []string{method}, path, nil, all[:len(handlers)], all[len(handlers)])
	}
	return r.Router()
}

// All registers a route for all methods.
func (r *Routes) All(path string, handler any, handlers ...any) fiber.Router {
	all := append([]any{handler}, handlers...)
	r.chosen("", path).add(route.Route{AnyMethod: true}, r.app.Config().RequestMethods, path, nil,
		all[:len(handlers)], all[len(handlers)])
	return r.Router()
}

// Get registers a route: see [Routes.Add].
func (r *Routes) Get(path string, h any, m ...any) fiber.Router {
	return r.Add([]string{"GET"}, path, h, m...)
}

// Head registers a route: see [Routes.Add].
func (r *Routes) Head(path string, h any, m ...any) fiber.Router {
	return r.Add([]string{"HEAD"}, path, h, m...)
}

// Post registers a route: see [Routes.Add].
func (r *Routes) Post(path string, h any, m ...any) fiber.Router {
	return r.Add([]string{"POST"}, path, h, m...)
}

// Put registers a route: see [Routes.Add].
func (r *Routes) Put(path string, h any, m ...any) fiber.Router {
	return r.Add([]string{"PUT"}, path, h, m...)
}

// Delete registers a route: see [Routes.Add].
func (r *Routes) Delete(path string, h any, m ...any) fiber.Router {
	return r.Add([]string{"DELETE"}, path, h, m...)
}

// Connect registers a route: see [Routes.Add].
func (r *Routes) Connect(path string, h any, m ...any) fiber.Router {
	return r.Add([]string{"CONNECT"}, path, h, m...)
}

// Options registers a route: see [Routes.Add].
func (r *Routes) Options(path string, h any, m ...any) fiber.Router {
	return r.Add([]string{"OPTIONS"}, path, h, m...)
}

// Trace registers a route: see [Routes.Add].
func (r *Routes) Trace(path string, h any, m ...any) fiber.Router {
	return r.Add([]string{"TRACE"}, path, h, m...)
}

// Patch registers a route: see [Routes.Add].
func (r *Routes) Patch(path string, h any, m ...any) fiber.Router {
	return r.Add([]string{"PATCH"}, path, h, m...)
}

// Query registers a route: see [Routes.Add].
func (r *Routes) Query(path string, h any, m ...any) fiber.Router {
	return r.Add([]string{"QUERY"}, path, h, m...)
}

// RouteChain registers routes of one path: see [fiber.App.RouteChain].
func (r *Routes) RouteChain(path string) fiber.Register { return chain{of: r.Router(), path: path} }

// chain registers routes of one path.
type chain struct {
	of             fiber.Router
	path           string
	fiber.Register // nil: see newer
}

func (c chain) RouteChain(path string) fiber.Register {
	return c.of.RouteChain(join(c.path, path))
}

// All registers middleware, like Fiber's own All.
func (c chain) All(handler any, handlers ...any) fiber.Register {
	c.of.Use(append([]any{c.path, handler}, handlers...)...)
	return c
}

func (c chain) Add(methods []string, handler any, handlers ...any) fiber.Register {
	c.of.Add(methods, c.path, handler, handlers...)
	return c
}

func (c chain) Get(h any, m ...any) fiber.Register     { return c.Add([]string{"GET"}, h, m...) }
func (c chain) Head(h any, m ...any) fiber.Register    { return c.Add([]string{"HEAD"}, h, m...) }
func (c chain) Post(h any, m ...any) fiber.Register    { return c.Add([]string{"POST"}, h, m...) }
func (c chain) Put(h any, m ...any) fiber.Register     { return c.Add([]string{"PUT"}, h, m...) }
func (c chain) Delete(h any, m ...any) fiber.Register  { return c.Add([]string{"DELETE"}, h, m...) }
func (c chain) Connect(h any, m ...any) fiber.Register { return c.Add([]string{"CONNECT"}, h, m...) }
func (c chain) Options(h any, m ...any) fiber.Register { return c.Add([]string{"OPTIONS"}, h, m...) }
func (c chain) Trace(h any, m ...any) fiber.Register   { return c.Add([]string{"TRACE"}, h, m...) }
func (c chain) Patch(h any, m ...any) fiber.Register   { return c.Add([]string{"PATCH"}, h, m...) }
func (c chain) Query(h any, m ...any) fiber.Register   { return c.Add([]string{"QUERY"}, h, m...) }
