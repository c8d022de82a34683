package snippets

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versoecho"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

var (
	deprecated = time.Date(2026, time.June, 30, 0, 0, 0, 0, time.UTC)
	sunset     = time.Date(2027, time.January, 31, 0, 0, 0, 0, time.UTC)
)

// What a team writes without Verso.

func versionsByHand(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		version, header := c.Param("version"), c.Request().Header.Get("Api-Version")
		switch {
		case version == "" && header == "":
			return echo.NewHTTPError(http.StatusBadRequest, "name a version")
		case version == "":
			version = header
			c.Response().Header().Add("Vary", "Api-Version")
		case header != "" && header != version:
			return echo.NewHTTPError(http.StatusBadRequest, "contradicting versions")
		}
		if !slices.Contains([]string{"v1", "v2", "v3"}, version) {
			return echo.NewHTTPError(http.StatusNotFound, "unknown version")
		}
		c.Set("version", version)
		return next(c)
	}
}

func announceByHand(now func() time.Time) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if c.Get("version") != "v1" {
				return next(c)
			}
			header := c.Response().Header()
			header.Set("Deprecation", "@"+strconv.FormatInt(deprecated.Unix(), 10))
			header.Set("Sunset", sunset.Format(http.TimeFormat))
			if !now().Before(sunset) {
				return echo.NewHTTPError(http.StatusGone, "v1 has ended")
			}
			return next(c)
		}
	}
}

func showBooking(c echo.Context) error {
	switch c.Get("version") {
	case "v1", "v2":
		return showGuest(c)
	default:
		return showNames(c)
	}
}

func showInvoice(c echo.Context) error {
	if c.Get("version") == "v1" {
		return echo.ErrNotFound
	}
	return showTotal(c)
}

func showTotal(c echo.Context) error { return c.JSON(http.StatusOK, echo.Map{"total": 100}) }

func showGuest(c echo.Context) error {
	return c.JSON(http.StatusOK, echo.Map{"guest": "Ada Lovelace"})
}

func showNames(c echo.Context) error {
	return c.JSON(http.StatusOK, echo.Map{"first_name": "Ada", "last_name": "Lovelace"})
}

func newByHand(now func() time.Time) *echo.Echo {
	e := echo.New()
	e.GET("/health", nothing)
	for _, prefix := range []string{"/:version", ""} {
		g := e.Group(prefix, versionsByHand, announceByHand(now))
		g.GET("/bookings/:id", showBooking)
		g.GET("/bookings/:id/invoice", showInvoice)
	}
	return e
}

// Step 2.

func newDetermined(now func() time.Time) *echo.Echo {
	e := echo.New()
	e.GET("/health", nothing)
	v := versoecho.New(e, verso.MustNew(
		verso.Agree(verso.PathParam("version"), verso.Header("Api-Version")),
		verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}},
	))
	for _, prefix := range []string{"/:version", ""} {
		g := v.Group(prefix).AfterCheck(keepAsBefore, announceByHand(now))
		g.GET("/bookings/:id", showBooking)
		g.GET("/bookings/:id/invoice", showInvoice)
	}
	return e
}

// keepAsBefore lets handlers read the version as they did.
func keepAsBefore(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		c.Set("version", versoecho.Version(c).String())
		return next(c)
	}
}

// Step 3.

func newAnnounced(now func() time.Time) *echo.Echo {
	versions := catalogue.MustNew(catalogue.Config{
		Versions: []catalogue.Entry{
			{Version: "v1", Deprecated: deprecated, Sunset: sunset, Successor: "v3"},
			{Version: "v2"},
			{Version: "v3"},
		},
		AfterSunset: catalogue.Gone,
	})
	e := echo.New()
	e.GET("/health", nothing)
	v := versoecho.New(e, verso.MustNew(
		verso.Agree(verso.PathParam("version"), verso.Header("Api-Version")),
		verso.Config{Catalogue: versions, Clock: now},
	))
	for _, prefix := range []string{"/:version", ""} {
		g := v.Group(prefix).AfterCheck(keepAsBefore)
		g.GET("/bookings/:id", showBooking)
		g.GET("/bookings/:id/invoice", showInvoice)
	}
	return e
}

// Step 4.

func newRouted(now func() time.Time) *echo.Echo {
	versions := catalogue.MustNew(catalogue.Config{
		Versions: []catalogue.Entry{
			{Version: "v1", Deprecated: deprecated, Sunset: sunset, Successor: "v3"},
			{Version: "v2"},
			{Version: "v3"},
		},
		AfterSunset: catalogue.Gone,
	})
	e := echo.New()
	e.GET("/health", nothing)
	v := versoecho.New(e, verso.MustNew(
		verso.Agree(verso.PathParam("version"), verso.Header("Api-Version")),
		verso.Config{Catalogue: versions, Clock: now},
	))
	for _, prefix := range []string{"/:version", ""} {
		g := v.Group(prefix)
		g.HandleVersions("GET", "/bookings/:id", versoecho.Handlers{"v1": showGuest, "v3": showNames}).Name = "booking"
		g.Since("v2").GET("/bookings/:id/invoice", showTotal).Name = "invoice"
	}
	return e
}

