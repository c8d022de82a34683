package versoecho5_test

import (
	"cmp"
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
	conformance.Run(t, mount(defaultRouter, problems), noHosts)
}

// TestMiddleware runs the suite behind the middleware.
func TestMiddleware(t *testing.T) {
	conformance.Run(t, mount(defaultRouter, problems), conformance.BehindMiddleware(), noHosts)
}

// TestForeignRoutes registers the routes of which nothing is said with Echo.
func TestForeignRoutes(t *testing.T) {
	conformance.Run(t, mount(defaultRouter, problems), conformance.ForeignRoutes(true), noHosts)
}

// TestDefaultErrorHandler runs the cases where Echo#HTTPErrorHandler answers
// rejected requests.
func TestDefaultErrorHandler(t *testing.T) {
	opts := []conformance.Option{
		conformance.Deviates("cases/content-type", "Echo#HTTPErrorHandler answers with application/json: see Config.ErrorHandler"),
	}
	for _, group := range []string{"scopes", "routes", "links", "caching", "hostile", "strictness", "hosts", "groups", "mount", "decisions", "middleware", "concurrent", "faults"} {
		opts = append(opts, conformance.Without(group, "TestConformance runs it"))
	}
	conformance.Run(t, mount(defaultRouter, versoecho5.Config{}), opts...)
}

// TestRouters runs the suite on routers with the settings that change what Echo
// cuts from a path, and on one whose routes may change while it serves.
func TestRouters(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(routers)) {
		t.Run(name, func(t *testing.T) {
			opts := []conformance.Option{conformance.ForeignRoutes(true), noHosts, conformance.Without("faults", "TestConformance runs it")}
			if name != "concurrent" {
				opts = append(opts, conformance.Without("concurrent", "TestConformance and the concurrent router run it"))
			}
			conformance.Run(t, mount(routers[name], problems), opts...)
		})
	}
}

