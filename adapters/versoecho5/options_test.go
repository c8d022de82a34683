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

// request sends a request over a real connection and returns the status, the body and
// the header.
func request(t *testing.T, handler http.Handler, method, path string, header ...string) (int, string, http.Header) {
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
	e := echo.New()
	v := versoecho5.New(e, api)
	v.Neutral().GET("/health", saying("health"))
	v.Since("v2").GET("/:version/new", saying("new"))
	v.Since("v3").DELETE("/:version/new", saying("delete"))
	v.RemovedIn("v3").Group("/:version").Since("v2").GET("/old", saying("old"))
	v.Name("bookings").Choose(http.MethodGet, "/:version/bookings",
		versoecho5.Handlers{"v3": saying("third"), "v1": saying("first"), "v4": nil})
	v.GET("/:version/link", func(c *echo.Context) error {
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
			status, body, header := request(t, e, test.method, test.path)
			assert.Equal(t, test.status, status)
			assert.Contains(t, body, test.body)
			assert.Equal(t, test.vary, header.Get("Vary"))
			assert.Equal(t, test.allow, header.Get("Allow"))
		})
	}
}

func TestRegistrationMistakes(t *testing.T) {
	api := verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1", "v2"}}))
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
		"unknown version":         {func() { v.Since("v9").GET("/a", saying("a")) }, "route GET /a: "},
		"neutral and versioned":   {func() { v.Neutral().Since("v1").GET("/b", saying("b")) }, "route GET /b: "},
		"neutral in a group":      {func() { v.Since("v1").Group("/x").Neutral().GET("/c", saying("c")) }, "route GET /x/c: "},
		"empty range":             {func() { v.Since("v2").RemovedIn("v2").GET("/d", saying("d")) }, "route GET /d: "},
		"choice of nothing":       {func() { v.Choose("GET", "/e", nil) }, "route GET /e: "},
		"removed before from":     {func() { v.Choose("GET", "/f", versoecho5.Handlers{"v1": nil, "v2": saying("f")}) }, "route GET /f: "},
		"unversioned handler":     {func() { v.Choose("GET", "/g", versoecho5.Handlers{"": saying("g"), "v1": saying("g")}) }, "set AllowUnversioned"},
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
	_, _, header := request(t, e, http.MethodGet, "/orders", "Accept", "application/vnd.acme.order-v2+json")
	assert.Equal(t, "application/vnd.acme.order-v2+json", header.Get("Content-Type"))
}

func TestPreIsSaidOnce(t *testing.T) {
	var log bytes.Buffer
	previous := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(previous)

	e := echo.New()
	e.Pre(check(e, verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1"}}))))
	e.GET("/:version/users", saying("users"))
	for range 2 {
		status, _, _ := request(t, e, http.MethodGet, "/v9/users")
		assert.Equal(t, http.StatusOK, status)
	}
	assert.Equal(t, 1, bytes.Count(log.Bytes(), []byte("before_router")))
}

func TestExplain(t *testing.T) {
	v := versoecho5.New(echo.New(), verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1"}, DefaultVersion: verso.V("v1")})))
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
	e := echo.New()
	withClient := versoecho5.Config{Client: func(c *echo.Context) string { name, _ := c.Get("user").(string); return name }}
	e.Use(check(e, api, withClient))
	e.GET("/:version/users", func(c *echo.Context) error {
		c.Set("user", "acme")
		return nil
	})
	for path, want := range map[string]string{"/v1/users": "acme", "/v9/users": ""} {
		request(t, e, http.MethodGet, path)
		got := <-told
		assert.Equal(t, want, got.Client, path)
		assert.Equal(t, "/:version/users", got.Route, path)
	}
	assert.PanicsWithError(t, "verso: Client: the Client is not called, since nothing is told of requests: set Observe in the verso.Config, or remove it",
		func() {
			versoecho5.New(e, verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1"}})), withClient)
		})
}
