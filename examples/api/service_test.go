package api_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/api"
	"github.com/goverso/verso/examples/api/echoapi"
	"github.com/goverso/verso/examples/api/ginapi"
	"github.com/goverso/verso/examples/internal/client"
)

func TestMain(m *testing.M) {
	gin.SetMode(gin.TestMode)
	m.Run()
}

var frameworks = []struct {
	name  string
	serve func(verso.Config) (http.Handler, error)
}{
	{"echo", func(config verso.Config) (http.Handler, error) { return echoapi.New(config) }},
	{"gin", func(config verso.Config) (http.Handler, error) { return ginapi.New(config) }},
}

func configOf(scheme string) verso.Config {
	return verso.Config{
		Scheme:          scheme,
		DefaultVersion:  verso.V("v1"),
		AllowedVersions: []string{"v1", "v2"},
	}
}

// TestRefusals checks what both frameworks answer to a request that they cannot
// serve.
func TestRefusals(t *testing.T) {
	tests := []struct {
		name, scheme, version, target string
		accept                        string // in place of that of the scheme
		status                        int
	}{
		{"no such user", verso.URLPathVersioning, "v1", "/users/6", "", http.StatusNotFound},
		{"no such page", verso.URLPathVersioning, "v1", "/users?page=4", "", http.StatusNotFound},
		{"only HTML accepted", verso.AcceptHeaderVersioning, "v1", "/users", "text/html; version=v1", http.StatusNotAcceptable},
		{"version in the Accept header", verso.AcceptHeaderVersioning, "v9", "/users", "", http.StatusNotAcceptable},
		{"version in the path", verso.URLPathVersioning, "v9", "/users", "", http.StatusNotFound},
		{"version in the namespace", verso.NamespaceVersioning, "v9", "/users", "", http.StatusNotFound},
		{"version in the host name", verso.HostNameVersioning, "v9", "/users", "", http.StatusNotFound},
		{"version in the query", verso.QueryParameterVersioning, "v9", "/users", "", http.StatusNotFound},
	}
	for _, framework := range frameworks {
		for _, test := range tests {
			t.Run(framework.name+"/"+test.name, func(t *testing.T) {
				handler, err := framework.serve(configOf(test.scheme))
				require.NoError(t, err)
				server := httptest.NewServer(handler)
				defer server.Close()
				visitor := client.New(server.Listener.Addr().String())
				defer visitor.CloseIdleConnections()

				request, err := client.NewRequest(test.scheme, test.version, "example.com", test.target)
				require.NoError(t, err)
				if test.accept != "" {
					request.Header.Set("Accept", test.accept)
				}
				response, err := visitor.Do(request)
				require.NoError(t, err)
				defer response.Body.Close()
				var problem api.Problem
				require.NoError(t, json.NewDecoder(response.Body).Decode(&problem))
				assert.Equal(t, test.status, response.StatusCode)
				assert.Equal(t, test.status, problem.Status)
			})
		}
	}
}

// TestMediaTypeOfProblems checks that of the problems that are the API's own.
func TestMediaTypeOfProblems(t *testing.T) {
	for _, framework := range frameworks {
		t.Run(framework.name, func(t *testing.T) {
			handler, err := framework.serve(configOf(verso.QueryParameterVersioning))
			require.NoError(t, err)
			server := httptest.NewServer(handler)
			defer server.Close()

			response, err := server.Client().Get(server.URL + "/orders/1")
			require.NoError(t, err)
			defer response.Body.Close()
			assert.Equal(t, http.StatusNotFound, response.StatusCode)
			assert.Equal(t, "application/problem+json", response.Header.Get("Content-Type"))
		})
	}
}

// TestWrongConfiguration checks that it is an error, not a panic.
func TestWrongConfiguration(t *testing.T) {
	for _, framework := range frameworks {
		t.Run(framework.name, func(t *testing.T) {
			_, err := framework.serve(verso.Config{Scheme: "PathVersioning"})
			require.ErrorContains(t, err, `no scheme is called "PathVersioning"`)
		})
	}
}
