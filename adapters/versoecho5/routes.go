package versoecho5

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v5"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
)

// Routes registers routes of an Echo instance that have a version check. It has the
// methods of [echo.Group] for that, and generated code takes it; the methods that
// return Routes return a copy with more options for the routes that it registers:
//
//	v := versoecho5.New(e, api)
//	v.Neutral().GET("/status", status)
//	v2 := v.Group("/v2", auth).Namespace("v2")
//	v2.Name("user").GET("/users/:id", showUser)
//
// Methods that register a route panic if an option contradicts another or names an
// unknown version, if the route exists already, if a handler is nil, and if another path
// with the same parameters has the name.
//
// [New] returns one; the zero Routes is not valid.
type Routes struct {
	*bound
	of adapter.Group[echo.MiddlewareFunc]
	in registrar

	// Of EachVersion, whose groups are not Echo's: each route is registered with all of the middleware.
	within string // the prefix of the groups, within that of in
	before *[]echo.MiddlewareFunc

	sharesHandler bool

	perRoute adapter.PerRoute[Routes]
}

// New returns the routes of an Echo instance, whose API versions api determines. It
// panics if e or api is nil.
func New(e *echo.Echo, api *verso.Versioning, config ...Config) *Routes {
	own := adapter.NewConfig("versoecho5", "Echo", e == nil || api == nil, config)
	b := &bound{Config: own, router: router{echo: e, own: make(map[string]bool)}}
	b.seam = adapter.NewSeam(adapter.Seam[*echo.Context, echo.HandlerFunc]{
		Binder:           verso.Binder{IgnoresCase: true},
		Binding:          adapter.Bind(api, &b.router),
		Load:             resultOf,
		Store:            func(c *echo.Context, result *verso.Result) { c.Set(contextKey, result) },
		Header:           func(c *echo.Context) http.Header { return c.Response().Header() },
		Current:          func(c *echo.Context) *http.Request { return c.Request() },
		Next:             func(c *echo.Context, next echo.HandlerFunc) error { return next(c) },
		NoContent:        noContent,
		Reject:           b.reject,
		Fail:             func(_ *echo.Context, err error) error { return echo.ErrInternalServerError.Wrap(err) },
		OwnAnswers:       b.ErrorHandler != nil,
		ProblemType:      b.problemType(),
		ExemptFromSunset: b.ExemptFromSunset,
		Skipper:          b.Skipper,
		Client:           b.Client,
	})
	b.watch(b.seam.NoteRoute)
	return &Routes{bound: b, of: adapter.NewGroup[echo.MiddlewareFunc]("versoecho5", b.seam.Binding, joinVary), in: e,
		before: new([]echo.MiddlewareFunc)}
}

// registrar is an Echo instance or a group.
type registrar interface {
	AddRoute(added echo.Route) (echo.RouteInfo, error)
	Group(prefix string, middleware ...echo.MiddlewareFunc) *echo.Group
	Use(middleware ...echo.MiddlewareFunc)
}

// Link builds the URL of a named route outside a request, for a job or a mail,
// in the version of the target. It is relative unless the links have an origin.
// It returns the errors of [adapter.Binding.Link].
func (r *Routes) Link(target verso.Target) (string, error) { return r.seam.Link(target) }

// Template returns the URI template of the routes with a pattern of Echo, the same in all versions:
// "/api/v1/tasks/:id" and its kind in other versions have "/api/{version}/tasks/{id}". It is for what is stored by
// route: scopes of tokens, rate limits, metrics. A pattern without a route is returned as it is.
func (r *Routes) Template(pattern string) string { return r.seam.Template(pattern) }

// Explain returns the configuration, what each kind of request gets, all routes of
// the instance, and possible mistakes: see [adapter.Binding.Explain].
func (r *Routes) Explain() *verso.Explanation { return r.seam.Explain() }

// SetTestVersion keeps a version in a context as a check does, for a test that calls a
// handler without the check: [Version], [Link] and [ContentType] work then. It fails
// with [verso.ErrUnknownVersion] if the API does not serve the version.
func (r *Routes) SetTestVersion(c *echo.Context, version verso.Version) error {
	return r.seam.SetTestVersion(c, version)
}

