package versohttp_test

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
)

func saying(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(text + " " + versohttp.Version(r).String()))
	}
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
	serveMux := http.NewServeMux()
	mux := versohttp.New(serveMux, api)
	mux.Neutral().HandleFunc("GET /health", saying("health"))
	serveMux.HandleFunc("GET /metrics", saying("metrics"))
	mux.Since("v2").HandleFunc("GET /{version}/new", saying("new"))
	mux.Since("v3").HandleFunc("DELETE /{version}/new", saying("delete"))
	mux.RemovedIn("v3").Group("/{version}").Since("v2").HandleFunc("GET /old", saying("old"))
	mux.Name("bookings").Choose("GET", "/{version}/bookings", versohttp.Handlers{"v3": saying("third"), "v1": saying("first"), "v4": nil})
	mux.HandleFunc("GET /{version}/link", func(_ http.ResponseWriter, r *http.Request) {
		_, err := versohttp.Link(r, verso.Target{Name: "bookings", Version: verso.V("v4")})
		assert.ErrorIs(t, err, verso.ErrNotInVersion)
	})

	for _, test := range []struct {
		name, method, path string
		status             int
		body, vary, allow  string
	}{
		{"neutral", "GET", "/health", 200, "health ", "", ""},
		{"of the ServeMux", "GET", "/metrics", 200, "metrics ", "", ""},
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
			status, body, header := ask(t, mux, test.method, test.path)
			assert.Equal(t, test.status, status)
			assert.Contains(t, body, test.body)
			assert.Equal(t, test.vary, header.Get("Vary"))
			assert.Equal(t, test.allow, header.Get("Allow"))
		})
	}
}

func TestRegistrationMistakes(t *testing.T) {
	api := verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	mux := newRoutes(api)
	for name, register := range map[string]func(){
		"unknown version":              func() { mux.Since("v9").HandleFunc("GET /a", saying("a")) },
		"neutral and versioned":        func() { mux.Neutral().Since("v1").HandleFunc("GET /b", saying("a")) },
		"neutral in a group":           func() { mux.Since("v1").Group("/x").Neutral().HandleFunc("GET /c", saying("b")) },
		"empty range":                  func() { mux.Since("v2").RemovedIn("v2").HandleFunc("GET /d", saying("a")) },
		"no handlers":                  func() { mux.Choose("GET", "/e", nil) },
		"unknown version of a handler": func() { mux.Choose("GET", "/f", versohttp.Handlers{"v9": saying("a")}) },
		"removed before the first":     func() { mux.Choose("GET", "/g", versohttp.Handlers{"v1": nil, "v2": saying("b")}) },
		"without a version":            func() { mux.Choose("GET", "/h", versohttp.Handlers{"": saying("a"), "v2": saying("b")}) },
		"nil handler":                  func() { mux.HandleFunc("GET /i", nil) },
		"nil middleware":               func() { mux.Choose("GET", "/j", versohttp.Handlers{"v1": saying("a")}, nil) },
		"nil middleware after":         func() { mux.AfterCheck(nil).HandleFunc("GET /k", saying("a")) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				err, _ := recover().(error)
				require.Error(t, err)
				assert.Contains(t, err.Error(), "versohttp: route ")
			}()
			register()
		})
	}
}

func TestContentType(t *testing.T) {
	api := verso.Must(verso.New(verso.MediaType("application/vnd.acme.{resource}-{version}+json"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	e := newRoutes(api)
	e.HandleFunc("GET /orders", func(w http.ResponseWriter, r *http.Request) {
		contentType, err := versohttp.ContentType(r, "order")
		assert.NoError(t, err)
		w.Header().Set("Content-Type", contentType)
	})
	_, _, header := ask(t, e, http.MethodGet, "/orders", "Accept", "application/vnd.acme.order-v2+json")
	assert.Equal(t, "application/vnd.acme.order-v2+json", header.Get("Content-Type"))
}

func TestExplain(t *testing.T) {
	mux := newRoutes(verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1"}, DefaultVersion: verso.V("v1")})))
	mux.HandleFunc("GET /{ver}/users", saying("users"))
	explanation := mux.Explain()
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
	user := ""
	withClient := versohttp.Config{Client: func(*http.Request) string { return user }}
	mux := newRoutes(api, withClient)
	mux.HandleFunc("GET /{version}/users", func(http.ResponseWriter, *http.Request) { user = "acme" })
	for path, want := range map[string]string{"/v1/users": "acme", "/v9/users": ""} {
		user = ""
		ask(t, mux, http.MethodGet, path)
		got := <-told
		assert.Equal(t, want, got.Client, path)
		assert.Equal(t, "/{version}/users", got.Route, path)
	}
	assert.PanicsWithError(t, "verso: Client: the Client is not called, since nothing is told of requests: set Observe in the verso.Config, or remove it",
		func() {
			newRoutes(verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1"}})), withClient)
		})
}