var routers = map[string]func() echo.Router{
	"unescaped": func() echo.Router {
		return echo.NewRouter(echo.RouterConfig{UnescapePathParamValues: true, AutoHandleHEAD: true})
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

var noHosts = conformance.Without("hosts", "Echo v5 has hosts only as routers of their own")

func FuzzServices(f *testing.F) { conformance.FuzzServices(f, overridden()...) }

func FuzzRequests(f *testing.F) { conformance.FuzzRequests(f, overridden()...) }

// overridden returns mounts, with the middleware or without, in which clients may set
// another method.
func overridden() (mounts []conformance.Mount) {
	for _, install := range []func(*echo.Echo){
		func(*echo.Echo) {}, func(e *echo.Echo) { e.Use(middleware.MethodOverride()) }, func(e *echo.Echo) { e.Pre(middleware.MethodOverride()) },
	} {
		for times := range 2 {
			mounts = append(mounts, func(tb testing.TB, app conformance.App) *conformance.Server {
				tb.Helper()
				app.Middleware = times
				return mount(defaultRouter, problems, install)(tb, app)
			})
		}
	}
	return mounts
}

// mount mounts applications on Echo.
func mount(router func() echo.Router, config versoecho5.Config, install ...func(*echo.Echo)) conformance.Mount {
	return func(tb testing.TB, app conformance.App) *conformance.Server {
		tb.Helper()
		e, config := echo.NewWithConfig(echo.Config{Router: router()}), config
		for _, install := range install {
			install(e)
		}
		if app.ExemptFromSunset != "" {
			config.ExemptFromSunset = func(c *echo.Context) bool { return c.Request().Header.Get(app.ExemptFromSunset) != "" }
		}
		if app.Client != nil {
			config.Client = func(c *echo.Context) string {
				return app.Client(conformance.Step{Version: versoecho5.Version(c), Header: c.Request().Header.Get, Param: func(name string) string { return param(c, name) }})
			}
		}
		if app.ErrorHandler != nil {
			config.ErrorHandler = func(c *echo.Context, rejected *verso.Error, answer *verso.Answer) error {
				return respond(c, app.ErrorHandler(rejected, answer))
			}
		}
		outside := make(map[string]bool) // not behind the middleware
		config.Skipper = func(c *echo.Context) bool { return outside[c.Path()] }
		v := versoecho5.New(e, app.API, config)
		adapt := middlewareOf(v)
		if app.RewriteErrors {
			e.Use(v.RewriteErrors())
		}
		if app.RewriteErrorsUnused {
			v.RewriteErrors()
		}
		if app.Around != nil {
			e.Use(func(next echo.HandlerFunc) echo.HandlerFunc {
				return func(c *echo.Context) error {
					return app.Around(func() error { return next(c) }, conformance.WriteTo(c.Response()))
				}
			})
		}
		e.Use(conformance.Adapt(app.Before, adapt)...)
		for range app.Middleware {
			e.Use(v.Middleware())
		}
		e.Use(conformance.Adapt(app.Between, adapt)...)
		of := v
		if app.Other != nil {
			of = versoecho5.New(e, app.Other)
		}
		if app.Other != nil && app.Middleware > 0 {
			v = v.AfterCheck(of.Middleware())
		}
		if app.After != nil {
			v = v.AfterCheck(conformance.Adapt(app.After, middlewareOf(of))...)
		}
		if app.InContext {
			v = v.AfterCheck(versoecho5.InContext)
		}
		in := conformance.Groups(v, adapt, func(prefix string, middleware ...echo.MiddlewareFunc) *versoecho5.Routes {
			return v.In(e.Group(prefix, middleware...))
		})
		add := func(r conformance.Route) {
			if r.Outside {
				outside[pathOf(r)] = true
			}
			register(tb, e, in(r.Group), r, conformance.Adapt(r.Middleware, adapt))
		}
		for _, r := range app.Routes {
			add(r)
		}
		for _, m := range app.Mounts {
			in(m.Group).RegisterVersions(conformance.Versions(m, func(version *conformance.MountedVersion) func(*echo.Group) {
				return func(g *echo.Group) {
					g.Use(conformance.Adapt(version.Middleware, adapt)...)
					for _, r := range version.Routes {
						g.Add(cmp.Or(r.Method, echo.RouteAny), pathOf(r), handlerOf(r.Handle), conformance.Adapt(r.Middleware, adapt)...)
					}
				}
			}))
		}
		if app.NotFound {
			e.HTTPErrorHandler = v.NotFound()
		}
		server := conformance.Serve(tb, app, e)
		server.Add, server.Link, server.Explain = add, v.Link, v.Explain
		return server
	}
}

// register registers a route.
func register(tb testing.TB, e *echo.Echo, v *versoecho5.Routes, r conformance.Route, middleware []echo.MiddlewareFunc) {
	tb.Helper()
	v, path := v.Name(r.FullName()).With(r.Options...), pathOf(r)
	if r.EachVersion {
		v = v.EachVersion()
	}
	switch {
	case r.Foreign && r.Methods != nil:
		e.Match(r.Methods, path, handlerOf(r.Handle), middleware...)
	case r.Outside || r.Foreign:
		add(tb, e, cmp.Or(r.Method, echo.RouteAny), path, handlerOf(r.Handle), r.FullName())
	case r.Group != nil && r.Group.Scope:
		v.EchoGroup("").Add(cmp.Or(r.Method, echo.RouteAny), path, handlerOf(r.Handle), middleware...)
	case r.Handlers != nil:
		v.HandleVersions(r.Method, path, conformance.Handlers(r, handlerOf), middleware...)
	case r.Methods != nil:
		v.Match(r.Methods, path, handlerOf(r.Handle), middleware...)
	case r.Method == "":
		v.Any(path, handlerOf(r.Handle), middleware...)
	default:
		verb, ok := map[string]func(string, echo.HandlerFunc, ...echo.MiddlewareFunc) echo.RouteInfo{
			"CONNECT": v.CONNECT, "DELETE": v.DELETE, "GET": v.GET, "HEAD": v.HEAD, "OPTIONS": v.OPTIONS,
			"PATCH": v.PATCH, "POST": v.POST, "PUT": v.PUT, "QUERY": v.QUERY, "TRACE": v.TRACE,
		}[r.Method]
		if ok {
			verb(path, handlerOf(r.Handle), middleware...)
		} else {
			v.Add(r.Method, path, handlerOf(r.Handle), middleware...)
		}
	}
}

// pathOf returns the path of a route in the syntax of Echo.
func pathOf(r conformance.Route) string {
	return r.Path(func(name string, rest bool) string {
		if rest {
			return "*"
		}
		return ":" + name
	})
}

// middlewareOf returns what makes middleware of Echo's.
func middlewareOf(v *versoecho5.Routes) func(conformance.Middleware) echo.MiddlewareFunc {
	return func(run conformance.Middleware) echo.MiddlewareFunc {
		return func(next echo.HandlerFunc) echo.HandlerFunc {
			return func(c *echo.Context) error {
				status := run(conformance.Step{
					Version:        versoecho5.Version(c),
					Header:         c.Request().Header.Get,
					AddField:       c.Response().Header().Add,
					SetTestVersion: func(version verso.Version) error { return v.SetTestVersion(c, version) },
					SetHeader:      c.Request().Header.Set,
					Keep:           func(key, value string) { c.Set(key, value) },
					SetMethod:      func(method string) { c.Request().Method = method },
					Query:          func(name string) string { return c.QueryParams().Get(name) },
					Form:           c.FormValue,
				})
				if status != 0 {
					return c.NoContent(status)
				}
				return next(c)
			}
		}
	}
}

func handlerOf(handle func(conformance.Call) conformance.Response) echo.HandlerFunc {
	if handle == nil {
		return nil
	}
	return func(c *echo.Context) error {
		return respond(c, handle(conformance.Call{
			Context:     c.Request().Context(),
			Version:     versoecho5.Version(c),
			Param:       func(name string) string { return param(c, name) },
			Link:        func(target verso.Target) (string, error) { return versoecho5.Link(c, renameRest(target)) },
			Query:       c.QueryParam,
			Form:        c.FormValue,
			Bind:        binderOf(c),
			AtLeast:     func(version string) bool { return versoecho5.AtLeast(c, version) },
			ContentType: func(resource string) (string, error) { return versoecho5.ContentType(c, resource) },
		}))
	}
}

// binderOf returns Echo's own binder.
func binderOf(c *echo.Context) map[string]func(any) error {
	return map[string]func(any) error{
		"query":  func(into any) error { return echo.BindQueryParams(c, into) },
		"form":   func(into any) error { return echo.BindBody(c, into) },
		"header": func(into any) error { return echo.BindHeaders(c, into) },
	}
}

func respond(c *echo.Context, response conformance.Response) error {
	if response.PassOn != "" {
		c.Request().URL.Path = response.PassOn
		return c.Echo().Router().Route(c)(c)
	}
	if response.Err == nil {
		response.Write(c.Response())
	}
	return response.Err
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
