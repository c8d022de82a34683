package versoecho5_test

import (
	"errors"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/labstack/echo/v5"
	"github.com/labstack/echo/v5/middleware"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho5"
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

// TestFaultsOfTheUser lets what a user gives to Echo and to Verso fail, with and
// without Recover before Verso, in requests with the parameter fault.
func TestFaultsOfTheUser(t *testing.T) {
	api := verso.Must(verso.NewQueryParameter(twoVersions))
	panickingOrigin := twoVersions
	panickingOrigin.Links.OriginFunc = func(r verso.Request) string {
		if strings.Contains(r.RawQuery(), "fault") {
			panic("OriginFunc")
		}
		return ""
	}
	for _, test := range []struct {
		name   string
		api    *verso.Versioning
		config versoecho5.Config
		target string
	}{
		{name: "handler panics", api: api, target: "/panic?version=v1"},
		{name: "source panics", api: verso.Must(verso.New(panicking{verso.QueryParam("version")}, twoVersions)), target: "/users?version=v1&fault"},
		{name: "skipper panics", api: api, target: "/users?version=v1&fault", config: versoecho5.Config{
			Skipper: func(c *echo.Context) bool {
				if c.QueryParams().Has("fault") {
					panic("skipper")
				}
				return false
			},
		}},
		{name: "error handler panics", api: api, target: "/users?version=v9", config: versoecho5.Config{
			ErrorHandler: func(*echo.Context, *verso.Error, *verso.Answer) error { panic("error handler") },
		}},
		{name: "error handler errs", api: api, target: "/users?version=v9", config: versoecho5.Config{
			ErrorHandler: func(*echo.Context, *verso.Error, *verso.Answer) error { return errors.New("secret") },
		}},
		{name: "origin panics", api: verso.Must(verso.NewQueryParameter(panickingOrigin)), target: "/users?version=v1&fault"},
	} {
		for name, recovers := range map[string]bool{"with Recover": true, "without": false} {
			t.Run(test.name+"/"+name, func(t *testing.T) {
				e := echo.New()
				e.Logger = slog.New(slog.DiscardHandler)
				if recovers {
					e.Use(middleware.RecoverWithConfig(middleware.RecoverConfig{DisablePrintStack: true}))
				}
				e.Use(check(e, test.api, test.config))
				e.GET("/panic", func(*echo.Context) error { panic("handler") })
				add(t, e, http.MethodGet, "/users", func(c *echo.Context) error {
					link, err := versoecho5.Link(c, verso.Target{Name: "users"})
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
					} else {
						assert.False(t, recovers, "the connection breaks: %v", err)
					}
					assert.Equal(t, server.URL+"/users?version=v2", get(t, server, "/users?version=v2"))
				}
			})
		}
	}
}
