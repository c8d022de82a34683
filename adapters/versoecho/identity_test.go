package versoecho

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/core/adapter"
)

// TestIdentity fails if a newer Echo changes what identity.go relies on.
func TestIdentity(t *testing.T) {
	e := echo.New()
	assert.Equal(t, "/a/b", prefixOf(e.Group("/a").Group("/b")), "groups have their prefix in the field prefix")

	one := func(c echo.Context) error { return c.NoContent(http.StatusOK) }
	path := strings.Clone("/users/:id")
	e.GET(path, one)
	asked := false
	e.Use(func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			asked = true
			assert.Same(t, identityOf(path), identityOf(c.Path()), "Path returns the string that the route was registered with")
			assert.NotSame(t, identityOf(strings.Clone(path)), identityOf(c.Path()))

			again := e.AcquireContext()
			defer e.ReleaseContext(again)
			again.Reset(c.Request(), nil)
			e.Router().Find(http.MethodGet, c.Request().URL.Path, again)
			assert.Equal(t, adapter.Identity(c.Handler()), adapter.Identity(again.Handler()), "finding a route again finds the same handler")
			return next(c)
		}
	})
	e.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/users/7", nil))
	assert.True(t, asked)
}
