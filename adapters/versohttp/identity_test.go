package versohttp

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestIdentity fails if a newer net/http changes what identity.go relies on.
func TestIdentity(t *testing.T) {
	own, equal := strings.Clone("GET /users/{id}"), strings.Clone("GET /users/{id}")
	assert.NotSame(t, identityOf(own), identityOf(equal), "equal strings have addresses of their own")

	mux := http.NewServeMux()
	asked := false
	mux.HandleFunc(own, func(_ http.ResponseWriter, r *http.Request) {
		asked = true
		assert.Same(t, identityOf(own), identityOf(r.Pattern), "Pattern is the string that the route was registered with")
	})
	mux.HandleFunc("/folder/", http.NotFound)
	mux.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/users/7", nil))
	assert.True(t, asked)
	_, pattern := mux.Handler(httptest.NewRequest(http.MethodGet, "/users/7", nil))
	assert.Same(t, identityOf(own), identityOf(pattern), "and so is what Handler returns")

	for path, want := range map[string]bool{"/folder": true, "/a/../users/7": true, "/users/7": false, "/folder/x": false} {
		handler, pattern := mux.Handler(httptest.NewRequest(http.MethodGet, path, nil))
		assert.Equal(t, want, redirects(handler, pattern, path), path)
	}
}
