package versohttp

import (
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
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
// exists already, if a handler is nil, and if the name is that of another path with
// the same parameters. They may be called while requests are served.
//
// [New] returns one; the zero Routes is not valid.
type Routes struct {
	*bound
	prefix     string
	namespace  string
	name       string
	options    []verso.RouteOption
	middleware []func(http.Handler) http.Handler
	after      []func(http.Handler) http.Handler
	rewriter   verso.Rewriter // nil: bodies stay
	each       bool
}

// ServeHTTP serves all routes of the ServeMux.
func (r *Routes) ServeHTTP(w http.ResponseWriter, req *http.Request) { r.mux.ServeHTTP(w, req) }

// Link builds the URL of a named route outside a request, for a job or a mail,
// in the version of the target. It is relative unless the links have an origin.
// The errors are those of [adapter.Binding.Link].
func (r *Routes) Link(target verso.Target) (string, error) { return r.seam.Link(target) }

// Explain returns the configuration, what each kind of request gets, the routes that v
// has registered, and possible mistakes: see [adapter.Binding.Explain]. A ServeMux does
// not list the routes that other code registers.
func (r *Routes) Explain() *verso.Explanation { return r.seam.Explain() }

// SetTestVersion returns a copy of a request that has a version as if it had been checked,
// for a test that calls a handler without the check: [Version], [Link] and
// [ContentType] work then. It fails with [verso.ErrUnknownVersion] if the API does not
// serve the version.
func (r *Routes) SetTestVersion(req *http.Request, version verso.Version) (*http.Request, error) {
	k := r.newState(nil, req)
	if err := r.seam.SetTestVersion(k, version); err != nil {
		return nil, err
	}
	return req.WithContext(k), nil
}

func (r *Routes) with(change func(*Routes)) *Routes {
	changed := *r
	change(&changed)
	return &changed
}

// Group puts the prefix before the path of all patterns, behind the one that r has:
// "GET /users" in "/v1" is "GET /v1/users", and "GET" is "GET /v1". The middleware, the outermost first, is
// around the routes, before the check. It panics if prefix is neither empty nor begins
// with a slash and ends without one.
func (r *Routes) Group(prefix string, middleware ...func(http.Handler) http.Handler) *Routes {
	if prefix != "" && prefix[0] != '/' || strings.HasSuffix(prefix, "/") {
		r.fail("Group %q: write the prefix like \"/v1\"", prefix)
	}
	if len(middleware) > 0 {
		r = r.With(r.seam.Track())
	}
	return r.with(func(g *Routes) {
		g.prefix, g.middleware = r.prefix+prefix, slices.Concat(r.middleware, middleware)
	})
}

// AfterCheck adds middleware that runs after the check, where the version is known: a
// limit or a cache for each version.
func (r *Routes) AfterCheck(middleware ...func(http.Handler) http.Handler) *Routes {
	return r.With(r.seam.Track()).with(func(g *Routes) {
		g.after = slices.Concat(r.after, middleware, []func(http.Handler) http.Handler{joinVary})
	})
}

// joinVary makes the Vary field one line before the handler runs: see [verso.AddVary].
func joinVary(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		verso.AddVary(w.Header())
		next.ServeHTTP(w, req)
	})
}

// Namespace puts the routes into a namespace, within the one that r has: "v1" in "api"
// is "api:v1". It panics if namespace is empty.
func (r *Routes) Namespace(namespace string) *Routes {
	if namespace == "" {
		r.fail(`Namespace needs a name, such as "v1"`)
	}
	return r.with(func(g *Routes) { g.namespace = route.Join(r.namespace, namespace) })
}

// Name gives the routes a name. Several routes may share a name if they have the same
// path, or different parameters.
func (r *Routes) Name(name string) *Routes {
	return r.with(func(g *Routes) { g.name = name })
}

// With adds options. Of several options of one kind, the last one applies.
func (r *Routes) With(options ...verso.RouteOption) *Routes {
	if len(options) == 0 {
		return r
	}
	return r.with(func(g *Routes) { g.options = slices.Concat(r.options, options, []verso.RouteOption{r.seam.Track()}) })
}

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
	pattern = r.full(pattern)
	chains := make(verso.Handlers[http.Handler], len(handlers))
	for version, handler := range handlers {
		if chains[version] = nil; !isNil(handler) {
			chains[version] = r.around(pattern, handler, r.after)
		}
	}
	pick, option, err := adapter.Picker(chains, r.seam.Binding)
	if err != nil {
		r.fail("route %s: %w", pattern, err)
	}
	r.With(option).add(pattern, pick)
}

