package versohttp_test

import (
	"context"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versohttp"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

// TestFailedRewriting: what cannot be rewritten is in the log of the server, which is all that the
// operator gets to see of it.
func TestFailedRewriting(t *testing.T) {
	mux := newRoutes(verso.MustNew(verso.Header("Api-Version"), twoVersions))
	mux.Rewrite(new(conformance.Shouting)).HandleFunc("GET /", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "cannot") })
	lose := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(w, r.WithContext(context.Background())) })
	}
	mux.AfterCheck(lose).Rewrite(new(conformance.Shouting)).HandleFunc("GET /lost", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "the newest form") })
	got, _ := logged(t, mux, "/lost", http.Header{"Api-Version": {"v1"}})
	assert.Equal(t, http.StatusInternalServerError, got.Status)
	for name, handler := range map[string]http.Handler{"alone": mux, "inside RewriteErrors": mux.RewriteErrors()(mux)} {
		got, log := logged(t, handler, "/", http.Header{"Api-Version": {"v1"}})
		assert.Equal(t, http.StatusInternalServerError, got.Status, name)
		assert.NotContains(t, strings.ToLower(got.Body), "secret", name)
		assert.Equal(t, "versohttp: rewriting the response: \"the secret of the application\"\n", log, name)
	}
}

// TestErrorHandlerPanics lets the error handler panic, which breaks the connection.
func TestErrorHandlerPanics(t *testing.T) {
	mux := newRoutes(verso.Must(scheme.NewQueryParameter("version", twoVersions)),
		versohttp.Config{ErrorHandler: func(http.ResponseWriter, *http.Request, *verso.Error, *verso.Answer) { panic("error handler") }})
	mux.Name("users").HandleFunc("GET /users", answerLink(verso.Target{Name: "users"}))
	server := httptest.NewUnstartedServer(mux)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.Start()
	defer server.Close()
	for range 3 {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/users?version=v9", nil)
		require.NoError(t, err)
		_, err = server.Client().Do(r) //nolint:bodyclose // there is no response
		require.Error(t, err)
		assert.Equal(t, server.URL+"/users?version=v2", sendTo(t, server, http.MethodGet, "/users?version=v2", nil, nil).Body)
	}
}
