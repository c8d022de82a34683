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
	conformance.Run(t, mount)
}

func mount(tb testing.TB, app conformance.App) *conformance.Server {
	tb.Helper()
	r := gin.New()
	r.HandleMethodNotAllowed = true
	v := versogin.New(r, app.API)
	r.Use(v.Middleware())
	for _, route := range app.Routes {
		path := route.Path(func(name string, rest bool) string {
			if rest {
				return "*" + name
			}
			return ":" + name
		})
		if route.Outside {
			r.Handle(route.Method, path, handlerOf(route.Handle))
			continue
		}
		named := v.Name(route.FullName()).With(route.Options...)
		if route.Choices == nil {
			named.Handle(route.Method, path, handlerOf(route.Handle))
		} else {
			named.Choose(route.Method, path, conformance.Choices(route, handlerOf)...)
		}
	}
	return conformance.Serve(tb, app, r)
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
