package versogin_test

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versogin"
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

// TestFaultsOfTheUser lets what a user gives to Gin and to Verso fail, with and
// without Recovery before Verso, in requests with the parameter fault.
func TestFaultsOfTheUser(t *testing.T) {
	query := verso.Must(verso.NewQueryParameter(twoVersions))
	origin := func(nonsense string) *verso.Versioning {
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
		return verso.Must(verso.NewQueryParameter(config))
	}
	panics := versogin.WithErrorHandler(func(*gin.Context, *verso.Error, *verso.Answer) error { panic("error handler") })
	relative := "/users?version=v1"
	for _, test := range []struct {
		name   string
		api    *verso.Versioning
		target string
		body   string // "" for a request that fails
	}{
		{"handler panics", query, "/panic?version=v1", ""},
		{"source panics", verso.Must(verso.New(panicking{verso.QueryParam("version")}, twoVersions)), "/users?version=v1&fault", ""},
		{"error handler panics", query, "/users?version=v9", ""},
		{"origin panics", origin("panic"), "/users?version=v1&fault", ""},
		{"origin of a script", origin("javascript:alert(1)"), "/users?version=v1&fault", relative},
		{"origin with a line break", origin("https://example.com\r\nX-Evil: 1"), "/users?version=v1&fault", relative},
	} {
		for name, recovers := range map[string]bool{"with Recovery": true, "without": false} {
			t.Run(test.name+"/"+name, func(t *testing.T) {
				r := gin.New()
				if recovers {
					r.Use(gin.RecoveryWithWriter(io.Discard))
				}
				v := versogin.New(r, test.api, panics)
				r.Use(v.Middleware())
				r.GET("/panic", func(*gin.Context) { panic("handler") })
				v.Name("users").GET("/users", func(c *gin.Context) {
					link, err := versogin.Link(c, verso.Target{Name: "users"})
					if err != nil {
						_ = c.AbortWithError(http.StatusInternalServerError, err)
						return
					}
					c.String(http.StatusOK, link)
				})
				server := httptest.NewUnstartedServer(r)
				server.Config.ErrorLog = log.New(io.Discard, "", 0)
				server.Start()
				defer server.Close()
				for range 3 {
					r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+test.target, nil)
					require.NoError(t, err)
					response, err := server.Client().Do(r)
					switch {
					case err != nil:
						assert.False(t, recovers || test.body != "", "the connection breaks: %v", err)
					case test.body == "":
						response.Body.Close()
						assert.Equal(t, http.StatusInternalServerError, response.StatusCode)
					default:
						body, err := io.ReadAll(response.Body)
						response.Body.Close()
						assert.NoError(t, err)
						assert.Equal(t, test.body, string(body))
						assert.Empty(t, response.Header.Get("X-Evil"))
					}
					assert.Equal(t, server.URL+"/users?version=v2", get(t, server, "/users?version=v2"))
				}
			})
		}
	}
}
