package versohttp_test

import (
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

// TestFailedRewriting: what cannot be rewritten is in the log of the server, which is all that the
// operator gets to see of it.
func TestFailedRewriting(t *testing.T) {
	mux := newRoutes(verso.MustNew(verso.Header("Api-Version"), twoVersions))
	mux.Rewrite(failing{}).HandleFunc("GET /", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "secret") })
	for name, handler := range map[string]http.Handler{"alone": mux, "inside RewriteErrors": mux.RewriteErrors()(mux)} {
		t.Run(name, func(t *testing.T) {
			var lines strings.Builder
			server := httptest.NewUnstartedServer(handler)
			server.Config.ErrorLog = log.New(&lines, "", 0)
			server.Start()
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, nil)
			require.NoError(t, err)
			r.Header.Set("Api-Version", "v1")
			response, err := server.Client().Do(r)
			require.NoError(t, err)
			body, err := io.ReadAll(response.Body)
			require.NoError(t, err)
			require.NoError(t, response.Body.Close())
			server.Close()
			assert.Equal(t, http.StatusInternalServerError, response.StatusCode)
			assert.NotContains(t, string(body), "it fails")
			assert.Equal(t, "versohttp: rewriting the response: \"it fails\"\n", lines.String())
		})
	}
}

// failing is a rewriter that cannot rewrite a response.
type failing struct{ guests }

func (failing) Begin(_ verso.Version, w http.ResponseWriter, _ *http.Request) (verso.Rewriting, error) {
	return &failed{ResponseWriter: w}, nil
}

type failed struct {
	http.ResponseWriter
	again bool
}

func (f *failed) Write(text []byte) (int, error) {
	if f.again {
		return f.ResponseWriter.Write(text)
	}
	return len(text), nil
}

func (f *failed) WriteHeader(status int) {
	if f.again {
		f.ResponseWriter.WriteHeader(status)
	}
}

func (f *failed) Finish() error {
	if !f.again {
		f.again = true
		return errors.New("it fails")
	}
	return nil
}

func (f *failed) Recover(func()) {}

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
		assert.Equal(t, server.URL+"/users?version=v2", get(t, server, "/users?version=v2"))
	}
}
