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
	"github.com/goverso/verso/core/scheme"
)

func saying(text string) echo.HandlerFunc {
	return func(c *echo.Context) error { return c.String(http.StatusOK, text+" "+versoecho5.Version(c).String()) }
}

// request sends a GET over a real connection and returns the status, the body and
// the header.
func request(t *testing.T, handler http.Handler, path string, header ...string) (int, string, http.Header) {
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

// TestOptionsOfGroups joins what is said of a group with what is said of a route. What
// is registered with Echo itself has no version.
func TestOptionsOfGroups(t *testing.T) {
	api := verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}}))
	e := echo.New()
	v := versoecho5.New(e, api)
	e.GET("/metrics", saying("metrics"))
	v.RemovedIn("v3").Group("/:version").Since("v2").GET("/old", saying("old"))

	for path, want := range map[string]string{
		"/metrics": "metrics ", "/v2/old": "old v2", "/v1/old": "not_in_version", "/v3/old": "not_in_version",
	} {
		_, body, _ := request(t, e, path)
		assert.Contains(t, body, want, path)
	}
	defer func() {
		err, _ := recover().(error)
		var mistake *verso.Finding
		require.ErrorAs(t, err, &mistake)
		assert.Contains(t, err.Error(), "versoecho5: route ")
	}()
	v.Since("v1").Group("/x").Neutral().GET("/c", saying("b"))
}

func TestRegistrationMistakes(t *testing.T) {
	api := verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	e, free := echo.New(), echo.NewWithConfig(echo.Config{Router: echo.NewRouter(echo.RouterConfig{AllowOverwritingRoute: true})})
	e.GET("before", saying("before"))
	v, vf := versoecho5.New(e, api), versoecho5.New(free, api)
	v.GET("/twice", saying("twice"))
	vf.GET("/twice", saying("twice"))
	vf.Any("/any", saying("any"))
	v.Name("user").GET("/users/:id", saying("user"))
	for name, test := range map[string]struct {
		register func()
		want     string
	}{
		"no handler":              {func() { v.GET("/h", nil) }, "route GET /h: the handler is nil"},
		"RouteNotFound":           {func() { v.Add(echo.RouteNotFound, "/*", saying("i")) }, "register it with Echo"},
		"twice":                   {func() { v.Since("v2").GET("/twice", saying("2")) }, "register it once with Choose"},
		"twice by Choose":         {func() { v.Choose("GET", "twice", versoecho5.Handlers{"v1": saying("2")}) }, "register it once with Choose"},
		"twice by Echo":           {func() { e.GET("/twice", saying("2")) }, "register it once with Choose"},
		"twice, Echo first":       {func() { v.GET("/before", saying("2")) }, "register it once with Choose"},
		"twice, with overwriting": {func() { vf.GET("/twice", saying("2")) }, "register it once with Choose"},
		"replaced by Echo":        {func() { free.GET("/twice", saying("2")) }, "register it once with Choose"},
		"any method replaced":     {func() { free.Any("/any", saying("2")) }, "register it once with Choose"},
		"name of another path":    {func() { v.Name("user").GET("/accounts/:id", saying("account")) }, "rename one of them"},
		"no group":                {func() { v.In(nil) }, "the group is nil"},
		"no Echo":                 {func() { versoecho5.New(nil, api) }, "there is no Echo"},
		"no versioning":           {func() { versoecho5.New(e, nil) }, "no versioning"},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				err, _ := recover().(error)
				require.ErrorContains(t, err, "versoecho5: ")
				assert.ErrorContains(t, err, test.want)
			}()
			test.register()
		})
	}
}

func TestContentType(t *testing.T) {
	api := verso.Must(verso.New(verso.MediaType("application/vnd.acme.{resource}-{version}+json"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	e := echo.New()
	e.Use(check(e, api))
	e.GET("/orders", func(c *echo.Context) error {
		contentType, err := versoecho5.ContentType(c, "order")
		if err != nil {
			return err
		}
		return c.Blob(http.StatusOK, contentType, []byte("{}"))
	})
	_, _, header := request(t, e, "/orders", "Accept", "application/vnd.acme.order-v2+json")
	assert.Equal(t, "application/vnd.acme.order-v2+json", header.Get("Content-Type"))
}

func TestPreIsSaidOnce(t *testing.T) {
	var log bytes.Buffer
	previous := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(previous)

	e := echo.New()
	e.Pre(check(e, verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1"}}))))
	e.GET("/:version/users", saying("users"))
	for range 2 {
		status, _, _ := request(t, e, "/v9/users")
		assert.Equal(t, http.StatusOK, status)
	}
	assert.Equal(t, 1, bytes.Count(log.Bytes(), []byte("before_router")))
}

func TestExplain(t *testing.T) {
	v := versoecho5.New(echo.New(), verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1"}, DefaultVersion: verso.V("v1")})))
	v.GET("/:ver/users", saying("users"))
	explanation := v.Explain()
	require.Len(t, explanation.Routes, 1)
	require.NotEmpty(t, explanation.Findings)
	assert.Equal(t, "param_in_no_route", explanation.Findings[0].Code)
}

// TestClient sees who sent a request in what Observe is told, and that the callback
// comes after the handler.
func TestClient(t *testing.T) {
	told := make(chan verso.Observation, 1)
	config := verso.Config{AllowedVersions: []string{"v1"}, Observe: func(_ context.Context, u verso.Observation) { told <- u }}
	api := verso.Must(scheme.NewURLPath("version", config))
	e := echo.New()
	withClient := versoecho5.Config{Client: func(c *echo.Context) string { name, _ := c.Get("user").(string); return name }}
	e.Use(check(e, api, withClient))
	e.GET("/:version/users", func(c *echo.Context) error {
		c.Set("user", "acme")
		return nil
	})
	for path, want := range map[string]string{"/v1/users": "acme", "/v9/users": ""} {
		request(t, e, path)
		got := <-told
		assert.Equal(t, want, got.Client, path)
		assert.Equal(t, "/:version/users", got.Route, path)
	}
	assert.PanicsWithError(t, "verso: Client: nothing calls Client, since Config.Observe is nil: set it, or remove Client",
		func() {
			versoecho5.New(e, verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1"}})), withClient)
		})
}
