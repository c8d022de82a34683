package versofiber_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gofiber/fiber/v3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versofiber"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

func saying(text string) fiber.Handler {
	return func(c fiber.Ctx) error { return c.SendString(text + " " + versofiber.Version(c).String()) }
}

// ask sends a GET to an app and returns the status, the body and the header.
func ask(t *testing.T, app *fiber.App, path string, header ...string) (int, string, http.Header) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	return do(t, app, r)
}

func do(t *testing.T, app *fiber.App, r *http.Request) (int, string, http.Header) {
	t.Helper()
	response, err := app.Test(r)
	require.NoError(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, string(body), response.Header
}

func TestOptionsOfMountedApps(t *testing.T) {
	api := verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1"}}))
	sub := fiber.New()
	versofiber.New(sub, api).Neutral().Get("/health", saying("health"))
	app := fiber.New()
	app.Use("/sub", sub)
	status, _, _ := ask(t, app, "/sub/health")
	assert.Equal(t, http.StatusOK, status)
}
