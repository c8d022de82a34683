package echotest

import (
	"maps"
	"net/http"
	"testing"

	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
)

func TestConformance(t *testing.T) {
	conformance.Run(t, mount(newEcho, problems), ownOptions...)
}

// TestMiddleware runs the suite behind the middleware.
func TestMiddleware(t *testing.T) {
	conformance.Run(t, mount(newEcho, problems), append(ownOptions, conformance.BehindMiddleware())...)
}

// TestForeignRoutes registers the routes of which nothing is said with Echo.
func TestForeignRoutes(t *testing.T) {
	conformance.Run(t, mount(newEcho, problems), append(ownOptions, conformance.ForeignRoutes(true))...)
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
	conformance.Run(t, mount(newEcho, Config{}), opts...)
}

var problems = Config{ErrorHandler: WriteProblem}

func FuzzServices(f *testing.F) { conformance.FuzzServices(f, overridden()...) }

func FuzzRequests(f *testing.F) { conformance.FuzzRequests(f, overridden()...) }

// overridden returns mounts, with the middleware or without, in which clients may set
// another method.
func overridden() (mounts []conformance.Mount) {
	for _, install := range []func(*Echo){
		func(*Echo) {}, func(e *Echo) { e.Use(methodOverride()) }, func(e *Echo) { e.Pre(methodOverride()) },
	} {
		for times := range 2 {
			mounts = append(mounts, func(tb testing.TB, app conformance.App) *conformance.Server {
				tb.Helper()
				app.Middleware = times
				return mount(newEcho, problems, install)(tb, app)
			})
		}
	}
	return mounts
}

