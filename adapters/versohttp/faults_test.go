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
)

// TestFaultsOfTheUser lets what a user gives to Config fail, in requests with
// the parameter fault. A panic breaks the connection, as net/http does.
func TestFaultsOfTheUser(t *testing.T) {
	scheme := verso.Must(verso.NewQueryParameter(twoVersions))
	origin := func(nonsense string) versohttp.Config {
		return versohttp.Config{Scheme: scheme, Links: verso.LinkConfig{OriginFunc: func(r *http.Request) string {
			switch {
			case !r.URL.Query().Has("fault"):
				return ""
			case nonsense == "panic":
				panic("OriginFunc")
			}
			return nonsense
		}}}
	}
	for _, test := range []struct {
		name   string
		config versohttp.Config
		target string
		breaks bool
	}{
		{
			"error handler panics",
			versohttp.Config{Scheme: scheme, ErrorHandler: func(http.ResponseWriter, *http.Request, *verso.Error, verso.Problem) {
				panic("error handler")
			}},
			"/users?version=v9", true,
		},
		{"origin panics", origin("panic"), "/users?version=v1&fault", true},
		{"origin of a script", origin("javascript:alert(1)"), "/users?version=v1&fault", false},
		{"origin with a line break", origin("https://example.com\r\nX-Evil: 1"), "/users?version=v1&fault", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			mux := newMux(t, test.config)
			mux.Name("users").HandleFunc("GET /users", func(w http.ResponseWriter, r *http.Request) {
				link, err := versohttp.Reverse(r, verso.Target{Name: "users"})
				if err != nil {
					http.Error(w, "no link", http.StatusInternalServerError)
					return
				}
				_, _ = io.WriteString(w, link)
			})
			server := httptest.NewUnstartedServer(mux)
			server.Config.ErrorLog = log.New(io.Discard, "", 0)
			server.Start()
			defer server.Close()
			for range 3 {
				r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+test.target, nil)
				require.NoError(t, err)
				response, err := server.Client().Do(r)
				assert.Equal(t, test.breaks, err != nil, "error %v", err)
				if err == nil {
					response.Body.Close()
					assert.Equal(t, http.StatusInternalServerError, response.StatusCode)
					assert.Empty(t, response.Header.Get("X-Evil"))
				}
				assert.Equal(t, server.URL+"/users?version=v2", get(t, server, "/users?version=v2"))
			}
		})
	}
}
