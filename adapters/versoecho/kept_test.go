package versoecho_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/conformance"
)

// TestKeepServed has an authentication that says who asks, in front of routes whose
// version has ended, with and without the middleware on the instance. Routes of
// others are not asked about.
func TestKeepServed(t *testing.T) {
	authenticate := func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			c.Set("user", c.Request().Header.Get("Authorization"))
			return next(c)
		}
	}
	after := func() time.Time { return conformance.Sunset }
	for _, withMiddleware := range []bool{false, true} {
		e := echo.New()
		v := versoecho.New(e, conformance.Retiring(t, after), versoecho.Config{KeepServed: func(c echo.Context) bool {
			assert.NotEqual(t, "/others", c.Path())
			return c.Get("user") == "our UI"
		}})
		if withMiddleware {
			e.Use(v.Middleware())
		}
		api := v.Group("/api", authenticate)
		api.GET("/users", answerVersion)
		api.Choose("GET", "/rooms", versoecho.Handlers{"v1": answerVersion, "v2": nil})
		e.GET("/others", answerVersion)
		for _, test := range []struct {
			target, user string
			status       int
		}{
			{"/api/users", "our UI", http.StatusOK},
			{"/api/rooms", "our UI", http.StatusOK},
			{"/api/users", "somebody", http.StatusGone},
			{"/api/rooms", "", http.StatusGone},
		} {
			got := send(t, e, http.MethodGet, test.target, http.Header{"Authorization": {test.user}, "Api-Version": {"v1"}})
			assert.Equal(t, test.status, got.status, "%s of %q", test.target, test.user)
			assert.Equal(t, conformance.FieldsOfV1["Sunset"], got.header["Sunset"])
			if test.status == http.StatusOK {
				assert.Equal(t, "v1", got.body)
			}
		}
		got := send(t, e, http.MethodGet, "/others", http.Header{"Api-Version": {"v1"}})
		assert.Equal(t, withMiddleware, got.status == http.StatusGone, "of others")
	}
}
