// Package versogorilla installs Verso in gorilla/mux, by package overhttp: it registers routes
// that know their API version, and builds links that stay in it.
//
//	r := mux.NewRouter()
//	v := versogorilla.New(r, api, versogorilla.Config{})
//	v.Name("user").HandleFunc("GET", "/{version}/users/{id}", showUser)
//
// Call New before you register routes: it lets the router match the path as it was sent, so
// that a slash in a value is not one of the path. [http.Request.PathValue] returns the values
// decoded.
package versogorilla

import (
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/gorilla/mux"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/adapter/overhttp"
	"github.com/goverso/verso/core/route"
)

// Config configures what is the router's own. Each field is as in package versohttp.
type Config struct {
	Skipper          func(r *http.Request) bool
	Client           func(r *http.Request) string
	ErrorHandler     func(w http.ResponseWriter, r *http.Request, err *verso.Error, answer *verso.Answer)
	ExemptFromSunset func(r *http.Request) bool
}

// Handlers is a handler for each version.
type Handlers = verso.Handlers[http.HandlerFunc]

// Routes registers routes of a router that have a version check. The methods that return
// Routes return a copy with more options. Registering panics for a route that is registered twice,
// and for EachVersion beside a route with a parameter in the place of the version.
type Routes struct {
	over       overhttp.Group
	root       *mux.Router
	router     *mux.Router
	mount      string // where router is
	prefix     string // within router
	middleware []overhttp.Middleware
}

// New returns the routes of a router. It panics if router or api is nil.
func New(router *mux.Router, api *verso.Versioning, config Config) *Routes {
	if router == nil || api == nil {
		panic("versogorilla: the router or the versioning is nil: check the error of verso.New")
	}
	router.UseEncodedPath()
	over := overhttp.New("versogorilla", api, bound{router}, overhttp.Config(config))
	return &Routes{over: over, root: router, router: router}
}

// bound is the [adapter.Router] of a router.
type bound struct{ router *mux.Router }

// PathParam decodes what mux cuts from the path as it was sent.
func (bound) PathParam(request any, name string) (value string, ok bool) {
	value, ok = mux.Vars(request.(*http.Request))[name]
	if plain, err := url.PathUnescape(value); err == nil {
		value = plain
	}
	return value, ok
}

// Routes lists the routes of the router and its subrouters.
func (b bound) Routes() (all []adapter.Listed) {
	walk(b.router, func(at route.Route, handler http.Handler, _ *mux.Router) {
		listed := adapter.Listed{Route: at}
		if own, ok := handler.(*checked); ok {
			listed.Registration = own.check.Registration // wherever its router is
		}
		if handler != nil {
			all = append(all, listed)
		}
	})
	return all
}

// walk calls found with the routes of a router, and with those of its subrouters, which have no
// handler themselves.
func walk(router *mux.Router, found func(at route.Route, handler http.Handler, within *mux.Router)) {
	_ = router.Walk(func(r *mux.Route, within *mux.Router, _ []*mux.Route) error {
		path, _ := r.GetPathTemplate()
		methods, _ := r.GetMethods()
		for _, method := range slices.Concat(methods, []string{""})[:max(1, len(methods))] {
			found(route.Route{Method: method, Path: path, Pattern: patternOf(path)}, r.GetHandler(), within)
		}
		return nil
	})
}

// patternOf reads the path of a route: a parameter that takes any text is the rest of the path.
func patternOf(path string) route.Pattern {
	return route.Braces(strings.ReplaceAll(path, ":.*}", "...}"))
}

func (v *Routes) with(group adapter.Group[overhttp.Middleware]) *Routes {
	changed := *v
	changed.over.Group = group
	return &changed
}

// Group returns a group under a prefix. Its middleware runs before the check.
func (v *Routes) Group(prefix string, middleware ...func(http.Handler) http.Handler) *Routes {
	g := v.with(v.over.Group)
	if len(middleware) > 0 {
		g = v.with(v.over.Tracked())
	}
	g.prefix, g.middleware = v.prefix+prefix, slices.Concat(v.middleware, middleware)
	return g
}

// In returns the same for a subrouter of mux that is under a prefix.
func (v *Routes) In(prefix string, router *mux.Router) *Routes {
	v.over.Need("In "+prefix, router)
	g := v.with(v.over.Group)
	g.router, g.mount, g.prefix = router, prefix, ""
	return g
}

