package versofiber

import (
	"cmp"
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v3"
	"github.com/gofiber/fiber/v3/log"
	"github.com/gofiber/fiber/v3/middleware/static"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
)

// Routes registers routes of an app that have a version check. It has the methods of
// [fiber.Router] for that; the methods that return Routes return a copy with more
// options for the routes that it registers:
//
//	v := versofiber.New(app, api)
//	v.Neutral().Get("/status", status)
//	v2 := v.Group("/v2", auth).Namespace("v2")
//	v2.Get("/users/:id", showUser).Name("user")
//
// All methods that register panic when an option contradicts another or names an
// unknown version, when v has registered the route already, and when a handler is
// nil.
//
// [New] returns one; the zero Routes is not valid.
type Routes struct {
	*bound
	of     adapter.Group[any]
	router fiber.Router // the app or a group

	// Of EachVersion:
	prefix string // of the groups, within that of router
	before []any  // middleware of the groups, which Fiber would install by path

	perRoute adapter.PerRoute[Routes]
	named    bool // by v.Name, which has named the route before
}

// New returns the routes of an app, whose API versions api determines. An app that is
// mounted in another one has routes of its own. It panics if app or api is nil,
// and if versions of a [verso.PathPrefix] differ in case alone and the app is not CaseSensitive.
//
// Do not mount an app under a prefix with a path parameter, such as "/:version":
// Fiber does not find the parameter then. Use [Routes.Group].
func New(app *fiber.App, api *verso.Versioning, config ...Config) *Routes {
	own := adapter.NewConfig("versofiber", "app", app == nil || api == nil, config)
	b := &bound{Config: own, app: app, heads: make(map[*fiber.Handler]string), joined: make(map[[2]string]bool)}
	b.seam = adapter.NewSeam(adapter.Seam[fiber.Ctx, any]{
		Binder:  binderOf(app),
		Binding: adapter.Bind(api, router{b}),
		Load: func(c fiber.Ctx) *verso.Result {
			if c.IsAbandoned() { // its handlers have not come back yet, and may write what this reads
				return nil
			}
			return resultOf(c)
		},
		// c.Locals allocates
		Store:     func(c fiber.Ctx, result *verso.Result) { c.RequestCtx().SetUserValue(contextKey{}, result) },
		Write:     writeFields,
		Next:      b.next,
		Restore:   restoreFields,
		NoContent: func(c fiber.Ctx) error { return c.SendStatus(fiber.StatusNoContent) },
		Reject:    b.reject,
		Fail: func(_ fiber.Ctx, err error) error {
			log.Errorf("versofiber: status 500: %q", err) // and the client learns nothing
			return fiber.ErrInternalServerError
		},
		OwnAnswers:       b.ErrorHandler != nil,
		ExemptFromSunset: b.ExemptFromSunset,
		Client:           b.Client,
	})
	app.Hooks().OnRoute(func(added fiber.Route) error {
		b.latest = added
		return nil
	})
	app.Hooks().OnName(func(named fiber.Route) error {
		if named.Method == fiber.MethodHead {
			b.heads[&named.Handlers[0]] = named.Name
		}
		return nil
	})
	r := &Routes{bound: b, of: adapter.NewGroup[any]("versofiber", b.seam.Binding), router: app}
	r.refuseSamePaths()
	return r
}

// refuseSamePaths panics if the paths of two versions differ in case alone, and the app takes them for one.
func (r *Routes) refuseSamePaths() {
	if r.app.Config().CaseSensitive || r.seam.CheckEachVersion() != nil {
		return
	}
	versions := r.seam.Versioning().Versions()
	for i, version := range versions {
		is := func(other verso.Version) bool { return strings.EqualFold(other.String(), version.String()) }
		if at := slices.IndexFunc(versions[:i], is); at >= 0 {
			r.of.Fail("the paths of versions %q and %q are one to this app: set CaseSensitive, or rename one", versions[at], version)
		}
	}
}

