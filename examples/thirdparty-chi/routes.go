package versochi

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
)

// Handlers is a handler for each version: see [Routes.HandleVersions] and [verso.Handlers].
type Handlers = verso.Handlers[http.HandlerFunc]

// Routes registers routes that carry the check of the version. The methods that
// return Routes return a copy that says more of the routes registered with it. Those
// that register panic when an option contradicts another, when the route is there
// already, and when a handler is nil.
type Routes struct {
	*shared
	router    chi.Router
	mount     string // where router is
	prefix    string // within router
	namespace string
	name      string
	options   []verso.RouteOption
	after     chi.Middlewares
	each      bool
}

func (v *Routes) with(change func(*Routes)) *Routes {
	changed := *v
	change(&changed)
	return &changed
}

// Group returns a group under a prefix. Its middleware runs before the check.
func (v *Routes) Group(prefix string, middleware ...func(http.Handler) http.Handler) *Routes {
	return v.with(func(g *Routes) { g.router, g.prefix = v.router.With(middleware...), v.prefix+prefix })
}

// In returns the same for a subrouter that is mounted under a prefix.
func (v *Routes) In(prefix string, router chi.Router) *Routes {
	return v.with(func(g *Routes) { g.router, g.mount, g.prefix = router, prefix, "" })
}

// AfterCheck adds middleware that runs behind the check, where the version is known.
func (v *Routes) AfterCheck(middleware ...func(http.Handler) http.Handler) *Routes {
	return v.With(v.seam.Track()).with(func(g *Routes) { g.after = slices.Concat(v.after, middleware, chi.Middlewares{joinVary}) })
}

// joinVary makes the Vary field one line before the handler runs.
func joinVary(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		verso.AddVary(w.Header())
		next.ServeHTTP(w, r)
	})
}

// Namespace puts the routes into a namespace, within the one that v has.
func (v *Routes) Namespace(namespace string) *Routes {
	if namespace == "" {
		panic(`versochi: Namespace needs a name, such as "v1"`)
	}
	return v.with(func(g *Routes) { g.namespace = route.Join(v.namespace, namespace) })
}

// Name gives the routes a name, for links.
func (v *Routes) Name(name string) *Routes { return v.with(func(g *Routes) { g.name = name }) }

// With adds options, such as [verso.Since].
func (v *Routes) With(options ...verso.RouteOption) *Routes {
	if len(options) == 0 {
		return v
	}
	return v.with(func(g *Routes) { g.options = slices.Concat(v.options, options, []verso.RouteOption{v.seam.Track()}) })
}

// Since says that a version and those after it have the routes: see [verso.Since].
func (v *Routes) Since(version string) *Routes { return v.With(verso.Since(version)) }

// RemovedIn says that a version and those after it do not have the routes: see
// [verso.RemovedIn].
func (v *Routes) RemovedIn(version string) *Routes { return v.With(verso.RemovedIn(version)) }

// Neutral makes the routes version-neutral: see [verso.Neutral].
func (v *Routes) Neutral() *Routes { return v.With(verso.Neutral()) }

// EachVersion returns a group whose routes are also under the prefix of each version:
// see [verso.PathPrefix].
func (v *Routes) EachVersion(middleware ...func(http.Handler) http.Handler) *Routes {
	return v.Group("", middleware...).with(func(g *Routes) { g.each = true })
}

// MethodFunc registers a route: see [chi.Router]. method is "" for any method.
func (v *Routes) MethodFunc(method, pattern string, handler http.HandlerFunc) {
	described := v.describe(method, pattern)
	if handler == nil {
		fail(&described, errors.New("the handler is nil: give it one"))
	}
	next := v.after.HandlerFunc(handler)
	v.add(described, func(*verso.Result) http.Handler { return next })
}

func (v *Routes) describe(method, pattern string) route.Route {
	return route.Route{Method: method, Path: v.mount + v.prefix + pattern, Name: route.Join(v.namespace, v.name)}
}

// add registers a route. pick picks the handler of a version.
func (v *Routes) add(described route.Route, pick func(*verso.Result) http.Handler) {
	for _, form := range v.forms(&described) {
		described.Path, described.Pattern = form, route.Braces(form)
		registration, err := v.seam.Add(described, v.options...)
		if err != nil {
			fail(&described, err)
		}
		form, handler := strings.TrimPrefix(form, v.mount), &check{v.shared, registration, pick}
		if described.Method == "" {
			v.router.Handle(form, handler)
		} else {
			v.router.Method(described.Method, form, handler)
		}
	}
}

// forms returns the paths under which a route is registered.
func (v *Routes) forms(described *route.Route) []string {
	if !v.each {
		return []string{described.Path}
	}
	if v.mount != "" {
		fail(described, errors.New("a subrouter has one prefix: use Group behind EachVersion"))
	}
	described.RegisteredPath = described.Path
	forms, err := v.seam.Forms(described.RegisteredPath, v.options...)
	if err != nil {
		fail(described, err)
	}
	return forms
}

