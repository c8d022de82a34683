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

func TestRoundTrip(t *testing.T) {
	conformance.RoundTrip(t, mount)
}

func TestCaching(t *testing.T) {
	conformance.Caching(t, mount)
}

func TestHostile(t *testing.T) {
	conformance.Hostile(t, mount)
}

func TestStrictness(t *testing.T) {
	conformance.Strictness(t, mount)
}

func TestConcurrent(t *testing.T) {
	conformance.Concurrent(t, mount)
}

func TestFaults(t *testing.T) {
	conformance.Faults(t, mount)
}

// TestConformanceOfTheMiddleware installs the middleware around a whole
// ServeMux. There is neither a namespace nor a name there.
func TestConformanceOfTheMiddleware(t *testing.T) {
	cases, err := conformance.Cases()
	require.NoError(t, err)
	for _, c := range cases {
		if c.Level != "http" || c.Op != "determine" || c.Scheme == "namespace" {
			continue
		}
		t.Run(c.ID, func(t *testing.T) {
			assert.NoError(t, conformance.Check(t, mountServeMux, c))
		})
	}
}

func mountServeMux(tb testing.TB, app conformance.App) http.Handler {
	tb.Helper()
	versioned, err := versohttp.NewMiddleware(versohttp.Config{Scheme: app.Scheme, Produces: app.Produces, Translator: app.Translator, Strict: app.Strict})
	require.NoError(tb, err)
	mux := http.NewServeMux()
	for _, route := range app.Routes {
		mux.HandleFunc(pattern(route), func(w http.ResponseWriter, r *http.Request) {
			route.Handle(w, r, conformance.Call{Version: versohttp.Version(r)})
		})
	}
	return versioned(mux)
}

func mount(tb testing.TB, app conformance.App) http.Handler {
	tb.Helper()
	mux, err := versohttp.NewMux(versohttp.Config{Scheme: app.Scheme, Produces: app.Produces, Translator: app.Translator, Strict: app.Strict})
	require.NoError(tb, err)
	for _, route := range app.Routes {
		routes := mux
		if route.Namespace != "" {
			routes = mux.Namespace(route.Namespace)
		}
		register(routes.Name(route.Name), pattern(route), func(w http.ResponseWriter, r *http.Request) {
			route.Handle(w, r, conformance.Call{
				Version: versohttp.Version(r),
				Param:   r.PathValue,
				Reverse: func(target verso.Target) (string, error) { return versohttp.Reverse(r, target) },
			})
		})
	}
	return mux
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
// "/{version}/users/", which tables of the suite that are only built from have:
// of two such routes, the second one is built only.
func register(mux *versohttp.Mux, pattern string, handler http.HandlerFunc) {
	defer func() {
		switch refused := recover(); {
		case refused == nil:
		case strings.Contains(fmt.Sprint(refused), "conflicts with pattern"):
			mux.BuildOnly(pattern)
		default:
			panic(refused)
		}
	}()
	mux.Handle(pattern, handler)
}
