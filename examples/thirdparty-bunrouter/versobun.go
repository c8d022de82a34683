// Package versobun installs Verso in bunrouter, whose handlers return errors, by a Seam: it is
// the adapter of adapters/README.md.
//
//	router := bunrouter.New()
//	v := versobun.New(router, api)
//	v.Name("user").Handle("GET", "/:version/users/:id", showUser)
package versobun

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/uptrace/bunrouter"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
)

// Config configures what is bunrouter's own. The zero Config is the default.
type Config struct {
	// Client names who sent a request, for [verso.Observation]. Optional.
	Client func(r bunrouter.Request) string

	// ExemptFromSunset names the requests that no sunset and no brownout rejects. Optional.
	ExemptFromSunset func(r bunrouter.Request) bool

	// ErrorHandler answers a rejected request. Optional.
	ErrorHandler func(w http.ResponseWriter, r *http.Request, rejected *verso.Error, answer *verso.Answer)
}

// Handlers is a handler for each version: see [verso.Handlers].
type Handlers = verso.Handlers[bunrouter.HandlerFunc]

// bound is the [adapter.Router] of a router, which lists no routes.
type bound struct{}

// PathParam decodes what bunrouter cuts from the path: as it was sent, if Go keeps that.
func (bound) PathParam(request any, name string) (value string, ok bool) {
	r := request.(*bunrouter.Request)
	value, ok = r.Params().Get(name)
	if plain, err := url.PathUnescape(value); err == nil && r.URL.RawPath != "" {
		value = plain
	}
	return value, ok
}

// Routes returns nil: bunrouter lists none.
func (bound) Routes() []adapter.Listed { return nil }

// requestState is the context of a checked request.
type requestState struct {
	context.Context //nolint:containedctx // it is one

	binding *adapter.Binding

	w      http.ResponseWriter
	r      bunrouter.Request // that the check was given
	result *verso.Result     // of the check
	outer  *requestState     // of the check that is around this one
	last   atomic.Pointer[verso.Result]
}

func newState(binding *adapter.Binding, w http.ResponseWriter, r bunrouter.Request) *requestState {
	return &requestState{Context: r.Context(), binding: binding, w: w, r: r, outer: stateOf(r)}
}

// load returns what was kept last: by this check, by one behind it, or in front of it.
func (k *requestState) load() *verso.Result {
	if last := k.last.Load(); last != nil || k.outer == nil {
		return last
	}
	return k.outer.load()
}

// keep stores the result in the states of the checks in front as well.
func (k *requestState) keep(result *verso.Result) {
	k.result = result
	for ; k != nil; k = k.outer {
		k.last.Store(result)
	}
}

func (k *requestState) next(next bunrouter.HandlerFunc) error { return next(k.w, k.r.WithContext(k)) }

