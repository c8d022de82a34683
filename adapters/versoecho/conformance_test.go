package versoecho_test

import (
	"maps"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
)

func TestConformance(t *testing.T) {
	conformance.Run(t, mount(problems))
}

// TestMiddleware runs the suite behind the middleware.
func TestMiddleware(t *testing.T) {
	conformance.Run(t, mount(problems), conformance.BehindMiddleware())
}

// TestForeignRoutes registers the routes of which nothing is said with Echo.
func TestForeignRoutes(t *testing.T) {
	conformance.Run(t, mount(problems), conformance.ForeignRoutes(true))
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
	conformance.Run(t, mount(versoecho.Config{}), opts...)
}

var problems = versoecho.Config{ErrorHandler: versoecho.WriteProblem}

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
				return mount(problems, install)(tb, app)
			})
		}
	}
	return mounts
}

// mount mounts applications on Echo.
func mount(config versoecho.Config, install ...func(*echo.Echo)) conformance.Mount {
	return func(tb testing.TB, app conformance.App) *conformance.Server {
		tb.Helper()
		e, config := echo.New(), config
		for _, install := range install {
			install(e)
		}
		if app.ExemptFromSunset != "" {
			config.ExemptFromSunset = func(c echo.Context) bool { return c.Request().Header.Get(app.ExemptFromSunset) != "" }
		}
		if app.Client != nil {
			config.Client = func(c echo.Context) string {
				return app.Client(conformance.Step{Version: versoecho.Version(c), Header: c.Request().Header.Get, Param: func(name string) string { return param(c, name) }})
			}
		}
		if app.ErrorHandler != nil {
			config.ErrorHandler = func(c echo.Context, rejected *verso.Error, answer *verso.Answer) error {
				return respond(c, app.ErrorHandler(rejected, answer))
			}
		}
		outside := make(map[string]bool) // not behind the middleware
		for _, r := range app.Routes {
			if r.Outside {
				outside[pathOf(r)] = true
				registerWith(e, r, nil)
			}
		}
		config.Skipper = func(c echo.Context) bool { return outside[c.Path()] }
		v := versoecho.New(e, app.API, config)
		adapt := middlewareOf(v)
		if app.RewriteErrors {
			e.Use(v.RewriteErrors())
		}
		if app.RewriteErrorsUnused {
			v.RewriteErrors()
		}
		if app.Around != nil {
			e.Use(func(next echo.HandlerFunc) echo.HandlerFunc {
				return func(c echo.Context) error {
					return app.Around(func() error { return next(c) }, conformance.WriteTo(c.Response()))
				}
			})
		}
		e.Use(conformance.Adapt(app.Before, adapt)...)
		for range app.Middleware {
			e.Use(v.Middleware())
		}
		v.Use(conformance.Adapt(app.Between, adapt)...)
		if app.Middleware > 0 {
			v = v.In(e.Group(""))
		}
		of := v
		if app.Other != nil {
			of = versoecho.New(e, app.Other)
		}
		if app.Other != nil && app.Middleware > 0 {
			v = v.AfterCheck(of.Middleware())
		}
		if app.After != nil {
			v = v.AfterCheck(conformance.Adapt(app.After, middlewareOf(of))...)
		}
		if app.InContext {
			v = v.AfterCheck(versoecho.InContext)
		}
		in := conformance.Groups(v, adapt, func(prefix string, middleware ...echo.MiddlewareFunc) *versoecho.Routes {
			return v.In(e.Group(prefix, middleware...))
		})
		add := func(r conformance.Route) {
			register(e, in(r.Group), r, conformance.Adapt(r.Middleware, adapt))
		}
		for _, r := range app.Routes {
			if !r.Outside {
				add(r)
			}
		}
		for _, m := range app.Mounts {
			in(m.Group).RegisterVersions(conformance.Versions(m, func(version *conformance.MountedVersion) func(*echo.Group) {
				return func(g *echo.Group) {
					g.Use(conformance.Adapt(version.Middleware, adapt)...)
					for _, r := range version.Routes {
						registerWith(g, r, conformance.Adapt(r.Middleware, adapt))
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

// router is Echo itself, or routes of v.
type router interface {
	CONNECT(path string, handler echo.HandlerFunc, middleware ...echo.MiddlewareFunc) *echo.Route
	DELETE(path string, handler echo.HandlerFunc, middleware ...echo.MiddlewareFunc) *echo.Route
	GET(path string, handler echo.HandlerFunc, middleware ...echo.MiddlewareFunc) *echo.Route
	HEAD(path string, handler echo.HandlerFunc, middleware ...echo.MiddlewareFunc) *echo.Route
	OPTIONS(path string, handler echo.HandlerFunc, middleware ...echo.MiddlewareFunc) *echo.Route
	PATCH(path string, handler echo.HandlerFunc, middleware ...echo.MiddlewareFunc) *echo.Route
	POST(path string, handler echo.HandlerFunc, middleware ...echo.MiddlewareFunc) *echo.Route
	PUT(path string, handler echo.HandlerFunc, middleware ...echo.MiddlewareFunc) *echo.Route
	TRACE(path string, handler echo.HandlerFunc, middleware ...echo.MiddlewareFunc) *echo.Route
	Add(method, path string, handler echo.HandlerFunc, middleware ...echo.MiddlewareFunc) *echo.Route
	Any(path string, handler echo.HandlerFunc, middleware ...echo.MiddlewareFunc) []*echo.Route
	Match(methods []string, path string, handler echo.HandlerFunc, middleware ...echo.MiddlewareFunc) []*echo.Route
}

// register registers a route.
func register(e *echo.Echo, v *versoecho.Routes, r conformance.Route, middleware []echo.MiddlewareFunc) {
	v = v.With(r.Options...)
	if r.EachVersion {
		v = v.EachVersion()
	}
	if r.Host != "" {
		v = v.Host(r.Host)
	}
	switch {
	case r.Group != nil && r.Group.Scope:
		registerWith(v.EchoGroup(""), r, middleware)
	case r.Handlers != nil:
		v.HandleVersions(r.Method, pathOf(r), conformance.Handlers(r, handlerOf), middleware...).Name = r.FullName()
	case r.Foreign:
		registerWith(e, r, middleware)
	default:
		registerWith(v, r, middleware)
	}
}

// registerWith registers a route without options with Echo itself or with v.
func registerWith(to router, r conformance.Route, middleware []echo.MiddlewareFunc) {
	path, added := pathOf(r), make([]*echo.Route, 1)
	switch {
	case r.Methods != nil:
		added = to.Match(r.Methods, path, handlerOf(r.Handle), middleware...)
	case r.Method == "":
		added = to.Any(path, handlerOf(r.Handle), middleware...)
	default:
		verb, ok := map[string]func(string, echo.HandlerFunc, ...echo.MiddlewareFunc) *echo.Route{
			"CONNECT": to.CONNECT, "DELETE": to.DELETE, "GET": to.GET, "HEAD": to.HEAD, "OPTIONS": to.OPTIONS,
			"PATCH": to.PATCH, "POST": to.POST, "PUT": to.PUT, "TRACE": to.TRACE,
		}[r.Method]
		if !ok {
			added[0] = to.Add(r.Method, path, handlerOf(r.Handle), middleware...)
		} else {
			added[0] = verb(path, handlerOf(r.Handle), middleware...)
		}
	}
	for _, route := range added {
		route.Name = r.FullName()
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
func middlewareOf(v *versoecho.Routes) func(conformance.Middleware) echo.MiddlewareFunc {
	return func(run conformance.Middleware) echo.MiddlewareFunc {
		return func(next echo.HandlerFunc) echo.HandlerFunc {
			return func(c echo.Context) error {
				status := run(conformance.Step{
					Version:        versoecho.Version(c),
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
	return func(c echo.Context) error {
		return respond(c, handle(conformance.Call{
			Context:     c.Request().Context(),
			Version:     versoecho.Version(c),
			Param:       func(name string) string { return param(c, name) },
			Link:        func(target verso.Target) (string, error) { return versoecho.Link(c, renameRest(target)) },
			Query:       c.QueryParam,
			Form:        c.FormValue,
			Bind:        binderOf(c),
			AtLeast:     func(version string) bool { return versoecho.AtLeast(c, version) },
			ContentType: func(resource string) (string, error) { return versoecho.ContentType(c, resource) },
		}))
	}
}

// binderOf returns Echo's own binder.
func binderOf(c echo.Context) map[string]func(any) error {
	var b echo.DefaultBinder
	return map[string]func(any) error{
		"query":  func(into any) error { return b.BindQueryParams(c, into) },
		"form":   func(into any) error { return b.BindBody(c, into) },
		"header": func(into any) error { return b.BindHeaders(c, into) },
	}
}

func respond(c echo.Context, response conformance.Response) error {
	if response.PassOn != "" {
		c.Echo().Router().Find(c.Request().Method, response.PassOn, c)
		return c.Handler()(c)
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
func param(c echo.Context, name string) string {
	if name == "rest" {
		name = "*"
	}
	return versoecho.Param(c, name)
}
