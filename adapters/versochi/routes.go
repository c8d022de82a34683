package versochi

import (
	"cmp"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/adapter/overhttp"
	"github.com/goverso/verso/core/route"
)

// Routes registers routes of a router that have a version check. It has the methods of
// [chi.Router] for that; the methods that return Routes return a copy with more options
// for the routes that it registers:
//
//	v := versochi.New(r, api)
//	v.Neutral().Get("/status", status)
//	v2 := v.Group("/v2", auth).Namespace("v2")
//	v2.Name("user").Get("/users/{id}", showUser)
//
// Methods that register a route panic if the pattern is invalid, if an option contradicts
// another or names an unknown version, if the route exists already, if a handler is nil,
// and if another path with the same parameters has the name.
//
// [New] returns one; the zero Routes is not valid.
type Routes struct {
	over   overhttp.Group
	root   chi.Routes
	router chi.Router

	mount, prefix string // where router is, and within it
}

// Link builds the URL of a named route outside a request, for a job or a mail,
// in the version of the target. It is relative unless the links have an origin.
// It returns the errors of [adapter.Binding.Link].
func (v *Routes) Link(target verso.Target) (string, error) { return v.over.Seam.Link(target) }

// Template returns the URI template of the routes with a pattern of chi, the same in all versions:
// "/api/v1/tasks/{id}" and its kind in other versions have "/api/{version}/tasks/{id}". It is for what is stored by
// route: scopes of tokens, rate limits, metrics. A pattern without a route is returned as it is.
func (v *Routes) Template(pattern string) string { return v.over.Seam.Template(pattern) }

// Explain returns the configuration, what each kind of request gets, all routes of
// the router, and possible mistakes: see [adapter.Binding.Explain].
func (v *Routes) Explain() *verso.Explanation { return v.over.Seam.Explain() }

// SetTestVersion returns a copy of a request that has a version as if it had been checked,
// for a test that calls a handler without the check: [Version], [Link] and
// [ContentType] work then. It fails with [verso.ErrUnknownVersion] if the API does not
// serve the version.
func (v *Routes) SetTestVersion(r *http.Request, version verso.Version) (*http.Request, error) {
	return v.over.SetTestVersion(r, version)
}

func (v *Routes) with(group adapter.Group[overhttp.Middleware]) *Routes {
	changed := *v
	changed.over.Group = group
	return &changed
}

// Group returns a group under a prefix, behind the prefix of v: "/users" in "/v1" is
// "/v1/users". The middleware, the outermost first, runs before the check with
// [chi.Router.With].
func (v *Routes) Group(prefix string, middleware ...func(http.Handler) http.Handler) *Routes {
	g := v.with(v.over.Group)
	if len(middleware) > 0 {
		v.over.Around("in Group "+prefix, http.NotFoundHandler(), middleware) // none is nil
		g = v.with(v.over.Tracked())                                          // Explain finds a group without routes
	}
	g.router, g.prefix = v.router.With(middleware...), v.prefix+prefix
	return g
}

// Route calls a function with a group under a prefix, as [chi.Router.Route] does with a
// router, and returns the group.
func (v *Routes) Route(prefix string, register func(v *Routes)) *Routes {
	if register == nil {
		v.over.Fail("Route %s: the function is nil: give it one", prefix)
	}
	g := v.Group(prefix)
	register(g)
	return g
}

// In returns a copy that registers its routes with a router of chi mounted under a
// prefix, or with what [chi.Router.With] returns.
func (v *Routes) In(prefix string, router chi.Router) *Routes {
	v.over.Need("In "+prefix, router)
	g := v.with(v.over.Group)
	g.router, g.mount, g.prefix = router, prefix, ""
	return g
}

// EachVersion returns a group that registers each route once per version, with the
// same middleware: /api/tags becomes /api/v1/tags and /api/v2/tags. With a
// DefaultVersion, /api/tags itself is registered too, for requests without a version.
// A route Since v2 is not registered under /api/v1: see [adapter.Binding.Forms]. The API
// must read a [verso.PathPrefix]. It panics if the API reads none.
func (v *Routes) EachVersion(middleware ...func(http.Handler) http.Handler) *Routes {
	return v.with(v.over.EachVersion()).Group("", middleware...)
}

// AfterCheck adds middleware that runs after the check, where the version is known: a
// limit or a cache for each version.
func (v *Routes) AfterCheck(middleware ...func(http.Handler) http.Handler) *Routes {
	return v.with(v.over.AfterCheck(middleware...))
}

