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
)

func saying(text string) fiber.Handler {
	return func(c fiber.Ctx) error { return c.SendString(text + " " + versofiber.Version(c).String()) }
}

// ask sends a request to an app and returns the status, the body and the header.
func ask(t *testing.T, app *fiber.App, method, path string, header ...string) (int, string, http.Header) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	response, err := app.Test(r)
	require.NoError(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, string(body), response.Header
}

func TestRoutesInVersions(t *testing.T) {
	api := verso.Must(verso.New(verso.First(verso.PathParam("version"), verso.Header("Api-Version")),
		verso.Config{AllowedVersions: []string{"v1", "v2", "v3", "v4"}}))
	app := fiber.New()
	v := versofiber.New(app, api)
	v.Neutral().Get("/health", saying("health"))
	app.Get("/metrics", saying("metrics"))
	v.Since("v2").Get("/:version/new", saying("new"))
	v.Since("v3").Delete("/:version/new", saying("delete"))
	v.RemovedIn("v3").Group("/:version").Since("v2").Get("/old", saying("old"))
	v.Choose("GET", "/:version/bookings", versofiber.Handlers{"v3": saying("third"), "v1": saying("first"), "v4": nil}).Name("bookings")
	v.Get("/:version/link", func(c fiber.Ctx) error {
		_, err := versofiber.Link(c, verso.Target{Name: "bookings", Version: verso.V("v4")})
		assert.ErrorIs(t, err, verso.ErrNotInVersion)
		return nil
	})

	for _, test := range []struct {
		name, method, path string
		status             int
		body, vary, allow  string
	}{
		{"neutral", "GET", "/health", 200, "health ", "", ""},
		{"of the app", "GET", "/metrics", 200, "metrics ", "", ""},
		{"since", "GET", "/v2/new", 200, "new v2", "", ""},
		{"before since", "GET", "/v1/new", 404, "not_in_version", "", ""},
		{"method of a later version", "DELETE", "/v2/new", 405, "method_not_in_version", "", "GET"},
		{"group and route", "GET", "/v2/old", 200, "old v2", "", ""},
		{"before the route's", "GET", "/v1/old", 404, "not_in_version", "", ""},
		{"after the group's", "GET", "/v3/old", 404, "not_in_version", "", ""},
		{"first handler", "GET", "/v1/bookings", 200, "first v1", "", ""},
		{"until the next", "GET", "/v2/bookings", 200, "first v2", "", ""},
		{"next handler", "GET", "/v3/bookings", 200, "third v3", "", ""},
		{"removed", "GET", "/v4/bookings", 404, "not_in_version", "", ""},
		{"link to a version without the route", "GET", "/v1/link", 200, "", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			status, body, header := ask(t, app, test.method, test.path)
			assert.Equal(t, test.status, status)
			assert.Contains(t, body, test.body)
			assert.Equal(t, test.vary, header.Get("Vary"))
			assert.Equal(t, test.allow, header.Get("Allow"))
		})
	}
}

func TestRegistrationMistakes(t *testing.T) {
	api := verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	v := versofiber.New(fiber.New(), api)
	for name, register := range map[string]func(){
		"unknown version":              func() { v.Since("v9").Get("/a", saying("a")) },
		"neutral and versioned":        func() { v.Neutral().Since("v1").Get("/b", saying("a")) },
		"neutral in a group":           func() { v.Since("v1").Group("/x").Neutral().Get("/c", saying("b")) },
		"empty range":                  func() { v.Since("v2").RemovedIn("v2").Get("/d", saying("a")) },
		"no handlers":                  func() { v.Choose("GET", "/e", nil) },
		"unknown version of a handler": func() { v.Choose("GET", "/f", versofiber.Handlers{"v9": saying("a")}) },
		"removed before the first":     func() { v.Choose("GET", "/g", versofiber.Handlers{"v1": nil, "v2": saying("b")}) },
		"without a version":            func() { v.Choose("GET", "/h", versofiber.Handlers{"": saying("a"), "v2": saying("b")}) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				err, _ := recover().(error)
				require.Error(t, err)
				assert.Contains(t, err.Error(), "versofiber: route ")
			}()
			register()
		})
	}
}

func TestOptionsOfMountedApps(t *testing.T) {
	api := verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1"}}))
	sub := fiber.New()
	versofiber.New(sub, api).Neutral().Get("/health", saying("health"))
	app := fiber.New()
	app.Use("/sub", sub)
	status, _, _ := ask(t, app, http.MethodGet, "/sub/health")
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
	_, _, header := ask(t, e, http.MethodGet, "/orders", "Accept", "application/vnd.acme.order-v2+json")
	assert.Equal(t, "application/vnd.acme.order-v2+json", header.Get("Content-Type"))
}

func TestExplain(t *testing.T) {
	v := versofiber.New(fiber.New(), verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1"}, DefaultVersion: verso.V("v1")})))
	v.Get("/:ver/users", saying("users"))
	explanation := v.Explain()
	require.Len(t, explanation.Routes, 1)
	require.NotEmpty(t, explanation.Findings)
	assert.Equal(t, "param_in_no_route", explanation.Findings[0].Code)
}

// TestClient sees who sent a request in what Observe is told, and that the callback
// comes after the handler.
func TestClient(t *testing.T) {
	told := make(chan verso.Usage, 1)
	config := verso.Config{AllowedVersions: []string{"v1"}, Observe: func(_ context.Context, u verso.Usage) { told <- u }}
	api := verso.Must(verso.NewURLPath(config))
	app := fiber.New()
	withClient := versofiber.Config{Client: func(c fiber.Ctx) string { name, _ := c.Locals("user").(string); return name }}
	versofiber.New(app, api, withClient).Get("/:version/users", func(c fiber.Ctx) error {
		c.Locals("user", "acme")
		return nil
	})
	for path, want := range map[string]string{"/v1/users": "acme", "/v9/users": ""} {
		ask(t, app, http.MethodGet, path)
		got := <-told
		assert.Equal(t, want, got.Client, path)
		assert.Equal(t, "/:version/users", got.Route, path)
	}
	assert.PanicsWithError(t, "verso: Client: the Client is not called, since nothing is told of requests: set Observe in the verso.Config, or remove it",
		func() {
			versofiber.New(app, verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1"}})), withClient)
		})
}
