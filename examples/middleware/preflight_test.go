package middleware

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/chromedp/chromedp"
	gincors "github.com/gin-contrib/cors"
	"github.com/gin-gonic/gin"
	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
	"github.com/rs/cors"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versogin"
	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/internal/browsertest"
)

// TestPreflightsOfABrowser asks for /users with the header Api-Version from a page of
// another origin, so that the browser sends a preflight, which has no such header.
func TestPreflightsOfABrowser(t *testing.T) {
	gin.SetMode(gin.TestMode)
	show := func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte(versohttp.Version(r).String())) }
	allow := func(origin string) *cors.Cors {
		return cors.New(cors.Options{AllowedOrigins: []string{origin}, AllowedHeaders: []string{"Api-Version"}})
	}
	services := map[string]func(api *verso.Versioning, origin string) http.Handler{
		"net/http, CORS is the handler": func(api *verso.Versioning, origin string) http.Handler {
			mux := http.NewServeMux()
			versohttp.New(mux, api).Handle("/users", allow(origin).Handler(http.HandlerFunc(show)))
			return mux
		},
		"net/http, CORS in front": func(api *verso.Versioning, origin string) http.Handler {
			mux := http.NewServeMux()
			versohttp.New(mux, api).Since("v2").HandleFunc("/users", show)
			return allow(origin).Handler(mux)
		},
		"Echo, CORS in front": func(api *verso.Versioning, origin string) http.Handler {
			e := echo.New()
			e.Use(middleware.CORSWithConfig(middleware.CORSConfig{AllowOrigins: []string{origin}, AllowHeaders: []string{"Api-Version"}}))
			versoecho.New(e, api).Since("v2").GET("/users", func(c echo.Context) error { return c.String(http.StatusOK, versoecho.Version(c).String()) })
			return e
		},
		"Gin, CORS in front": func(api *verso.Versioning, origin string) http.Handler {
			r := gin.New()
			r.Use(gincors.New(gincors.Config{AllowOrigins: []string{origin}, AllowHeaders: []string{"Api-Version"}, AllowMethods: []string{"GET"}}))
			versogin.New(r, api).Since("v2").GET("/users", func(c *gin.Context) { c.String(http.StatusOK, versogin.Version(c).String()) })
			return r
		},
	}
	configs := map[string]verso.Config{
		"without a default": {AllowedVersions: []string{"v1", "v2"}},
		"with a default":    {AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v1")},
	}
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<!doctype html>"))
	}))
	defer page.Close()
	tab := browsertest.Open(t)
	_, err := chromedp.Run(tab, chromedp.Navigate(page.URL))
	require.NoError(t, err)
	for service, build := range services {
		for config := range configs {
			t.Run(service+", "+config, func(t *testing.T) {
				api := verso.MustNew(verso.Header("Api-Version"), configs[config])
				preflights := make(chan http.Header, 2)
				handler := build(api, page.URL)
				server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.Method == http.MethodOptions {
						preflights <- r.Header
					}
					handler.ServeHTTP(w, r)
				}))
				defer server.Close()
				got, err := chromedp.Run(tab, chromedp.Evaluate[string](`fetch("`+server.URL+`/users", {headers: {"Api-Version": "v2"}})`+
					`.then(async r => r.status + " " + await r.text(), String)`, chromedp.EvalAwaitPromise))
				require.NoError(t, err)
				assert.Equal(t, "200 v2", got)
				require.Len(t, preflights, 1)
				preflight := <-preflights
				assert.Equal(t, "api-version", preflight.Get("Access-Control-Request-Headers"))
				assert.Empty(t, preflight.Get("Api-Version"))
			})
		}
	}
}
