package versofiber

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/gofiber/fiber/v3"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
)

// Router registers routes with Verso's handler in front of their own. Its methods
// are those of [fiber.Router], but for RouteChain, and mean the same; beside them
// is what Verso says about routes. [New] returns the router of an app;
// [Router.Group] and [Router.Namespace] derive others from it.
type Router struct {
	verso     *middleware
	router    fiber.Router // the app or a group
	namespace string
	options   []verso.RouteOption
}

// New returns the router of an app. An app that is mounted in another one has a
// router of its own. It panics when api is nil.
//
// Do not mount an app under a prefix with a path parameter, such as "/:version":
// Fiber does not find the parameter then. Use [Router.Group].
func New(app *fiber.App, api *verso.Versioning, config ...Config) *Router {
	r := &Router{verso: newMiddleware(app, api, config), router: app}
	app.Hooks().OnRoute(func(added fiber.Route) error {
		r.verso.added = added.Path
		return nil
	})
	return r
}

// Link builds the URL of a route outside of a request, in the version of the
// target: see [verso.Versioning.Link]. Routes of a mounted app have URLs once the
// outermost app has started.
func (r *Router) Link(target verso.Target) (string, error) {
	if r.verso.app.MountPath() != "" {
		return "", errors.New("versofiber: the app is mounted in another one, which knows its paths: use the router of the outermost app")
	}
	return r.verso.api.Link(target)
}

// Namespace returns a router that puts its routes into a namespace, within that
// of r: a route that it names "user-list" is called "v1:user-list" in "v1". A
// route without a name is in the namespace as well. It panics when the name is
// empty.
func (r *Router) Namespace(name string) *Router {
	if name == "" {
		panic("versofiber: Namespace needs a name, such as \"v1\"")
	}
	router := *r
	router.namespace = route.Join(r.namespace, name)
	return &router
}

// Name names the latest route, within the namespace of r. As in Fiber, a name for
// a group without routes is put before the names of its routes instead.
func (r *Router) Name(name string) *Router {
	r.router.Name(route.Join(r.namespace, name))
	return r
}

// Use registers middleware or mounts an app. Verso's handler is not in front of
// it.
func (r *Router) Use(args ...any) *Router {
	r.router.Use(args...)
	return r
}

// Group returns the router of the routes under a prefix, in the namespace of r.
// The handlers are middleware: see [Router.Use].
func (r *Router) Group(prefix string, handlers ...any) *Router {
	group := *r
	group.router = r.router.Group(prefix, handlers...)
	return &group
}

// Route passes the router of a group to a function, and returns it.
func (r *Router) Route(prefix string, register func(*Router)) *Router {
	group := r.Group(prefix)
	register(group)
	return group
}

// Add registers a route for several methods. Like all methods that register a
// route, it panics when there is no handler.
func (r *Router) Add(methods []string, path string, handler ...any) *Router {
	if len(handler) == 0 {
		panic("versofiber: the route " + path + " has no handler")
	}
	if len(r.options) == 0 {
		r.router.Add(methods, path, r.verso.handle, handler...)
	} else {
		r.router.Add(methods, path, r.verso.handlePlanned, handler...)
		r.plan(methods)
	}
	if r.namespace != "" {
		r.router.Name(r.namespace + ":")
	}
	return r
}

// All registers a route for all methods.
func (r *Router) All(path string, handler ...any) *Router {
	return r.Add(r.verso.app.Config().RequestMethods, path, handler...)
}

// Get registers a route for GET requests.
func (r *Router) Get(path string, handler ...any) *Router { return r.on("GET", path, handler) }

// Head registers a route for HEAD requests.
func (r *Router) Head(path string, handler ...any) *Router { return r.on("HEAD", path, handler) }

// Post registers a route for POST requests.
func (r *Router) Post(path string, handler ...any) *Router { return r.on("POST", path, handler) }

// Put registers a route for PUT requests.
func (r *Router) Put(path string, handler ...any) *Router { return r.on("PUT", path, handler) }

// Delete registers a route for DELETE requests.
func (r *Router) Delete(path string, handler ...any) *Router { return r.on("DELETE", path, handler) }

// Connect registers a route for CONNECT requests.
func (r *Router) Connect(path string, handler ...any) *Router { return r.on("CONNECT", path, handler) }

// Options registers a route for OPTIONS requests.
func (r *Router) Options(path string, handler ...any) *Router { return r.on("OPTIONS", path, handler) }

// Trace registers a route for TRACE requests.
func (r *Router) Trace(path string, handler ...any) *Router { return r.on("TRACE", path, handler) }