// Link builds the URL of a named route outside a request, for a job or a mail, in
// the version of the target. It is relative unless the links have an origin. It
// returns the errors of [adapter.Binding.Link]. Routes of a mounted app have URLs once
// a request has come to any of them: until then Link
// fails.
func (r *Routes) Link(target verso.Target) (string, error) {
	if r.app.MountPath() != "" && r.serving.Load() == nil {
		return "", errors.New("versofiber: the app is mounted in another one, and no request has shown where yet: use the routes of the outermost app")
	}
	return r.seam.Link(target)
}

// Template returns the URI template of the routes with a pattern of Fiber, the same in all versions:
// "/api/v1/tasks/:id" and its kind in other versions have "/api/{version}/tasks/{id}". It is for what is stored by
// route: scopes of tokens, rate limits, metrics. A pattern without a route is returned as it is.
func (r *Routes) Template(pattern string) string { return r.seam.Template(pattern) }

// Explain returns the configuration, what each kind of request gets, all routes of
// the app, and possible mistakes: see [adapter.Binding.Explain].
func (r *Routes) Explain() *verso.Explanation { return r.seam.Explain() }

// SetTestVersion keeps a version in a context as a check does, for a test that calls a
// handler without the check: [Version], [Link] and [ContentType] work then. It fails
// with [verso.ErrUnknownVersion] if the API does not serve the version.
func (r *Routes) SetTestVersion(c fiber.Ctx, version verso.Version) error {
	return r.seam.SetTestVersion(c, version)
}

func (r *Routes) with(of adapter.Group[any]) *Routes {
	changed := *r
	changed.of = of
	return &changed
}

// Group returns a new group under the prefix: see [fiber.App.Group].
func (r *Routes) Group(prefix string, handlers ...any) *Routes {
	if len(handlers) > 0 && r.seam != nil { // else RegisterVersions records routes
		r = r.with(r.of.Tracked()) // Explain finds a group that registers nothing
	}
	if r.seam == nil && len(handlers) > 0 {
		r.needNoting("Group " + prefix)
		r.covers, handlers = append(r.covers, &cover{path: join(r.prefix, prefix), handlers: handlers}), nil
	}
	if r.of.Each {
		g := r.with(r.of)
		g.router, g.prefix, g.before = r.router.Group(""), join(r.prefix, prefix), slices.Concat(r.before, handlers)
		return g
	}
	return r.within(r.router.Group(prefix, handlers...))
}

// In returns the same for the routes of a group of the app that is there already.
// It panics if r is a group with middleware, and the other is not below it: the routes would lose the middleware.
func (r *Routes) In(group fiber.Router) *Routes {
	if isNil(group) {
		r.of.Fail("In: the group is nil")
	}
	r.of.NeedFirst("In", r.seam != nil &&
		(len(r.before) > 0 || r.uses.runApart(r.bound, prefixOf(r.router), prefixOf(group))))
	return r.within(group)
}

func (r *Routes) within(group fiber.Router) *Routes {
	g := r.with(r.of)
	g.router, g.prefix, g.before = group, "", nil
	return g
}

// EachVersion returns a group that registers each route once per version, with the
// same middleware: /api/tags becomes /api/v1/tags and /api/v2/tags. With a
// DefaultVersion, /api/tags itself is registered too, for requests without a version.
// A route Since v2 is not registered under /api/v1: see [adapter.Binding.Forms]. The
// API must read a [verso.PathPrefix]. The first of these paths has the name in Fiber.
// It panics if the API reads none.
//
// The middleware of the group, and that of groups in it, runs for their routes, not
// for other paths under their prefixes. It panics if App.Use, App.Group or App.All has
// installed middleware by path that runs for one of the paths of a route and not for all, and
// if static.New serves a route whose paths differ in their lengths, which it would cut at the wrong place.
// Middleware for /api/v1 alone needs another one for /api/v2, which may just call Next.
// It cannot see what compares c.Path() itself, nor what an app does that is mounted by
// path: both must know all paths, which Explain lists.
func (r *Routes) EachVersion(middleware ...any) *Routes {
	return r.with(r.of.EachVersion()).Group("", middleware...)
}

