package versohttp

import (
	"net/http"
	"slices"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/adapter/overhttp"
)

// Routes registers routes of a ServeMux that have a version check. The methods that
// return Routes return a copy with more options for the routes that it registers:
//
//	v := versohttp.New(mux, api)
//	v.Neutral().HandleFunc("GET /status", status)
//	v2 := v.Group("/v2", auth).Namespace("v2")
//	v2.Name("user").HandleFunc("GET /users/{id}", showUser)
//
// Methods that register a route panic if the pattern is invalid or conflicts with
// another, if an option contradicts another or names an unknown version, if the route
// exists already, if a handler is nil, and if another path with the same parameters has the
// name. They may be called while requests are served.
//
// [New] returns one; the zero Routes is not valid.
type Routes struct {
	*bound
	over       overhttp.Group
	prefix     string
	middleware []func(http.Handler) http.Handler
	perRoute   adapter.PerRoute[Routes]
}

// New returns the routes of a ServeMux, whose API versions api determines. It panics
// if mux or api is nil.
func New(mux *http.ServeMux, api *verso.Versioning, config ...Config) *Routes {
	own := adapter.NewConfig("versohttp", "ServeMux", mux == nil || api == nil, config)
	b := &bound{mux: mux} // before the binding: any Explain may ask for it
	over := overhttp.New("versohttp", api, &router{of: b}, overhttp.Config(own))
	over.Routed, b.shared = unrouted, over.Adapter
	return &Routes{bound: b, over: over}
}

// ServeHTTP serves all routes of the ServeMux.
func (r *Routes) ServeHTTP(w http.ResponseWriter, req *http.Request) { r.mux.ServeHTTP(w, req) }

// Link builds the URL of a named route outside a request, for a job or a mail,
// in the version of the target. It is relative unless the links have an origin.
// It returns the errors of [adapter.Binding.Link].
func (r *Routes) Link(target verso.Target) (string, error) { return r.over.Seam.Link(target) }

// Template returns the URI template of the routes with a pattern of a ServeMux, without method
// and host, the same in all versions: "/api/v1/tasks/{id}" and its kind in other versions have
// "/api/{version}/tasks/{id}". It is for what is stored by route: scopes of tokens, rate limits,
// metrics. A pattern without a route is returned as it is.
func (r *Routes) Template(pattern string) string { return r.over.Seam.Template(pattern) }

// Explain returns the configuration, what each kind of request gets, the routes that v
// has registered, and possible mistakes: see [adapter.Binding.Explain]. A ServeMux does
// not list the routes that other code registers: Explain finds only those in the place of a
// route of v, for another method, version or host.
func (r *Routes) Explain() *verso.Explanation { return r.over.Seam.Explain() }

// SetTestVersion returns a copy of a request that has a version as if it had been checked,
// for a test that calls a handler without the check: [Version], [Link] and
// [ContentType] work then. It fails with [verso.ErrUnknownVersion] if the API does not
// serve the version.
func (r *Routes) SetTestVersion(req *http.Request, version verso.Version) (*http.Request, error) {
	return r.over.SetTestVersion(req, version)
}

func (r *Routes) with(group adapter.Group[overhttp.Middleware]) *Routes {
	changed := *r
	changed.over.Group = group
	return &changed
}

// Group puts the prefix before the path of all patterns, behind the prefix of r:
// "GET /users" in "/v1" is "GET /v1/users", and "GET" is "GET /v1". The middleware, the outermost first, is
// around the routes, before the check. It panics if prefix is neither empty nor begins
// with a slash and ends without one.
func (r *Routes) Group(prefix string, middleware ...func(http.Handler) http.Handler) *Routes {
	if prefix != "" && prefix[0] != '/' || strings.HasSuffix(prefix, "/") {
		r.over.Fail("Group %q: write the prefix like \"/v1\"", prefix)
	}
	g := r.with(r.over.Group)
	if len(middleware) > 0 {
		g.over.Group = r.over.Tracked() // Explain finds a group that registers nothing
	}
	g.prefix, g.middleware = r.prefix+prefix, slices.Concat(r.middleware, middleware)
	return g
}

