package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestServer(t *testing.T) {
	server := httptest.NewServer(newServer())
	defer server.Close()

	tests := []struct {
		name       string
		path       string
		status     int
		deprecated bool
		body       string
	}{
		{"first version", "/v1/users/7", http.StatusOK, true, `{"first_name": "Ada", "last_name": "Lovelace"}`},
		{"second version", "/v2/users/7", http.StatusOK, false, `{"self": "http://localhost:8080/v2/users/7", "name": "Ada Lovelace"}`},
		{"ID with an escape", "/v2/users/a%252Fb", http.StatusOK, false, `{"self": "http://localhost:8080/v2/users/a%252Fb", "name": "Ada Lovelace"}`},
		{"version that is not served", "/v9/users/7", http.StatusNotFound, false,
			`{
				"type": "https://github.com/goverso/verso/blob/main/docs/problems.md#invalid-version",
				"title": "Invalid API version",
				"status": 404,
				"detail": "Invalid version in URL path.",
				"code": "invalid_url_path_version",
				"allowed_versions": ["v1", "v2"]
			}`},
	}
	response, err := server.Client().Get(server.URL + "/health")
	require.NoError(t, err)
	response.Body.Close()
	require.Equal(t, http.StatusNoContent, response.StatusCode)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			response, err := server.Client().Get(server.URL + test.path)
			require.NoError(t, err)
			defer response.Body.Close()
			body, err := io.ReadAll(response.Body)
			require.NoError(t, err)
			require.Equal(t, test.status, response.StatusCode)
			require.JSONEq(t, test.body, string(body))
			deprecation, sunset, link := "", "", ""
			if test.deprecated {
				deprecation, sunset = "@1782777600", "Fri, 31 Dec 2027 00:00:00 GMT"
				link = `<http://localhost:8080/v2/users/7>; rel="successor-version"`
			}
			require.Equal(t, deprecation, response.Header.Get("Deprecation"))
			require.Equal(t, sunset, response.Header.Get("Sunset"))
			require.Equal(t, link, response.Header.Get("Link"))
		})
	}
}