// fail logs a programming error, of which the client learns nothing, where the server logs.
func (k *requestState) fail(err error) error {
	logger := log.Default()
	if server, ok := k.Value(http.ServerContextKey).(*http.Server); ok && server.ErrorLog != nil {
		logger = server.ErrorLog
	}
	logger.Printf("versobun: determining the version: %q", err.Error())
	http.Error(k.w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
	return nil
}

type contextKey struct{}

// Value returns k to code that asks for the version.
func (k *requestState) Value(key any) any {
	if key == (contextKey{}) {
		return k
	}
	return k.Context.Value(key)
}

func stateOf(r bunrouter.Request) *requestState {
	k, _ := r.Context().Value(contextKey{}).(*requestState)
	return k
}

// resultOf returns nil for a request that was not checked.
func resultOf(r bunrouter.Request) *verso.Result {
	k := stateOf(r)
	if k == nil {
		return nil
	}
	if k.w != nil { // else a test has set the version
		k.binding.NoteStored(k.r.Request, r.Request)
	}
	return k.result
}

// Routes registers routes of a router that have a version check. The methods that return
// Routes return a copy with more options. Those that register a route panic with a mistake.
type Routes struct {
	seam       *adapter.Seam[*requestState, bunrouter.HandlerFunc]
	group      *bunrouter.Group
	groupPath  string // where group is
	prefix     string // within group
	namespace  string
	name       string
	each       bool
	options    []verso.RouteOption
	middleware []bunrouter.MiddlewareFunc
	after      []bunrouter.MiddlewareFunc
}

// New returns the routes of a router. It panics if router or api is nil.
func New(router *bunrouter.Router, api *verso.Versioning, config ...Config) *Routes {
	if router == nil || api == nil {
		panic("versobun: the router or the versioning is nil: check the error of verso.New")
	}
	c := slices.Concat(config, []Config{{}})[0]
	seam := adapter.Seam[*requestState, bunrouter.HandlerFunc]{
		Binding:   adapter.Bind(api, bound{}),
		Load:      (*requestState).load,
		Store:     (*requestState).keep,
		Header:    func(k *requestState) http.Header { return k.w.Header() },
		Next:      (*requestState).next,
		NoContent: func(k *requestState) error { k.w.WriteHeader(http.StatusNoContent); return nil },
		Reject: func(k *requestState, rejected *verso.Error, answer *verso.Answer) error {
			adapter.Respond(k.w, k.r.Request.WithContext(k), rejected, answer, c.ErrorHandler)
			return nil
		},
		Fail:             (*requestState).fail,
		OwnAnswers:       c.ErrorHandler != nil,
		ExemptFromSunset: func(k *requestState) bool { return c.ExemptFromSunset != nil && c.ExemptFromSunset(k.r) },
	}
	if c.Client != nil {
		seam.Client = func(k *requestState) string { return c.Client(k.r.WithContext(k)) }
	}
	return &Routes{seam: adapter.NewSeam(seam), group: &router.Group}
}

func (v *Routes) with(change func(*Routes)) *Routes {
	changed := *v
	change(&changed)
	return &changed
}

func (v *Routes) fail(method, path string, err error) {
	panic(fmt.Errorf("versobun: route %s %s: %w", method, path, err))
}

// Group returns a group under a prefix. Its middleware runs before the check.
func (v *Routes) Group(prefix string, middleware ...bunrouter.MiddlewareFunc) *Routes {
	if len(middleware) > 0 {
		v = v.With() // Explain finds a group that registers nothing
	}
	return v.with(func(g *Routes) {
		g.prefix, g.middleware = v.prefix+prefix, slices.Concat(v.middleware, middleware)
	})
}

// In returns the same for a group of bunrouter, which does not return its prefix.
func (v *Routes) In(prefix string, group *bunrouter.Group) *Routes {
	return v.with(func(g *Routes) { g.group, g.groupPath, g.prefix = group, prefix, "" })
}

// EachVersion returns a group whose routes are also under the prefix of each version.
func (v *Routes) EachVersion(middleware ...bunrouter.MiddlewareFunc) *Routes {
	if err := v.seam.CheckEachVersion(); err != nil {
		panic(fmt.Errorf("versobun: EachVersion: %w", err))
	}
	return v.Group("", middleware...).with(func(g *Routes) { g.each = true })
}

// AfterCheck adds middleware that runs behind the check, where the version is known.
func (v *Routes) AfterCheck(middleware ...bunrouter.MiddlewareFunc) *Routes {
	return v.With().with(func(g *Routes) {
		g.after = slices.Concat(v.after, middleware, []bunrouter.MiddlewareFunc{joinVary})
	})
}

// joinVary makes the Vary field one line before the handler runs.
func joinVary(next bunrouter.HandlerFunc) bunrouter.HandlerFunc {
	return func(w http.ResponseWriter, r bunrouter.Request) error {
		verso.AddVary(w.Header())
		return next(w, r)
	}
}

// Namespace puts the routes into a namespace, within the one that v has.
func (v *Routes) Namespace(namespace string) *Routes {
	if namespace == "" {
		panic(`versobun: Namespace needs a name, such as "v1"`)
	}
	return v.with(func(g *Routes) { g.namespace = route.Join(v.namespace, namespace) })
}

// Name gives the routes a name, for links.
func (v *Routes) Name(name string) *Routes { return v.with(func(g *Routes) { g.name = name }) }

// With adds options, such as [verso.Since].
func (v *Routes) With(options ...verso.RouteOption) *Routes {
	return v.with(func(g *Routes) {
		g.options = slices.Concat(v.options, options, []verso.RouteOption{v.seam.Track()})
	})
}

// Since limits the routes to a version and later ones: see [verso.Since].
func (v *Routes) Since(version string) *Routes { return v.With(verso.Since(version)) }

// RemovedIn removes the routes from a version and later ones: see [verso.RemovedIn].
func (v *Routes) RemovedIn(version string) *Routes { return v.With(verso.RemovedIn(version)) }

// Neutral makes the routes version-neutral: see [verso.Neutral].
func (v *Routes) Neutral() *Routes { return v.With(verso.Neutral()) }

// Handle registers a route for a method, "" for any that bunrouter has.
func (v *Routes) Handle(method, path string, handler bunrouter.HandlerFunc) {
	if handler == nil {
		v.fail(method, path, errors.New("the handler is nil: give it one"))
	}
	handler = around(handler, v.after)
	v.add(method, path, func(*verso.Result) bunrouter.HandlerFunc { return handler })
}

// HandleVersions registers a route that has a handler for each version.
func (v *Routes) HandleVersions(method, path string, handlers Handlers) {
	chains := make(Handlers, len(handlers))
	for version, handler := range handlers {
		if chains[version] = nil; handler != nil {
			chains[version] = around(handler, v.after)
		}
	}
	pick, option, err := adapter.Picker(chains, v.seam.Binding)
	if err != nil {
		v.fail(method, path, err)
	}
	v.With(option).add(method, path, pick)
}

// around puts middleware around a handler, the first one outermost.
func around(handler bunrouter.HandlerFunc, middleware []bunrouter.MiddlewareFunc) bunrouter.HandlerFunc {
	for _, wrap := range slices.Backward(middleware) {
		handler = wrap(handler)
	}
	return handler
}

// add registers a route, at each of its paths. pick picks the handler of a version.
func (v *Routes) add(method, path string, pick func(*verso.Result) bunrouter.HandlerFunc) {
	at := route.Route{Path: v.groupPath + v.prefix + path, Name: route.Join(v.namespace, v.name), AnyMethod: method == ""}
	forms, methods := []string{at.Path}, []string{method}
	if v.each {
		var err error
		if forms, err = v.seam.Forms(at.Path, v.options...); err != nil {
			v.fail(method, at.Path, err)
		}
		at.RegisteredPath = at.Path
	}
	if method == "" {
		methods = anyMethod
	}
	for _, at.Path = range forms {
		at.Pattern = route.Colons(at.Path)
		for _, at.Method = range methods {
			registration, err := v.seam.Add(at, v.options...)
			if err != nil {
				v.fail(at.Method, at.Path, err)
			}
			check := &check{v.seam, registration, pick}
			v.group.Handle(at.Method, strings.TrimPrefix(at.Path, v.groupPath), around(check.serve, v.middleware))
		}
	}
}

// anyMethod are the methods that bunrouter has.
var anyMethod = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}

