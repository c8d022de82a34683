package versoecho5_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/labstack/echo/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho5"
	verso "github.com/goverso/verso/core"
)

func saying(text string) echo.HandlerFunc {
	return func(c *echo.Context) error { return c.String(http.StatusOK, text+" "+versoecho5.Version(c).String()) }
}

// ask sends a GET over a real connection and returns the status, the body and
// the header.
func ask(t *testing.T, handler http.Handler, path string, header ...string) (int, string, http.Header) {
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
	return response.StatusCode, body.String(), response.Header
}

// TestOptionsOfGroups joins what is said of a group with what is said of a route, and
// names routes that are neutral in the configuration.
func TestOptionsOfGroups(t *testing.T) {
	api := verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}}))
	v := versoecho5.NewWithConfig(api, versoecho5.Config{Neutral: []string{"/metrics"}})
	e := echo.New()
	e.Use(v.Middleware())
	e.GET("/metrics", saying("metrics"))
	old, err := v.With(e, verso.RemovedIn("v3")).AddRoute(echo.Route{Method: http.MethodGet, Path: "/:version/old", Handler: saying("old")})
	require.NoError(t, err)
	v.Route(old, verso.Since("v2"))

	for path, want := range map[string]string{
		"/metrics": "metrics ", "/v2/old": "old v2", "/v1/old": "not_in_version", "/v3/old": "not_in_version",
	} {
		_, body, _ := ask(t, e, path)
		assert.Contains(t, body, want, path)
	}
	defer func() {
		err, _ := recover().(error)
		var mistake *verso.ConfigError
		require.ErrorAs(t, err, &mistake)
		assert.Contains(t, err.Error(), "versoecho5: route ")
	}()
	info, _ := v.With(e, verso.Since("v1")).AddRoute(echo.Route{Method: http.MethodGet, Path: "/b", Handler: saying("b")})
	v.Route(info, verso.Neutral())
}

func TestContentType(t *testing.T) {
	api := verso.Must(verso.New(verso.MediaType("application/vnd.acme.{resource}-{version}+json"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	e := echo.New()
	e.Use(versoecho5.Middleware(api))
	e.GET("/orders", func(c *echo.Context) error {
		contentType, err := versoecho5.ContentType(c, "order")
		if err != nil {
			return err
		}
		return c.Blob(http.StatusOK, contentType, []byte("{}"))
	})
	_, _, header := ask(t, e, "/orders", "Accept", "application/vnd.acme.order-v2+json")
	assert.Equal(t, "application/vnd.acme.order-v2+json", header.Get("Content-Type"))
}

func TestPreIsSaidOnce(t *testing.T) {
	var log bytes.Buffer
	previous := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(previous)

	e := echo.New()
	e.Pre(versoecho5.Middleware(verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1"}}))))
	e.GET("/:version/users", saying("users"))
	for range 2 {
		status, _, _ := ask(t, e, "/v9/users")
		assert.Equal(t, http.StatusOK, status)
	}
	assert.Equal(t, 1, bytes.Count(log.Bytes(), []byte("before_router")))
}

func TestExplain(t *testing.T) {
	v := versoecho5.New(verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1"}, DefaultVersion: verso.V("v1")})))
	e := echo.New()
	e.GET("/:ver/users", saying("users"))
	explanation := v.Explain(e)
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
	e := echo.New()
	withClient := versoecho5.Config{Client: func(c *echo.Context) string { name, _ := c.Get("user").(string); return name }}
	e.Use(versoecho5.MiddlewareWithConfig(api, withClient))
	e.GET("/:version/users", func(c *echo.Context) error {
		c.Set("user", "acme")
		return nil
	})
	for path, want := range map[string]string{"/v1/users": "acme", "/v9/users": ""} {
		ask(t, e, path)
		got := <-told
		assert.Equal(t, want, got.Client, path)
		assert.Equal(t, "/:version/users", got.Route, path)
	}
	assert.PanicsWithError(t, "verso: Client: the Client is not called, since nothing is told of requests: set Observe in the verso.Config, or remove it",
		func() {
			versoecho5.NewWithConfig(verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1"}})), withClient)
		})
}
