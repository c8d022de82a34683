package versogin_test

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
)

// TestErrorHandlerPanics lets the error handler panic, with and without Recovery
// before the middleware.
func TestErrorHandlerPanics(t *testing.T) {
	for name, recovers := range map[string]bool{"with Recovery": true, "without": false} {
		t.Run(name, func(t *testing.T) {
			e := gin.New()
			if recovers {
				e.Use(gin.RecoveryWithWriter(io.Discard))
			}
			v := versogin.New(e, verso.Must(verso.NewQueryParameter(twoVersions)),
				versogin.WithErrorHandler(func(*gin.Context, *verso.Error, *verso.Answer) error { panic("error handler") }))
			e.Use(v.Middleware())
			v.Name("users").GET("/users", answerLink(verso.Target{Name: "users"}))
			server := httptest.NewUnstartedServer(e)
			server.Config.ErrorLog = log.New(io.Discard, "", 0)
			server.Start()
			defer server.Close()
			for range 3 {
				r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/users?version=v9", nil)
				require.NoError(t, err)
				response, err := server.Client().Do(r)
				if err == nil {
					response.Body.Close()
					assert.Equal(t, http.StatusInternalServerError, response.StatusCode)
				} else {
					assert.False(t, recovers, "the connection breaks: %v", err)
				}
				assert.Equal(t, server.URL+"/users?version=v2", get(t, server, "/users?version=v2"))
			}
		})
	}
}
