package versoecho

import (
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/core/adapter"
)

// TestIdentity fails if a newer Echo changes what identity.go relies on.
func TestIdentity(t *testing.T) {
	e := echo.New()
	group := e.Host("one.example").Group("/a").Group("/b")
	assert.Equal(t, "/a/b", fieldOf(group, "prefix").String(), "groups have their prefix in the field prefix")
	assert.Equal(t, "one.example", fieldOf(group, "host").String(), "and their host in the field host")
	assert.Equal(t, reflect.ValueOf(e).Pointer(), fieldOf(group, "echo").Pointer(), "and their instance in the field echo")

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
