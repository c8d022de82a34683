package versoecho_test

import (
	"maps"
	"testing"

	"github.com/labstack/echo/v4"

	"github.com/goverso/verso/adapters/versoecho"
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
	conformance.Run(t, mountWith(versoecho.Config{}), opts...)
}

func mount(tb testing.TB, app conformance.App) *conformance.Server {
	tb.Helper()
	return mountWith(versoecho.Config{ErrorHandler: versoecho.WriteProblem})(tb, app)
}

// mountWith mounts applications on Echo with a configuration of the middleware.
func mountWith(config versoecho.Config) conformance.Mount {
	return func(tb testing.TB, app conformance.App) *conformance.Server {
		tb.Helper()
		e := echo.New()
		v := versoecho.NewWithConfig(app.API, config)
		e.Use(v.Middleware())
		for _, route := range app.Routes {
			path := route.Path(func(name string, rest bool) string {
				if rest {
					return "*"
				}
				return ":" + name
			})
			add := func(path string, handler echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route {
				return e.Add(route.Method, path, handler, m...)
			}
			var added *echo.Route
			if route.Choices == nil {
				added = add(path, handlerOf(route.Handle))
			} else {
				added = v.Choose(add, path, conformance.Choices(route, handlerOf)...)
			}
			if len(route.Options) > 0 {
				v.Route(added, route.Options...)
			}
			added.Name = route.FullName()
		}
		return conformance.Serve(tb, app, e)
	}
}

func handlerOf(handle func(conformance.Call) conformance.Response) echo.HandlerFunc {
	return func(c echo.Context) error {
		handle(conformance.Call{
			Context: c.Request().Context(),
			Version: versoecho.Version(c),
			Param:   func(name string) string { return param(c, name) },
			Link:    func(target verso.Target) (string, error) { return versoecho.Link(c, renameRest(target)) },
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
func param(c echo.Context, name string) string {
	if name == "rest" {
		name = "*"
	}
	return versoecho.Param(c, name)
}
