package versofiber_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/gofiber/fiber/v3"

	"github.com/goverso/verso/adapters/versofiber"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

// A response has the URL of its next page. A mistake in the name is logged, and the response lacks
// it.
func ExampleURL() {
	api := verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}, Links: verso.LinkConfig{Relative: true}})
	app := fiber.New()
	v := versofiber.New(app, api)
	v.Get("/:version/bookings/:id", func(c fiber.Ctx) error {
		return c.SendString(versofiber.URL(c, verso.Target{Name: "booking", Params: verso.Params{"id": 8}}))
	}).Name("booking")

	response := verso.Must(app.Test(httptest.NewRequest(http.MethodGet, "/v2/bookings/7", nil))) //nolint:bodyclose // it is
	defer response.Body.Close()
	fmt.Println(response.StatusCode, string(verso.Must(io.ReadAll(response.Body))))
	// Output: 200 /v2/bookings/8
}

// A service's own pages go on working after the end of v1.
func ExampleSameOrigin() {
	api := verso.MustNew(verso.PathParam("version"), verso.Config{Catalogue: catalogue.MustNew(catalogue.Config{
		AfterSunset: catalogue.Gone,
		Versions: []catalogue.Entry{
			{Version: "v1", Sunset: catalogue.MustDate("2026-01-01"), Successor: "v2"}, {Version: "v2"},
		},
	})})
	app := fiber.New()
	v := versofiber.New(app, api, versofiber.Config{ExemptFromSunset: versofiber.SameOrigin})
	v.Get("/:version/bookings", func(fiber.Ctx) error { return nil })

	for _, site := range []string{"same-origin", "cross-site", "none"} {
		r := httptest.NewRequest(http.MethodGet, "/v1/bookings", nil)
		r.Header.Set("Sec-Fetch-Site", site)
		response := verso.Must(app.Test(r)) //nolint:bodyclose // it is
		_ = response.Body.Close()
		fmt.Println(site, response.StatusCode)
	}
	// Output:
	// same-origin 200
	// cross-site 410
	// none 410
}

// Tokens are allowed for resources, whatever the version.
func ExampleRoutes_Template() {
	api := verso.MustNew(verso.PathPrefix("/api/{version}"), verso.Config{AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v1")})
	v := versofiber.New(fiber.New(), api)
	v.EachVersion().Get("/api/tasks/:id", func(fiber.Ctx) error { return nil }) // which knows the pattern by c.Route().Path
	for _, pattern := range []string{"/api/tasks/:id", "/api/v2/tasks/:id", "/health"} {
		fmt.Println(v.Template(pattern))
	}
	// Output:
	// /api/{version}/tasks/{id}
	// /api/{version}/tasks/{id}
	// /health
}
