package versofiber_test

import (
	"io"
	"net/http/httptest"
	"testing"

	"github.com/gofiber/fiber/v3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/valyala/fasthttp"

	"github.com/goverso/verso/adapters/versofiber"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/versotest"
)

// colon writes a path parameter.
func colon(name string, _ bool) string { return ":" + name }

// TestSetVersion calls a handler in a version: by a request that asks for it, and
// without the middleware.
func TestSetVersion(t *testing.T) {
	user := verso.Target{Name: "user", Params: verso.Params{"id": 7}}
	show := func(c fiber.Ctx) error {
		link, err := versofiber.Link(c, user)
		if err != nil {
			return err
		}
		return c.SendString(versofiber.Version(c).String() + " " + link)
	}
	for _, test := range conformance.InV2 {
		t.Run(test.Name, func(t *testing.T) {
			t.Parallel()
			api := verso.Must(verso.New(test.Source, verso.Config{
				AllowedVersions: []string{"v1", "v2"},
				Links:           verso.LinkConfig{Origin: "http://v1.example.com"},
			}))
			app := fiber.New()
			v := versofiber.New(app, api)
			v.Get(test.Route.Path(colon), show).Name(test.Route.FullName())

			r := versotest.AskRoute(t, api, "v2", httptest.NewRequest(fiber.MethodGet, "/", nil), v.Link, user)
			response, err := app.Test(r)
			require.NoError(t, err)
			body, err := io.ReadAll(response.Body)
			require.NoError(t, err)
			require.NoError(t, response.Body.Close())
			assert.Equal(t, "v2 "+test.Link, string(body), "asked")

			c := app.AcquireCtx(&fasthttp.RequestCtx{})
			require.NoError(t, v.SetVersion(c, verso.V("v2")))
			require.NoError(t, show(c))
			assert.Equal(t, "v2 "+test.Link, string(c.Response().Body()), "without the handler")

			c = app.AcquireCtx(&fasthttp.RequestCtx{})
			require.ErrorIs(t, v.SetVersion(c, verso.V("v9")), verso.ErrUnknownVersion)
			assert.True(t, versofiber.Version(c).IsNone())
		})
	}
}