// HandleFunc registers a route: see [Routes.Handle].
func (r *Routes) HandleFunc(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	r.Handle(pattern, http.HandlerFunc(handler))
}

// Handle registers a route, by a pattern of [http.ServeMux]: "GET /users/{id}". In a group,
// a method alone ("GET") is for the path of the group itself, and "" is that path for any
// method. It panics if the method is not in upper case, since no client would send it.
func (r *Routes) Handle(pattern string, handler http.Handler) {
	pattern = r.full(pattern)
	if isNil(handler) {
		r.fail("route %s: the handler is nil: give it one", pattern)
	}
	last := r.around(pattern, handler, r.after)
	r.add(pattern, func(*verso.Result) http.Handler { return last })
}

// add registers a route. pick picks the handler of a version.
func (r *Routes) add(pattern string, pick func(*verso.Result) http.Handler) {
	forms, as := r.forms(pattern)
	for _, form := range forms {
		form = strings.Clone(form) // see identityOf
		added := r.note(form, as)
		check := http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			var call adapter.Call
			call.Request.SetHTTP(req, req, added.Route())
			_ = r.seam.HandleVersions(r.newState(w, req), &call, pick) // net/http has no errors
		})
		r.own.Store(identityOf(form), true)
		r.mux.Handle(form, r.around(form, check, r.middleware))
	}
}

// LinkOnly gives the name to a path, or to a host and a path, that links can lead to
// although v does not serve it: another server or another handler does.
//
//	v.Name("avatar").LinkOnly("static.example.com/avatars/{id}")
//
// It panics without a name, and as [Routes.Handle] does, except that the pattern may
// conflict with another.
func (r *Routes) LinkOnly(pattern string) {
	if r.name == "" {
		r.fail(`LinkOnly %q needs a name: write v.Name("avatar").LinkOnly(...)`, pattern)
	}
	forms, as := r.forms(r.full(pattern))
	for _, form := range forms {
		r.note(form, as)
	}
}

// full returns the pattern with the prefix in it. A method alone, or nothing, is for the
// path of the group itself.
func (r *Routes) full(pattern string) string {
	if method, _, ok := strings.Cut(strings.ReplaceAll(pattern, "\t", " "), " "); ok && method != strings.ToUpper(method) {
		r.fail("route %s: HTTP methods are in upper case: write %s", pattern, strings.Replace(pattern, method, strings.ToUpper(method), 1))
	}
	before, path, found := strings.Cut(pattern, "/")
	switch {
	case found:
		return before + r.prefix + "/" + path
	case r.prefix != "" && strings.Trim(pattern, "ABCDEFGHIJKLMNOPQRSTUVWXYZ \t") == "":
		return strings.TrimSpace(strings.TrimSpace(pattern) + " " + r.prefix)
	}
	return pattern // is none
}

// note records a route in the binding.
func (r *Routes) note(pattern, as string) *adapter.Registration {
	described := mustRead(pattern)
	described.RegisteredPath, described.Rewriter = as, r.rewriter
	described.Name = route.Join(r.namespace, r.name)
	added, err := r.seam.Add(described, r.options...)
	if err != nil {
		r.fail("route %s: %w", pattern, err)
	}
	return added
}

// around puts middleware around a handler, the first one outermost.
func (r *Routes) around(pattern string, handler http.Handler, middleware []func(http.Handler) http.Handler) http.Handler {
	for _, wrap := range slices.Backward(middleware) {
		if wrap == nil {
			r.fail("route %s: a middleware is nil: give it one", pattern)
		}
		handler = wrap(handler)
	}
	return handler
}

func isNil(handler http.Handler) bool {
	value := reflect.ValueOf(handler)
	return handler == nil || (value.Kind() == reflect.Func || value.Kind() == reflect.Pointer) && value.IsNil()
}

func (*bound) fail(format string, args ...any) { panic(fmt.Errorf("versohttp: "+format, args...)) }
