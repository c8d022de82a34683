package snippets

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versofiber"
)

func inFiber(c fiber.Ctx) error { return c.SendString("ok " + c.Path()) }

func authenticateFiber(c fiber.Ctx) error {
	if c.Get("Key") == "" {
		return c.SendStatus(fiber.StatusUnauthorized)
	}
	return c.Next()
}

// fiberV1 has public routes first, files in the middle, and then authentication for the same prefix.
func fiberV1(app *fiber.App, api fiber.Router) {
	api.Group("/").Get("/v1/config", inFiber)
	app.Use("/", func(c fiber.Ctx) error {
		if c.Path() == "/app.js" {
			return c.SendString("js")
		}
		return c.Next()
	})
	protected := api.Group("/")
	protected.Use(authenticateFiber)
	protected.Get("/v1/tags", inFiber)
	protected.Post("/v1/tags/:id", inFiber)
}

// TestFiberKeepsV1: through v.Router() v1 stays as it was, and v2 is beside it.
func TestFiberKeepsV1(t *testing.T) {
	bare, app := fiber.New(), fiber.New()
	fiberV1(bare, bare.Group("/api"))

	search := inFiber
	v := versofiber.New(app, versioningOfAPI("2027-01-01"))
	api := v.Router().Group("/api") // v1 as it was
	fiberV1(app, api)
	v2 := v.Group("/api/v2", authenticateFiber)
	v2.Get("/tags", search)
	app.Use(v.NotFound()) // last

	for _, path := range []string{"/app.js", "/api", "/api/v1", "/api/v1/config", "/api/v1/config/", "/API/v1/config", "/api/v1/tags", "/api/v1/tags/a%2Fb", "/api/v1/nope", "/nope"} {
		for _, method := range []string{"GET", "HEAD", "POST", "DELETE", "OPTIONS"} {
			for _, key := range []string{"", "k"} {
				assert.Equal(t, askFiber(t, bare, method, path, key), askFiber(t, app, method, path, key), "%s %s %q", method, path, key)
			}
		}
	}
	assert.Equal(t, "200 OK ok /api/v2/tags", strings.TrimSpace(askFiber(t, app, "GET", "/api/v2/tags", "k")))
	assert.Contains(t, askFiber(t, app, "GET", "/api/v9/tags", "k"), "404")
}

func askFiber(t *testing.T, app *fiber.App, method, path, key string) string {
	t.Helper()
	r := httptest.NewRequest(method, path, http.NoBody)
	r.Header.Set("Key", key)
	w, err := app.Test(r)
	require.NoError(t, err)
	body, err := io.ReadAll(w.Body)
	require.NoError(t, err)
	require.NoError(t, w.Body.Close())
	return w.Status + w.Header.Get("Allow") + " " + string(body)
}
