package versogin_test

import (
	"net/http"
	"strings"
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

func mount(tb testing.TB, app conformance.App) http.Handler {
	tb.Helper()
	r := gin.New()
	routes := versogin.NewRoutes(r)
	r.Use(versogin.New(app.Scheme, versogin.WithProduces(app.Produces...),
		versogin.WithRoutes(routes), versogin.WithTranslator(app.Translator), versogin.WithStrictness(app.Strict)))
	for _, route := range app.Routes {
		path := route.Path(func(name string, rest bool) string {
			if rest {
				return "*" + name
			}
			return ":" + name
		})
		group := routes
		if route.Namespace != "" {
			group = routes.Namespace(route.Namespace)
		}
		group.Name(route.Name).Handle(route.Method, path, func(c *gin.Context) {
			route.Handle(c.Writer, c.Request, conformance.Call{
				Version: versogin.Version(c),
				Param:   func(name string) string { return strings.TrimPrefix(c.Param(name), "/") },
				Reverse: func(target verso.Target) (string, error) { return versogin.Reverse(c, target) },
			})
		})
	}
	return r
}
