package versoecho_test

import (
	"maps"
	"net/http"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho"
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

func mount(tb testing.TB, app conformance.App) http.Handler {
	tb.Helper()
	mw, err := versoecho.Config{Scheme: app.Scheme, Produces: app.Produces, Translator: app.Translator, Strict: app.Strict}.ToMiddleware()
	require.NoError(tb, err)
	e := echo.New()
	e.Use(mw)
	for _, route := range app.Routes {
		path := route.Path(func(name string, rest bool) string {
			if rest {
				return "*"
			}
			return ":" + name
		})
		e.Add(route.Method, path, func(c echo.Context) error {
			route.Handle(c.Response(), c.Request(), conformance.Call{
				Version: versoecho.Version(c),
				Reverse: func(target verso.Target) (string, error) { return versoecho.Reverse(c, renameRest(target)) },
				Param:   func(name string) string { return param(c, name) },
			})
			return nil
		}).Name = route.FullName()
	}
	return e
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
func param(c echo.Context, name string) string {
	if name == "rest" {
		name = "*"
	}
	return versoecho.Param(c, name)
}
