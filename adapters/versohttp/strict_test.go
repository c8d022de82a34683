package versohttp_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
)

// TestStrictness sends requests that only a Strictness refuses.
func TestStrictness(t *testing.T) {
	query := verso.Must(verso.NewQueryParameter(verso.Settings{}))
	accept := verso.Must(verso.NewAcceptHeader(verso.Settings{}))
	path := verso.Must(verso.NewURLPath(verso.Settings{}))
	tests := []struct {
		name         string
		scheme       verso.Scheme
		target, host string
		accept       string
		status       int    // with a Strictness
		code         string // with a Strictness
		version      string // without
	}{
		{"one version", query, "/users?version=v2", "v2.example.com:8080", "", http.StatusOK, "", "v2"},
		{"contradicting in the query", query, "/users?version=v1&version=v2", "example.com", "", http.StatusBadRequest, "contradicting_versions", "v2"},
		{"contradicting in Accept", accept, "/users", "example.com", "*/*;version=v1;version=v2", http.StatusBadRequest, "contradicting_versions", "v2"},
		{"empty in the query", query, "/users?version=", "example.com", "", http.StatusBadRequest, "empty_version", ""},
		{"empty in Accept", accept, "/users", "example.com", `*/*;version=""`, http.StatusBadRequest, "empty_version", ""},
		{"empty in the path", path, "/in/", "example.com", "", http.StatusBadRequest, "empty_version", ""},
		{"unknown host", query, "/users?version=v2", "example.org", "", http.StatusMisdirectedRequest, "unknown_host", "v2"},
		{"unknown host, version in Accept", accept, "/users", "127.0.0.1", "*/*;version=v2", http.StatusMisdirectedRequest, "unknown_host", "v2"},
	}
	strict := verso.Strictness{RefuseContradictions: true, RefuseEmpty: true, BaseDomains: []string{"example.com"}}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			header := http.Header{"Host": {test.host}, "Accept": {test.accept}}

			got := send(t, newStrict(t, test.scheme, verso.Strictness{}), http.MethodGet, test.target, header)
			assert.Equal(t, http.StatusOK, got.status, "without a Strictness")
			assert.Equal(t, test.version, got.body, "without a Strictness")

			got = send(t, newStrict(t, test.scheme, strict), http.MethodGet, test.target, header)
			assert.Equal(t, test.status, got.status)
			assert.Equal(t, test.scheme.Vary(), got.header["Vary"])
			if test.code == "" {
				assert.Equal(t, test.version, got.body)
				return
			}
			assert.Contains(t, got.body, `"code":"`+test.code+`"`)
		})
	}
}

func newStrict(t *testing.T, scheme verso.Scheme, strict verso.Strictness) http.Handler {
	t.Helper()
	mux := newMux(t, versohttp.Config{Scheme: scheme, Strict: strict})
	mux.HandleFunc("GET /users", answerVersion)
	mux.HandleFunc("GET /in/{version...}", answerVersion)
	return mux
}
