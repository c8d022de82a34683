package middleware

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gin-contrib/cors"
	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
)

// TestGinCORS sends a preflight and a request through Gin's CORS middleware,
// before and behind Verso. Echo's is tested with its adapter.
func TestGinCORS(t *testing.T) {
	gin.SetMode(gin.TestMode)
	allow := cors.New(cors.Config{AllowOrigins: []string{"https://app.example"}, AllowMethods: []string{"GET"}})
	for name, install := range map[string]func(r *gin.Engine, v *versogin.Routes){
		"CORS first":       func(r *gin.Engine, _ *versogin.Routes) { r.Use(allow) },
		"Middleware first": func(r *gin.Engine, v *versogin.Routes) { r.Use(v.Middleware(), allow) },
	} {
		t.Run(name, func(t *testing.T) {
			r := gin.New()
			v := versogin.New(r, verso.MustNew(verso.AcceptParam("version"), verso.Config{AllowedVersions: []string{"v1"}}))
			install(r, v)
			v.GET("/users", func(c *gin.Context) { c.String(http.StatusOK, versogin.Version(c).String()) })
			server := httptest.NewServer(r)
			defer server.Close()
			send := func(method, accept string) (status int, header http.Header) {
				request, err := http.NewRequestWithContext(t.Context(), method, server.URL+"/users", nil)
				require.NoError(t, err)
				request.Header.Set("Origin", "https://app.example")
				request.Header.Set("Access-Control-Request-Method", http.MethodGet)
				request.Header.Set("Accept", accept)
				response, err := server.Client().Do(request)
				require.NoError(t, err)
				require.NoError(t, response.Body.Close())
				return response.StatusCode, response.Header
			}
			status, header := send(http.MethodOptions, "*/*")
			assert.Equal(t, http.StatusNoContent, status)
			assert.Equal(t, "https://app.example", header.Get("Access-Control-Allow-Origin"))

			status, header = send(http.MethodGet, "application/json; version=v1")
			assert.Equal(t, http.StatusOK, status)
			assert.Equal(t, "https://app.example", header.Get("Access-Control-Allow-Origin"))
			if name == "CORS first" { // gin-contrib/cors sets Vary anew, so what stood there is lost
				assert.Equal(t, []string{"Origin, Accept"}, header.Values("Vary"))
			}

			status, header = send(http.MethodGet, "application/json; version=v9")
			assert.Equal(t, http.StatusNotAcceptable, status)
			assert.Contains(t, header.Get("Vary"), "Accept")
		})
	}
}
