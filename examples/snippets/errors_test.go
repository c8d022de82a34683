package snippets

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
)

// TestVersionInErrorHandlers asks for the version where errors of handlers are
// answered.
func TestVersionInErrorHandlers(t *testing.T) {
	api := verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	e := echo.New()
	e.HTTPErrorHandler = func(_ error, c echo.Context) { _ = c.String(http.StatusTeapot, versoecho.Version(c).String()) }
	versoecho.New(e, api).GET("/:version/users", func(echo.Context) error { return errors.New("no") })

	r := gin.New()
	r.Use(func(c *gin.Context) {
		c.Next()
		c.String(http.StatusTeapot, versogin.Version(c).String())
	})
	versogin.New(r, api).GET("/:version/users", func(c *gin.Context) { _ = c.Error(errors.New("no")) })

	for _, handler := range []http.Handler{e, r} {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v2/users", nil))
		assert.Equal(t, "v2", w.Body.String())
	}
}
