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
		name   string
		path   string
		status int
		body   string
	}{
		{"first version", "/v1/users/7", http.StatusOK, `{"self": "` + server.URL + `/v1/users/7", "first_name": "Ada", "last_name": "Lovelace"}`},
		{"second version", "/v2/users/7", http.StatusOK, `{"self": "` + server.URL + `/v2/users/7", "name": "Ada Lovelace"}`},
		{"route of one version", "/v1/rooms", http.StatusOK, `["Blue", "Green"]`},
		{"version that is not served", "/v9/users/7", http.StatusNotFound,
			`{
				"type": "https://github.com/goverso/verso/blob/main/docs/problems.md#invalid-version",
				"title": "Invalid API version",
				"status": 404,
				"detail": "Invalid version in URL path.",
				"code": "invalid_url_path_version",
				"allowed_versions": ["v1", "v2"]
			}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			response, err := server.Client().Get(server.URL + test.path)
			require.NoError(t, err)
			defer response.Body.Close()
			body, err := io.ReadAll(response.Body)
			require.NoError(t, err)
			require.Equal(t, test.status, response.StatusCode)
			require.JSONEq(t, test.body, string(body))
		})
	}
}
