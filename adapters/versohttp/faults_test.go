package versohttp_test

import (
	"compress/gzip"
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

// zipping is a writer of a compression.
type zipping struct {
	http.ResponseWriter
	z *gzip.Writer
}

func (z zipping) Write(p []byte) (int, error) { return z.z.Write(p) }

// TestCompressionInside: the answer to a body compressed inside RewriteErrors is not compressed.
func TestCompressionInside(t *testing.T) {
	zipped := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			z := zipping{w, gzip.NewWriter(w)}
			defer func() { _ = z.z.Close() }()
			next.ServeHTTP(z, r)
		})
	}
	said := func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "said") }
	mux := newRoutes(verso.MustNew(verso.Header("Api-Version"), twoVersions))
	mux.AfterCheck(zipped).Rewrite(new(conformance.Shouting)).HandleFunc("GET /outside", said)
	mux.Rewrite(new(conformance.Shouting)).AfterCheck(zipped).HandleFunc("GET /inside", said)
	inside := mux.RewriteErrors()(mux)
	for encoding, handler := range map[string]http.Handler{"": inside, "br": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "br")
		inside.ServeHTTP(w, r)
	})} {
		for _, path := range []string{"/outside", "/inside"} {
			got, _ := logged(t, handler, path, http.Header{"Api-Version": {"v1"}})
			assert.Equal(t, http.StatusInternalServerError, got.Status, path)
			assert.Equal(t, encoding, got.Header.Get("Content-Encoding"), path)
			assert.Contains(t, strings.ToLower(got.Body), `{"`, path)
		}
	}
}
