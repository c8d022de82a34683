package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestStrangler(t *testing.T) {
	gin.SetMode(gin.TestMode)
	legacy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Deprecation", "@1700000000") // it announces its end itself
		w.Header().Set("Sunset", "Sat, 01 Jan 2028 00:00:00 GMT")
		_, _ = io.WriteString(w, "legacy "+r.Method+" "+r.URL.Path)
	}))
	defer legacy.Close()
	address, err := url.Parse(legacy.URL)
	require.NoError(t, err)
	server := httptest.NewServer(newServer(address))
	defer server.Close()

	for _, test := range []struct {
		version, method, path string
		status                int
		body                  string
		sunset                bool
	}{
		{"", "GET", "/users/7", 200, "legacy GET /users/7", true},
		{"v1", "GET", "/users/7", 200, "legacy GET /users/7", true},
		{"v2", "GET", "/users/7", 200, `{"first_name":"Ada","last_name":"Lovelace"}`, false},
		{"v9", "GET", "/users/7", 400, "invalid_header_version", false},
		{"v1", "POST", "/reports", 200, "legacy POST /reports", true},
		{"v2", "POST", "/reports", 404, "not_in_version", false},
		{"v2", "GET", "/rooms", 200, "legacy GET /rooms", false},
	} {
		r, err := http.NewRequestWithContext(t.Context(), test.method, server.URL+test.path, nil)
		require.NoError(t, err)
		if test.version != "" {
			r.Header.Set("Api-Version", test.version)
		}
		response, err := server.Client().Do(r)
		require.NoError(t, err)
		body, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		assert.Equal(t, test.status, response.StatusCode, "%v: %s", test, body)
		assert.Contains(t, string(body), test.body, "%v", test)
		for _, name := range []string{"Deprecation", "Sunset"} {
			assert.Len(t, response.Header.Values(name), map[bool]int{true: 1}[test.sunset], "%v: %s", test, name)
		}
	}
}
