package versofiber_test

import (
	"testing"

	"github.com/gofiber/fiber/v3"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versofiber"
	verso "github.com/goverso/verso/core"
)

// TestChooseIsForItsRouteOnly: what Choose returns registers other routes as v does.
func TestChooseIsForItsRouteOnly(t *testing.T) {
	app := fiber.New()
	v := versofiber.New(app, verso.Must(verso.New(verso.Header("Api-Version"), twoVersions)))
	v.Choose("GET", "/old", versofiber.Handlers{"v1": answerVersion, "v2": nil}).Get("/users", answerVersion)
	s := start(t, app)
	assert.Equal(t, fiber.StatusNotFound, s.get(t, "/old", "Api-Version", "v2").status)
	assert.Equal(t, "v2", s.get(t, "/users", "Api-Version", "v2").body)
}
