package snippets

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versoecho"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/source"
)

// nearest reads a date, and takes the newest version that is not later, so that a date
// always means the same version.
type nearest struct{ source.Source }

func (s nearest) Read(r source.Request, served *source.ServedVersions) source.Reading {
	asked := s.Source.Read(r, served)
	if _, err := time.Parse(time.DateOnly, asked.Text); err != nil {
		return asked
	}
	isNewest := true
	for _, version := range slices.Backward(served.Versions()) {
		if _, ok := served.Find(version); !ok {
			continue // it is not released yet
		}
		if version <= asked.Text {
			if !isNewest {
				asked.Text = version
			}
			break // a date after the newest version is rejected
		}
		isNewest = false
	}
	return asked // rejected, if it is older than all versions
}

// TestNearestVersion asks for dates on which there was no version.
func TestNearestVersion(t *testing.T) {
	april := time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)
	today := april.AddDate(0, 0, -1)
	versions := catalogue.MustNew(catalogue.Config{ServedHeader: "Api-Version", AfterSunset: catalogue.Gone, Versions: []catalogue.Entry{
		{Version: "2024-01-01", Sunset: april.AddDate(-1, 0, 0)}, {Version: "2025-01-01"}, {Version: "2026-01-01"}, {Version: "2026-04-01", Released: april},
	}})
	api := verso.MustNew(nearest{verso.Header("Api-Version")}, verso.Config{Catalogue: versions, Clock: func() time.Time { return today }})
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
		{"not released yet", "2026-04-01", 400, ""},
		{"after the newest", "2026-01-02", 400, ""},
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

	const text = "2025-07-14" // the same request, a day later
	today = april
	assert.Equal(t, "2025-01-01", ask(text).Body.String())
	assert.Equal(t, "2026-01-01", ask("2026-03-31").Body.String())
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
