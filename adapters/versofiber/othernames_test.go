package versofiber_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gofiber/fiber/v3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versofiber"
	verso "github.com/goverso/verso/core"
)

// TestUnmatchedWithOtherNames: where no route is, the middleware of the first version runs, whatever names the other
// versions have for parameters.
func TestUnmatchedWithOtherNames(t *testing.T) {
	app := fiber.New()
	version := func(text, path, route string) func(fiber.Router) {
		return func(r fiber.Router) {
			g := r.Group(path, func(c fiber.Ctx) error { c.Response().Header.Add("Ran", text); return c.Next() })
			g.Get(route, func(c fiber.Ctx) error { return c.SendString(text) })
		}
	}
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	v := versofiber.New(app, api)
	v.RegisterVersions(map[string]func(fiber.Router){
		"v1": version("one", "/api/:tenant", "/a"), "v2": version("two", "/api/:account", "/b"),
	})
	v.RegisterVersions(map[string]func(fiber.Router){
		"v1": version("one", `/jobs\:run`, "/a"), "v2": version("two", `/jobs\:stop`, "/b"),
	})
	for target, want := range map[string]string{"/api/x/nowhere": "one", "/api/x/b": "two", "/jobs:stop/nowhere": "two"} {
		sent := httptest.NewRequest(http.MethodGet, target, nil)
		sent.Header.Set("Api-Version", "v2")
		got, err := app.Test(sent)
		require.NoError(t, err)
		require.NoError(t, got.Body.Close())
		assert.Equal(t, []string{want}, got.Header["Ran"], target)
	}
}
