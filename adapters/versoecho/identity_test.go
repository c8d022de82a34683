package versoecho

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/assert"
)

// TestIdentity fails if a newer Echo changes what identity.go relies on.
func TestIdentity(t *testing.T) {
	e := echo.New()
	assert.Equal(t, "/a/b", prefixOf(e.Group("/a").Group("/b")), "groups have their prefix in the field prefix")

	answer := func(text string) echo.HandlerFunc {
		return func(c echo.Context) error { return c.String(http.StatusOK, text) }
	}
	one, other := answer("one"), answer("other")
	assert.Equal(t, identity(one), identity(one))
	assert.NotEqual(t, identity(one), identity(other), "closures of one function differ")

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
			assert.Equal(t, identity(c.Handler()), identity(again.Handler()), "finding a route again finds the same handler")
			return next(c)
		}
	})
	e.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/users/7", nil))
	assert.True(t, asked)
}
