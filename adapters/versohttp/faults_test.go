package versohttp_test

import (
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
)

// panicking is a source that panics in requests with the parameter fault.
type panicking struct{ verso.Source }

func (s panicking) Read(r verso.Request, served *verso.Served) verso.Reading {
	if strings.Contains(r.RawQuery(), "fault") {
		panic("source")
	}
	return s.Source.Read(r, served)
}

// TestFaultsOfTheUser lets what a user gives to Verso fail, in requests with the
// parameter fault. A panic breaks the connection, as net/http does.
func TestFaultsOfTheUser(t *testing.T) {
	query := verso.Must(verso.NewQueryParameter(twoVersions))
	origin := func(nonsense string) *versohttp.Routes {
		config := twoVersions
		config.Links.OriginFunc = func(r verso.Request) string {
			switch {
			case !strings.Contains(r.RawQuery(), "fault"):
				return ""
			case nonsense == "panic":
				panic("OriginFunc")
			}
			return nonsense
		}
		return newRoutes(verso.Must(verso.NewQueryParameter(config)))
	}
	for _, test := range []struct {
		name   string
		mux    *versohttp.Routes
		target string
		body   string // "" for a request that breaks the connection
	}{
		{
			"error handler panics",
			newRoutes(query, versohttp.Config{ErrorHandler: func(http.ResponseWriter, *http.Request, *verso.Error, *verso.Answer) {
				panic("error handler")
			}}),
			"/users?version=v9", "",
		},
		{
			"source panics", newRoutes(verso.Must(verso.New(panicking{verso.QueryParam("version")}, twoVersions))),
			"/users?version=v1&fault", "",
		},
		{"origin panics", origin("panic"), "/users?version=v1&fault", ""},
		{"origin of a script", origin("javascript:alert(1)"), "/users?version=v1&fault", "/users?version=v1"},
		{"origin with a line break", origin("https://example.com\r\nX-Evil: 1"), "/users?version=v1&fault", "/users?version=v1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.mux.Name("users").HandleFunc("GET /users", func(w http.ResponseWriter, r *http.Request) {
				link, err := versohttp.Link(r, verso.Target{Name: "users"})
				if err != nil {
					http.Error(w, "no link", http.StatusInternalServerError)
					return
				}
				_, _ = io.WriteString(w, link)
			})
			server := httptest.NewUnstartedServer(test.mux)
			server.Config.ErrorLog = log.New(io.Discard, "", 0)
			server.Start()
			defer server.Close()
			for range 3 {
				r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+test.target, nil)
				require.NoError(t, err)
				response, err := server.Client().Do(r)
				assert.Equal(t, test.body == "", err != nil, "error %v", err)
				if err == nil {
					body, err := io.ReadAll(response.Body)
					assert.NoError(t, err)
					response.Body.Close()
					assert.Equal(t, test.body, string(body))
					assert.Empty(t, response.Header.Get("X-Evil"))
				}
				assert.Equal(t, server.URL+"/users?version=v2", get(t, server, "/users?version=v2"))
			}
		})
	}
}