// EachVersion returns a group that registers each route once per version, with the
// same middleware: /api/tags becomes /api/v1/tags and /api/v2/tags. With a
// DefaultVersion, /api/tags itself is registered too, for requests without a version.
// A route Since v2 is not registered under /api/v1: see [adapter.Binding.Forms]. The API
// must read a [verso.PathPrefix]. It panics if the API reads none.
func (r *Routes) EachVersion(middleware ...func(http.Handler) http.Handler) *Routes {
	g := r.Group("", middleware...)
	return g.with(g.over.EachVersion())
}

// NotFound returns a middleware around the ServeMux of v, and around that of
// [Routes.Middleware]. Of the requests that match no route, it rejects those that
// name a version that is unknown or has ended, so that you can delete the routes of
// an ended version: they still get 410. In a path parameter, an unknown version
// counts only where a route has the path: /favicon.ico is none. The ServeMux answers
// the rest, with 404, 405 or a redirect. Or put it around the handler of "/" of the ServeMux,
// which then answers them.
//
//	http.ListenAndServe(":8080", v.NotFound()(mux))
func (r *Routes) NotFound() func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		r.over.Need("NotFound", next)
		return adapter.NoteAround(r.over.Seam.Binding, "NotFound", &notFound{r.bound, next}, r.mux)
	}
}

// PerRoute gives single routes options, such as operations that generated code registers. The
// function gets v, the method, "" for any, and the path behind the prefix of v, with the host in front, and
// returns what registers the route:
//
//	v = v.PerRoute(func(v *versohttp.Routes, method, path string) *versohttp.Routes {
//		if path == "/webhooks/{id}" {
//			return v.Neutral()
//		}
//		return v
//	})
//	apiv1.HandlerFromMux(server, v)
func (r *Routes) PerRoute(choose func(v *Routes, method, path string) *Routes) *Routes {
	g := r.with(r.over.Group)
	g.perRoute = adapter.NewPerRoute(r.over.Group, r.perRoute, r.prefix, choose, perRouteOf)
	return g
}

func perRouteOf(r *Routes) *adapter.PerRoute[Routes] { return &r.perRoute }

// chosen returns what registers a route.
func (r *Routes) chosen(pattern string) *Routes {
	if r.perRoute.IsZero() {
		return r
	}
	full := r.full(pattern)
	at := mustRead(full)
	_, path, _ := strings.Cut(full, "/") // as it is written: a subtree ends with a slash
	return r.perRoute.Of(r.with(r.over.Group), at.Method, at.Host+"/"+path)
}

// AfterCheck adds middleware that runs after the check, where the version is known: a
// limit or a cache for each version.
func (r *Routes) AfterCheck(middleware ...func(http.Handler) http.Handler) *Routes {
	return r.with(r.over.AfterCheck(middleware...))
}

// Namespace puts the routes into a namespace, within the namespace of r: "v1" in "api"
// is "api:v1". It panics if namespace is empty.
func (r *Routes) Namespace(namespace string) *Routes { return r.with(r.over.Namespace(namespace)) }

// Name gives the routes a name. Several routes may share a name if they have the same
// path, or different parameters.
func (r *Routes) Name(name string) *Routes { return r.with(r.over.Name(name)) }

// With adds options. Of several options of one kind, the last one applies.
func (r *Routes) With(options ...verso.RouteOption) *Routes { return r.with(r.over.With(options...)) }

// Neutral makes the routes version-neutral: see [verso.Neutral].
func (r *Routes) Neutral() *Routes { return r.With(verso.Neutral()) }

// Since limits the routes to a version and later ones: see [verso.Since].
func (r *Routes) Since(version string) *Routes { return r.With(verso.Since(version)) }

// RemovedIn removes the routes from a version and later ones: see
// [verso.RemovedIn].
func (r *Routes) RemovedIn(version string) *Routes { return r.With(verso.RemovedIn(version)) }

