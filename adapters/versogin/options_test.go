package versogin_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
)

func saying(text string) gin.HandlerFunc {
	return func(c *gin.Context) { c.String(http.StatusOK, text+" "+versogin.Version(c).String()) }
}

// ask sends a GET over a real connection and returns the body and the header.
func ask(t *testing.T, handler http.Handler, path string, header ...string) (string, http.Header) {
	t.Helper()
	server := httptest.NewServer(handler)
	defer server.Close()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+path, nil)
	require.NoError(t, err)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	response, err := server.Client().Do(r)
	require.NoError(t, err)
	defer response.Body.Close()
	var body bytes.Buffer
	_, err = body.ReadFrom(response.Body)
	require.NoError(t, err)
	return body.String(), response.Header
}

// TestOptionsOfGroups joins what is said of a group with what is said of a route, and
// names routes that are neutral in the configuration.
func TestOptionsOfGroups(t *testing.T) {
	api := verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}}))
	e := gin.New()
	v := versogin.New(e, api, versogin.WithNeutral("/metrics"))
	e.Use(v.Middleware())
	e.GET("/metrics", saying("metrics"))
	v.RemovedIn("v3").Group("/:version").Since("v2").GET("/old", saying("old"))

	for path, want := range map[string]string{
		"/metrics": "metrics ", "/v2/old": "old v2", "/v1/old": "not_in_version", "/v3/old": "not_in_version",
	} {
		body, _ := ask(t, e, path)
		assert.Contains(t, body, want, path)
	}
	defer func() {
		err, _ := recover().(error)
		var mistake *verso.ConfigError
		require.ErrorAs(t, err, &mistake)
		assert.Contains(t, err.Error(), "versogin: route ")
	}()
	v.Since("v1").Group("/x").Neutral().GET("/c", saying("b"))
}

func TestMiddlewareAfterRoutesIsSaid(t *testing.T) {
	var log bytes.Buffer
	previous := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(previous)

	e := gin.New()
	v := versogin.New(e, verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1"}})))
	v.GET("/:version/users", saying("users"))
	e.Use(v.Middleware())
	assert.Contains(t, log.String(), "middleware_after_routes")
}

func TestContentType(t *testing.T) {
	api := verso.Must(verso.New(verso.MediaType("application/vnd.acme.{resource}-{version}+json"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	e := gin.New()
	e.Use(versogin.Middleware(api))
	e.GET("/orders", func(c *gin.Context) {
		contentType, err := versogin.ContentType(c, "order")
		assert.NoError(t, err)
		c.Data(http.StatusOK, contentType, []byte("{}"))
	})
	_, header := ask(t, e, "/orders", "Accept", "application/vnd.acme.order-v2+json")
	assert.Equal(t, "application/vnd.acme.order-v2+json", header.Get("Content-Type"))
}

func TestExplain(t *testing.T) {
	e := gin.New()
	v := versogin.New(e, verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1"}, DefaultVersion: verso.V("v1")})))
	e.Use(v.Middleware())
	v.GET("/:ver/users", saying("users"))
	explanation := v.Explain()
	require.Len(t, explanation.Routes, 1)
	require.NotEmpty(t, explanation.Findings)
	assert.Equal(t, "param_in_no_route", explanation.Findings[0].Code)
}

// TestClient sees who sent a request in what Observe is told, and that the callback
// comes after the handler.
func TestClient(t *testing.T) {
	told := make(chan verso.Usage, 1)
	config := verso.Config{AllowedVersions: []string{"v1"}, Observe: func(_ context.Context, u verso.Usage) { told <- u }}
	api := verso.Must(verso.NewURLPath(config))
	r := gin.New()
	withClient := versogin.WithClient(func(c *gin.Context) string { return c.GetString("user") })
	r.Use(versogin.Middleware(api, withClient))
	r.GET("/:version/users", func(c *gin.Context) { c.Set("user", "acme") })
	for path, want := range map[string]string{"/v1/users": "acme", "/v9/users": ""} {
		ask(t, r, path)
		got := <-told
		assert.Equal(t, want, got.Client, path)
		assert.Equal(t, "/:version/users", got.Route, path)
	}
	assert.PanicsWithError(t, "verso: Client: the Client is not called, since nothing is told of requests: set Observe in the verso.Config, or remove it",
		func() {
			versogin.Middleware(verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1"}})), withClient)
		})
}
