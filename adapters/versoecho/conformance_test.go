package versoecho_test

import (
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

func mount(tb testing.TB, app conformance.App) http.Handler {
	tb.Helper()
	mw, err := versoecho.Config{Scheme: app.Scheme, Produces: app.Produces, Translator: app.Translator}.ToMiddleware()
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
				Reverse: func(target verso.Target) (string, error) { return versoecho.Reverse(c, target) },
			})
			return nil
		}).Name = route.FullName()
	}
	return e
}