// NotFound returns a handler for the last Use of an app. Of the requests that match
// no route, it rejects those that name a version that is unknown or has ended, so
// that you can delete the routes of an ended version: they still get 410. In a path
// parameter, an unknown version counts only where a route has the path: /favicon.ico
// is none. Fiber answers the rest, with 404 or 405.
//
//	app.Use(v.NotFound())
func (r *Routes) NotFound() fiber.Handler {
	return func(c fiber.Ctx) error {
		r.serving.CompareAndSwap(nil, c.App())
		var call adapter.Call
		setRequest(&call.Request, c, nil)
		if c.Matched() {
			return c.Next()
		}
		var err error
		isHead := c.Method() == fiber.MethodHead
		if isHead { // Fiber registers the HEAD routes of those for GET last
			if err = c.Next(); c.Matched() {
				return err
			}
		}
		if rejected, rejection := r.seam.CheckUnmatched(c, &call,
			string(c.RequestCtx().URI().PathOriginal())); rejected {
			c.Response().Header.Del(fiber.HeaderAllow) // of Fiber's 405
			return rejection
		}
		if !isHead {
			err = c.Next()
		}
		if allow := c.GetRespHeader(fiber.HeaderAllow); allow != "" {
			c.Set(fiber.HeaderAllow, call.Allow(allow))
		}
		return err
	}
}

// PerRoute gives single routes options, such as operations that generated code registers. The
// function gets v, the method, "" for any, and the path behind the prefix of v, and returns what
// registers the route:
//
//	v = v.PerRoute(func(v *versofiber.Routes, method, path string) *versofiber.Routes {
//		if path == "/webhooks/:id" {
//			return v.Neutral()
//		}
//		return v
//	})
//	apiv1.RegisterHandlers(v.Router(), server)
func (r *Routes) PerRoute(choose func(v *Routes, method, path string) *Routes) *Routes {
	g := r.with(r.of)
	g.perRoute = adapter.NewPerRoute(r.of, r.perRoute, r.fullPath(""), choose, perRouteOf)
	return g
}

func perRouteOf(r *Routes) *adapter.PerRoute[Routes] { return &r.perRoute }

// chosen returns what registers a route.
func (r *Routes) chosen(method, path string) *Routes {
	if r.perRoute.IsZero() {
		return r
	}
	return r.perRoute.Of(r.with(r.of), method, r.fullPath(path))
}

// fullPath returns a path with the prefixes of the groups around it.
func (r *Routes) fullPath(path string) string {
	return join(prefixOf(r.router), join(r.prefix, path))
}

// prefixOf returns the prefix of a group of Fiber, without a slash at its end, and "" for an app.
func prefixOf(router fiber.Router) string {
	group, ok := router.(*fiber.Group)
	if !ok {
		return ""
	}
	return join("", strings.TrimRight(group.Prefix, "/"))
}

// AfterCheck adds middleware that runs after the check, where the version is known: a
// limit or a cache for each version.
func (r *Routes) AfterCheck(handlers ...any) *Routes {
	return r.with(r.of.AfterCheck(handlers...))
}

// Namespace puts the routes into a namespace, within the namespace of r: "v1" in "api"
// is "api:v1". A name that r gives is in it, also in Fiber: "v1:user-list". It panics
// if namespace is empty.
func (r *Routes) Namespace(namespace string) *Routes { return r.with(r.of.Namespace(namespace)) }

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
//	v.HandleVersions("GET", "/:version/bookings", versofiber.Handlers{"v1": listV1, "v3": listV3, "v5": nil})
func (r *Routes) HandleVersions(method, path string, handlers Handlers, middleware ...any) fiber.Router {
	return r.handleVersions(method, path, middleware, []Handlers{handlers})
}