// check is the end of a route.
type check struct {
	seam         *adapter.Seam[*requestState, bunrouter.HandlerFunc]
	registration *adapter.Registration
	pick         func(*verso.Result) bunrouter.HandlerFunc // of a version
}

func (c *check) serve(w http.ResponseWriter, r bunrouter.Request) error {
	k := newState(c.seam.Binding, w, r)
	var call adapter.Call
	call.Request.SetHTTP(r.Request, &k.r, c.registration.Route())
	return c.seam.HandleVersions(k, &call, c.pick)
}

// NotFound returns a handler for bunrouter's 404 and 405. It answers requests for a version that is
// unknown or has ended, and leaves others to next.
func (v *Routes) NotFound(next bunrouter.HandlerFunc) bunrouter.HandlerFunc {
	return func(w http.ResponseWriter, r bunrouter.Request) error {
		k := newState(v.seam.Binding, w, r)
		var call adapter.Call
		call.Request.SetHTTP(r.Request, &k.r, nil)
		if rejected, err := v.seam.CheckUnmatched(k, &call, r.URL.EscapedPath()); rejected {
			return err
		}
		return next(w, r)
	}
}

// Link builds the URL of a route outside a request: see [adapter.Binding.Link].
func (v *Routes) Link(target verso.Target) (string, error) { return v.seam.Link(target) }

// Explain returns what is configured: see [adapter.Binding.Explain].
func (v *Routes) Explain() *verso.Explanation { return v.seam.Explain() }

// SetTestVersion returns a copy of a request that has a version as if it had been checked.
func (v *Routes) SetTestVersion(r bunrouter.Request, version verso.Version) (bunrouter.Request, error) {
	k := newState(v.seam.Binding, nil, r)
	err := v.seam.SetTestVersion(k, version)
	return r.WithContext(k), err
}

// AsSent returns a handler in front of the router, which panics at the byte 0 in a path: the
// router then matches the path as it was sent.
func AsSent(router http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.ContainsRune(r.URL.Path, 0) {
			r.URL.RawPath = r.URL.EscapedPath()
		}
		router.ServeHTTP(w, r)
	})
}

// Version returns the version of the request, the zero Version if it has none.
func Version(r bunrouter.Request) verso.Version { return resultOf(r).Version() }

// AtLeast reports whether the version of the request is the given one or a later one.
func AtLeast(r bunrouter.Request, version string) bool { return resultOf(r).AtLeast(version) }

// ContentType returns the vendor media type of a response: see [verso.Result.ContentType].
func ContentType(r bunrouter.Request, resource string) (string, error) {
	return resultOf(r).ContentType(resource)
}

// InContext is a middleware for AfterCheck, behind which [verso.FromContext] finds the result.
func InContext(next bunrouter.HandlerFunc) bunrouter.HandlerFunc {
	return func(w http.ResponseWriter, r bunrouter.Request) error {
		var request source.Request
		request.SetHTTP(r.Request, &r, nil)
		return next(w, r.WithContext(adapter.NewContext(resultOf(r), request)))
	}
}

// Link builds the URL of a named route in the version of the request: see [verso.Result.Link].
func Link(r bunrouter.Request, target verso.Target) (string, error) {
	var request source.Request
	request.SetHTTP(r.Request, &r, nil)
	return adapter.LinkFor(resultOf(r), request, target)
}

// Param returns a path parameter, percent-decoded once, and "" if there is none.
func Param(r bunrouter.Request, name string) string {
	value, _ := bound{}.PathParam(&r, name)
	return value
}
