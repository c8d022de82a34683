package versofiber_test

import (
	"testing"

	"github.com/gofiber/fiber/v3"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versofiber"
	verso "github.com/goverso/verso/core"
)

// TestMountTrustsItsOwnCheck: the middleware of a version runs, whatever version is set
// behind the check.
func TestMountTrustsItsOwnCheck(t *testing.T) {
	app := fiber.New()
	v := versofiber.New(app, verso.Must(verso.New(verso.Header("Api-Version"), twoVersions)))
	for prefix, of := range map[string]*versofiber.Routes{
		"/own":   v,
		"/other": versofiber.New(app, verso.Must(verso.New(verso.QueryParam("schema"), twoVersions))),
	} {
		set := func(c fiber.Ctx) error {
			if err := of.SetVersion(c, verso.V("v2")); err != nil {
				return err
			}
			return c.Next()
		}
		v.Group(prefix).AfterCheck(set).Mount(map[string]func(fiber.Router){
			"v1": func(g fiber.Router) {
				g.Use(func(c fiber.Ctx) error { return c.SendStatus(fiber.StatusForbidden) })
				g.Get("/x", answerVersion)
			},
			"v2": func(g fiber.Router) { g.Get("/x", answerVersion) },
		})
	}
	s := start(t, app)
	for _, target := range []string{"/own/x", "/other/x"} {
		assert.Equal(t, fiber.StatusForbidden, s.get(t, target, "Api-Version", "v1").status, target)
		assert.Equal(t, fiber.StatusOK, s.get(t, target, "Api-Version", "v2").status, target)
	}
}

// TestChooseIsForItsRouteOnly: what Choose returns registers other routes as v does.
func TestChooseIsForItsRouteOnly(t *testing.T) {
	app := fiber.New()
	v := versofiber.New(app, verso.Must(verso.New(verso.Header("Api-Version"), twoVersions)))
	v.Choose("GET", "/old", versofiber.Handlers{"v1": answerVersion, "v2": nil}).Get("/users", answerVersion)
	s := start(t, app)
	assert.Equal(t, fiber.StatusNotFound, s.get(t, "/old", "Api-Version", "v2").status)
	assert.Equal(t, "v2", s.get(t, "/users", "Api-Version", "v2").body)
}