// handleVersions registers a route that has a handler for each version in several slots, which
// Fiber calls one after another.
func (r *Routes) handleVersions(method, path string, middleware []any, slots []Handlers) fiber.Router {
	all := r
	r = r.chosen(method, path)
	g, key := r.with(r.of.WithoutDefault()), new(byte)
	for _, handlers := range slots {
		of, pick := adapter.PickFor(g.of, method+" "+path, handlers)
		g = g.with(of).AfterCheck(func(c fiber.Ctx) error {
			result, ok := c.Value(key).(*verso.Result)
			if !ok {
				return r.seam.Fail(c,
					errors.New("middleware has removed the user values of a request: let it keep them"))
			}
			return pick(result)(c)
		})
	}
	g.add(route.Route{}, []string{method}, path, key, middleware)
	return all.Router()
}

// add registers a route for each method. The check is behind the middleware, and keeps its
// result under the key, or nil.
func (r *Routes) add(described route.Route, methods []string, path string, key any, middleware []any,
	handler ...any) fiber.Router {
	b := r.bound // the route keeps no group
	before, after := slices.Concat(r.before, middleware), slices.Concat(r.of.After(), handler)
	if r.seam == nil {
		return r.record(methods, join(r.prefix, path), slices.Concat(before, after))
	}
	if r.named {
		r.of.Fail("route %s: Name in front of it has named the route before: call it behind, v.Get(…).Name(…)", path)
	}
	for _, described.Method = range methods {
		if slices.ContainsFunc(slices.Concat(before, after), isNil) {
			r.of.Fail("route %s %s: a handler is nil: give it one", described.Method, path)
		}
		forms := r.forms(&described, path)
		r.needOneLength(described, forms, slices.Concat(before, after))
		for _, form := range forms {
			var added *adapter.Registration
			check := func(c fiber.Ctx) error { return b.check(c, added, key) }
			chain := slices.Concat(before, []any{check}, after)
			if len(before) > 0 {
				chain = slices.Insert(chain, 0, any(func(c fiber.Ctx) error { return b.front(c, added) }))
			}
			r.latest = fiber.Route{}
			r.router.Add([]string{described.Method}, form, chain[0], chain[1:]...)
			added = r.note(described, form)
			if r.isJoined() {
				r.joined[[2]string{r.latest.Method, r.latest.Path}] = true
			}
		}
	}
	return r.Router()
}

// forms returns the paths under which a route is registered, within the router. The
// first form is the last one, which a name is given to.
func (r *Routes) forms(described *route.Route, path string) []string {
	if !r.of.Each {
		return []string{path}
	}
	group, ok := r.router.(*fiber.Group)
	if !ok {
		r.of.Fail("route %s %s: EachVersion needs an app or a group of Fiber, not a %T", described.Method, path, r.router)
	}
	prefix := prefixOf(group)
	registered := join(prefix, join(r.prefix, path))
	described.RegisteredPath = cmp.Or(registered, "/") // or links take it for a route of one version
	forms, err := r.of.Forms(registered)
	r.of.Must("route "+described.Method+" "+described.RegisteredPath, err)
	for _, form := range forms {
		if !strings.HasPrefix(form+"/", prefix+"/") {
			r.of.Fail("route %s %s: its group cannot have the path %q: make it with EachVersion().Group", described.Method,
				described.RegisteredPath, form)
		}
	}
	r.uses.look(r.bound)
	if installed, form, found := r.uses.missing(r.bound, described.RegisteredPath, forms); found {
		r.of.Fail("route %s %s: middleware installed for %q does not run for %q: pass it to EachVersion or Group, "+
			"or if it is for one version alone, install what calls Next for the other paths",
			described.Method, described.RegisteredPath, installed, form)
	}
	for i := range forms {
		forms[i] = forms[i][len(prefix):]
	}
	slices.Reverse(forms)
	return forms
}

