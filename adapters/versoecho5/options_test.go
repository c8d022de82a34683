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
	v := versoecho5.NewWithConfig(api, versoecho5.Config{Neutral: []string{"/metrics"}})
	e := echo.New()
	e.Use(v.Middleware())
	v.Route(e.GET("/health", saying("health")), verso.Neutral())
	e.GET("/metrics", saying("metrics"))
	v.Route(e.GET("/:version/new", saying("new")), verso.Since("v2"))
	v.Route(e.DELETE("/:version/new", saying("delete")), verso.Since("v3"))
	old, err := v.With(e, verso.RemovedIn("v3")).AddRoute(echo.Route{Method: http.MethodGet, Path: "/:version/old", Handler: saying("old")})
	require.NoError(t, err)
	v.Route(old, verso.Since("v2"))
	named := func(path string, handler echo.HandlerFunc, _ ...echo.MiddlewareFunc) echo.RouteInfo {
		info, err := e.AddRoute(echo.Route{Method: http.MethodGet, Path: path, Name: "bookings", Handler: handler})
		require.NoError(t, err)
		return info
	}
	v.Choose(named, "/:version/bookings",
		versoecho5.From("v3", saying("third")), versoecho5.From("v1", saying("first")), versoecho5.Removed("v4"))
	e.GET("/:version/link", func(c *echo.Context) error {
		link, err := versoecho5.Link(c, verso.Target{Name: "bookings", Version: verso.V("v4")})
		assert.ErrorIs(t, err, verso.ErrNotInVersion)
		return c.String(http.StatusOK, link)
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
	v, e := versoecho5.New(api), echo.New()
	for name, register := range map[string]func(){
		"unknown version":       func() { v.Route(e.GET("/a", saying("a")), verso.Since("v9")) },
		"neutral and versioned": func() { v.Route(e.GET("/a2", saying("a")), verso.Neutral(), verso.Since("v1")) },
		"neutral in a group": func() {
			info, _ := v.With(e, verso.Since("v1")).AddRoute(echo.Route{Method: http.MethodGet, Path: "/b", Handler: saying("b")})
			v.Route(info, verso.Neutral())
		},
		"empty range":         func() { v.Route(e.GET("/a3", saying("a")), verso.Since("v2"), verso.RemovedIn("v2")) },
		"choice of nothing":   func() { v.Choose(e.GET, "/a") },
		"choice twice":        func() { v.Choose(e.GET, "/a", versoecho5.From("v1", saying("a")), versoecho5.From("v1", saying("b"))) },
		"removed before from": func() { v.Choose(e.GET, "/a", versoecho5.Removed("v1"), versoecho5.From("v2", saying("b"))) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				err, _ := recover().(error)
				require.Error(t, err)
				var mistake *verso.ConfigError
				assert.ErrorAs(t, err, &mistake)
				assert.Contains(t, err.Error(), "versoecho5: route ")
			}()
			register()
		})
	}
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
	_, _, header := ask(t, e, http.MethodGet, "/orders", "Accept", "application/vnd.acme.order-v2+json")
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
		status, _, _ := ask(t, e, http.MethodGet, "/v9/users")
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
		ask(t, e, http.MethodGet, path)
		got := <-told
		assert.Equal(t, want, got.Client, path)
		assert.Equal(t, "/:version/users", got.Route, path)
	}
	assert.PanicsWithError(t, "verso: Client: the Client is not called, since nothing is told of requests: set Observe in the verso.Config, or remove it",
		func() {
			versoecho5.NewWithConfig(verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1"}})), withClient)
		})
}
