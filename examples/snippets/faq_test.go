package snippets

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/versotest"
)

// pinned is a source that looks up the version that a client began with.
type pinned map[string]string

func (p pinned) Read(r verso.Request, _ *verso.Served) verso.Reading {
	key, _ := r.Header("Authorization")
	version, ok := p[key]
	if !ok {
		return verso.Reading{}
	}
	return verso.Reading{Outcome: verso.Found, Text: version}
}

func (pinned) Write(t verso.Target, _ verso.Version) (verso.Target, error) { return t, nil }

func (pinned) Describe() verso.Description {
	return verso.Description{Name: "pin of the client", Headers: []string{"Authorization"}}
}

// TestPinnedClients lets a header override the pin.
func TestPinnedClients(t *testing.T) {
	api := verso.Must(verso.New(
		verso.First(verso.Header("Api-Version"), pinned{"Bearer shop": "2025-01-01"}),
		verso.Config{AllowedVersions: []string{"2025-01-01", "2026-01-01"}, DefaultVersion: verso.V("2026-01-01")},
	))
	e := echo.New()
	e.Use(versoecho.Middleware(api))
	e.GET("/users", func(c echo.Context) error { return c.String(http.StatusOK, versoecho.Version(c).String()) })
	for _, test := range []struct{ authorization, header, want, vary string }{
		{"Bearer shop", "", "2025-01-01", "Api-Version, Authorization"},
		{"Bearer shop", "2026-01-01", "2026-01-01", "Api-Version"},
		{"Bearer new", "", "2026-01-01", "Api-Version, Authorization"},
	} {
		r, w := httptest.NewRequest(http.MethodGet, "/users", nil), httptest.NewRecorder()
		r.Header.Set("Authorization", test.authorization)
		if test.header != "" {
			r.Header.Set("Api-Version", test.header)
		}
		e.ServeHTTP(w, r)
		assert.Equal(t, test.want, w.Body.String())
		assert.Equal(t, test.vary, strings.Join(w.Header()["Vary"], ", "))
	}
}

// TestVersionInErrorHandlers asks for the version where errors of handlers are
// answered.
func TestVersionInErrorHandlers(t *testing.T) {
	api := verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	e := echo.New()
	e.HTTPErrorHandler = func(_ error, c echo.Context) { _ = c.String(http.StatusTeapot, versoecho.Version(c).String()) }
	e.Use(versoecho.Middleware(api))
	e.GET("/:version/users", func(echo.Context) error { return errors.New("no") })

	r := gin.New()
	r.Use(func(c *gin.Context) {
		c.Next()
		c.String(http.StatusTeapot, versogin.Version(c).String())
	}, versogin.Middleware(api))
	r.GET("/:version/users", func(c *gin.Context) { _ = c.Error(errors.New("no")) })

	for _, handler := range []http.Handler{e, r} {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, versotest.Ask(t, api, "v2", httptest.NewRequest(http.MethodGet, "/:version/users", nil)))
		assert.Equal(t, "v2", w.Body.String())
	}
}

// TestDatesAreVersions counts dates in the order of the list.
func TestDatesAreVersions(t *testing.T) {
	api := verso.Must(verso.New(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"2025-01-01", "2026-01-01"}}))
	v := versoecho.New(api)
	e := echo.New()
	e.Use(v.Middleware())
	v.Route(e.GET("/rooms", nothing), verso.Since("2026-01-01"))
	for version, want := range map[string]int{"2025-01-01": http.StatusNotFound, "2026-01-01": http.StatusNoContent} {
		w := httptest.NewRecorder()
		e.ServeHTTP(w, versotest.Ask(t, api, version, httptest.NewRequest(http.MethodGet, "/rooms", nil)))
		assert.Equal(t, want, w.Code)
	}
	assert.False(t, api.IsAllowedVersion(verso.V("2026-1-1")))
}