var fromHand = map[string]func(now func() time.Time) *echo.Echo{
	"by hand": newByHand, "determined": newDetermined, "announced": newAnnounced, "routed": newRouted,
}

func ask(e *echo.Echo, path, header string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	if header != "" {
		r.Header.Set("Api-Version", header)
	}
	w := httptest.NewRecorder()
	e.ServeHTTP(w, r)
	return w
}

// TestClientsStay asks the service of each step the same, as its clients do.
func TestClientsStay(t *testing.T) {
	const dates = "@1782777600 Sun, 31 Jan 2027 00:00:00 GMT"
	for step, newService := range fromHand {
		for _, test := range []struct {
			path, header string
			now          time.Time
			status       int
			body, dates  string
		}{
			{"/v1/bookings/7", "", deprecated, 200, `{"guest":"Ada Lovelace"}`, dates},
			{"/v2/bookings/7", "", deprecated, 200, `{"guest":"Ada Lovelace"}`, " "},
			{"/bookings/7", "v2", deprecated, 200, `{"guest":"Ada Lovelace"}`, " "},
			{"/bookings/7", "v3", deprecated, 200, `{"first_name":"Ada","last_name":"Lovelace"}`, " "},
			{"/v3/bookings/7", "v3", deprecated, 200, `{"first_name":"Ada","last_name":"Lovelace"}`, " "},
			{"/v2/bookings/7/invoice", "", deprecated, 200, `{"total":100}`, " "},
			{"/v1/bookings/7/invoice", "", deprecated, 404, "", dates},
			{"/v1/bookings/7", "", sunset, 410, "", dates},
			{"/v9/bookings/7", "", deprecated, 404, "", " "},
			{"/bookings/7", "", deprecated, 400, "", " "},
			{"/v1/bookings/7", "v2", deprecated, 400, "", " "},
			{"/health", "", deprecated, 204, "", " "},
			{"/nowhere/at/all", "", deprecated, 404, "", " "},
		} {
			t.Run(step+test.path+test.header, func(t *testing.T) {
				w := ask(newService(func() time.Time { return test.now }), test.path, test.header)
				assert.Equal(t, test.status, w.Code)
				if test.body != "" {
					assert.JSONEq(t, test.body, w.Body.String())
				}
				assert.Equal(t, test.dates, w.Header().Get("Deprecation")+" "+w.Header().Get("Sunset"))
			})
		}
	}
}

// TestWhatChangesForClients holds the page to what it says is new.
func TestWhatChangesForClients(t *testing.T) {
	now := func() time.Time { return deprecated }
	before, after := newByHand(now), newRouted(now)
	assert.Equal(t, 404, ask(before, "/bookings/7", "v9").Code)
	assert.Equal(t, 400, ask(after, "/bookings/7", "v9").Code)
	assert.Equal(t, 404, ask(before, "/bookings/7", "v2, v2").Code)
	assert.Equal(t, 200, ask(after, "/bookings/7", "v2, v2").Code)
	assert.Empty(t, ask(before, "/v2/bookings/7", "").Header().Get("Vary"))
	assert.Equal(t, "Api-Version", ask(after, "/v2/bookings/7", "").Header().Get("Vary"))
	assert.NotContains(t, ask(before, "/v9/bookings/7", "").Body.String(), "allowed_versions")
	assert.Contains(t, ask(after, "/v9/bookings/7", "").Body.String(), `"allowed_versions":["v1","v2","v3"]`)
}

// Groups by prefix, by hand and with Verso.

func usersByPrefix(e *echo.Echo) {
	v1, v2 := e.Group("/v1"), e.Group("/v2")
	v1.GET("/bookings/:id", showGuest)
	v2.GET("/bookings/:id", showNames)
}

func usersWithPrefix(e *echo.Echo) {
	api := verso.MustNew(verso.PathPrefix("/{version}"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	v := versoecho.New(e, api)
	v1, v2 := v.Group("/v1"), v.Group("/v2")
	v1.GET("/bookings/:id", showGuest)
	v2.GET("/bookings/:id", showNames)
}

func TestGroupsByPrefix(t *testing.T) {
	for _, register := range []func(*echo.Echo){usersByPrefix, usersWithPrefix} {
		e := echo.New()
		register(e)
		for path, want := range map[string]string{"/v1/bookings/7": "guest", "/v2/bookings/7": "last_name", "/v3/bookings/7": "Not Found"} {
			assert.True(t, strings.Contains(ask(e, path, "").Body.String(), want), path)
		}
	}
}
