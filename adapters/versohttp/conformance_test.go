package versohttp_test

import (
	"fmt"
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
	conformance.Run(t, mount)
}

// TestConformanceOfTheMiddleware installs the middleware around a whole
// ServeMux. There is neither a namespace nor a name there.
func TestConformanceOfTheMiddleware(t *testing.T) {
	cases, err := conformance.Cases()
	require.NoError(t, err)
	ran := 0
	for _, c := range cases {
		if c.Level != "http" || c.Op != "determine" && !strings.HasPrefix(c.ID, "fields/") && !strings.HasPrefix(c.ID, "caching/") || needsMux(c) {
			continue
		}
		ran++
		t.Run(c.ID, func(t *testing.T) {
			assert.NoError(t, conformance.Check(t, mountServeMux, c))
		})
	}
	assert.Greater(t, ran, 500)
}

// needsMux reports whether a case reads the namespace, alone or among several
// sources, has options of a route, or builds a link, as all concurrent ones do.
func needsMux(c conformance.Case) bool {
	return strings.Contains(c.ID, "namespace") || strings.HasPrefix(c.ID, "fields/neutral") || strings.HasPrefix(c.ID, "concurrent/")
}

func mount(tb testing.TB, app conformance.App) *conformance.Server {
	tb.Helper()
	mux := versohttp.NewMux(app.API)
	for _, route := range app.Routes {
		routes := mux
		if route.Namespace != "" {
			routes = mux.Namespace(route.Namespace)
		}
		named := routes.Name(route.Name).With(route.Options...)
		if route.Choices == nil {
			register(named, pattern(route), handlerOf(route.Handle))
		} else {
			named.Choose(pattern(route), conformance.Choices(route, handlerOf)...)
		}
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

func mountServeMux(tb testing.TB, app conformance.App) *conformance.Server {
	tb.Helper()
	mux := http.NewServeMux()
	for _, route := range app.Routes {
		mux.HandleFunc(pattern(route), func(w http.ResponseWriter, r *http.Request) {
			route.Handle(conformance.Call{Context: r.Context(), Version: versohttp.Version(r), Param: r.PathValue}).Write(w)
		})
	}
	return conformance.Serve(tb, app, versohttp.Middleware(app.API)(mux))
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
	return route.Method + " " + path
}

// register registers a route. No ServeMux can have both "/users/{pk}/" and
// "/{version}/users/", which tables of the suite have that only links lead to: of
// two such routes, the second one is linked only.
func register(mux *versohttp.Mux, pattern string, handler http.HandlerFunc) {
	defer func() {
		switch rejected := recover(); {
		case rejected == nil:
		case strings.Contains(fmt.Sprint(rejected), "conflicts with pattern"):
			mux.LinkOnly(pattern)
		default:
			panic(rejected)
		}
	}()
	mux.Handle(pattern, handler)
}