// mount mounts applications on Echo.
func mount(newEcho func() *Echo, config Config, install ...func(*Echo)) conformance.Mount {
	return func(tb testing.TB, app conformance.App) *conformance.Server {
		tb.Helper()
		e, config := newEcho(), config
		for _, install := range install {
			install(e)
		}
		if app.ExemptFromSunset != "" {
			config.ExemptFromSunset = func(c Context) bool { return c.Request().Header.Get(app.ExemptFromSunset) != "" }
		}
		if app.Client != nil {
			config.Client = func(c Context) string {
				return app.Client(conformance.Step{Version: Version(c), Header: c.Request().Header.Get, Param: func(name string) string { return param(c, name) }})
			}
		}
		if app.ErrorHandler != nil {
			config.ErrorHandler = func(c Context, rejected *verso.Error, answer *verso.Answer) error {
				return respond(c, app.ErrorHandler(rejected, answer))
			}
		}
		outside := make(map[string]bool) // not behind the middleware
		config.Skipper = func(c Context) bool { return outside[c.Path()] || c.Request().Header.Get(app.Skipper) != "" }
		v := New(e, app.API, config)
		adapt := middlewareOf(v)
		if app.RewriteErrors {
			e.Use(v.RewriteErrors())
		}
		if app.RewriteErrorsUnused {
			v.RewriteErrors()
		}
		if app.Around != nil {
			e.Use(func(next HandlerFunc) HandlerFunc {
				return func(c Context) error {
					return app.Around(func() error { return next(c) }, func(status int, text string) { conformance.WriteTo(c.Response())(status, text) })
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
			of = New(e, app.Other)
		}
		if app.Other != nil && app.Middleware > 0 {
			v = v.AfterCheck(of.Middleware())
		}
		if app.After != nil {
			v = v.AfterCheck(conformance.Adapt(app.After, middlewareOf(of))...)
		}
		if app.InContext {
			v = v.AfterCheck(InContext)
		}
		in := conformance.Groups(v, adapt, func(v *Routes, prefix string, middleware ...MiddlewareFunc) *Routes {
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
			in(m.Group).RegisterVersions(conformance.Versions(m, func(version *conformance.MountedVersion) func(*Group) {
				return func(g *Group) {
					g.Use(conformance.Adapt(version.Middleware, adapt)...)
					for _, r := range version.Routes {
						addTo(g, r, conformance.Adapt(r.Middleware, adapt))
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
func register(tb testing.TB, e *Echo, v *Routes, r conformance.Route, middleware []MiddlewareFunc) {
	tb.Helper()
	v = v.With(r.Options...)
	if r.EachVersion {
		v = v.EachVersion()
	}
	if r.Host != "" {
		v = onHost(v, r.Host)
	}
	switch {
	case (r.Outside || r.Foreign) && r.Methods == nil && r.Method != "":
		add(tb, e, r.Method, pathOf(r), handlerOf(r.Handle), r.FullName())
	case r.Outside || r.Foreign:
		addTo(e, r, middleware)
	case r.Group != nil && r.Group.Scope:
		addTo(v.EchoGroup(""), r, middleware)
	default:
		named(v, r.FullName(), func(v *Routes) []RouteInfo {
			if r.Handlers != nil {
				return []RouteInfo{v.HandleVersions(r.Method, pathOf(r), conformance.Handlers(r, handlerOf), middleware...)}
			}
			return addTo(v, r, middleware)
		})
	}
}

// registrar is Echo itself, one of its groups, or routes of v.
type registrar interface {
	generated
	Add(method, path string, h HandlerFunc, m ...MiddlewareFunc) RouteInfo
	Any(path string, h HandlerFunc, m ...MiddlewareFunc) AnyInfo
	Match(methods []string, path string, h HandlerFunc, m ...MiddlewareFunc) MatchInfo
}

// addTo registers a route without options.
func addTo(to registrar, r conformance.Route, middleware []MiddlewareFunc) []RouteInfo {
	path, handler := pathOf(r), handlerOf(r.Handle)
	switch {
	case r.Methods != nil:
		return to.Match(r.Methods, path, handler, middleware...)
	case r.Method == "":
		return infosOf(to.Any(path, handler, middleware...))
	}
	verb, ok := map[string]func(string, HandlerFunc, ...MiddlewareFunc) RouteInfo{
		"CONNECT": to.CONNECT, "DELETE": to.DELETE, "GET": to.GET, "HEAD": to.HEAD, "OPTIONS": to.OPTIONS,
		"PATCH": to.PATCH, "POST": to.POST, "PUT": to.PUT, "TRACE": to.TRACE,
	}[r.Method]
	if !ok {
		return []RouteInfo{to.Add(r.Method, path, handler, middleware...)}
	}
	return []RouteInfo{verb(path, handler, middleware...)}
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
func middlewareOf(v *Routes) func(conformance.Middleware) MiddlewareFunc {
	return func(run conformance.Middleware) MiddlewareFunc {
		return func(next HandlerFunc) HandlerFunc {
			return func(c Context) error {
				ended, isPanic := func(bool) {}, true
				defer func() { ended(isPanic) }()
				status := run(conformance.Step{
					Version:        Version(c),
					Header:         c.Request().Header.Get,
					AddField:       c.Response().Header().Add,
					SetTestVersion: func(version verso.Version) error { return v.SetTestVersion(c, version) },
					SetHeader:      c.Request().Header.Set,
					Keep:           func(key, value string) { c.Set(key, value) },
					SetMethod:      func(method string) { c.Request().Method = method },
					Query:          func(name string) string { return c.QueryParams().Get(name) },
					Form:           c.FormValue,
					Wrap:           func(with func(http.ResponseWriter) (http.ResponseWriter, func())) { ended = wrap(c, with) },
				})
				if status != 0 {
					isPanic = false
					return c.NoContent(status)
				}
				err := next(c)
				isPanic = false
				return err
			}
		}
	}
}

func handlerOf(handle func(conformance.Call) conformance.Response) HandlerFunc {
	if handle == nil {
		return nil
	}
	return func(c Context) error {
		bind := func(from func(Context, any) error) func(any) error {
			return func(into any) error { return from(c, into) }
		}
		return respond(c, handle(conformance.Call{
			Context:     c.Request().Context(),
			Version:     Version(c),
			Param:       func(name string) string { return param(c, name) },
			Link:        func(target verso.Target) (string, error) { return Link(c, renameRest(target)) },
			Query:       c.QueryParam,
			Form:        c.FormValue,
			Bind:        map[string]func(any) error{"query": bind(bindQuery), "form": bind(bindBody), "header": bind(bindHeaders)},
			AtLeast:     func(version string) bool { return AtLeast(c, version) },
			ContentType: func(resource string) (string, error) { return ContentType(c, resource) },
		}))
	}
}

func respond(c Context, response conformance.Response) error {
	if response.PassOn != "" {
		return passOn(c, response.PassOn)
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
func param(c Context, name string) string {
	if name == "rest" {
		name = "*"
	}
	return Param(c, name)
}
