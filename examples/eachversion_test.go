package examples_test

import (
	"net/http"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/gofiber/fiber/v3"
	"github.com/labstack/echo/v4"
	echo5 "github.com/labstack/echo/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versoecho5"
	"github.com/goverso/verso/adapters/versofiber"
	"github.com/goverso/verso/adapters/versogin"
	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
)

// TestEachVersionWithoutPrefix registers no route: the mistake is in the call.
func TestEachVersionWithoutPrefix(t *testing.T) {
	api := verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	for name, call := range map[string]func(){
		"versoecho":  func() { versoecho.New(echo.New(), api).EachVersion() },
		"versoecho5": func() { versoecho5.New(echo5.New(), api).EachVersion() },
		"versofiber": func() { versofiber.New(fiber.New(), api).EachVersion() },
		"versogin":   func() { versogin.New(gin.New(), api).EachVersion() },
		"versohttp":  func() { versohttp.New(http.NewServeMux(), api).EachVersion() },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				err, ok := recover().(error)
				require.True(t, ok, "it does not panic with an error")
				var mistake *verso.Finding
				require.ErrorAs(t, err, &mistake)
				assert.Equal(t, "each_without_prefix", mistake.Code)
				assert.ErrorContains(t, err, name+": EachVersion: ")
			}()
			call()
		})
	}
}
