package versochi_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"github.com/goverso/verso/adapters/versochi"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
)

func TestConformance(t *testing.T) {
	conformance.Run(t, mount(), append(limits, conformance.Wrappings(
		conformance.Wrapping{Name: "Compress", Middleware: middleware.Compress(5, "", "application/problem+json"), Like: "compresses"},
		conformance.Wrapping{Name: "Timeout", Middleware: middleware.Timeout(0), Like: "answers-late"},
		conformance.Wrapping{Name: "Throttle", Middleware: middleware.Throttle(1)},
	))...)
}

// TestMiddleware runs the suite behind the middleware.
func TestMiddleware(t *testing.T) {
	conformance.Run(t, mount(), append(limits, conformance.BehindMiddleware())...)
}

// TestRouter registers routes as chi's router does.
func TestRouter(t *testing.T) {
	conformance.Run(t, func(tb testing.TB, app conformance.App) *conformance.Server {
		tb.Helper()
		return mountOn(tb, app, nil, func(v *versochi.Routes) registers { return v.Router() })
	}, limits...)
}

// registers is what [versochi.Routes] and [chi.Router] have in common.
type registers interface {
	MethodFunc(method, pattern string, handler http.HandlerFunc)
	HandleFunc(pattern string, handler http.HandlerFunc)
}

// TestForeignRoutes registers the routes of which nothing is said with chi.
func TestForeignRoutes(t *testing.T) {
	conformance.Run(t, mount(), append(limits, conformance.ForeignRoutes(false))...)
}

func FuzzServices(f *testing.F) { conformance.FuzzServices(f, conformance.OverriddenHTTP(mount)...) }

func FuzzRequests(f *testing.F) { conformance.FuzzRequests(f, conformance.OverriddenHTTP(mount)...) }

// mount mounts applications on chi, within middleware.
func mount(outermost ...func(http.Handler) http.Handler) conformance.Mount {
	return func(tb testing.TB, app conformance.App) *conformance.Server {
		tb.Helper()
		return mountOn(tb, app, outermost, func(v *versochi.Routes) registers { return v })
	}
}

func mountOn(tb testing.TB, app conformance.App, outermost []func(http.Handler) http.Handler,
	as func(v *versochi.Routes) registers) *conformance.Server {
	tb.Helper()
	chi.RegisterMethod("PURGE") // one of the suite's methods that chi does not know
	r := chi.NewRouter()
	over := over(r)
	var config versochi.Config
	config.ExemptFromSunset, config.Client, config.ErrorHandler = over.Config(app)
	config.Skipper = func(r *http.Request) bool { return r.Header.Get(app.Skipper) != "" }
	r.Use(outermost...)
	v := versochi.New(r, app.API, config)
	if app.RewriteErrors {
		r.Use(v.RewriteErrors())
	}
	if app.RewriteErrorsUnused {
		v.RewriteErrors()
	}
	r.Use(app.AroundHTTP)
	adapt := over.Middleware(v.SetTestVersion)
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
	v = v.AfterCheck(conformance.Adapt(app.After, over.Middleware(of.SetTestVersion))...)
	if app.InContext {
		v = v.AfterCheck(versochi.InContext)
	}
	in := conformance.Groups(v, adapt, func(v *versochi.Routes, prefix string, middleware ...func(http.Handler) http.Handler) *versochi.Routes {
		sub := chi.NewRouter()
		sub.Use(middleware...)
		inner.Mount(prefix, sub)
		return v.In(prefix, sub)
	})
	addOne := func(route conformance.Route, handler http.HandlerFunc) {
		path, middleware := pathOf(route), conformance.Adapt(route.Middleware, adapt)
		named := in(route.Group).Name(route.FullName()).With(route.Options...)
		if route.Handlers == nil { // else HandleVersions gets it
			named = named.Group("", middleware...)
		}
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
			named.HandleVersions(route.Method, path, conformance.Handlers(route, over.Handler), middleware...)
		default:
			as(named).MethodFunc(strings.ToLower(route.Method), path, handler) // as chi takes it, too
		}
	}
	add := func(route conformance.Route) {
		handler := over.Handler(route.Handle)
		if route.Methods == nil {
			addOne(route, handler)
		}
		for _, route.Method = range route.Methods {
			addOne(route, handler)
		}
	}
	for _, route := range app.Routes {
		add(route)
	}
	for _, m := range app.Mounts {
		in(m.Group).RegisterVersions(conformance.Versions(m, func(version *conformance.MountedVersion) func(chi.Router) {
			return func(within chi.Router) {
				within.Use(conformance.Adapt(version.Middleware, adapt)...)
				for _, route := range version.Routes {
					to := within.With(conformance.Adapt(route.Middleware, adapt)...)
					if route.Method == "" {
						to.Handle(pathOf(route), over.Handler(route.Handle))
						continue
					}
					to.Method(route.Method, pathOf(route), over.Handler(route.Handle))
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

// over returns the functions of the adapter.
func over(router chi.Router) conformance.HTTP {
	return conformance.HTTP{Version: versochi.Version, AtLeast: versochi.AtLeast, ContentType: versochi.ContentType,
		Param: func(r *http.Request, name string) string { return versochi.Param(r, inChi(name)) },
		Link: func(r *http.Request, target verso.Target) (string, error) {
			params := make(verso.Params)
			for name, value := range target.Params {
				params[inChi(name)] = value
			}
			target.Params = params
			return versochi.Link(r, target)
		},
		PassOn: func(w http.ResponseWriter, r *http.Request) { // as chi sees a new request
			router.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), chi.RouteCtxKey, nil)))
		}}
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
	conformance.Deviates("in/unmatched", "a group of v is chi's With, whose middleware runs for its routes alone"),
	conformance.Deviates("in/unmatched-versions", "the router that RegisterVersions gives is not mounted: its middleware runs for its routes alone"),
	conformance.Deviates("mount/client-after", "the request that Client gets is that in front of the check"),
}