func fail(described *route.Route, err error) {
	panic(fmt.Errorf("versochi: route %s %s: %w", described.Method, described.Path, err))
}

// HandleVersions registers a route that has a handler for each version.
func (v *Routes) HandleVersions(method, pattern string, handlers Handlers) {
	described, chains := v.describe(method, pattern), make(verso.Handlers[http.Handler], len(handlers))
	for version, handler := range handlers {
		if chains[version] = nil; handler != nil {
			chains[version] = v.after.HandlerFunc(handler)
		}
	}
	pick, option, err := adapter.Picker(chains, v.seam.Binding)
	if err != nil {
		fail(&described, err)
	}
	v.With(option).add(described, pick)
}

// RegisterVersions registers what several versions have on the same paths, such as the generated
// servers of v1 and v2 behind a header: for each method and path a route with a handler
// for each version, as HandleVersions does. Each function gets a router that only takes note of
// routes.
func (v *Routes) RegisterVersions(versions map[string]func(chi.Router)) {
	err := adapter.RouteJoiner[chi.Router, http.HandlerFunc]{Record: record, Rename: rename, Add: func(first route.Route, handlers map[string]http.HandlerFunc) {
		v.HandleVersions(first.Method, first.Path, handlers)
	}}.Join(v.seam.Binding, versions)
	if err != nil {
		panic(fmt.Errorf("versochi: RegisterVersions: %w", err))
	}
}

func record(register func(chi.Router), note func(route.Route, http.HandlerFunc)) {
	router := chi.NewRouter()
	register(router)
	_ = chi.Walk(router, func(method, pattern string, handler http.Handler, middleware ...func(http.Handler) http.Handler) error {
		described := route.Route{Method: method, Path: pattern, Pattern: route.Braces(pattern)}
		if own, ok := handler.(http.HandlerFunc); ok && own == nil {
			fail(&described, errors.New("the handler is nil: give it one"))
		}
		note(described, chi.Chain(middleware...).Handler(handler).ServeHTTP)
		return nil
	})
}

// rename gives path parameters their names in a version while its handler runs.
func rename(handler http.HandlerFunc, from, to []string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		params := &chi.RouteContext(r.Context()).URLParams
		before := params.Keys
		params.Keys = slices.Clone(before)
		defer func() { params.Keys = before }()
		for i, name := range before {
			if at := slices.Index(from, name); at >= 0 {
				params.Keys[i] = to[at]
			}
		}
		handler(w, r)
	}
}

// Middleware returns a middleware that checks the routes behind it that others register:
// for [chi.Router.With] or within Group, where chi knows the route. In front of that, as
// by Use, it panics. A route of v decides for itself, behind all middleware: what runs
// between the two sees neither its version nor a rejection, which [Routes.AfterCheck]
// does.
func (v *Routes) Middleware() func(http.Handler) http.Handler {
	v.seam.NoteMiddleware(nil)
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			matched := chi.RouteContext(r.Context())
			if len(matched.RoutePatterns) == 0 {
				panic("versochi: the middleware is in front of the routes: install it by With or within Group, not by Use")
			}
			pattern := strings.ReplaceAll(strings.Join(matched.RoutePatterns, ""), "/*/", "/")
			at, certain := v.seam.Lookup("", matched.RouteMethod, pattern)
			if !certain { // chi has matched a route of this method
				at = v.seam.Matched(route.Route{Method: matched.RouteMethod, Path: pattern})
			}
			if at == nil { // which decides for itself
				next.ServeHTTP(w, r)
				return
			}
			var call adapter.Call
			call.Request.SetHTTP(r, r, at)
			_ = v.seam.CheckForeign(v.newState(w, r), &call, next)
		})
	}
}

// NotFound returns a handler for [chi.Router.NotFound] and MethodNotAllowed: it
// answers requests for a version that is unknown or has ended, and leaves others to
// next.
func (v *Routes) NotFound(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var call adapter.Call
		call.Request.SetHTTP(r, r, nil)
		if rejected, _ := v.seam.CheckUnmatched(v.newState(w, r), &call, r.URL.EscapedPath()); !rejected {
			next(w, r)
		}
	}
}

// Link builds the URL of a route outside of a request: see [adapter.Binding.Link].
func (v *Routes) Link(target verso.Target) (string, error) { return v.seam.Link(target) }

// Explain says what is configured: see [adapter.Binding.Explain].
func (v *Routes) Explain() *verso.Explanation { return v.seam.Explain() }

// SetTestVersion returns a copy of a request that has a version as if it had been
// checked, for a test that calls a handler alone.
func (v *Routes) SetTestVersion(r *http.Request, version verso.Version) (*http.Request, error) {
	k := v.newState(nil, r)
	if err := v.seam.SetTestVersion(k, version); err != nil {
		return nil, err
	}
	return r.WithContext(k), nil
}
