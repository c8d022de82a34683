package versoecho5_test

import (
	"maps"
	"net/http"
	"testing"

	"github.com/labstack/echo/v5"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho5"
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

// TestRouters runs the suite on routers with the settings that change what Echo
// cuts from a path, and on one whose routes may change while it serves.
func TestRouters(t *testing.T) {
	for name, router := range routers {
		mount := mountOn(router)
		t.Run(name, func(t *testing.T) {
			conformance.Run(t, mount)
			conformance.RoundTrip(t, mount)
		})
	}
}

var routers = map[string]func() echo.Router{
	"unescaped": func() echo.Router {
		return echo.NewRouter(echo.RouterConfig{UnescapePathParamValues: true})
	},
	"decoded path": func() echo.Router {
		return echo.NewRouter(echo.RouterConfig{UseEscapedPathForMatching: true})
	},
	"decoded path, unescaped": func() echo.Router {
		return echo.NewRouter(echo.RouterConfig{UseEscapedPathForMatching: true, UnescapePathParamValues: true})
	},
	"concurrent": func() echo.Router {
		return echo.NewConcurrentRouter(echo.NewRouter(echo.RouterConfig{}))
	},
}

func mount(tb testing.TB, app conformance.App) http.Handler {
	tb.Helper()
	defaultRouter := func() echo.Router { return nil }
	return mountOn(defaultRouter)(tb, app)
}

func mountOn(router func() echo.Router) conformance.Mount {
	return func(tb testing.TB, app conformance.App) http.Handler {
		tb.Helper()
		mw, err := versoecho5.Config{Scheme: app.Scheme, Produces: app.Produces, Translator: app.Translator, Strict: app.Strict}.ToMiddleware()
		require.NoError(tb, err)
		e := echo.NewWithConfig(echo.Config{Router: router()})
		e.Use(mw)
		for _, route := range app.Routes {
			path := route.Path(func(name string, rest bool) string {
				if rest {
					return "*"
				}
				return ":" + name
			})
			_, err := e.AddRoute(echo.Route{
				Method: route.Method,
				Path:   path,
				Name:   route.FullName(),
				Handler: func(c *echo.Context) error {
					route.Handle(c.Response(), c.Request(), conformance.Call{
						Version: versoecho5.Version(c),
						Reverse: func(target verso.Target) (string, error) { return versoecho5.Reverse(c, renameRest(target)) },
						Param:   func(name string) string { return param(c, name) },
					})
					return nil
				},
			})
			require.NoError(tb, err)
		}
		return e
	}
}

// renameRest gives the rest of a path the name that it has in Echo.
func renameRest(target verso.Target) verso.Target {
	if rest, ok := target.Kwargs["rest"]; ok {
		target.Kwargs = maps.Clone(target.Kwargs)
		delete(target.Kwargs, "rest")
		target.Kwargs["*"] = rest
	}
	return target
}

// param gives the rest of a path the name that it has in Echo.
func param(c *echo.Context, name string) string {
	if name == "rest" {
		name = "*"
	}
	return versoecho5.Param(c, name)
}
