package versoecho5

import (
	"net/http"
	"testing"

	"github.com/labstack/echo/v5"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/core/adapter"
)

// TestIdentity fails if a newer Echo changes what router.go relies on.
func TestIdentity(t *testing.T) {
	one := func(c *echo.Context) error { return c.NoContent(http.StatusOK) }
	e := echo.New()
	added := false
	e.OnAddRoute = func(route echo.Route) error {
		added = true
		assert.Equal(t, adapter.Identity(echo.HandlerFunc(one)), adapter.Identity(route.Handler), "OnAddRoute gets the handler itself")
		return nil
	}
	e.GET("/", one)
	assert.True(t, added)
}
