package versochi

import (
	"cmp"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/adapter/overhttp"
	"github.com/goverso/verso/core/route"
)

// Routes registers routes of a router that have a version check. The methods that return
// Routes return a copy with more options for the routes that it registers:
//
//	v := versochi.New(r, api)
//	v.Neutral().Get("/status", status)
//	v2 := v.Group("/v2", auth).Namespace("v2")
//	v2.Name("user").Get("/users/{id}", showUser)
//
// [Routes.Router] is the same as a [chi.Router], for code written for chi.
//
// Methods that register a route panic if the pattern is invalid, if an option contradicts
// another or names an unknown version, if the route exists already, if a handler is nil,
// and if another path with the same parameters has the name.
//
// [New] returns one; the zero Routes is not valid.
type Routes struct {
	over overhttp.Group
	root *router
	in   []place // where routes are registered: several in what Route makes behind EachVersion

	mount, prefix string // where the routers are, without the version, and within them
	slash         bool   // the path of "/" has a slash
	optioned      bool   // registers with options
	sharesHandler bool   // the handler has another method of the path, too
	perRoute      adapter.PerRoute[Routes]
	within        int // the functions that were running when v was made: see closures
}

// New returns the routes of a router, whose API versions api determines. It panics
// if r or api is nil.
func New(r chi.Router, api *verso.Versioning, config ...Config) *Routes {
	own := adapter.NewConfig("versochi", "router", r == nil || api == nil, config)
	root := &router{of: r}
	return &Routes{over: overhttp.New("versochi", api, root, overhttp.Config(own)), root: root, in: []place{{r, ""}},
		within: closures()}
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
func (v *Routes) Explain() *verso.Explanation {
	for _, late := range v.root.late {
		late()
	}
	return v.over.Seam.Explain()
}

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

// opted returns a copy with an option.
func (v *Routes) opted(group adapter.Group[overhttp.Middleware]) *Routes {
	changed := v.with(group)
	changed.optioned = true
	return changed
}

// Group returns a group under a prefix, behind the prefix of v: "/users" in "/v1" is
// "/v1/users". The middleware, the outermost first, runs before the check with
// [chi.Router.With].
func (v *Routes) Group(prefix string, middleware ...func(http.Handler) http.Handler) *Routes {
	g := v.with(v.over.Group)
	if len(middleware) > 0 {
		v.over.Around("in Group "+prefix, http.NotFoundHandler(), middleware) // none is nil
		g = v.with(v.over.Tracked()).inline(middleware...)                    // Explain finds a group without routes
	}
	g.prefix += prefix
	return g
}

// inline returns a copy whose routes are behind middleware, and which can Use more.
func (v *Routes) inline(middleware ...func(http.Handler) http.Handler) *Routes {
	g := v.with(v.over.Group)
	g.in = nil
	for _, p := range v.in {
		g.in = append(g.in, place{p.With(middleware...), p.mount})
	}
	return g
}

// Use adds middleware, the outermost first, to the router of chi, before its routes: see
// [chi.Router.Use]. It is for the function of [Routes.Route].
func (v *Routes) Use(middleware ...func(http.Handler) http.Handler) {
	v.over.Group.Need("Use", middleware...)
	for _, p := range v.in {
		p.Use(middleware...)
	}
}

// Route calls a function with the routes of a new subrouter of chi, mounts it under a prefix, as
// [chi.Router.Route] does, and returns its routes. Behind [Routes.EachVersion], there is a subrouter
// for each version, and the function gets all of them at once. "/" of a group is the prefix of the group, with and
// without a slash. It panics if the group has a route at "/" already. A later
// route at "/*" of the group panics.
func (v *Routes) Route(prefix string, register func(v *Routes)) *Routes {
	if register == nil {
		v.over.Fail("Route %s: the function is nil: give it one", prefix)
	}
	running := closures()
	v.needOutside("Route "+prefix, running)
	sub := v.below(prefix)
	sub.within = running + 1
	var mounts []func()
	v.mounts("Route "+prefix, prefix, func(in place, pattern, path string) {
		router := chi.NewRouter()
		sub.in = append(sub.in, place{router, path})
		mounts = append(mounts, func() { in.Mount(pattern, router) })
	})
	register(sub)
	if slices.ContainsFunc(sub.in, func(p place) bool { return len(p.Routes()) > 0 }) {
		for _, p := range sub.in {
			p.With() // or chi leaves out the middleware in a version without any of the routes
		}
	}
	for _, mount := range mounts {
		mount()
	}
	return sub
}

// below returns the routes of a subrouter, which is nowhere yet.
func (v *Routes) below(prefix string) *Routes {
	sub := v.with(v.over.Group)
	sub.in, sub.mount, sub.prefix = nil, strings.TrimSuffix(v.mount+v.prefix+prefix, "/"), ""
	sub.slash = len(prefix) > 1 && strings.HasSuffix(prefix, "/")
	return sub
}

// mounts calls found with the places of a subrouter, with its pattern there, and with its path.
func (v *Routes) mounts(what, prefix string, found func(in place, pattern, path string)) {
	path := strings.TrimSuffix(v.mount+v.prefix+prefix, "/")
	forms, err := v.over.Group.Forms(path)
	if outside := new(verso.Finding); errors.As(err, &outside) && outside.Code == "prefix_outside" {
		forms, err = []string{path}, nil // the version is deeper in the path
	}
	v.over.Must(what, err)
	for _, path := range forms {
		in, pattern := v.placeOf(what, path)
		if len(prefix) > 1 && strings.HasSuffix(prefix, "/") {
			pattern += "/"
		}
		isTaken := func(at chi.Route) bool { return at.Pattern == pattern+"/" && len(methodsOf(at)) > 0 }
		if prefix == "/" && pattern != "" {
			if slices.ContainsFunc(in.Routes(), isTaken) {
				v.over.Fail("%s: the group has a route at %s/, whose place the mount would take: register it afterwards",
					what, path)
			}
			v.root.atRoots.Store(path+"/*", true)
		}
		found(in, cmp.Or(pattern, "/"), path)
	}
}

// placeOf returns where a path is, and its pattern there.
func (v *Routes) placeOf(what, path string) (in place, pattern string) {
	known := false
	for _, p := range v.in {
		within, ok := strings.CutPrefix(path, p.mount)
		if ok && (p.mount == "" || within == "" || within[0] == '/') && (!known || len(p.mount) > len(in.mount)) {
			known, in, pattern = true, p, within
		}
	}
	if !known {
		v.over.Fail("%s: %s is not below %s, where its router is mounted: use Group behind EachVersion", what, path, v.mount)
	}
	return in, pattern
}

// In returns a copy that registers its routes with a router of chi mounted under a
// prefix, or with what [chi.Router.With] returns. For what [Routes.Router] has returned, or its
// Route, With and Group, see [On].
// It panics if v is a group with middleware which the routes would lose: mount a router within Group or With
// of chi before.
func (v *Routes) In(prefix string, router chi.Router) *Routes {
	v.over.Need("In "+prefix, router)
	if _, ok := router.(mux); ok {
		v.over.Fail("In %s: the router has the checks of Verso: use On", prefix)
	}
	loses := func(p place) bool { return muxOf(p.Router) != muxOf(v.root.of) && p.loses(prefix, router) }
	v.over.NeedFirst("In "+prefix, slices.ContainsFunc(v.in, loses))
	g := v.with(v.over.Group)
	g.in, g.mount, g.prefix, g.slash, g.within = []place{{router, prefix}}, prefix, "", false, closures()
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

// PerRoute gives single routes options, such as operations that generated code registers. The
// function gets v, the method, "" for any, and the pattern, without the prefix of v where it is below it, and
// returns what registers the route. A subrouter is in each version, whatever its routes get.
//
//	v = v.PerRoute(func(v *versochi.Routes, method, pattern string) *versochi.Routes {
//		if pattern == "/webhooks/{id}" {
//			return v.Neutral()
//		}
//		return v
//	})
//	apiv1.HandlerFromMux(server, v.Router())
func (v *Routes) PerRoute(choose func(v *Routes, method, pattern string) *Routes) *Routes {
	g := v.with(v.over.Group)
	g.perRoute = adapter.NewPerRoute(v.over.Group, v.perRoute, v.mount+v.prefix, choose, perRouteOf)
	return g
}

func perRouteOf(v *Routes) *adapter.PerRoute[Routes] { return &v.perRoute }

// chosen returns what registers a route.
func (v *Routes) chosen(method, pattern string) *Routes {
	if v.perRoute.IsZero() {
		return v
	}
	return v.perRoute.Of(v.with(v.over.Group), strings.ToUpper(method), v.mount+v.prefix+pattern)
}

// AfterCheck adds middleware that runs after the check, where the version is known: a
// limit or a cache for each version.
func (v *Routes) AfterCheck(middleware ...func(http.Handler) http.Handler) *Routes {
	return v.opted(v.over.AfterCheck(middleware...))
}

// Rewrite rewrites the bodies of older versions. Middleware that [Routes.AfterCheck]
// added before, such as compression, sees the rewritten body; middleware that it adds
// afterwards sees the handler's. The answer to a request or a response that cannot be
// rewritten is that of [verso.AnswerFor]; the error of a response goes to the log of
// the server.
func (v *Routes) Rewrite(rewriter verso.Rewriter) *Routes { return v.opted(v.over.Rewrite(rewriter)) }

// RewriteErrors returns a middleware for what [Routes.Rewrite] rewrites: install it inside
// compression, and outside middleware that answers panics, so that these responses
// are rewritten too.
func (v *Routes) RewriteErrors() func(http.Handler) http.Handler { return v.over.RewriteErrors() }

// Namespace puts the routes into a namespace, within the namespace of v: "v1" in "api"
// is "api:v1". It panics if namespace is empty.
func (v *Routes) Namespace(namespace string) *Routes { return v.opted(v.over.Namespace(namespace)) }

// Name gives the routes a name. Several routes may share a name if they have the same
// path, or different parameters.
func (v *Routes) Name(name string) *Routes { return v.opted(v.over.Name(name)) }

// With adds options. Of several options of one kind, the last one applies. For middleware,
// as [chi.Router.With] has it, see [Routes.Group].
func (v *Routes) With(options ...verso.RouteOption) *Routes {
	changed := v.with(v.over.With(options...))
	changed.optioned = v.optioned || len(options) > 0
	return changed
}

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
	v.needOutside("route "+pattern, closures())
	v.needNoRoot(method, pattern)
	v.handle(method, pattern, handler)
}

// needNoRoot panics for a route in the place of a router at "/" of its group, which would keep the path of the group.
func (v *Routes) needNoRoot(method, pattern string) {
	what, at := v.describe(method, pattern)
	forms, _ := v.over.Group.Forms(at.Path) // add panics for the error
	for _, path := range forms {
		if _, isTaken := v.root.atRoots.Load(path); !isTaken {
			continue
		}
		if _, pattern := v.placeOf("route "+what, path); pattern != "/*" { // else it is in that router
			v.over.Fail("route %s: the group has a subrouter or a mount at /, which keeps %s: register the route in it",
				what, strings.TrimSuffix(path, "*"))
		}
	}
}

// handle registers a route, also at its path with a text behind.
func (v *Routes) handle(method, pattern string, handler http.Handler, also ...string) {
	v = v.chosen(method, pattern)
	what, at := v.describe(method, pattern)
	v.add(what, at, v.over.Handler(what, handler), also...)
}

// HandleVersions registers a route that has a handler for each version, and is in the
// versions that have one. Middleware of the route runs before the check.
//
//	v.HandleVersions("GET", "/{version}/bookings", versochi.Handlers{"v1": listV1, "v3": listV3, "v5": nil})
func (v *Routes) HandleVersions(method, pattern string, handlers Handlers,
	middleware ...func(http.Handler) http.Handler) {
	v.needOutside("route "+pattern, closures())
	g := v.chosen(method, pattern).Group("", middleware...)
	g.needNoRoot(method, pattern)
	what, at := g.describe(method, pattern)
	group, pick := overhttp.Versions(g.over, what, handlers)
	g.with(group).add(what, at, pick)
}

// describe returns the route of a method and a pattern, and its text for panics. A link to "/" of a
// subrouter has no slash: chi serves both.
func (v *Routes) describe(method, pattern string) (what string, at route.Route) {
	at = route.Route{Method: strings.ToUpper(method), Path: v.mount + v.prefix + pattern, SharesHandler: v.sharesHandler}
	if pattern == "/" && v.prefix == "" && v.mount != "" && !v.slash {
		at.Path = v.mount
	}
	return strings.TrimLeft(at.Method+" "+at.Path, " "), at
}

// add registers a route. pick picks the handler of a version.
func (v *Routes) add(what string, at route.Route, pick overhttp.Pick, also ...string) {
	var forms []string
	forms, at.RegisteredPath = v.over.Forms(what, at.Path)
	for _, at.Path = range forms {
		in, pattern := v.placeOf("route "+what, at.Path)
		if in.mount != "" {
			pattern = cmp.Or(pattern, "/")
		}
		at.Pattern = read(at.Path)
		check := v.over.Add(what, at, pick)
		v.root.checks.Store(check, at.Path)
		for _, behind := range append(also, "") {
			if at.Method == "" {
				in.Handle(pattern+behind, check)
			} else {
				in.Method(at.Method, pattern+behind, check)
			}
		}
	}
}

// Mount mounts a router of chi as it is, as [chi.Router.Mount] does, and puts a check directly before each of its
// handlers. Where the router is mounted by other code as well, it has no checks. A router in another type, or that
// [chi.Router.With] returns, is a handler as any other: a route for the prefix and all paths below it, whose check is
// in front of all that it does.
//
//	v.Since("v2").Mount("/", apiv2.Handler(serverV2))
//
// A route that the router gets after the first request has its check in front of all middleware of the router: for
// that, each request is looked up twice. Middleware of the router that changes the path or the method hides such a
// route, unless chi has the middleware. Explain panics for such a route if v has another one at its place, if its name
// means another path, or if it replaces a handler for OPTIONS alone with one for more methods, or the other way round;
// so do the requests that it would get: chi does not report routes. If a handler for OPTIONS alone gets another method,
// its requests panic. All requests to the router panic if a handler for OPTIONS alone and one for more methods replace
// each other between Mount and the first request, or if the one for OPTIONS alone gets another method then.
//
// Mount panics if the handler is what [Routes.Router] or its Route returns, and v has options: they belong where the
// routes are registered. It panics if that is a router for each version, or if chi hides at which paths a handler in
// the router is mounted.
func (v *Routes) Mount(prefix string, handler http.Handler) {
	v.over.Need("Mount "+prefix, handler)
	v.needOutside("Mount "+prefix, closures())
	if h, ok := handler.(mux); ok { // has its checks
		v.needPlain("Mount " + prefix)
		if len(h.in) > 1 {
			v.over.Fail("Mount %s: there is a router for each version: register its routes again, with Route", prefix)
		}
		v.mounts("Mount "+prefix, prefix, func(in place, pattern, _ string) { in.Mount(pattern, h.chis.Router) })
		return
	}
	if h, ok := routerOf(handler); ok {
		v.mountRouter(prefix, h)
		return
	}
	hasPath := false // chi serves the prefix itself, too
	v.mounts("Mount "+prefix, prefix, func(in place, pattern, _ string) {
		in.Mount(pattern, http.HandlerFunc(handler.ServeHTTP)) // or chi refuses it
		hasPath = hasPath || !strings.HasSuffix(pattern, "/")
	})
	prefix = strings.TrimSuffix(prefix, "/")
	v.handle("", prefix+"/*", shifted(handler, true))
	if hasPath {
		v.handle("", prefix, shifted(handler, false), "/")
	}
}

// needPlain panics if v has options, for routes that have their own.
func (v *Routes) needPlain(what string) {
	if v.optioned || !v.perRoute.IsZero() {
		v.over.Fail("%s: the router has checks already: set the options where its routes are registered", what)
	}
}

// shifted returns a handler that a router of chi may be in: it gets the rest of the path.
func shifted(handler http.Handler, hasRest bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		at := contextOf(r)
		at.RoutePath = "/"
		if last := len(at.URLParams.Values) - 1; hasRest && last >= 0 {
			at.RoutePath += at.URLParams.Values[last]
			at.URLParams.Values[last] = ""
		}
		handler.ServeHTTP(w, r)
	})
}