func (r *Routes) with(of adapter.Group[echo.MiddlewareFunc]) *Routes {
	changed := *r
	changed.of = of
	return &changed
}

// Group returns a new group under the prefix: see Echo#Group.
func (r *Routes) Group(prefix string, middleware ...echo.MiddlewareFunc) *Routes {
	r.of.Need("Group "+prefix, middleware...)
	if len(middleware) > 0 {
		r = r.with(r.of.Tracked()) // Explain finds a group that registers nothing
	}
	g := r.with(r.of)
	if r.of.Each {
		before := slices.Concat(*r.before, middleware)
		g.within, g.before = r.within+prefix, &before
		g.catchUnmatched()
	} else {
		g.in = r.in.Group(prefix, middleware...)
	}
	return g
}

// In returns a copy that registers its routes with an existing group.
// It panics if r is a group with middleware that the other does not begin with: the routes would lose it. Behind
// [Routes.EachVersion], they keep it.
func (r *Routes) In(group *echo.Group) *Routes {
	if group == nil {
		fail("In: the group is nil")
	}
	own, ok := middlewareOf(r.in)
	its, _ := middlewareOf(group)
	r.of.NeedFirst("In", r.in != registrar(r.echo) && (!ok || !adapter.HasLead(its, own)))
	g := r.with(r.of)
	g.in = group
	return g
}

// EchoGroup returns a group of Echo's own, for a function that takes one. Its routes have
// the namespace and the options of r, and the names of [verso.Names]. The check runs after
// the given middleware, and before what the group and its groups add later. It panics behind
// [Routes.EachVersion], [Routes.Rewrite] and [Routes.PerRoute], which are for single routes: see
// [Routes.Register].
//
// The check is middleware, and Echo gives a group with middleware a 404 of its own for all paths under the prefix:
// it takes the place of 405, of Echo's OPTIONS, and of routes outside the group, behind the check.
func (r *Routes) EchoGroup(prefix string, middleware ...echo.MiddlewareFunc) *echo.Group {
	switch {
	case r.of.Each:
		fail("EchoGroup %s: a group of Echo's own has one path: use Register behind EachVersion", prefix)
	case r.of.Rewriter != nil:
		fail("EchoGroup %s: the routes of a group of Echo's own are not rewritten: use Register behind Rewrite", prefix)
	case !r.perRoute.IsZero():
		fail("EchoGroup %s: the routes of a group of Echo's own have the same options: use Register behind PerRoute",
			prefix)
	}
	r.of.Need("EchoGroup "+prefix, middleware...)
	full := r.pathIn(prefix)
	scope := r.of.Scope("EchoGroup "+full, full)
	var check echo.MiddlewareFunc = func(next echo.HandlerFunc) echo.HandlerFunc {
		checked := r.afterCheck(next)
		return func(c *echo.Context) error {
			if _, ok := r.matched(c); !ok {
				return next(c) // to the 404 of the group
			}
			var call adapter.Call
			call.Request.SetHTTP(c.Request(), c, r.routeIn(scope, c))
			return r.seam.Check(c, &call, checked)
		}
	}
	scope.NoteCheck(adapter.Identity(check))
	return r.in.Group(prefix, append(slices.Clone(middleware), check)...)
}

// pathIn returns the path of a group under the prefix.
func (r *Routes) pathIn(prefix string) string {
	const last = "/group"
	taken := r.taken(func() {
		_, _ = r.in.AddRoute(echo.Route{Method: http.MethodGet, Path: prefix + last, Handler: noContent})
	})
	return strings.TrimSuffix(taken.Path, last)
}

// routeIn returns the route that Echo has found in a group of its own.
func (r *Routes) routeIn(scope *adapter.Scope, c *echo.Context) *route.Route {
	method := c.Request().Method
	if method == http.MethodOptions { // which a middleware may have set
		if method, _ = placeOf(c.RouteInfo().Method, c.Path()); method == "" {
			method = http.MethodOptions
		}
	}
	return scope.Route("", method, c.Path())
}

