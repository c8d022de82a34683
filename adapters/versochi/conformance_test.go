package versochi_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/go-chi/chi/v5"

	"github.com/goverso/verso/adapters/versochi"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
)

func TestConformance(t *testing.T) {
	conformance.Run(t, mount(), limits...)
}

// TestMiddleware runs the suite behind the middleware.
func TestMiddleware(t *testing.T) {
	conformance.Run(t, mount(), append(limits, conformance.BehindMiddleware())...)
}

// TestForeignRoutes registers the routes of which nothing is said with chi.
func TestForeignRoutes(t *testing.T) {
	conformance.Run(t, mount(), append(limits, conformance.ForeignRoutes(false))...)
}

func FuzzServices(f *testing.F) { conformance.FuzzServices(f, overridden()...) }

func FuzzRequests(f *testing.F) { conformance.FuzzRequests(f, overridden()...) }

// overridden returns mounts, with the middleware or without, in which clients may set
// another method.
func overridden() (mounts []conformance.Mount) {
	override := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if method := r.Header.Get("X-HTTP-Method-Override"); method != "" {
				r.Method = method
			}
			next.ServeHTTP(w, r)
		})
	}
	for _, outermost := range [][]func(http.Handler) http.Handler{nil, {override}} {
		for times := range 2 {
			mounts = append(mounts, func(tb testing.TB, app conformance.App) *conformance.Server {
				tb.Helper()
				app.Middleware = times
				return mount(outermost...)(tb, app)
			})
		}
	}
	return mounts
}

// mount mounts applications on chi, within middleware.
func mount(outermost ...func(http.Handler) http.Handler) conformance.Mount {
	return func(tb testing.TB, app conformance.App) *conformance.Server {
		tb.Helper()
		return mountOn(tb, app, outermost)
	}
}

func mountOn(tb testing.TB, app conformance.App, outermost []func(http.Handler) http.Handler) *conformance.Server {
	tb.Helper()
	chi.RegisterMethod("PURGE") // one of the suite's methods that chi does not know
	r := chi.NewRouter()
	var config versochi.Config
	if app.ExemptFromSunset != "" {
		config.ExemptFromSunset = func(r *http.Request) bool { return r.Header.Get(app.ExemptFromSunset) != "" }
	}
	if app.Client != nil {
		config.Client = func(r *http.Request) string {
			return app.Client(conformance.Step{Version: versochi.Version(r), Header: r.Header.Get, Param: func(name string) string { return versochi.Param(r, inChi(name)) }})
		}
	}
	if app.ErrorHandler != nil {
		config.ErrorHandler = func(w http.ResponseWriter, _ *http.Request, rejected *verso.Error, answer *verso.Answer) {
			app.ErrorHandler(rejected, answer).Write(w)
		}
	}
	r.Use(outermost...)
	v := versochi.New(r, app.API, config)
	if app.RewriteErrors {
		r.Use(v.RewriteErrors())
	}
	if app.RewriteErrorsUnused {
		v.RewriteErrors()
	}
	if app.Around != nil {
		r.Use(func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_ = app.Around(func() error { next.ServeHTTP(w, r); return nil }, conformance.WriteTo(w))
			})
		})
	}
	adapt := middlewareOf(v)
	r.Use(conformance.Adapt(app.Before, adapt)...)
	inner := chi.Router(r)
	for range app.Middleware {
		inner = inner.With(v.Middleware())
	}
	inner = inner.With(conformance.Adapt(app.Between, adapt)...)
	of := v
	if app.Other != nil {
		of = versochi.New(r, app.Other)
	}
	v = v.In("", inner)
	if app.Other != nil && app.Middleware > 0 {
		v = v.AfterCheck(of.Middleware())
	}
	v = v.AfterCheck(conformance.Adapt(app.After, middlewareOf(of))...)
	if app.InContext {
		v = v.AfterCheck(versochi.InContext)
	}
	in := conformance.Groups(v, adapt, func(prefix string, middleware ...func(http.Handler) http.Handler) *versochi.Routes {
		sub := chi.NewRouter()
		sub.Use(middleware...)
		inner.Mount(prefix, sub)
		return v.In(prefix, sub)
	})
	add := func(route conformance.Route) {
		path, handler := pathOf(route), handlerOf(r, route.Handle)
		named := in(route.Group).Name(route.FullName()).With(route.Options...).Group("", conformance.Adapt(route.Middleware, adapt)...)
		if route.EachVersion {
			named = named.EachVersion()
		}
		switch {
		case route.Outside:
			r.Method(route.Method, path, handler)
		case route.Foreign && route.Method == "":
			inner.Handle(path, handler)
		case route.Foreign:
			inner.Method(route.Method, path, handler)
		case route.Handlers != nil:
			named.HandleVersions(route.Method, path, conformance.Handlers(route, func(handle handle) http.HandlerFunc { return handlerOf(r, handle) }))
		default:
			named.MethodFunc(route.Method, path, handler)
		}
	}
	for _, route := range app.Routes {
		if route.Methods == nil {
			add(route)
		}
		for _, route.Method = range route.Methods {
			add(route)
		}
	}
	for _, m := range app.Mounts {
		in(m.Group).RegisterVersions(conformance.Versions(m, func(version *conformance.MountedVersion) func(chi.Router) {
			return func(within chi.Router) {
				within.Use(conformance.Adapt(version.Middleware, adapt)...)
				for _, route := range version.Routes {
					to := within.With(conformance.Adapt(route.Middleware, adapt)...)
					if route.Method == "" {
						to.Handle(pathOf(route), handlerOf(r, route.Handle))
						continue
					}
					to.Method(route.Method, pathOf(route), handlerOf(r, route.Handle))
				}
			}
		}))
	}
	if app.NotFound {
		r.NotFound(v.NotFound(nil))
		r.MethodNotAllowed(v.NotFound(nil))
	}
	server := conformance.Serve(tb, app, r)
	server.Add, server.Link, server.Explain = add, v.Link, v.Explain
	return server
}

