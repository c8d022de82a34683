package versofiber_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/gofiber/fiber/v3"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versofiber"
	"github.com/goverso/verso/conformance"
)

// TestKeepServed has an authentication that says who asks, in front of routes whose
// version has ended.
func TestKeepServed(t *testing.T) {
	app := fiber.New()
	api := conformance.Retiring(t, func() time.Time { return conformance.Sunset })
	v := versofiber.New(app, api, versofiber.Config{KeepServed: func(c fiber.Ctx) bool { return c.Locals("user") == "our UI" }})
	group := v.Group("/api", func(c fiber.Ctx) error {
		c.Locals("user", c.Get("Authorization"))
		return c.Next()
	})
	group.Get("/users", answerName)
	group.Choose("GET", "/rooms", versofiber.Handlers{"v1": answerName, "v2": nil})
	s := start(t, app)
	for _, test := range []struct {
		target, user string
		status       int
	}{
		{"/api/users", "our UI", http.StatusOK},
		{"/api/rooms", "our UI", http.StatusOK},
		{"/api/users", "somebody", http.StatusGone},
		{"/api/rooms", "nobody", http.StatusGone},
	} {
		got := s.do(t, "GET", test.target, "Authorization", test.user, "Api-Version", "v1")
		assert.Equal(t, test.status, got.status, "%s of %q", test.target, test.user)
		assert.Equal(t, conformance.FieldsOfV1["Sunset"], got.header["Sunset"])
		if test.status == http.StatusOK {
			assert.Equal(t, " v1", got.body)
		}
	}
}
