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

// ask sends a request over a real connection and returns the status, the body and
// the header.
func ask(t *testing.T, handler http.Handler, method, path string, header ...string) (int, string, http.Header) {
	t.Helper()
	server := httptest.NewServer(handler)
	defer server.Close()
	r, err := http.NewRequestWithContext(t.Context(), method, server.URL+path, nil)
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

func TestRoutesInVersions(t *testing.T) {
	api := verso.Must(verso.New(verso.First(verso.PathParam("version"), verso.Header("Api-Version")),
		verso.Config{AllowedVersions: []string{"v1", "v2", "v3", "v4"}}))
	gin.SetMode(gin.TestMode)
	e := gin.New()
	v := versogin.New(e, api, versogin.WithNeutral("/metrics"))
	e.Use(v.Middleware())
	v.Neutral().GET("/health", saying("health"))
	e.GET("/metrics", saying("metrics"))
	v.Since("v2").GET("/:version/new", saying("new"))
	v.Since("v3").DELETE("/:version/new", saying("delete"))
	v.RemovedIn("v3").Group("/:version").Since("v2").GET("/old", saying("old"))
	v.Name("bookings").Choose(http.MethodGet, "/:version/bookings",
		versogin.From("v3", saying("third")), versogin.From("v1", saying("first")), versogin.Removed("v4"))
	e.GET("/:version/link", func(c *gin.Context) {
		link, err := versogin.Link(c, verso.Target{Name: "bookings", Version: verso.V("v4")})
		assert.ErrorIs(t, err, verso.ErrNotInVersion)
		c.String(http.StatusOK, link)
	})

	for _, test := range []struct {
		name, method, path string
		status             int
		body, vary, allow  string
	}{
		{"neutral", "GET", "/health", 200, "health ", "", ""},
		{"neutral by pattern", "GET", "/metrics", 200, "metrics ", "", ""},
		{"since", "GET", "/v2/new", 200, "new v2", "", ""},
		{"before since", "GET", "/v1/new", 404, "not_in_version", "", ""},
		{"method of a later version", "DELETE", "/v2/new", 405, "method_not_in_version", "", "GET"},
		{"group and route", "GET", "/v2/old", 200, "old v2", "", ""},
		{"before the route's", "GET", "/v1/old", 404, "not_in_version", "", ""},
		{"after the group's", "GET", "/v3/old", 404, "not_in_version", "", ""},
		{"first handler", "GET", "/v1/bookings", 200, "first v1", "", ""},
		{"until the next", "GET", "/v2/bookings", 200, "first v2", "", ""},
		{"next handler", "GET", "/v3/bookings", 200, "third v3", "", ""},
		{"removed", "GET", "/v4/bookings", 404, "not_in_version", "", ""},
		{"link to a version without the route", "GET", "/v1/link", 200, "", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			status, body, header := ask(t, e, test.method, test.path)
			assert.Equal(t, test.status, status)
			assert.Contains(t, body, test.body)
			assert.Equal(t, test.vary, header.Get("Vary"))
			assert.Equal(t, test.allow, header.Get("Allow"))
		})
	}
}

func TestRegistrationMistakes(t *testing.T) {
	api := verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	e := gin.New()
	v := versogin.New(e, api)
	e.Use(v.Middleware())
	for name, register := range map[string]func(){
		"unknown version":       func() { v.Since("v9").GET("/a", saying("a")) },
		"neutral and versioned": func() { v.Neutral().Since("v1").GET("/b", saying("a")) },
		"neutral in a group":    func() { v.Since("v1").Group("/x").Neutral().GET("/c", saying("b")) },
		"empty range":           func() { v.Since("v2").RemovedIn("v2").GET("/d", saying("a")) },
		"choice of nothing":     func() { v.Choose("GET", "/e") },
		"choice twice":          func() { v.Choose("GET", "/f", versogin.From("v1", saying("a")), versogin.From("v1", saying("b"))) },
		"removed before from":   func() { v.Choose("GET", "/g", versogin.Removed("v1"), versogin.From("v2", saying("b"))) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				err, _ := recover().(error)
				require.Error(t, err)
				assert.Contains(t, err.Error(), "versogin: route ")
			}()
			register()
		})
	}
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
	_, _, header := ask(t, e, http.MethodGet, "/orders", "Accept", "application/vnd.acme.order-v2+json")
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
		ask(t, r, http.MethodGet, path)
		got := <-told
		assert.Equal(t, want, got.Client, path)
		assert.Equal(t, "/:version/users", got.Route, path)
	}
	assert.PanicsWithError(t, "verso: Client: the Client is not called, since nothing is told of requests: set Observe in the verso.Config, or remove it",
		func() {
			versogin.Middleware(verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1"}})), withClient)
		})
}
