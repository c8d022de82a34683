package versofiber_test

import (
	"context"
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

// TestOptionsOfGroups joins what is said of a group with what is said of a route. What
// is registered with the app itself has no version.
func TestOptionsOfGroups(t *testing.T) {
	api := verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}}))
	app := fiber.New()
	v := versofiber.New(app, api)
	app.Get("/metrics", saying("metrics"))
	v.RemovedIn("v3").Group("/:version").Since("v2").Get("/old", saying("old"))

	for path, want := range map[string]string{
		"/metrics": "metrics ", "/v2/old": "old v2", "/v1/old": "not_in_version", "/v3/old": "not_in_version",
	} {
		_, body, _ := ask(t, app, path)
		assert.Contains(t, body, want, path)
	}
	defer func() {
		err, _ := recover().(error)
		var mistake *verso.Finding
		require.ErrorAs(t, err, &mistake)
		assert.Contains(t, err.Error(), "versofiber: route ")
	}()
	v.Since("v1").Group("/x").Neutral().Get("/c", saying("b"))
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

func TestContentType(t *testing.T) {
	api := verso.Must(verso.New(verso.MediaType("application/vnd.acme.{resource}-{version}+json"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	e := fiber.New()
	versofiber.New(e, api).Get("/orders", func(c fiber.Ctx) error {
		contentType, err := versofiber.ContentType(c, "order")
		assert.NoError(t, err)
		c.Set("Content-Type", contentType)
		return c.SendString("{}")
	})
	_, _, header := ask(t, e, "/orders", "Accept", "application/vnd.acme.order-v2+json")
	assert.Equal(t, "application/vnd.acme.order-v2+json", header.Get("Content-Type"))
}

func TestExplain(t *testing.T) {
	v := versofiber.New(fiber.New(), verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1"}, DefaultVersion: verso.V("v1")})))
	v.Get("/:ver/users", saying("users"))
	explanation := v.Explain()
	require.Len(t, explanation.Routes, 1)
	require.NotEmpty(t, explanation.Findings)
	assert.Equal(t, "param_in_no_route", explanation.Findings[0].Code)
}

// TestClient sees who sent a request in what Observe is told, and that the callback
// comes after the handler.
func TestClient(t *testing.T) {
	told := make(chan verso.Observation, 1)
	config := verso.Config{AllowedVersions: []string{"v1"}, Observe: func(_ context.Context, u verso.Observation) { told <- u }}
	api := verso.Must(scheme.NewURLPath("version", config))
	app := fiber.New()
	withClient := versofiber.Config{Client: func(c fiber.Ctx) string { name, _ := c.Locals("user").(string); return name }}
	versofiber.New(app, api, withClient).Get("/:version/users", func(c fiber.Ctx) error {
		c.Locals("user", "acme")
		return nil
	})
	for path, want := range map[string]string{"/v1/users": "acme", "/v9/users": ""} {
		ask(t, app, path)
		got := <-told
		assert.Equal(t, want, got.Client, path)
		assert.Equal(t, "/:version/users", got.Route, path)
	}
	assert.PanicsWithError(t, "verso: Client: nothing calls Client, since Config.Observe is nil: set it, or remove Client",
		func() {
			versofiber.New(app, verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1"}})), withClient)
		})
}
