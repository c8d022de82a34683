package versohttp_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versohttp"
	"github.com/goverso/verso/conformance"
)

func TestConformance(t *testing.T) {
	conformance.Run(t, mount(), append(unlisted, conformance.Wrappings())...)
}

// TestMiddleware runs the suite behind the middleware.
func TestMiddleware(t *testing.T) {
	conformance.Run(t, mount(), slices.Concat(unlisted, outsides, []conformance.Option{conformance.BehindMiddleware()})...)
}

// TestForeignRoutes registers the routes of which nothing is said with the ServeMux.
func TestForeignRoutes(t *testing.T) {
	opts := slices.Concat([]conformance.Option{conformance.ForeignRoutes(false)}, unlisted, outsides)
	for reason, ids := range map[string][]string{
		"a ServeMux does not list the methods registered by other code": {
			"routes/method/not-yet", "routes/method/removed", "registered/unmatched/own-allow",
		},
		"a ServeMux does not list the routes registered by other code, so those of the same resource are not known": {
			"default/end/prefix", "twins/sources/prefix", "twins/prefix/none-to-prefix", "twins/prefix/prefix-to-prefix",
			"twins/prefix/other-method", "twins/prefix/other-parameter", "twins/prefix/chain", "twins/prefix/text",
		},
	} {
		for _, id := range ids {
			opts = append(opts, conformance.Deviates(id, reason))
		}
	}
	conformance.Run(t, mount(), opts...)
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

// outsides is for the routes that are not behind the middleware.
var outsides = []conformance.Option{
	conformance.Deviates("registered/unmatched/outside-method", "the mount has them on another ServeMux, which its middleware does not know"),
	conformance.Deviates("registered/unmatched/outside-text", "the mount has them on another ServeMux, which its middleware does not know"),
}

// unlisted is for what a ServeMux does not list, the routes registered by other code, and for
// what a request does not have.
var unlisted = []conformance.Option{
	conformance.Without("in", "a ServeMux has no groups"),
	conformance.Without("scopes", "a ServeMux has no groups"),
	conformance.Deviates("surface/explain-foreign", "a ServeMux does not list the routes registered by other code"),
	conformance.Deviates("surface/several-preflight", "a ServeMux has no routes for several methods: one for OPTIONS is for OPTIONS alone"),
	conformance.Deviates("mount/client-after", "the request that Client gets is that in front of the check"),
	conformance.Deviates("middleware/explain", "a ServeMux does not list the routes registered by other code"),
}

func FuzzServices(f *testing.F) { conformance.FuzzServices(f, conformance.OverriddenHTTP(mount)...) }

func FuzzRequests(f *testing.F) { conformance.FuzzRequests(f, conformance.OverriddenHTTP(mount)...) }

// mount mounts applications on a ServeMux, within middleware.
func mount(outermost ...func(http.Handler) http.Handler) conformance.Mount {
	return func(tb testing.TB, app conformance.App) *conformance.Server {
		tb.Helper()
		mux, probe := http.NewServeMux(), http.NewServeMux()
		over := over(mux)
		var config versohttp.Config
		config.ExemptFromSunset, config.Client, config.ErrorHandler = over.Config(app)
		config.Skipper = func(r *http.Request) bool { return r.Header.Get(app.Skipper) != "" }
		v := versohttp.New(mux, app.API, config)
		handler, outside := http.Handler(v), mux
		if app.Middleware > 0 { // twice is no use: the outer one would not find the ServeMux
			handler = v.Middleware()(handler)
		}
		if app.NotFound {
			handler = v.NotFound()(handler)
		}
		if app.Middleware > 0 { // another ServeMux has what the middleware is not around
			outside = http.NewServeMux()
			outside.Handle("/", handler)
			handler = outside
		}
		adapt := over.Middleware(v.SetTestVersion)
		handler = wrapped(handler, slices.Concat(outermost, conformance.Adapt(app.Before, adapt)))
		handler = app.AroundHTTP(handler)
		if app.RewriteErrors {
			handler = v.RewriteErrors()(handler)
		}
		if app.RewriteErrorsUnused {
			v.RewriteErrors()
		}
		v = v.Group("", conformance.Adapt(app.Between, adapt)...)
		of := v
		if app.Other != nil {
			of = versohttp.New(mux, app.Other)
		}
		if app.Other != nil && app.Middleware > 0 {
			v = v.AfterCheck(of.Middleware())
		}
		if app.After != nil {
			v = v.AfterCheck(conformance.Adapt(app.After, over.Middleware(of.SetTestVersion))...)
		}
		if app.InContext {
			v = v.AfterCheck(versohttp.InContext)
		}
		in := conformance.Groups(v, adapt, nil)
		addOne := func(r conformance.Route, handler http.Handler) {
			v, own := in(r.Group).Name(r.FullName()).With(r.Options...), conformance.Adapt(r.Middleware, adapt)
			if r.Handlers == nil {
				v = v.Group("", own...)
			}
			if r.EachVersion {
				v = v.EachVersion()
			}
			switch {
			case r.Outside:
				outside.Handle(pattern(r), handler)
			case r.Group == nil && !registers(func() { probe.Handle(pattern(r), http.NotFoundHandler()) }):
				// No ServeMux can have both "/users/{pk}/" and "/{version}/users/",
				// which tables of the suite have that only links lead to.
				v.LinkOnly(pattern(r))
			case r.Handlers != nil:
				_, path, _ := strings.Cut(pattern(r), " ")
				v.HandleVersions(strings.TrimSpace(r.Method+" "+path), conformance.Handlers(r, over.Handler), own...)
			case r.Foreign:
				mux.Handle(pattern(r), handler)
			default:
				v.Handle(pattern(r), handler)
			}
		}
		add := func(r conformance.Route) {
			handler := over.Handler(r.Handle)
			if r.Methods == nil {
				addOne(r, handler)
			}
			for _, r.Method = range r.Methods {
				addOne(r, handler)
			}
		}
		for _, r := range app.Routes {
			add(r)
		}
		for _, m := range app.Mounts {
			in(m.Group).RegisterVersions(conformance.Versions(m, func(version *conformance.MountedVersion) func(versohttp.Mux) {
				return func(to versohttp.Mux) {
					for _, r := range version.Routes {
						to.Handle(pattern(r), wrapped(over.Handler(r.Handle), conformance.Adapt(slices.Concat(version.Middleware, r.Middleware), adapt)))
					}
				}
			}))
		}
		server := conformance.Serve(tb, app, handler)
		server.Add, server.Link, server.Explain = add, v.Link, v.Explain
		return server
	}
}

// wrapped puts middleware around a handler, the first one outermost.
func wrapped(handler http.Handler, middleware []func(http.Handler) http.Handler) http.Handler {
	for _, wrap := range slices.Backward(middleware) {
		handler = wrap(handler)
	}
	return handler
}

func mountEach(tb testing.TB, app conformance.App) *conformance.Server {
	tb.Helper()
	mux := http.NewServeMux()
	check := versohttp.New(mux, app.API).Middleware()
	for _, route := range app.Routes {
		mux.Handle(pattern(route), check(over(mux).Handler(route.Handle)))
	}
	return conformance.Serve(tb, app, mux)
}

// over returns the functions of the adapter.
func over(mux *http.ServeMux) conformance.HTTP {
	return conformance.HTTP{Version: versohttp.Version, AtLeast: versohttp.AtLeast, ContentType: versohttp.ContentType,
		Link: versohttp.Link, Param: (*http.Request).PathValue, PassOn: mux.ServeHTTP}
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
	return strings.TrimSpace(route.Method + " " + route.Host + path)
}
