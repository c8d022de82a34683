package snippets

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versoecho"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

// TestNearestVersion asks for dates on which there was no version.
func TestNearestVersion(t *testing.T) {
	april := time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)
	today := april.AddDate(0, 0, -1)
	versions := catalogue.MustNew(catalogue.Config{ServedHeader: "Api-Version", AfterSunset: catalogue.Gone, Versions: []catalogue.Entry{
		{Version: "2024-01-01", Sunset: april.AddDate(-1, 0, 0)}, {Version: "2025-01-01"}, {Version: "2026-01-01"}, {Version: "2026-04-03", Released: april.AddDate(0, 0, 1)}, // the day before its name
	}})
	api := verso.MustNew(
		verso.Nearest(verso.Header("Api-Version"), verso.ByDate()),
		verso.Config{Catalogue: versions, Clock: func() time.Time { return today }},
	)
	e := echo.New()
	versoecho.New(e, api).GET("/users", func(c echo.Context) error { return c.String(http.StatusOK, versoecho.Version(c).String()) })
	ask := func(version string) *httptest.ResponseRecorder {
		r, w := httptest.NewRequest(http.MethodGet, "/users", nil), httptest.NewRecorder()
		r.Header.Set("Api-Version", version)
		e.ServeHTTP(w, r)
		return w
	}
	for _, test := range []struct {
		name, asked string
		status      int
		answered    string
	}{
		{"a version", "2025-01-01", 200, "2025-01-01"},
		{"between two", "2025-07-14", 200, "2025-01-01"},
		{"the newest", "2026-01-01", 200, "2026-01-01"},
		{"not released yet", "2026-04-03", 400, ""},
		{"tomorrow", "2026-04-01", 200, "2026-01-01"},
		{"after tomorrow", "2026-04-02", 400, ""},
		{"after the newest", "2026-01-02", 200, "2026-01-01"},
		{"ended", "2024-01-01", 410, ""},
		{"after one that has ended", "2024-07-14", 410, ""},
		{"before all", "2023-12-31", 400, ""},
		{"no date", "2025-13-01", 400, ""},
		{"latest", "latest", 400, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := ask(test.asked)
			assert.Equal(t, test.status, w.Code)
			assert.Equal(t, test.answered, w.Header().Get("Api-Version"))
			assert.Equal(t, "Api-Version", w.Header().Get("Vary"))
		})
	}

	today = april.AddDate(0, 0, 1) // the same requests, two days later
	for text, want := range map[string]string{"2025-07-14": "2025-01-01", "2026-03-31": "2026-01-01", "2026-04-01": "2026-01-01", "2026-04-03": "2026-04-03"} {
		assert.Equal(t, want, ask(text).Body.String(), text)
	}
}

// TestShopifysRule has it in the catalogue: the oldest version that is still served
// answers for those that have ended, and for requests without a version.
func TestShopifysRule(t *testing.T) {
	ended := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	versions := catalogue.MustParse([]byte(`{"after_sunset": "fall_forward", "served_header": "Api-Version", "versions": [
		{"version": "2025-01", "sunset": "2026-01-01", "successor": "2025-04"}, {"version": "2025-04"}, {"version": "2025-07"}
	]}`))
	api := verso.MustNew(verso.PathParam("version"), verso.Config{
		Catalogue: versions, DefaultVersion: verso.V("2025-01"), AfterDefaultSunset: verso.MoveUnversioned, Clock: func() time.Time { return ended },
	})
	e := echo.New()
	v := versoecho.New(e, api)
	show := func(c echo.Context) error { return c.String(http.StatusOK, versoecho.Version(c).String()) }
	v.GET("/:version/users", show)
	v.GET("/users", show)
	for path, want := range map[string]string{"/2025-01/users": "2025-04", "/users": "2025-04", "/2025-07/users": "2025-07"} {
		w := httptest.NewRecorder()
		e.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		assert.Equal(t, want, w.Body.String(), path)
		assert.Equal(t, want, w.Header().Get("Api-Version"), path)
	}
}
