package middleware

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/labstack/echo/v4"
	slogecho "github.com/samber/slog-echo"
	sloggin "github.com/samber/slog-gin"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
)

// TestRejectionsInSlog reads what loggers of others write of a rejection.
func TestRejectionsInSlog(t *testing.T) {
	gin.SetMode(gin.TestMode)
	api := verso.MustNew(verso.QueryParam("version"), twoVersions)
	for _, test := range []struct {
		name, message string
		service       func(*slog.Logger) http.Handler
		more          map[string]any
	}{
		{"slog-echo", "code=404, message=Invalid version in query parameter., internal=Invalid version in query parameter.", func(logger *slog.Logger) http.Handler {
			e := echo.New()
			e.Use(slogecho.New(logger))
			versoecho.New(e, api).GET("/users", func(c echo.Context) error { return c.NoContent(http.StatusNoContent) })
			return e
		}, map[string]any{
			"Source": `query parameter "version"`, "Status": 404.0, "MessageID": "invalid_query_parameter_version",
			"Message": "Invalid version in query parameter.", "HasRequested": true, "Sunset": "", "Successor": "",
		}},
		{"slog-gin", "HTTP error: 404 not found", func(logger *slog.Logger) http.Handler {
			r := gin.New()
			r.Use(sloggin.New(logger))
			versogin.New(r, api).GET("/users", func(c *gin.Context) { c.Status(http.StatusNoContent) })
			return r
		}, nil},
		{"slog-gin, ReturnError", "Error #01: Invalid version in query parameter.", func(logger *slog.Logger) http.Handler {
			r := gin.New()
			r.Use(sloggin.New(logger))
			versogin.New(r, api, versogin.Config{ErrorHandler: versogin.ReturnError}).GET("/users", func(c *gin.Context) { c.Status(http.StatusNoContent) })
			return r
		}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			var line bytes.Buffer
			test.service(slog.New(slog.NewJSONHandler(&line, nil))).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/users?version=v9", nil))
			var got struct {
				Level, Msg string
				Error      struct{ Internal map[string]any }
			}
			require.NoError(t, json.Unmarshal(line.Bytes(), &got))
			assert.Equal(t, []string{"WARN", test.message}, []string{got.Level, got.Msg})
			assert.Equal(t, test.more, got.Error.Internal)
		})
	}
}
