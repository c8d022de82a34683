package versochi_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/go-chi/chi/v5"

	"github.com/goverso/verso/adapters/versochi"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

// A response has the URL of its next page. A mistake in the name is logged, and the response lacks
// it.
func ExampleURL() {
	api := verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}, Links: verso.LinkConfig{Relative: true}})
	r := chi.NewRouter()
	v := versochi.New(r, api)
	v.Name("booking").Get("/{version}/bookings/{id}", func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprint(w, versochi.URL(r, verso.Target{Name: "booking", Params: verso.Params{"id": 8}}))
	})

	w := httptest.NewRecorder()
	r.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v2/bookings/7", nil))
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
	r := chi.NewRouter()
	v := versochi.New(r, api, versochi.Config{ExemptFromSunset: versochi.SameOrigin})
	v.Get("/{version}/bookings", func(http.ResponseWriter, *http.Request) {})

	for _, site := range []string{"same-origin", "cross-site", "none"} {
		request := httptest.NewRequest(http.MethodGet, "/v1/bookings", nil)
		request.Header.Set("Sec-Fetch-Site", site)
		w := httptest.NewRecorder()
		r.ServeHTTP(w, request)
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
	v := versochi.New(chi.NewRouter(), api)
	v.EachVersion().Get("/api/tasks/{id}", func(http.ResponseWriter, *http.Request) {}) // which knows the pattern by chi.RouteContext
	for _, pattern := range []string{"/api/tasks/{id}", "/api/v2/tasks/{id}", "/health"} {
		fmt.Println(v.Template(pattern))
	}
	// Output:
	// /api/{version}/tasks/{id}
	// /api/{version}/tasks/{id}
	// /health
}
