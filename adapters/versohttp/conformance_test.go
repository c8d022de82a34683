package versohttp_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versohttp"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
)

func TestConformance(t *testing.T) {
	conformance.Run(t, mount(func(v *versohttp.Routes) http.Handler { return v }, false))
}

// TestMiddleware runs the suite behind the middleware.
func TestMiddleware(t *testing.T) {
	conformance.Run(t, mount(useMiddleware, false))
}

// TestMiddlewareAlone registers the routes of which nothing is said with the ServeMux,
// and those with handlers by Mount.
func TestMiddlewareAlone(t *testing.T) {
	var deviations []conformance.Option
	for reason, ids := range map[string][]string{
		"a ServeMux does not list the methods that others register": {
			"routes/method/not-yet", "routes/method/removed", "routes/method/allow-two",
		},
		"a ServeMux does not list the routes that others register, so their twins are not known": {
			"default/end/prefix", "twins/sources/prefix", "twins/prefix/none-to-prefix", "twins/prefix/prefix-to-prefix",
			"twins/prefix/other-method", "twins/prefix/other-parameter", "twins/prefix/chain", "twins/prefix/text",
		},
	} {
		for _, id := range ids {
			deviations = append(deviations, conformance.Deviates(id, reason))
		}
	}
	conformance.Run(t, mount(useMiddleware, true), deviations...)
}

// TestMiddlewareOfRoutes installs the middleware around each handler.
func TestMiddlewareOfRoutes(t *testing.T) {
	cases, err := conformance.Cases()
	require.NoError(t, err)
	ran := 0
	for _, c := range cases {
		if c.Level != "http" || c.Op != "determine" && !strings.HasPrefix(c.ID, "fields/") && !strings.HasPrefix(c.ID, "caching/") || needsRoutes(c) {
			continue
		}
		ran++
		t.Run(c.ID, func(t *testing.T) {
			assert.NoError(t, conformance.Check(t, mountEach, c))
		})
	}
	assert.Greater(t, ran, 500)
}

// needsRoutes reports whether a case reads the namespace, alone or among several
// sources, has options of a route, or builds a link, as all concurrent ones do.
func needsRoutes(c conformance.Case) bool {
	return strings.Contains(c.ID, "namespace") || strings.HasPrefix(c.ID, "fields/neutral") || strings.HasPrefix(c.ID, "concurrent/")
}

func useMiddleware(v *versohttp.Routes) http.Handler { return v.Middleware()(v) }

func FuzzServices(f *testing.F) { conformance.FuzzServices(f, guarded()...) }

func FuzzRequests(f *testing.F) { conformance.FuzzRequests(f, guarded()...) }

// guarded returns mounts for fuzz tests.
func guarded() (mounts []conformance.Mount) {
	guard := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Add(conformance.Guard, "ran")
			next.ServeHTTP(w, r)
		})
	}
	for _, install := range []func(*versohttp.Routes) http.Handler{func(v *versohttp.Routes) http.Handler { return v }, useMiddleware} {
		mounts = append(mounts, mount(install, false, guard), mount(func(v *versohttp.Routes) http.Handler {
			handler := install(v)
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if method := r.Header.Get("X-HTTP-Method-Override"); method != "" {
					r.Method = method
				}
				handler.ServeHTTP(w, r)
			})
		}, false, guard))
	}
	return mounts
}

func mount(install func(*versohttp.Routes) http.Handler, alone bool, guards ...func(http.Handler) http.Handler) conformance.Mount {
	return func(tb testing.TB, app conformance.App) *conformance.Server {
		tb.Helper()
		mux, probe := http.NewServeMux(), http.NewServeMux()
		var config versohttp.Config
		if app.KeepServed != "" {
			config.KeepServed = func(r *http.Request) bool { return r.Header.Get(app.KeepServed) != "" }
		}
		v := versohttp.New(mux, app.API, config)
		if app.Middleware {
			install = useMiddleware
		}
		handler, outside := install(v), mux
		_, direct := handler.(*versohttp.Routes)
		if app.NotFound {
			handler = v.NotFound()(handler)
		}
		if !direct { // another ServeMux has what the middleware is not around
			outside = http.NewServeMux()
			outside.Handle("/", handler)
			handler = outside
		}
		handler = stepOf(v, app.Before)(handler)
		v = v.Group("", stepOf(v, app.Between)).Group("", guards...).AfterCheck(guards...)
		of := v
		if app.Other != nil {
			of = versohttp.New(mux, app.Other)
		}
		if app.Other != nil && app.Middleware {
			v = v.AfterCheck(of.Middleware())
		}
		if app.After != nil {
			v = v.AfterCheck(stepOf(of, app.After))
		}
		for _, route := range app.Routes {
			named := v.Name(route.FullName()).With(route.Options...)
			if route.Rewriter != nil {
				named = named.Rewrite(route.Rewriter)
			}
			if route.EachVersion {
				named = named.EachVersion()
			}
			switch {
			case route.Outside:
				outside.Handle(pattern(route), handlerOf(route.Handle))
			case !registers(func() { probe.Handle(pattern(route), http.NotFoundHandler()) }):
				// No ServeMux can have both "/users/{pk}/" and "/{version}/users/",
				// which tables of the suite have that only links lead to.
				named.LinkOnly(pattern(route))
			case route.Handlers != nil && alone:
				named.Mount(conformance.Handlers(route, func(handle func(conformance.Call) conformance.Response) func(versohttp.Mux) {
					return func(mux versohttp.Mux) { mux.Handle(pattern(route), handlerOf(handle)) }
				}))
			case route.Handlers != nil:
				_, path, _ := strings.Cut(pattern(route), " ")
				named.Choose(route.Method, path, conformance.Handlers(route, handlerOf))
			case route.Foreign || alone && route.FullName() == "" && len(route.Options) == 0 && !route.EachVersion:
				mux.Handle(pattern(route), handlerOf(route.Handle))
			default:
				named.Handle(pattern(route), handlerOf(route.Handle))
			}
		}
		return conformance.Serve(tb, app, handler)
	}
}

// stepOf returns middleware of the suite.
func stepOf(v *versohttp.Routes, step func(conformance.Step)) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		if step == nil {
			return next
		}
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
	}
}

func mountEach(tb testing.TB, app conformance.App) *conformance.Server {
	tb.Helper()
	mux := http.NewServeMux()
	check := versohttp.New(mux, app.API).Middleware()
	for _, route := range app.Routes {
		mux.Handle(pattern(route), check(handlerOf(route.Handle)))
	}
	return conformance.Serve(tb, app, mux)
}

func handlerOf(handle func(conformance.Call) conformance.Response) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		handle(conformance.Call{
			Context: r.Context(),
			Version: versohttp.Version(r),
			Param:   r.PathValue,
			Link:    func(target verso.Target) (string, error) { return versohttp.Link(r, target) },
		}).Write(w)
	}
}

// pattern returns the pattern of a route in the syntax of a ServeMux, in which
// a slash at the end would stand for all paths below.
func pattern(route conformance.Route) string {
	path := route.Path(func(name string, rest bool) string {
		if rest {
			return "{" + name + "...}"
		}
		return "{" + name + "}"
	})
	if strings.HasSuffix(path, "/") {
		path += "{$}"
	}
	return strings.TrimSpace(route.Method + " " + path)
}
