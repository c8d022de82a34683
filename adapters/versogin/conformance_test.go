package versogin_test

import (
	"testing"

	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/adapters/versogin"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
)

func TestMain(m *testing.M) {
	gin.SetMode(gin.TestMode)
	m.Run()
}

func TestConformance(t *testing.T) {
	conformance.Run(t, mount(routesAlone, false))
}

// TestMiddleware runs the suite behind the middleware.
func TestMiddleware(t *testing.T) {
	conformance.Run(t, mount(useMiddleware, false))
}

// TestMiddlewareAlone registers the routes of which nothing is said with Gin, and those
// with handlers by Mount.
func TestMiddlewareAlone(t *testing.T) {
	conformance.Run(t, mount(useMiddleware, true))
}

func routesAlone(_ *gin.Engine, v *versogin.Routes) *versogin.Routes { return v }

func useMiddleware(r *gin.Engine, v *versogin.Routes) *versogin.Routes {
	r.Use(v.Middleware())
	return v
}

func FuzzServices(f *testing.F) { conformance.FuzzServices(f, guarded()...) }

func FuzzRequests(f *testing.F) { conformance.FuzzRequests(f, guarded()...) }

// guarded returns mounts for fuzz tests.
func guarded() (mounts []conformance.Mount) {
	guard := func(c *gin.Context) { c.Writer.Header().Add(conformance.Guard, "ran") }
	override := func(c *gin.Context) {
		if method := c.GetHeader("X-HTTP-Method-Override"); method != "" {
			c.Request.Method = method
		}
	}
	for _, before := range [][]gin.HandlerFunc{nil, {override}} {
		for _, install := range []func(*gin.Engine, *versogin.Routes) *versogin.Routes{routesAlone, useMiddleware} {
			mounts = append(mounts, mount(func(r *gin.Engine, v *versogin.Routes) *versogin.Routes {
				r.HandleMethodNotAllowed = false // the router of Gin 1.12.0 panics for some requests otherwise
				r.Use(before...)
				return install(r, v).Group("", guard).AfterCheck(guard)
			}, false))
		}
	}
	return mounts
}

func mount(install func(*gin.Engine, *versogin.Routes) *versogin.Routes, alone bool) conformance.Mount {
	return func(tb testing.TB, app conformance.App) *conformance.Server {
		tb.Helper()
		r := gin.New()
		r.HandleMethodNotAllowed = true
		var config versogin.Config
		if app.KeepServed != "" {
			config.KeepServed = func(c *gin.Context) bool { return c.GetHeader(app.KeepServed) != "" }
		}
		v := versogin.New(r, app.API, config)
		for _, route := range app.Routes {
			if route.Outside { // before any middleware of the engine
				r.Handle(route.Method, pathOf(route), handlerOf(route.Handle))
			}
		}
		r.Use(stepOf(v, app.Before)...)
		if app.Middleware { // which is there twice, if the run installs it too
			useMiddleware(r, v)
		}
		v = install(r, v)
		r.Use(stepOf(v, app.Between)...)
		of := v
		if app.Other != nil {
			of = versogin.New(r, app.Other)
		}
		if app.Other != nil && app.Middleware {
			v = v.AfterCheck(of.Middleware())
		}
		if app.After != nil {
			v = v.AfterCheck(stepOf(of, app.After)...)
		}
		for _, route := range app.Routes {
			path := pathOf(route)
			named := v.Name(route.FullName()).With(route.Options...)
			if route.Rewriter != nil {
				named = named.Rewrite(route.Rewriter)
			}
			if route.EachVersion {
				named = named.EachVersion()
			}
			switch {
			case route.Outside:
			case route.Handlers != nil && alone:
				named.Mount(conformance.Handlers(route, func(handle func(conformance.Call) conformance.Response) func(gin.IRouter) {
					return func(r gin.IRouter) { r.Handle(route.Method, path, handlerOf(handle)) }
				}))
			case route.Handlers != nil:
				named.Choose(route.Method, path, conformance.Handlers(route, handlerOf))
			case route.Foreign || alone && route.FullName() == "" && len(route.Options) == 0 && !route.EachVersion:
				r.Handle(route.Method, path, handlerOf(route.Handle))
			case route.Method == "":
				named.Any(path, handlerOf(route.Handle))
			default:
				named.Handle(route.Method, path, handlerOf(route.Handle))
			}
		}
		if app.NotFound {
			r.NoRoute(v.NotFound())
			r.NoMethod(v.NotFound())
		}
		return conformance.Serve(tb, app, r)
	}
}

// stepOf returns middleware of the suite, nil for none.
func stepOf(v *versogin.Routes, step func(conformance.Step)) []gin.HandlerFunc {
	if step == nil {
		return nil
	}
	return []gin.HandlerFunc{func(c *gin.Context) {
		step(conformance.Step{
			SetVersion: func(version verso.Version) error { return v.SetVersion(c, version) },
			SetHeader:  c.Request.Header.Set,
			SetMethod:  func(method string) { c.Request.Method = method },
		})
	}}
}

func pathOf(route conformance.Route) string {
	return route.Path(func(name string, rest bool) string {
		if rest {
			return "*" + name
		}
		return ":" + name
	})
}

func handlerOf(handle func(conformance.Call) conformance.Response) gin.HandlerFunc {
	return func(c *gin.Context) {
		handle(conformance.Call{
			Context: c.Request.Context(),
			Version: versogin.Version(c),
			Param:   func(name string) string { return versogin.Param(c, name) },
			Link:    func(target verso.Target) (string, error) { return versogin.Link(c, target) },
		}).Write(c.Writer)
	}
}