// Use adds middleware to the group or the instance: see Echo#Use.
func (r *Routes) Use(middleware ...echo.MiddlewareFunc) {
	r.of.Need("Use", middleware...)
	if r.in != registrar(r.echo) || r.of.Each {
		r.of = r.of.Tracked() // Explain finds middleware behind all routes
	}
	if r.of.Each {
		*r.before = append(*r.before, middleware...)
		r.catchUnmatched()
		return
	}
	r.in.Use(middleware...)
}

// catchUnmatched has the middleware of a group run for requests that do not match its
// routes, as a group of Echo does.
func (r *Routes) catchUnmatched() {
	if len(*r.before) == 0 {
		return
	}
	group := r.taken(func() {
		notFound := func(*echo.Context) error { return echo.ErrNotFound }
		_, _ = r.in.AddRoute(echo.Route{Path: r.within, Handler: notFound, Middlewares: *r.before})
	})
	forms, err := r.of.Forms(group.Path)
	if outside := new(verso.Finding); errors.As(err, &outside) && outside.Code == "prefix_outside" {
		return // groups within it may be inside
	}
	r.of.Must("Group "+group.Path, err)
	for _, form := range forms {
		r.echo.Group(form, group.Middlewares...)
	}
}

// PerRoute gives single routes options, such as operations that generated code registers. The
// function gets v, the method, "" for any, and the path behind the prefix of v, and returns what
// registers the route:
//
//	v = v.PerRoute(func(v *versoecho5.Routes, method, path string) *versoecho5.Routes {
//		if path == "/webhooks/:id" {
//			return v.Neutral()
//		}
//		return v
//	})
//	apiv1.RegisterHandlers(v, server)
//
// For a generator that takes a group of Echo's own, see [Routes.Register].
func (r *Routes) PerRoute(choose func(v *Routes, method, path string) *Routes) *Routes {
	g := r.with(r.of)
	g.perRoute = adapter.NewPerRoute(r.of, r.perRoute, r.pathIn(r.within), choose, perRouteOf)
	return g
}

func perRouteOf(r *Routes) *adapter.PerRoute[Routes] { return &r.perRoute }

// chosen returns what registers a route.
func (r *Routes) chosen(method, path string) *Routes {
	if r.perRoute.IsZero() {
		return r
	}
	if method == echo.RouteAny {
		method = ""
	}
	return r.perRoute.Of(r.with(r.of), method, r.pathIn(r.within+path))
}

// AfterCheck adds middleware that runs after the check, where the version is known: a
// limit or a cache for each version.
func (r *Routes) AfterCheck(middleware ...echo.MiddlewareFunc) *Routes {
	r.of.Need("AfterCheck", middleware...)
	return r.with(r.of.AfterCheck(middleware...))
}

// joinVary makes the Vary field one line before the handler runs: see [verso.AddVary].
func joinVary(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c *echo.Context) error {
		verso.AddVary(c.Response().Header())
		return next(c)
	}
}

// Namespace puts the routes into a namespace, within the namespace of r: "v1" in "api"
// is "api:v1". It panics if namespace is empty.
func (r *Routes) Namespace(namespace string) *Routes { return r.with(r.of.Namespace(namespace)) }

// Name gives the routes a name. Several routes may share a name if they have the same
// path, or different parameters.
func (r *Routes) Name(name string) *Routes { return r.with(r.of.Name(name)) }

// With adds options. Of several options of one kind, the last one applies.
func (r *Routes) With(options ...verso.RouteOption) *Routes { return r.with(r.of.With(options...)) }

// Neutral makes the routes version-neutral: see [verso.Neutral].
func (r *Routes) Neutral() *Routes { return r.With(verso.Neutral()) }

// Since limits the routes to a version and later ones: see [verso.Since].
func (r *Routes) Since(version string) *Routes { return r.With(verso.Since(version)) }

// RemovedIn removes the routes from a version and later ones: see
// [verso.RemovedIn].
func (r *Routes) RemovedIn(version string) *Routes { return r.With(verso.RemovedIn(version)) }