// pathOf returns the path of a route in the syntax of chi.
func pathOf(route conformance.Route) string {
	return route.Path(func(name string, rest bool) string {
		if rest {
			return "*"
		}
		return "{" + name + "}"
	})
}

// middlewareOf returns what makes middleware of net/http's.
func middlewareOf(v *versochi.Routes) func(conformance.Middleware) func(http.Handler) http.Handler {
	return func(run conformance.Middleware) func(http.Handler) http.Handler {
		return func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				status := run(conformance.Step{
					Version:  versochi.Version(r),
					Header:   r.Header.Get,
					AddField: w.Header().Add,
					SetTestVersion: func(version verso.Version) error {
						changed, err := v.SetTestVersion(r, version)
						if err == nil {
							r = changed
						}
						return err
					},
					SetHeader: r.Header.Set,
					Keep: func(key, value string) {
						r = r.WithContext(context.WithValue(r.Context(), key, value)) //nolint:staticcheck // frameworks have keys that are texts
					},
					SetMethod: func(method string) { r.Method = method },
					Query:     r.FormValue,
					Form:      r.PostFormValue,
				})
				if status != 0 {
					w.WriteHeader(status)
					return
				}
				next.ServeHTTP(w, r)
			})
		}
	}
}

type handle = func(conformance.Call) conformance.Response

func handlerOf(router chi.Router, handle handle) http.HandlerFunc {
	if handle == nil {
		return nil
	}
	return func(w http.ResponseWriter, r *http.Request) {
		response := handle(conformance.Call{
			Context: r.Context(),
			Version: versochi.Version(r),
			Param:   func(name string) string { return versochi.Param(r, inChi(name)) },
			Link: func(target verso.Target) (string, error) {
				params := make(verso.Params)
				for name, value := range target.Params {
					params[inChi(name)] = value
				}
				target.Params = params
				return versochi.Link(r, target)
			},
			Query:       r.URL.Query().Get,
			Form:        r.PostFormValue,
			AtLeast:     func(version string) bool { return versochi.AtLeast(r, version) },
			ContentType: func(resource string) (string, error) { return versochi.ContentType(r, resource) },
		})
		if response.PassOn != "" {
			r = r.Clone(context.WithValue(r.Context(), chi.RouteCtxKey, nil)) // as chi sees a new request
			r.URL.Path = response.PassOn
			router.ServeHTTP(w, r)
			return
		}
		response.Write(w)
	}
}

// inChi returns the name that a path parameter of the suite has in chi.
func inChi(name string) string {
	if name == "rest" {
		return "*"
	}
	return name
}

// limits are what the adapter does not offer, and what chi makes impossible.
var limits = []conformance.Option{
	conformance.Without("hosts", "chi has no hosts"),
	conformance.Without("scopes", "each route of a group has its own check"),
	conformance.Deviates("mount/twice", "the router that RegisterVersions gives is chi's own, which forgets the first of two routes"),
	conformance.Deviates("surface/several-preflight", "chi has no routes for several methods: one for OPTIONS is for OPTIONS alone"),
	conformance.Deviates("middleware/several-preflight", "chi has no routes for several methods: one for OPTIONS is for OPTIONS alone"),
	conformance.Deviates("mount/client-after", "the request that Client gets is that in front of the check"),
}
