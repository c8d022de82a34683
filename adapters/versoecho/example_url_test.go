package versoecho_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/labstack/echo/v4"

	"github.com/goverso/verso/adapters/versoecho"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

// A response has the URL of its next page. A mistake in the name is logged, and the response lacks
// it.
func ExampleURL() {
	api := verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}, Links: verso.LinkConfig{Relative: true}})
	e := echo.New()
	v := versoecho.New(e, api)
	v.GET("/:version/bookings/:id", func(c echo.Context) error {
		return c.String(http.StatusOK, versoecho.URL(c, verso.Target{Name: "booking", Params: verso.Params{"id": 8}}))
	}).Name = "booking"

	w := httptest.NewRecorder()
	e.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v2/bookings/7", nil))
	fmt.Println(w.Code, w.Body)
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
	e := echo.New()
	v := versoecho.New(e, api, versoecho.Config{ExemptFromSunset: versoecho.SameOrigin})
	v.GET("/:version/bookings", func(c echo.Context) error { return c.NoContent(http.StatusOK) })

	for _, site := range []string{"same-origin", "cross-site", "none"} {
		r := httptest.NewRequest(http.MethodGet, "/v1/bookings", nil)
		r.Header.Set("Sec-Fetch-Site", site)
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		fmt.Println(site, w.Code)
	}
	// Output:
	// same-origin 200
	// cross-site 410
	// none 410
}

// Tokens are allowed for resources, whatever the version.
func ExampleRoutes_Template() {
	api := verso.MustNew(verso.PathPrefix("/api/{version}"), verso.Config{AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v1")})
	v := versoecho.New(echo.New(), api)
	v.EachVersion().GET("/api/tasks/:id", func(c echo.Context) error { return c.NoContent(http.StatusOK) }) // which knows the pattern by c.Path()
	for _, pattern := range []string{"/api/tasks/:id", "/api/v2/tasks/:id", "/health"} {
		fmt.Println(v.Template(pattern))
	}
	// Output:
	// /api/{version}/tasks/{id}
	// /api/{version}/tasks/{id}
	// /health
}
