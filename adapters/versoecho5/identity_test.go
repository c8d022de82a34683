package versoecho5

import (
	"net/http"
	"testing"

	"github.com/labstack/echo/v5"
	"github.com/stretchr/testify/assert"
)

// TestIdentity fails if a newer Echo changes what identity.go relies on.
func TestIdentity(t *testing.T) {
	answer := func(text string) echo.HandlerFunc {
		return func(c *echo.Context) error { return c.String(http.StatusOK, text) }
	}
	one, other := answer("one"), answer("other")
	assert.Equal(t, identity(one), identity(one))
	assert.NotEqual(t, identity(one), identity(other), "closures of one function differ")

	e := echo.New()
	added := false
	e.OnAddRoute = func(route echo.Route) error {
		added = true
		assert.Equal(t, identity(one), identity(route.Handler), "OnAddRoute gets the handler itself")
		return nil
	}
	e.GET("/", one)
	assert.True(t, added)
}
