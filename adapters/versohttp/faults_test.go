package versohttp_test

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

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