// Patch registers a route for PATCH requests.
func (r *Router) Patch(path string, handler ...any) *Router { return r.on("PATCH", path, handler) }

func (r *Router) on(method, path string, handler []any) *Router {
	return r.Add([]string{method}, path, handler...)
}

// plan keeps what the options say of the route that was registered last.
func (r *Router) plan(methods []string) {
	plan, err := r.verso.api.Plan(r.options...)
	if err != nil {
		panic(fmt.Errorf("versofiber: route %s %s: %w", strings.Join(methods, ", "), r.verso.added, err))
	}
	state := r.verso.app.State()
	for _, method := range methods {
		state.Set(planKey(method, r.verso.added), plan)
	}
}

func planKey(method, path string) string { return "versofiber plan of " + method + " " + path }

// snapshot is the table of the routes that an app has. The app itself keeps it,
// in its State, so that all of its middleware shares one.
type snapshot struct {
	handlers uint32 // how many handlers the app had
	table    *route.Table
}

const stateKey = "versofiber routes"

// routesOf returns the routes of an app, read again when their number has
// changed. Those of mounted apps are among them once the app has started.
func routesOf(app *fiber.App) *route.Table {
	s, ok := fiber.GetState[*snapshot](app.State(), stateKey)
	if handlers := app.HandlersCount(); !ok || s.handlers != handlers {
		s = &snapshot{handlers, newTable(app)}
		app.State().Set(stateKey, s)
	}
	return s.table
}

// newTable reads the routes of an app. Fiber names one method only of a route
// that was added for several: the others take its name.
func newTable(app *fiber.App) *route.Table {
	registered, config := app.GetRoutes(true), app.Config()
	names := make(map[string]string)
	for _, r := range registered {
		names[r.Path] = cmp.Or(r.Name, names[r.Path])
	}
	routes := make([]route.Route, 0, len(registered))
	for _, r := range registered {
		added := route.Route{
			Name:    cmp.Or(r.Name, names[r.Path]),
			Method:  r.Method,
			Path:    r.Path,
			Pattern: patternOf(r.Path, r.Params, config),
		}
		if plan, ok := app.State().Get(planKey(r.Method, r.Path)); ok {
			added.Plan = plan
		}
		routes = append(routes, added)
	}
	return route.NewTable(routes...)
}

// patternOf reads a path in Fiber's syntax, in which Fiber found the given path
// parameters. Constraints, as in ":id<int>", are left out: values are not compared
// with them. What cannot be expressed has a pattern with an error, which links to
// it fail with: an optional parameter, a wildcard that is not at the end, and text
// that a client does not send as Fiber compares it.
func patternOf(path string, params []string, config fiber.Config) route.Pattern {
	unread := func() route.Pattern {
		pattern, _ := route.NewPattern(path)
		return pattern
	}
	var parts []route.Part
	bare, rest, samples := "", path, make(map[string]any) // the path without constraints, what is left of it, values to try
	for _, name := range params {
		token, param := ":"+name, route.Param
		if strings.HasPrefix(name, "*") || strings.HasPrefix(name, "+") {
			name = name[:1] // without its number
			token, param = name, route.Rest
		}
		before, after, found := strings.Cut(rest, token)
		if strings.HasPrefix(after, "<") {
			_, after, _ = strings.Cut(after, ">")
		}
		if isWildcard := token == name; !found || isWildcard && strings.HasSuffix(before, ":") ||
			!isWildcard && after != "" && !strings.ContainsAny(after[:1], `:\/-.`) {
			return unread()
		}
		parts = append(parts, route.Escaped(fiber.RemoveEscapeChar(before)), param(name))
		bare, rest, samples[name] = bare+before+token, after, "+"
	}
	if rest != "" {
		parts = append(parts, route.Escaped(fiber.RemoveEscapeChar(rest)))
	}
	pattern, err := route.NewPattern(path, parts...)
	if err != nil {
		return pattern
	}
	sent, _ := (&route.Route{Pattern: pattern}).AppendPath(nil, &route.Params{Named: samples})
	built := string(sent)
	space := config.UnescapePath && strings.Contains(built, "+") // Fiber decodes it to one
	if config.UnescapePath {
		built, _ = url.PathUnescape(built)
	}
	exact := fiber.Config{CaseSensitive: config.CaseSensitive, StrictRouting: true}
	if space || !fiber.RoutePatternMatch(built, bare+rest, exact) {
		return unread()
	}
	return pattern
}