// EachVersion returns a group whose routes are also under the prefix of each version.
func (v *Routes) EachVersion(middleware ...func(http.Handler) http.Handler) *Routes {
	g := v.Group("", middleware...)
	return g.with(g.over.EachVersion())
}

// AfterCheck adds middleware that runs behind the check, where the version is known.
func (v *Routes) AfterCheck(middleware ...func(http.Handler) http.Handler) *Routes {
	return v.with(v.over.AfterCheck(middleware...))
}

// Rewrite rewrites the bodies of older versions.
func (v *Routes) Rewrite(rewriter verso.Rewriter) *Routes { return v.with(v.over.Rewrite(rewriter)) }

// RewriteErrors returns the middleware for what Rewrite rewrites, in front of what answers panics.
func (v *Routes) RewriteErrors() func(http.Handler) http.Handler { return v.over.RewriteErrors() }

// Namespace puts the routes into a namespace, within the one that v has.
func (v *Routes) Namespace(namespace string) *Routes { return v.with(v.over.Namespace(namespace)) }

// Name gives the routes a name, for links.
func (v *Routes) Name(name string) *Routes { return v.with(v.over.Name(name)) }

// With adds options, such as [verso.Since].
func (v *Routes) With(options ...verso.RouteOption) *Routes { return v.with(v.over.With(options...)) }

// Neutral makes the routes version-neutral: see [verso.Neutral].
func (v *Routes) Neutral() *Routes { return v.With(verso.Neutral()) }

// Since limits the routes to a version and later ones: see [verso.Since].
func (v *Routes) Since(version string) *Routes { return v.With(verso.Since(version)) }

// RemovedIn removes the routes from a version and later ones: see [verso.RemovedIn].
func (v *Routes) RemovedIn(version string) *Routes { return v.With(verso.RemovedIn(version)) }

// HandleFunc registers a route: see [Routes.Handle].
func (v *Routes) HandleFunc(method, path string, handler http.HandlerFunc) {
	v.Handle(method, path, handler)
}

// Handle registers a route for a method, "" for any. path is in the syntax of mux; the rest of a
// path is {name:.*}.
func (v *Routes) Handle(method, path string, handler http.Handler) {
	what, at := v.describe(method, path)
	v.add(what, at, v.over.Handler(what, handler))
}

// HandleVersions registers a route that has a handler for each version.
func (v *Routes) HandleVersions(method, path string, handlers Handlers) {
	what, at := v.describe(method, path)
	group, pick := overhttp.Versions(v.over, what, handlers)
	v.with(group).add(what, at, pick)
}

// describe returns the route of a method and a path, and its text for panics.
func (v *Routes) describe(method, path string) (what string, at route.Route) {
	at = route.Route{Method: method, Path: v.mount + v.prefix + path}
	return strings.TrimLeft(at.Method+" "+at.Path, " "), at
}

// add registers a route. pick picks the handler of a version.
func (v *Routes) add(what string, at route.Route, pick overhttp.Pick) {
	var forms []string
	forms, at.RegisteredPath = v.over.Forms(what, at.Path)
	for _, form := range forms {
		within, ok := strings.CutPrefix(form, v.mount)
		if !ok {
			v.over.Fail("route %s: %s is not below %s: use Group behind EachVersion", what, form, v.mount)
		}
		at.Path, at.Pattern = escaped(form), patternOf(form)
		check := v.over.Add(what, at, pick)
		added := v.router.Path(escaped(within)).Handler(&checked{check, v.over.Around(what, check, v.middleware)})
		if at.Method != "" {
			added.Methods(at.Method)
		}
		v.over.Must("route "+what, added.GetError())
	}
}

// escaped writes the text of a path as clients send it, with which mux compares it.
func escaped(path string) string {
	return textOrParam.ReplaceAllStringFunc(path, func(part string) string {
		if part[0] == '{' {
			return part
		}
		return (&url.URL{Path: part}).EscapedPath()
	})
}

var textOrParam = regexp.MustCompile(`\{[^}]*\}|[^{]+`)

// checked is the handler of a route, by which bound finds its registration.
type checked struct {
	check *overhttp.Check
	next  http.Handler // check, within middleware
}

func (c *checked) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	setValues(r)
	c.next.ServeHTTP(w, r)
}

// setValues sets the path values of a request, which mux does not do.
func setValues(r *http.Request) {
	for name := range mux.Vars(r) {
		value, _ := bound{}.PathParam(r, name)
		r.SetPathValue(name, value)
	}
}

