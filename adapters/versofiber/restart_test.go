package versofiber_test

import (
	"context"
	"testing"

	"github.com/gofiber/fiber/v3"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versofiber"
	verso "github.com/goverso/verso/core"
)

// TestRestartRoutingInAnotherVersion: a route decides on the request that it gets, also
// if a route before it has decided on what the request was then, observed or not.
func TestRestartRoutingInAnotherVersion(t *testing.T) {
	for name, observe := range map[string]func(context.Context, verso.Observation){"not observed": nil, "observed": func(context.Context, verso.Observation) {}} {
		t.Run(name, func(t *testing.T) {
			config := twoVersions
			config.Observe = observe
			app := fiber.New()
			v := versofiber.New(app, verso.Must(verso.New(verso.Header("Api-Version"), config)))
			v.Get("/from", func(c fiber.Ctx) error {
				c.Request().Header.Set("Api-Version", c.Query("to"))
				c.Path("/to")
				return c.RestartRouting()
			})
			v.Get("/to", answerVersion)
			s := start(t, app)
			assert.Equal(t, "v2", s.get(t, "/from?to=v2", "Api-Version", "v1").body)
			assert.Equal(t, 400, s.get(t, "/from?to=v9", "Api-Version", "v1").status)
		})
	}
}
