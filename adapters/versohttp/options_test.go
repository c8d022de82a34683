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
	"github.com/goverso/verso/core/scheme"
)

func saying(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(text + " " + versohttp.Version(r).String()))
	}
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

// TestOptionsOfGroups joins what is said of a group with what is said of a route. What is registered with
// the ServeMux itself has no version.
func TestOptionsOfGroups(t *testing.T) {
	api := verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}}))
	serveMux := http.NewServeMux()
	mux := versohttp.New(serveMux, api)
	serveMux.HandleFunc("GET /metrics", saying("metrics"))
	mux.RemovedIn("v3").Group("/{version}").Since("v2").HandleFunc("GET /old", saying("old"))

	for path, want := range map[string]string{
		"/metrics": "metrics ", "/v2/old": "old v2", "/v1/old": "not_in_version", "/v3/old": "not_in_version",
	} {
		body, _ := ask(t, mux, path)
		assert.Contains(t, body, want, path)
	}
	defer func() {
		err, _ := recover().(error)
		var mistake *verso.Finding
		require.ErrorAs(t, err, &mistake)
		assert.Contains(t, err.Error(), "versohttp: route ")
	}()
	mux.Since("v1").Group("/x").Neutral().HandleFunc("GET /c", saying("b"))
}

func TestRegistrationMistakes(t *testing.T) {
	api := verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	mux := newRoutes(api)
	for name, register := range map[string]func(){
		"nil handler":          func() { mux.HandleFunc("GET /i", nil) },
		"nil middleware":       func() { mux.Choose("GET", "/j", versohttp.Handlers{"v1": saying("a")}, nil) },
		"nil middleware after": func() { mux.AfterCheck(nil).HandleFunc("GET /k", saying("a")) },
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
	_, header := ask(t, e, "/orders", "Accept", "application/vnd.acme.order-v2+json")
	assert.Equal(t, "application/vnd.acme.order-v2+json", header.Get("Content-Type"))
}

func TestExplain(t *testing.T) {
	mux := newRoutes(verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1"}, DefaultVersion: verso.V("v1")})))
	mux.HandleFunc("GET /{ver}/users", saying("users"))
	explanation := mux.Explain()
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
	user := ""
	withClient := versohttp.Config{Client: func(*http.Request) string { return user }}
	mux := newRoutes(api, withClient)
	mux.HandleFunc("GET /{version}/users", func(http.ResponseWriter, *http.Request) { user = "acme" })
	for path, want := range map[string]string{"/v1/users": "acme", "/v9/users": ""} {
		user = ""
		ask(t, mux, path)
		got := <-told
		assert.Equal(t, want, got.Client, path)
		assert.Equal(t, "/{version}/users", got.Route, path)
	}
	assert.PanicsWithError(t, "verso: Client: nothing calls Client, since Config.Observe is nil: set it, or remove Client",
		func() {
			newRoutes(verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1"}})), withClient)
		})
}
