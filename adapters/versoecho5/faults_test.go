package versoecho5_test

import (
	"errors"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/labstack/echo/v5"
	"github.com/labstack/echo/v5/middleware"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho5"
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

// TestFaultsOfTheUser lets what a user gives to Echo and to Config fail, with
// and without Recover before Verso, in requests with the parameter fault.
func TestFaultsOfTheUser(t *testing.T) {
	faulty := func(r *http.Request) bool { return r.URL.Query().Has("fault") }
	scheme := verso.Must(verso.NewQueryParameter(twoVersions))
	origin := func(nonsense string) versoecho5.Config {
		return versoecho5.Config{Scheme: scheme, Links: verso.LinkConfig{OriginFunc: func(r *http.Request) string {
			switch {
			case !faulty(r):
				return ""
			case nonsense == "panic":
				panic("OriginFunc")
			}
			return nonsense
		}}}
	}
	for _, test := range []struct {
		name   string
		config versoecho5.Config
		target string
	}{
		{"handler panics", versoecho5.Config{Scheme: scheme}, "/panic?version=v1"},
		{"scheme panics", versoecho5.Config{Scheme: panickingScheme{scheme}}, "/users?version=v1&fault"},
		{"skipper panics", versoecho5.Config{Scheme: scheme, Skipper: func(c *echo.Context) bool {
			if faulty(c.Request()) {
				panic("skipper")
			}
			return false
		}}, "/users?version=v1&fault"},
		{"error handler panics", versoecho5.Config{Scheme: scheme, ErrorHandler: func(*echo.Context, *verso.Error, verso.Problem) error {
			panic("error handler")
		}}, "/users?version=v9"},
		{"error handler errs", versoecho5.Config{Scheme: scheme, ErrorHandler: func(*echo.Context, *verso.Error, verso.Problem) error {
			return errors.New("secret")
		}}, "/users?version=v9"},
		{"origin panics", origin("panic"), "/users?version=v1&fault"},
		{"origin of a script", origin("javascript:alert(1)"), "/users?version=v1&fault"},
		{"origin with a line break", origin("https://example.com\r\nX-Evil: 1"), "/users?version=v1&fault"},
	} {
		for name, recovers := range map[string]bool{"with Recover": true, "without": false} {
			t.Run(test.name+"/"+name, func(t *testing.T) {
				e := echo.New()
				e.Logger = slog.New(slog.DiscardHandler)
				if recovers {
					e.Use(middleware.RecoverWithConfig(middleware.RecoverConfig{DisablePrintStack: true}))
				}
				e.Use(versoecho5.MiddlewareWithConfig(test.config))
				e.GET("/panic", func(*echo.Context) error { panic("handler") })
				add(t, e, http.MethodGet, "/users", func(c *echo.Context) error {
					link, err := versoecho5.Reverse(c, verso.Target{Name: "users"})
					if err != nil {
						return err
					}
					return c.String(http.StatusOK, link)
				}, "users")
				server := httptest.NewUnstartedServer(e)
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