// Rewrite rewrites the bodies of older versions. Middleware that [Routes.AfterCheck]
// added before, such as compression, sees the rewritten body; middleware that it adds
// afterwards sees the handler's. The answer to a request or a response that cannot be
// rewritten is that of [verso.AnswerFor]; the error of a response goes to the log of
// the server.
func (v *Routes) Rewrite(rewriter verso.Rewriter) *Routes { return v.with(v.over.Rewrite(rewriter)) }

// RewriteErrors returns a middleware for what [Routes.Rewrite] rewrites: install it inside
// compression, and outside middleware that answers panics, so that these responses
// are rewritten too.
func (v *Routes) RewriteErrors() func(http.Handler) http.Handler { return v.over.RewriteErrors() }

// Namespace puts the routes into a namespace, within the namespace of v: "v1" in "api"
// is "api:v1". It panics if namespace is empty.
func (v *Routes) Namespace(namespace string) *Routes { return v.with(v.over.Namespace(namespace)) }

// Name gives the routes a name. Several routes may share a name if they have the same
// path, or different parameters.
func (v *Routes) Name(name string) *Routes { return v.with(v.over.Name(name)) }

// With adds options. Of several options of one kind, the last one applies. For middleware,
// as [chi.Router.With] has it, see [Routes.Group].
func (v *Routes) With(options ...verso.RouteOption) *Routes { return v.with(v.over.With(options...)) }

// Neutral makes the routes version-neutral: see [verso.Neutral].
func (v *Routes) Neutral() *Routes { return v.With(verso.Neutral()) }

// Since limits the routes to a version and later ones: see [verso.Since].
func (v *Routes) Since(version string) *Routes { return v.With(verso.Since(version)) }

// RemovedIn removes the routes from a version and later ones: see
// [verso.RemovedIn].
func (v *Routes) RemovedIn(version string) *Routes { return v.With(verso.RemovedIn(version)) }

// Connect registers a route: see [chi.Router.Connect].
func (v *Routes) Connect(pattern string, h http.HandlerFunc) { v.Method("CONNECT", pattern, h) }

// Delete registers a route: see [chi.Router.Delete].
func (v *Routes) Delete(pattern string, h http.HandlerFunc) { v.Method("DELETE", pattern, h) }

// Get registers a route: see [chi.Router.Get].
func (v *Routes) Get(pattern string, h http.HandlerFunc) { v.Method("GET", pattern, h) }

// Head registers a route: see [chi.Router.Head].
func (v *Routes) Head(pattern string, h http.HandlerFunc) { v.Method("HEAD", pattern, h) }

// Options registers a route: see [chi.Router.Options].
func (v *Routes) Options(pattern string, h http.HandlerFunc) { v.Method("OPTIONS", pattern, h) }

// Patch registers a route: see [chi.Router.Patch].
func (v *Routes) Patch(pattern string, h http.HandlerFunc) { v.Method("PATCH", pattern, h) }

// Post registers a route: see [chi.Router.Post].
func (v *Routes) Post(pattern string, h http.HandlerFunc) { v.Method("POST", pattern, h) }

// Put registers a route: see [chi.Router.Put].
func (v *Routes) Put(pattern string, h http.HandlerFunc) { v.Method("PUT", pattern, h) }

// Query registers a route for the method QUERY, which chi has had since 5.5.
func (v *Routes) Query(pattern string, h http.HandlerFunc) { v.Method("QUERY", pattern, h) }

// Trace registers a route: see [chi.Router.Trace].
func (v *Routes) Trace(pattern string, h http.HandlerFunc) { v.Method("TRACE", pattern, h) }

// HandleFunc registers a route: see [Routes.Handle].
func (v *Routes) HandleFunc(pattern string, handler http.HandlerFunc) { v.Handle(pattern, handler) }

// Handle registers a route for any method, or for the one in front of the pattern: see
// [chi.Router.Handle].
func (v *Routes) Handle(pattern string, handler http.Handler) {
	if method, path, ok := strings.Cut(pattern, " "); ok {
		v.Method(method, strings.TrimLeft(path, " "), handler)
		return
	}
	v.Method("", pattern, handler)
}

// MethodFunc registers a route: see [Routes.Method].
func (v *Routes) MethodFunc(method, pattern string, handler http.HandlerFunc) {
	v.Method(method, pattern, handler)
}

// Method registers a route for a method, "" for any: see [chi.Router.Method].
func (v *Routes) Method(method, pattern string, handler http.Handler) {
	what, at := v.describe(method, pattern)
	v.add(what, at, v.over.Handler(what, handler))
}

