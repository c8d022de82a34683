package versoecho5_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/labstack/echo/v5"
	"github.com/labstack/echo/v5/middleware"

	"github.com/goverso/verso/adapters/versoecho5"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
)

func TestConformance(t *testing.T) {
	conformance.Run(t, mount(defaultRouter, problems, routesAlone, false))
}

// TestMiddleware runs the suite behind the middleware.
func TestMiddleware(t *testing.T) {
	conformance.Run(t, mount(defaultRouter, problems, useMiddleware, false))
}

// TestMiddlewareAlone registers the routes of which nothing is said with Echo, and those
// with handlers by Mount.
func TestMiddlewareAlone(t *testing.T) {
	conformance.Run(t, mount(defaultRouter, problems, useMiddleware, true), ofEcho...)
}

// ofEcho leaves out the groups whose routes Echo must not register.
var ofEcho = []conformance.Option{
	conformance.Without("decisions", "TestConformance and TestMiddleware run it"), conformance.Without("middleware", "TestConformance and TestMiddleware run it"),
}

// TestDefaultErrorHandler runs the cases where Echo#HTTPErrorHandler answers
// rejected requests.
func TestDefaultErrorHandler(t *testing.T) {
	opts := []conformance.Option{
		conformance.Deviates("cases/content-type", "Echo#HTTPErrorHandler answers with application/json: see Config.ErrorHandler"),
	}
	for _, group := range []string{"routes", "links", "caching", "hostile", "strictness", "decisions", "middleware", "concurrent", "faults"} {
		opts = append(opts, conformance.Without(group, "TestConformance runs it"))
	}
	conformance.Run(t, mount(defaultRouter, versoecho5.Config{}, routesAlone, false), opts...)
}

// TestRouters runs the suite on routers with the settings that change what Echo
// cuts from a path, and on one whose routes may change while it serves.
func TestRouters(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(routers)) {
		t.Run(name, func(t *testing.T) {
			opts := append(slices.Clone(ofEcho), conformance.Without("faults", "TestConformance runs it"))
			if name != "concurrent" {
				opts = append(opts, conformance.Without("concurrent", "TestConformance and the concurrent router run it"))
			}
			conformance.Run(t, mount(routers[name], problems, useMiddleware, true), opts...)
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

func defaultRouter() echo.Router { return nil }

var problems = versoecho5.Config{ErrorHandler: versoecho5.WriteProblem}

func routesAlone(_ *echo.Echo, v *versoecho5.Routes) *versoecho5.Routes { return v }

func useMiddleware(e *echo.Echo, v *versoecho5.Routes) *versoecho5.Routes {
	e.Use(v.Middleware())
	return v
}

func FuzzServices(f *testing.F) { conformance.FuzzServices(f, guarded()...) }

func FuzzRequests(f *testing.F) { conformance.FuzzRequests(f, guarded()...) }

// guarded returns mounts for fuzz tests.
func guarded() (mounts []conformance.Mount) {
	guard := func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c *echo.Context) error {
			c.Response().Header().Add(conformance.Guard, "ran")
			return next(c)
		}
	}
	for _, before := range []func(*echo.Echo){
		func(*echo.Echo) {}, func(e *echo.Echo) { e.Use(middleware.MethodOverride()) }, func(e *echo.Echo) { e.Pre(middleware.MethodOverride()) },
	} {
		for _, install := range []func(*echo.Echo, *versoecho5.Routes) *versoecho5.Routes{routesAlone, useMiddleware} {
			mounts = append(mounts, mount(defaultRouter, problems, func(e *echo.Echo, v *versoecho5.Routes) *versoecho5.Routes {
				before(e)
				return install(e, v).Group("", guard).AfterCheck(guard)
			}, false))
		}
	}
	return mounts
}

// mount mounts applications on Echo; alone says that Echo itself registers the
// routes of which nothing is said.
func mount(router func() echo.Router, config versoecho5.Config, install func(*echo.Echo, *versoecho5.Routes) *versoecho5.Routes, alone bool) conformance.Mount {
	return func(tb testing.TB, app conformance.App) *conformance.Server {
		tb.Helper()
		e := echo.NewWithConfig(echo.Config{Router: router()})
		config := config
		if app.KeepServed != "" {
			config.KeepServed = func(c *echo.Context) bool { return c.Request().Header.Get(app.KeepServed) != "" }
		}
		outside := make(map[string]bool) // not behind the middleware
		config.Skipper = func(c *echo.Context) bool { return outside[c.Path()] }
		v := versoecho5.New(e, app.API, config)
		e.Use(stepOf(v, app.Before)...)
		if app.Middleware { // which is there twice, if the run installs it too
			useMiddleware(e, v)
		}
		v = install(e, v)
		e.Use(stepOf(v, app.Between)...)
		of := v
		if app.Other != nil {
			of = versoecho5.New(e, app.Other)
		}
		if app.Other != nil && app.Middleware {
			v = v.AfterCheck(of.Middleware())
		}
		if app.After != nil {
			v = v.AfterCheck(stepOf(of, app.After)...)
		}
		for _, route := range app.Routes {
			path := route.Path(func(name string, rest bool) string {
				if rest {
					return "*"
				}
				return ":" + name
			})
			named := v.Name(route.FullName()).With(route.Options...)
			if route.Rewriter != nil {
				named = named.Rewrite(route.Rewriter)
			}
			if route.EachVersion {
				named = named.EachVersion()
			}
			switch {
			case route.Outside:
				outside[path] = true
				e.Add(route.Method, path, handlerOf(route.Handle))
			case route.Handlers != nil && alone:
				named.Mount(conformance.Handlers(route, func(handle func(conformance.Call) conformance.Response) func(*echo.Group) {
					return func(g *echo.Group) { g.Add(route.Method, path, handlerOf(handle)) }
				}))
			case route.Handlers != nil:
				named.Choose(route.Method, path, conformance.Handlers(route, handlerOf))
			case route.Foreign || alone && route.Rewriter == nil && len(route.Options) == 0 && !route.EachVersion && app.KeepServed == "":
				add(tb, e, route.Method, path, handlerOf(route.Handle), route.FullName())
			case route.Method == "":
				named.Any(path, handlerOf(route.Handle))
			default:
				named.Add(route.Method, path, handlerOf(route.Handle))
			}
		}
		if app.NotFound {
			e.HTTPErrorHandler = v.NotFound()
		}
		return conformance.Serve(tb, app, e)
	}
}

// stepOf returns middleware of the suite, nil for none.
func stepOf(v *versoecho5.Routes, step func(conformance.Step)) []echo.MiddlewareFunc {
	if step == nil {
		return nil
	}
	return []echo.MiddlewareFunc{func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c *echo.Context) error {
			step(conformance.Step{
				SetVersion: func(version verso.Version) error { return v.SetVersion(c, version) },
				SetHeader:  c.Request().Header.Set,
				SetMethod:  func(method string) { c.Request().Method = method },
			})
			return next(c)
		}
	}}
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
