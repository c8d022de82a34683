package versochi_test

import (
	"net/http"
	"testing"

	"github.com/go-chi/chi/v5"

	versochi "example.com/verso-chi"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
)

func TestConformance(t *testing.T) {
	conformance.Run(t, mount(func(r chi.Router, _ *versochi.Routes) chi.Router { return r }, false), rewritesNothing)
}

// TestMiddleware runs the suite behind the middleware.
func TestMiddleware(t *testing.T) {
	conformance.Run(t, mount(useMiddleware, false), rewritesNothing)
}

// TestMiddlewareAlone registers the routes of which nothing is said with chi, and those
// with handlers by Mount.
func TestMiddlewareAlone(t *testing.T) {
	conformance.Run(t, mount(useMiddleware, true), rewritesNothing)
}

func useMiddleware(r chi.Router, v *versochi.Routes) chi.Router { return r.With(v.Middleware()) }

func mount(install func(chi.Router, *versochi.Routes) chi.Router, alone bool) conformance.Mount {
	return func(tb testing.TB, app conformance.App) *conformance.Server {
		tb.Helper()
		chi.RegisterMethod("PURGE") // one of the suite's methods that chi does not know
		r := chi.NewRouter()
		var config versochi.Config
		if app.KeepServed != "" {
			config.KeepServed = func(r *http.Request) bool { return r.Header.Get(app.KeepServed) != "" }
		}
		v := versochi.New(r, app.API, config)
		r.Use(stepOf(v, app.Before)...)
		if app.Middleware {
			install = useMiddleware
		}
		inner := install(r, v).With(stepOf(v, app.Between)...)
		of := v
		if app.Other != nil {
			of = versochi.New(r, app.Other)
		}
		v = v.In("", inner)
		if app.Other != nil && app.Middleware {
			v = v.AfterCheck(of.Middleware())
		}
		v = v.AfterCheck(stepOf(of, app.After)...)
		for _, route := range app.Routes {
			path := route.Path(func(name string, rest bool) string {
				if rest {
					return "*"
				}
				return "{" + name + "}"
			})
			named := v.Name(route.FullName()).With(route.Options...)
			if route.EachVersion {
				named = named.EachVersion()
			}
			if route.Handlers != nil && alone {
				named.Mount(conformance.Handlers(route, func(handle func(conformance.Call) conformance.Response) func(chi.Router) {
					return func(r chi.Router) { r.Method(route.Method, path, handlerOf(handle)) }
				}))
				continue
			}
			switch {
			case route.Outside:
				r.Method(route.Method, path, handlerOf(route.Handle))
			case route.Handlers != nil:
				named.Choose(route.Method, path, conformance.Handlers(route, handlerOf))
			case route.Foreign || alone && route.FullName() == "" && len(route.Options) == 0 && !route.EachVersion:
				inner.Method(route.Method, path, handlerOf(route.Handle))
			default:
				named.MethodFunc(route.Method, path, handlerOf(route.Handle))
			}
		}
		if app.NotFound {
			r.NotFound(v.NotFound(http.NotFound))
			r.MethodNotAllowed(v.NotFound(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusMethodNotAllowed) }))
		}
		return conformance.Serve(tb, app, r)
	}
}

// stepOf returns middleware of the suite, nil for none.
func stepOf(v *versochi.Routes, step func(conformance.Step)) chi.Middlewares {
	if step == nil {
		return nil
	}
	return chi.Middlewares{func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			step(conformance.Step{
				SetVersion: func(version verso.Version) error {
					changed, err := v.SetVersion(r, version)
					if err == nil {
						r = changed
					}
					return err
				},
				SetHeader: r.Header.Set,
				SetMethod: func(method string) { r.Method = method },
			})
			next.ServeHTTP(w, r)
		})
	}}
}

func handlerOf(handle func(conformance.Call) conformance.Response) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		handle(conformance.Call{
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
		}).Write(w)
	}
}

// inChi returns the name that a path parameter of the suite has in chi.
func inChi(name string) string {
	if name == "rest" {
		return "*"
	}
	return name
}

var rewritesNothing = conformance.Without("rewrite", "the adapter rewrites no bodies")
