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
	"github.com/goverso/verso/core/scheme"
)

// TestFaultsOfTheUser lets what the configuration of the middleware has fail, with and
// without Recover before it.
func TestFaultsOfTheUser(t *testing.T) {
	api := verso.Must(scheme.NewQueryParameter("version", twoVersions))
	for _, test := range []struct {
		name   string
		config versoecho5.Config
		target string
	}{
		{name: "skipper panics", target: "/users?version=v1&fault", config: versoecho5.Config{
			Skipper: func(c *echo.Context) bool {
				if c.QueryParams().Has("fault") {
					panic("skipper")
				}
				return false
			},
		}},
		{name: "error handler panics", target: "/users?version=v9", config: versoecho5.Config{
			ErrorHandler: func(*echo.Context, *verso.Error, *verso.Answer) error { panic("error handler") },
		}},
		{name: "error handler errs", target: "/users?version=v9", config: versoecho5.Config{
			ErrorHandler: func(*echo.Context, *verso.Error, *verso.Answer) error { return errors.New("secret") },
		}},
	} {
		for name, recovers := range map[string]bool{"with Recover": true, "without": false} {
			t.Run(test.name+"/"+name, func(t *testing.T) {
				e := echo.New()
				e.Logger = slog.New(slog.DiscardHandler)
				if recovers {
					e.Use(middleware.RecoverWithConfig(middleware.RecoverConfig{DisablePrintStack: true}))
				}
				e.Use(check(e, api, test.config))
				add(t, e, http.MethodGet, "/users", answerLink(verso.Target{Name: "users"}), "users")
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
					} else {
						assert.False(t, recovers, "the connection breaks: %v", err)
					}
					assert.Equal(t, server.URL+"/users?version=v2", get(t, server, "/users?version=v2"))
				}
			})
		}
	}
}