// HandleVersions registers a route that has a handler for each version, and is in the
// versions that have one. Middleware of the route runs before the check.
//
//	v.HandleVersions("GET", "/:version/bookings", versoecho5.Handlers{"v1": listV1, "v3": listV3, "v5": nil})
func (r *Routes) HandleVersions(method, path string, handlers Handlers,
	middleware ...echo.MiddlewareFunc) echo.RouteInfo {
	r = r.chosen(method, path)
	r = r.with(r.of.WithoutDefault())
	chains := make(Handlers, len(handlers))
	for version, handler := range handlers {
		chains[version] = r.afterCheck(handler)
	}
	what := method + " " + path
	of, pick := adapter.PickFor(r.of, what, chains)
	info, err := r.with(of).add(echo.Route{Method: method, Path: path, Handler: noContent, Middlewares: middleware}, pick)
	r.of.Must("route "+what, err)
	return info
}

// Add registers a route: see Echo#Add. The middleware runs before the check.
func (r *Routes) Add(method, path string, handler echo.HandlerFunc, middleware ...echo.MiddlewareFunc) echo.RouteInfo {
	info, err := r.AddRoute(echo.Route{Method: method, Path: path, Handler: handler, Middlewares: middleware})
	r.of.Must("route "+method+" "+path, err)
	return info
}

// AddRoute registers a route: see Echo#AddRoute. Without a name of its own, it has that
// of [Routes.Name]. The error is that of Echo's router, or of Echo#OnAddRoute.
func (r *Routes) AddRoute(added echo.Route) (echo.RouteInfo, error) {
	switch {
	case added.Handler == nil:
		fail("route %s %s: the handler is nil: give it one", added.Method, added.Path)
	case added.Method == echo.RouteNotFound:
		fail("route %s: RouteNotFound is for requests without a route, so it has no version: register it with Echo",
			added.Path)
	}
	return r.chosen(added.Method, added.Path).add(added, nil)
}

// add registers the forms of a route, and returns the first. pick picks the handler of a version, nil
// for one handler.
func (r *Routes) add(added echo.Route,
	pick func(*verso.Result) echo.HandlerFunc) (first echo.RouteInfo, err error) {
	r.of.Need("route "+added.Method+" "+added.Path, added.Middlewares...)
	r = r.with(r.of)
	if added.Name != "" {
		r = r.Name(added.Name)
	}
	forms, registered := []string{added.Path}, ""
	if r.of.Each {
		added = r.taken(func() { _, _ = r.in.AddRoute(added.WithPrefix(r.within, *r.before)) })
		_, registered = placeOf(added.Method, added.Path)
		path := registered
		if added.Path == "" { // which is "/v1" in a group of Echo under "/v1"
			path = ""
		}
		forms, err = r.of.Forms(path)
		r.of.Must("route "+added.Method+" "+registered, err)
		r.in = r.echo
	}
	r.adding = true
	defer func() { r.adding = false }()
	b := r.bound // the route keeps no group
	for i, path := range forms {
		var registration *adapter.Registration
		check := func(next echo.HandlerFunc) echo.HandlerFunc {
			return func(c *echo.Context) error {
				if registration == nil { // it was refused, and the program went on
					return echo.ErrNotFound
				}
				var call adapter.Call
				call.Request.SetHTTP(c.Request(), c, registration.Route())
				if pick != nil {
					return b.seam.HandleVersions(c, &call, pick)
				}
				return b.seam.Check(c, &call, next)
			}
		}
		form := added
		form.Name, form.Path = r.of.FullName(), path
		form.Middlewares = slices.Concat(added.Middlewares, []echo.MiddlewareFunc{check, r.afterCheck})
		info, err := r.in.AddRoute(form)
		if err != nil {
			return first, err
		}
		described := routeOf(info)
		r.own[described.Method+described.Path] = true
		described.RegisteredPath, described.SharesHandler = registered, r.sharesHandler
		registration = r.of.Add(info.Method+" "+info.Path, described)
		if i == 0 {
			first, r.of = info, r.of.Name("")
		}
	}
	return first, nil
}

// afterCheck puts the middleware that runs after the check around a handler, nil around
// none.
func (r *Routes) afterCheck(handler echo.HandlerFunc) echo.HandlerFunc {
	if handler == nil {
		return nil
	}
	for _, middleware := range slices.Backward(r.of.After()) {
		if handler = middleware(handler); handler == nil {
			fail("AfterCheck: a middleware returns a nil handler: let it return one")
		}
	}
	return handler
}