// HandleVersions registers a route that has a handler for each version, and is in the
// versions that have one. The pattern is that of [Routes.Handle]. Middleware of the route
// runs before the check.
//
//	v.HandleVersions("GET /{version}/bookings", versohttp.Handlers{"v1": listV1, "v3": listV3, "v5": nil})
func (r *Routes) HandleVersions(pattern string, handlers Handlers, middleware ...func(http.Handler) http.Handler) {
	handleVersions(r.Group("", middleware...), pattern, handlers)
}

func handleVersions[H http.Handler](r *Routes, pattern string, handlers map[string]H) {
	r = r.chosen(pattern)
	pattern = r.full(pattern)
	group, pick := overhttp.Versions(r.over, pattern, handlers)
	r.with(group).add(pattern, pick)
}

// HandleFunc registers a route: see [Routes.Handle].
func (r *Routes) HandleFunc(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	r.Handle(pattern, http.HandlerFunc(handler))
}

// Handle registers a route, by a pattern of [http.ServeMux]: "GET /users/{id}". In a group,
// a method alone ("GET") is for the path of the group itself, and "" is that path for any
// method. It panics if the method is not in upper case, since no client would send it.
func (r *Routes) Handle(pattern string, handler http.Handler) {
	r = r.chosen(pattern)
	pattern = r.full(pattern)
	r.add(pattern, r.over.Handler(pattern, handler))
}

// add registers a route. pick picks the handler of a version.
func (r *Routes) add(pattern string, pick overhttp.Pick) {
	forms, as := r.forms(pattern)
	for _, form := range forms {
		form = strings.Clone(form) // see identityOf
		check := r.note(form, as, pick)
		r.own.Store(identityOf(form), true)
		r.mux.Handle(form, r.over.Around(form, check, r.middleware))
	}
}

// forms returns the patterns under which a route is registered, and the path that is
// the same in each, "" for one alone.
func (r *Routes) forms(pattern string) (forms []string, as string) {
	slash := strings.IndexByte(pattern, '/')
	if slash < 0 {
		return []string{pattern}, ""
	}
	forms, as = r.over.Forms(pattern, pattern[slash:])
	for i, form := range forms {
		forms[i] = pattern[:slash] + form
	}
	return forms, as
}

// LinkOnly gives the name to a path, or to a host and a path, that links can lead to
// although v does not serve it: another server or another handler does.
//
//	v.Name("avatar").LinkOnly("static.example.com/avatars/{id}")
//
// It panics without a name, and as [Routes.Handle] does, except that the pattern may
// conflict with another.
func (r *Routes) LinkOnly(pattern string) {
	r = r.chosen(pattern)
	forms, as := r.forms(r.full(pattern))
	for _, form := range forms {
		if !r.note(form, as, nil).Route().HasName() {
			r.over.Fail(`LinkOnly %q needs a name: write v.Name("avatar").LinkOnly(...)`, pattern)
		}
	}
}

// methodNames are the methods that no host is named after.
var methodNames = []string{
	http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut,
	http.MethodPatch, http.MethodDelete, http.MethodOptions,
}

// full returns the pattern with the prefix in it. A method alone, or nothing, is for the
// path of the group itself.
func (r *Routes) full(pattern string) string {
	if method, _, ok := strings.Cut(strings.ReplaceAll(pattern, "\t", " "), " "); ok &&
		method != strings.ToUpper(method) {
		r.over.Fail("route %s: HTTP methods are in upper case: write %s", pattern,
			strings.Replace(pattern, method, strings.ToUpper(method), 1))
	}
	before, path, found := strings.Cut(pattern, "/")
	if found && slices.Contains(methodNames, before) {
		r.over.Fail("route %s: %q would be a host: write %s", pattern, before, before+" /"+path)
	}
	switch {
	case found:
		return before + r.prefix + "/" + path
	case r.prefix != "" && strings.Trim(pattern, "ABCDEFGHIJKLMNOPQRSTUVWXYZ \t") == "":
		return strings.TrimSpace(strings.TrimSpace(pattern) + " " + r.prefix)
	}
	return pattern // is none
}

// note records a route in the binding.
func (r *Routes) note(pattern, as string, pick overhttp.Pick) *overhttp.Check {
	described := mustRead(pattern)
	described.RegisteredPath = as
	return r.over.Add(pattern, described, pick)
}
