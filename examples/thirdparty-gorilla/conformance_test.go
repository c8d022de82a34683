package versogorilla_test

import (
	"net/http"
	"slices"
	"testing"

	versogorilla "example.com/verso-gorilla"
	"github.com/gorilla/mux"

	"github.com/goverso/verso/conformance"
)

func TestConformance(t *testing.T) {
	conformance.Run(t, mount, limits...)
}

// TestMiddleware runs the suite behind the middleware.
func TestMiddleware(t *testing.T) {
	conformance.Run(t, mount, append(limits, conformance.BehindMiddleware(), outsideMethod)...)
}

// TestForeignRoutes registers the routes of which nothing is said with mux.
func TestForeignRoutes(t *testing.T) {
	conformance.Run(t, mount, append(limits, conformance.ForeignRoutes(false), outsideMethod)...)
}

func FuzzServices(f *testing.F) { conformance.FuzzServices(f, mount) }

func FuzzRequests(f *testing.F) { conformance.FuzzRequests(f, mount) }

// mount mounts applications on mux.
func mount(tb testing.TB, app conformance.App) *conformance.Server {
	tb.Helper()
	r := mux.NewRouter().SkipClean(true) // its redirects would come first
	r.MethodNotAllowedHandler = notAllowed(r)
	over := over(r)
	var config versogorilla.Config
	config.ExemptFromSunset, config.Client, config.ErrorHandler = over.Config(app)
	config.Skipper = func(r *http.Request) bool { return r.Header.Get(app.Skipper) != "" }
	v := versogorilla.New(r, app.API, config)
	if app.RewriteErrors {
		r.Use(v.RewriteErrors())
	}
	if app.RewriteErrorsUnused {
		v.RewriteErrors()
	}
	r.Use(app.AroundHTTP)
	adapt := over.Middleware(v.SetTestVersion)
	use(r, conformance.Adapt(app.Before, adapt))
	inner := r.NewRoute().Subrouter()
	for range app.Middleware {
		inner.Use(v.Middleware())
	}
	use(inner, conformance.Adapt(app.Between, adapt))
	of := v
	if app.Other != nil {
		of = versogorilla.New(r, app.Other, versogorilla.Config{})
	}
	v = v.In("", inner)
	if app.Other != nil && app.Middleware > 0 {
		v = v.AfterCheck(of.Middleware())
	}
	v = v.AfterCheck(conformance.Adapt(app.After, over.Middleware(of.SetTestVersion))...)
	if app.InContext {
		v = v.AfterCheck(versogorilla.InContext)
	}
	in := conformance.Groups(v, adapt, func(v *versogorilla.Routes, prefix string, middleware ...func(http.Handler) http.Handler) *versogorilla.Routes {
		sub := inner.PathPrefix(prefix).Subrouter()
		use(sub, middleware)
		return v.In(prefix, sub)
	})
	add := func(route conformance.Route) {
		path, handler := pathOf(route), over.Handler(route.Handle)
		named := in(route.Group).Name(route.FullName()).With(route.Options...).Group("", conformance.Adapt(route.Middleware, adapt)...)
		if route.EachVersion {
			named = named.EachVersion()
		}
		switch {
		case route.Outside:
			r.Path(path).Methods(route.Method).Handler(handler)
		case route.Foreign && route.Method == "":
			inner.Path(path).Handler(handler)
		case route.Foreign:
			inner.Path(path).Methods(route.Method).Handler(handler)
		case route.Handlers != nil:
			named.HandleVersions(route.Method, path, conformance.Handlers(route, over.Handler))
		default:
			named.HandleFunc(route.Method, path, handler)
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
		in(m.Group).RegisterVersions(conformance.Versions(m, func(version *conformance.MountedVersion) func(*mux.Router) {
			return func(within *mux.Router) {
				for _, route := range version.Routes {
					handler := http.Handler(over.Handler(route.Handle))
					for _, wrap := range slices.Backward(conformance.Adapt(slices.Concat(version.Middleware, route.Middleware), adapt)) {
						handler = wrap(handler)
					}
					if to := within.Path(pathOf(route)).Handler(handler); route.Method != "" {
						to.Methods(route.Method)
					}
				}
			}
		}))
	}
	if app.NotFound {
		r.NotFoundHandler = v.NotFound()
		r.MethodNotAllowedHandler = v.NotFound()
	}
	server := conformance.Serve(tb, app, r)
	server.Add, server.Link, server.Explain = add, v.Link, v.Explain
	return server
}

// use adds middleware to a router.
func use(r *mux.Router, middleware []func(http.Handler) http.Handler) {
	for _, m := range middleware {
		r.Use(m)
	}
}

// pathOf returns the path of a route in the syntax of mux.
func pathOf(route conformance.Route) string {
	return route.Path(func(name string, rest bool) string {
		if rest {
			return "{" + name + ":.*}"
		}
		return "{" + name + "}"
	})
}

// over returns the functions of the adapter.
func over(router *mux.Router) conformance.HTTP {
	return conformance.HTTP{Version: versogorilla.Version, AtLeast: versogorilla.AtLeast, ContentType: versogorilla.ContentType,
		Link: versogorilla.Link, Param: (*http.Request).PathValue, PassOn: router.ServeHTTP}
}

// notAllowed is the 405 of a service without NotFound. That of mux itself has no Allow (RFC 9110,
// section 15.5.6).
func notAllowed(router *mux.Router) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, method := range []string{"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"} {
			other := r.Clone(r.Context())
			other.Method = method
			if match := new(mux.RouteMatch); router.Match(other, match) && match.MatchErr == nil {
				w.Header().Add("Allow", method)
			}
		}
		w.WriteHeader(http.StatusMethodNotAllowed)
	})
}

// outsideMethod is a wrong method for a route of other code.
var outsideMethod = conformance.Deviates("registered/unmatched/outside-method", "the adapter does not list the routes of other code")

// limits are what the adapter does not offer, and what mux makes impossible.
var limits = []conformance.Option{
	conformance.Without("hosts", "the adapter leaves the hosts of mux out"),
	conformance.Without("scopes", "each route of a group has its own check"),
	conformance.Deviates("surface/several-preflight", "the adapter has no routes for several methods: one for OPTIONS is for OPTIONS alone"),
	conformance.Deviates("middleware/several-preflight", "the adapter has no routes for several methods: one for OPTIONS is for OPTIONS alone"),
	conformance.Deviates("mount/client-after", "the request that Client gets is that in front of the check"),
}
