package versogin_test

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
)

// panickingScheme panics in requests with the parameter fault.
type panickingScheme struct{ *verso.QueryParameter }

func (s panickingScheme) DetermineVersion(r verso.Request) (verso.Version, error) {
	if _, fault := r.QueryParam("fault"); fault {
		panic("scheme")
	}
	return s.QueryParameter.DetermineVersion(r)
}

// TestFaultsOfTheUser lets what a user gives to Gin and to New fail, with and
// without Recovery before Verso, in requests with the parameter fault.
func TestFaultsOfTheUser(t *testing.T) {
	query := verso.Must(verso.NewQueryParameter(twoVersions))
	origin := func(nonsense string) versogin.Option {
		return versogin.WithLinks(verso.LinkConfig{OriginFunc: func(r *http.Request) string {
			switch {
			case !r.URL.Query().Has("fault"):
				return ""
			case nonsense == "panic":
				panic("OriginFunc")
			}
			return nonsense
		}})
	}
	for _, test := range []struct {
		name   string
		scheme verso.Scheme
		option versogin.Option
		target string
	}{
		{"handler panics", query, versogin.WithProduces(), "/panic?version=v1"},
		{"scheme panics", panickingScheme{query}, versogin.WithProduces(), "/users?version=v1&fault"},
		{"error handler panics", query, versogin.WithErrorHandler(func(*gin.Context, *verso.Error, verso.Problem) {
			panic("error handler")
		}), "/users?version=v9"},
		{"origin panics", query, origin("panic"), "/users?version=v1&fault"},
		{"origin of a script", query, origin("javascript:alert(1)"), "/users?version=v1&fault"},
		{"origin with a line break", query, origin("https://example.com\r\nX-Evil: 1"), "/users?version=v1&fault"},
	} {
		for name, recovers := range map[string]bool{"with Recovery": true, "without": false} {
			t.Run(test.name+"/"+name, func(t *testing.T) {
				r := gin.New()
				if recovers {
					r.Use(gin.RecoveryWithWriter(io.Discard))
				}
				routes := versogin.NewRoutes(r)
				r.Use(versogin.New(test.scheme, test.option, versogin.WithRoutes(routes)))
				r.GET("/panic", func(*gin.Context) { panic("handler") })
				routes.Name("users").GET("/users", func(c *gin.Context) {
					link, err := versogin.Reverse(c, verso.Target{Name: "users"})
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
					if err == nil {
						response.Body.Close()
						assert.Equal(t, http.StatusInternalServerError, response.StatusCode)
						assert.Empty(t, response.Header.Get("X-Evil"))
					} else {
						assert.False(t, recovers, "the connection breaks: %v", err)
					}
					assert.Equal(t, server.URL+"/users?version=v2", get(t, server, "/users?version=v2"))
				}
			})
		}
	}
}