// needOneLength panics for a folder whose paths differ in their lengths.
func (r *Routes) needOneLength(described route.Route, forms []string, handlers []any) {
	differs := func(form string) bool { return len(form) != len(forms[0]) }
	if slices.ContainsFunc(handlers, isStatic) && slices.ContainsFunc(forms, differs) {
		r.of.Fail("route %s %s: static.New cuts off the same length of all paths: register one for each version instead",
			described.Method, described.RegisteredPath)
	}
}

func isStatic(handler any) bool {
	h := reflect.ValueOf(handler)
	return h.Kind() == reflect.Func && h.Pointer() == servesFolder
}

var servesFolder = reflect.ValueOf(static.New("")).Pointer()

// isJoined reports whether other code has registered the path of the latest route just before: Fiber joins the two.
func (r *Routes) isJoined() bool {
	return slices.ContainsFunc(r.app.Stack(), func(of []*fiber.Route) bool {
		if len(of) == 0 {
			return false
		}
		last := of[len(of)-1]
		return last.Method == r.latest.Method && last.Path == r.latest.Path && len(last.Handlers) > len(r.latest.Handlers)
	})
}

// note records in the binding the route that Fiber has added last.
func (r *Routes) note(described route.Route, path string) *adapter.Registration {
	at := r.latest
	if len(at.Handlers) == 0 {
		r.of.Fail("route %s %s: the group is of another app: give In a group of the app of v", described.Method, path)
	}
	for segment := range strings.SplitSeq(at.Path, "/") {
		if strings.HasPrefix(segment, "{") && strings.HasSuffix(segment, "}") {
			r.of.Fail("route %s %s: Fiber reads %s as text: write :%s", at.Method, at.Path, segment,
				strings.Trim(segment, "{}"))
		}
	}
	described.Method, described.Path = at.Method, at.Path
	described.Pattern = patternOf(at.Path, at.Params, r.app.Config())
	added := r.of.Add(at.Method+" "+at.Path, described)
	r.own.Store(&at.Handlers[0], added)
	return added
}

func isNil(value any) bool {
	of := reflect.ValueOf(value)
	return value == nil || (of.Kind() == reflect.Func || of.Kind() == reflect.Pointer) && of.IsNil()
}

// record takes note of a route. Fiber itself would join it with another one.
func (r *Routes) record(methods []string, path string, handlers []any) fiber.Router {
	r.needNoting("route " + path)
	for _, method := range methods {
		if _, twice := r.own.LoadOrStore(method+" "+path, len(r.covers)); twice {
			r.of.Fail("RegisterVersions: route %s %s is registered twice: remove one of them", method, path)
		}
	}
	r.router.Add(methods, path, handlers[0], handlers[1:]...)
	return r.Router()
}

// needNoting panics if a function registers a route after it has returned.
func (r *Routes) needNoting(what string) {
	if r.noted {
		r.of.Fail("RegisterVersions: %s: the function has returned: register it while it runs", what)
	}
}

// Router returns r as a [fiber.Router], for code that takes one. Its groups are of
// the same kind.
func (r *Routes) Router() fiber.Router { return fiberRouter{Routes: r} }

type fiberRouter struct {
	*Routes
	newer
}

// newer is nil: a method of a newer Fiber panics, and registers nothing without a check.
type newer struct{ fiber.Router }

// Name is behind the route that it names.
func (r fiberRouter) Name(name string) fiber.Router {
	r.router.Name(r.of.Name(name).FullName())
	return r
}

func (r fiberRouter) Domain(host string) fiber.Router {
	r.of.Fail("Domain %s: the router of Routes is for all hosts: give In the router that app.Domain returns", host)
	return nil
}

func (r fiberRouter) Group(prefix string, handlers ...any) fiber.Router {
	return r.Routes.Group(prefix, handlers...).Router()
}
