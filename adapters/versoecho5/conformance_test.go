package versoecho5_test

import (
	"maps"
	"slices"
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

// TestDefaultErrorHandler runs the cases where Echo#HTTPErrorHandler answers
// rejected requests.
func TestDefaultErrorHandler(t *testing.T) {
	opts := []conformance.Option{
		conformance.Deviates("cases/content-type", "Echo#HTTPErrorHandler answers with application/json: see Config.ErrorHandler"),
	}
	for _, group := range []string{"routes", "links", "caching", "hostile", "strictness", "concurrent", "faults"} {
		opts = append(opts, conformance.Without(group, "TestConformance runs it"))
	}
	conformance.Run(t, mountOn(defaultRouter, versoecho5.Config{}), opts...)
}

// TestRouters runs the suite on routers with the settings that change what Echo
// cuts from a path, and on one whose routes may change while it serves.
func TestRouters(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(routers)) {
		t.Run(name, func(t *testing.T) {
			opts := []conformance.Option{conformance.Without("faults", "TestConformance runs it")}
			if name != "concurrent" {
				opts = append(opts, conformance.Without("concurrent", "TestConformance and the concurrent router run it"))
			}
			conformance.Run(t, mountOn(routers[name], versoecho5.Config{ErrorHandler: versoecho5.WriteProblem}), opts...)
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

func mount(tb testing.TB, app conformance.App) *conformance.Server {
	tb.Helper()
	return mountOn(defaultRouter, versoecho5.Config{ErrorHandler: versoecho5.WriteProblem})(tb, app)
}

func defaultRouter() echo.Router { return nil }

// mountOn mounts applications on Echo with a router and a configuration of the
// middleware.
func mountOn(router func() echo.Router, config versoecho5.Config) conformance.Mount {
	return func(tb testing.TB, app conformance.App) *conformance.Server {
		tb.Helper()
		e := echo.NewWithConfig(echo.Config{Router: router()})
		v := versoecho5.NewWithConfig(app.API, config)
		e.Use(v.Middleware())
		for _, route := range app.Routes {
			path := route.Path(func(name string, rest bool) string {
				if rest {
					return "*"
				}
				return ":" + name
			})
			add := func(path string, handler echo.HandlerFunc, _ ...echo.MiddlewareFunc) echo.RouteInfo {
				added, err := e.AddRoute(echo.Route{Method: route.Method, Path: path, Name: route.FullName(), Handler: handler})
				require.NoError(tb, err)
				return added
			}
			var added echo.RouteInfo
			if route.Choices == nil {
				added = add(path, handlerOf(route.Handle))
			} else {
				added = v.Choose(add, path, conformance.Choices(route, handlerOf)...)
			}
			if len(route.Options) > 0 {
				v.Route(added, route.Options...)
			}
		}
		return conformance.Serve(tb, app, e)
	}
}

func handlerOf(handle func(conformance.Call) conformance.Response) echo.HandlerFunc {
	return func(c *echo.Context) error {
		handle(conformance.Call{
			Context: c.Request().Context(),
			Version: versoecho5.Version(c),
			Param:   func(name string) string { return param(c, name) },
			Link:    func(target verso.Target) (string, error) { return versoecho5.Link(c, renameRest(target)) },
		}).Write(c.Response())
		return nil
	}
}

// renameRest gives the rest of a path the name that it has in Echo.
func renameRest(target verso.Target) verso.Target {
	if rest, ok := target.Params["rest"]; ok {
		target.Params = maps.Clone(target.Params)
		delete(target.Params, "rest")
		target.Params["*"] = rest
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
