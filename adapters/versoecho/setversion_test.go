package versoecho_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/versotest"
)

// colon writes a path parameter.
func colon(name string, _ bool) string { return ":" + name }

// TestSetVersion calls a handler in a version: by a request that asks for it, and
// without the middleware.
func TestSetVersion(t *testing.T) {
	user := verso.Target{Name: "user", Params: verso.Params{"id": 7}}
	show := func(c echo.Context) error {
		link, err := versoecho.Link(c, user)
		if err != nil {
			return err
		}
		return c.String(http.StatusOK, versoecho.Version(c).String()+" "+link)
	}
	for _, test := range conformance.InV2 {
		t.Run(test.Name, func(t *testing.T) {
			t.Parallel()
			api := verso.Must(verso.New(test.Source, verso.Config{
				AllowedVersions: []string{"v1", "v2"},
				Links:           verso.LinkConfig{Origin: "http://v1.example.com"},
			}))
			e := echo.New()
			v := versoecho.New(e, api)
			v.GET(test.Route.Path(colon), show).Name = test.Route.FullName()

			r := versotest.AskRoute(t, api, "v2", httptest.NewRequest(http.MethodGet, "/", nil), v.Link, user)
			w := httptest.NewRecorder()
			e.ServeHTTP(w, r)
			assert.Equal(t, "v2 "+test.Link, w.Body.String(), "asked")

			w = httptest.NewRecorder()
			c := e.NewContext(httptest.NewRequest(http.MethodGet, "/", nil), w)
			require.NoError(t, v.SetVersion(c, verso.V("v2")))
			require.NoError(t, show(c))
			assert.Equal(t, "v2 "+test.Link, w.Body.String(), "without the middleware")

			c = e.NewContext(httptest.NewRequest(http.MethodGet, "/", nil), w)
			require.ErrorIs(t, v.SetVersion(c, verso.V("v9")), verso.ErrUnknownVersion)
			assert.True(t, versoecho.Version(c).IsNone())
		})
	}
}