// HandleVersions registers a route that has a handler for each version, and is in the
// versions that have one. Middleware of the route runs before the check.
//
//	v.HandleVersions("GET", "/{version}/bookings", versochi.Handlers{"v1": listV1, "v3": listV3, "v5": nil})
func (v *Routes) HandleVersions(method, pattern string, handlers Handlers,
	middleware ...func(http.Handler) http.Handler) {
	g := v.Group("", middleware...)
	what, at := g.describe(method, pattern)
	group, pick := overhttp.Versions(g.over, what, handlers)
	g.with(group).add(what, at, pick)
}

// describe returns the route of a method and a pattern, and its text for panics.
func (v *Routes) describe(method, pattern string) (what string, at route.Route) {
	at = route.Route{Method: strings.ToUpper(method), Path: v.mount + v.prefix + pattern}
	return strings.TrimLeft(at.Method+" "+at.Path, " "), at
}

// add registers a route. pick picks the handler of a version.
func (v *Routes) add(what string, at route.Route, pick overhttp.Pick) {
	var forms []string
	forms, at.RegisteredPath = v.over.Forms(what, at.Path)
	for _, at.Path = range forms {
		within, ok := strings.CutPrefix(at.Path, v.mount)
		if !ok {
			v.over.Fail("route %s: %s is not below %s, where its router is mounted: use Group behind EachVersion", what,
				at.Path, v.mount)
		}
		at.Pattern = route.Braces(at.Path)
		if check := v.over.Add(what, at, pick); at.Method == "" {
			v.router.Handle(within, check)
		} else {
			v.router.Method(at.Method, within, check)
		}
	}
}

// Mount registers the routes of a router of chi under a prefix, such as one on which generated
// code has registered its routes. Each gets a check of its own, in front of the middleware of
// the router. Any other handler becomes a route for the prefix and all paths below it. What
// the router has for 404 and 405 is left out. See [chi.Router.Mount].
//
//	v.Since("v2").Mount("/", apiv2.Handler(serverV2))
func (v *Routes) Mount(prefix string, handler http.Handler) {
	v.over.Need("Mount "+prefix, handler)
	prefix = strings.TrimSuffix(prefix, "/")
	if router, ok := handler.(chi.Routes); ok {
		v.walk(router, func(at route.Route, handler http.Handler) { v.Method(at.Method, prefix+at.Path, handler) })
		return
	}
	v.Handle(cmp.Or(prefix, "/"), handler)
	v.Handle(prefix+"/*", handler)
}

// walk calls found with the routes of a router, and with its middleware around their handlers.
func (v *Routes) walk(router chi.Routes, found func(at route.Route, handler http.Handler)) {
	for _, at := range endpointsOf(router) {
		v.over.Need("route "+at.Method+" "+at.Path, at.handler)
		found(at.Route, at.middleware.Handler(at.handler))
	}
}

// RegisterVersions registers the routes of several versions on the same paths, such as the
// generated servers of v1 and v2 behind a header. Each function gets a router of its own.
// Each method and path among their routes becomes a route with a handler for each
// version, registered as [Routes.HandleVersions] does, whatever the names of its path
// parameters. A version without a function has the routes of the one before it; after nil
// it has none. Middleware of a function's router runs after the check.
//
//	v.RegisterVersions(map[string]func(chi.Router){
//		"v1": func(r chi.Router) { apiv1.HandlerFromMux(serverV1, r) },
//		"v2": func(r chi.Router) { apiv2.HandlerFromMux(serverV2, r) },
//	})
//
// It panics as HandleVersions does, and if a function registers nothing with its router.
func (v *Routes) RegisterVersions(versions map[string]func(chi.Router)) {
	v.over.Must("RegisterVersions", adapter.RouteJoiner[chi.Router, http.HandlerFunc]{
		Record: func(register func(chi.Router), note func(route.Route, http.HandlerFunc)) {
			router := chi.NewRouter()
			register(router)
			v.walk(router, func(at route.Route, handler http.Handler) { note(at, handler.ServeHTTP) })
		},
		Rename: rename,
		Add: func(first route.Route, handlers map[string]http.HandlerFunc) {
			v.HandleVersions(first.Method, first.Path, handlers)
		},
	}.Join(v.over.Seam.Binding, versions))
}

// rename gives path parameters their names in a version.
func rename(handler http.HandlerFunc, from, to []string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		values := make([]string, len(from))
		for i, name := range from {
			values[i] = chi.URLParam(r, name)
		}
		for i, name := range to {
			contextOf(r).URLParams.Add(name, values[i])
			r.SetPathValue(name, values[i])
		}
		handler(w, r)
	}
}
