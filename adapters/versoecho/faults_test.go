package versoecho_test

import (
	"errors"
	"net/http"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

// TestFaultsOfTheUser lets what the configuration of the middleware has fail, with and
// without Recover before it.
func TestFaultsOfTheUser(t *testing.T) {
	api := verso.Must(scheme.NewQueryParameter("version", twoVersions))
	for _, test := range []struct {
		name   string
		config versoecho.Config
		target string
	}{
		{name: "skipper panics", target: "/users?version=v1&fault", config: versoecho.Config{
			Skipper: func(c echo.Context) bool {
				if c.QueryParams().Has("fault") {
					panic("skipper")
				}
				return false
			},
		}},
		{name: "error handler panics", target: "/users?version=v9", config: versoecho.Config{
			ErrorHandler: func(echo.Context, *verso.Error, *verso.Answer) error { panic("error handler") },
		}},
		{name: "error handler errs", target: "/users?version=v9", config: versoecho.Config{
			ErrorHandler: func(echo.Context, *verso.Error, *verso.Answer) error { return errors.New("secret") },
		}},
	} {
		for name, recovers := range map[string]bool{"with Recover": true, "without": false} {
			t.Run(test.name+"/"+name, func(t *testing.T) {
				e := echo.New()
				e.Logger.SetOutput(t.Output())
				if recovers {
					e.Use(middleware.RecoverWithConfig(middleware.RecoverConfig{DisablePrintStack: true}))
				}
				e.Use(check(e, api, test.config))
				e.GET("/users", answerLink(verso.Target{Name: "users"})).Name = "users"
				server := serve(t, e)
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