// RegisterVersions registers the routes of several versions on the same paths, such as the
// generated servers of v1 and v2 behind a header. Each function gets a router of its own, whose
// middleware mux does not list: put it around the handlers.
func (v *Routes) RegisterVersions(versions map[string]func(*mux.Router)) {
	v.over.Must("RegisterVersions", adapter.RouteJoiner[*mux.Router, http.HandlerFunc]{
		Record: v.record,
		Rename: rename,
		Add: func(first route.Route, handlers map[string]http.HandlerFunc) {
			v.HandleVersions(first.Method, first.Path, handlers)
		},
	}.Join(v.over.Seam.Binding, versions))
}

func (v *Routes) record(register func(*mux.Router), note func(route.Route, http.HandlerFunc)) {
	scratch := mux.NewRouter()
	register(scratch)
	walk(scratch, func(at route.Route, handler http.Handler, within *mux.Router) {
		if reflect.ValueOf(within).Elem().FieldByName("middlewares").Len() > 0 {
			v.over.Fail("RegisterVersions: the router has middleware, which mux does not list: put it around the handlers")
		}
		if handler != nil {
			v.over.Need("RegisterVersions: "+at.Path, handler)
			note(at, handler.ServeHTTP)
		}
	})
}

// rename gives path parameters their names in a version.
func rename(handler http.HandlerFunc, from, to []string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		vars := make(map[string]string)
		for name, value := range mux.Vars(r) {
			if at := slices.Index(from, name); at >= 0 {
				name = to[at]
			}
			vars[name] = value
		}
		r = mux.SetURLVars(r, vars)
		setValues(r)
		handler(w, r)
	}
}

// Middleware returns a middleware that checks the routes behind it that other code registers:
// for [mux.Router.Use], which runs it once mux has matched the route.
func (v *Routes) Middleware() func(http.Handler) http.Handler {
	v.over.Seam.NoteMiddleware(nil)
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			matched := mux.CurrentRoute(r)
			if matched == nil {
				v.over.Seam.Warn("middleware_apart", "Middleware", "mux has not matched the request yet: give Middleware to Use of a router")
				http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
				return
			}
			setValues(r)
			path, _ := matched.GetPathTemplate()
			method := r.Method
			if methods, _ := matched.GetMethods(); len(methods) == 1 {
				method = methods[0]
			}
			v.over.CheckMatched(w, r, r, method, path, next)
		})
	}
}

// NotFound returns a handler for NotFoundHandler and MethodNotAllowedHandler of the router. It
// answers requests for a version that is unknown or has ended, and the others as mux does, but
// with Allow.
func (v *Routes) NotFound() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		call, rejected := v.over.Unmatched(w, r)
		if rejected {
			return
		}
		var allow []string
		for method := range strings.FieldsSeq("CONNECT DELETE GET HEAD OPTIONS PATCH POST PUT TRACE") {
			asked, match := *r, mux.RouteMatch{}
			if asked.Method = method; v.root.Match(&asked, &match) && match.MatchErr == nil {
				allow = append(allow, method)
			}
		}
		if allow == nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Allow", call.Allow(strings.Join(allow, ", ")))
		w.WriteHeader(http.StatusMethodNotAllowed)
	})
}

// Link builds the URL of a route outside a request: see [adapter.Binding.Link].
func (v *Routes) Link(target verso.Target) (string, error) { return v.over.Seam.Link(target) }

// Explain returns what is configured: see [adapter.Binding.Explain].
func (v *Routes) Explain() *verso.Explanation { return v.over.Seam.Explain() }

// SetTestVersion returns a copy of a request that has a version as if it had been checked.
func (v *Routes) SetTestVersion(r *http.Request, version verso.Version) (*http.Request, error) {
	return v.over.SetTestVersion(r, version)
}

// Version returns the version of the request, the zero Version if it has none.
func Version(r *http.Request) verso.Version { return overhttp.Result(r).Version() }

// AtLeast reports whether the version of the request is the given one or a later one.
func AtLeast(r *http.Request, version string) bool { return overhttp.Result(r).AtLeast(version) }

// ContentType returns the vendor media type of a response: see [verso.Result.ContentType].
func ContentType(r *http.Request, resource string) (string, error) {
	return overhttp.Result(r).ContentType(resource)
}

// InContext is a middleware for AfterCheck, behind which [verso.FromContext] finds the result.
func InContext(next http.Handler) http.Handler { return overhttp.InContext(next) }

// Link builds the URL of a named route in the version of the request: see [verso.Result.Link].
func Link(r *http.Request, target verso.Target) (string, error) { return overhttp.Link(r, target) }
