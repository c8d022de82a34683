package versogin_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versogin"
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
	show := func(c *gin.Context) {
		link, err := versogin.Link(c, user)
		if err != nil {
			_ = c.AbortWithError(http.StatusInternalServerError, err)
			return
		}
		c.String(http.StatusOK, "%s %s", versogin.Version(c), link)
	}
	for _, test := range conformance.InV2 {
		t.Run(test.Name, func(t *testing.T) {
			t.Parallel()
			api := verso.Must(verso.New(test.Source, verso.Config{
				AllowedVersions: []string{"v1", "v2"},
				Links:           verso.LinkConfig{Origin: "http://v1.example.com"},
			}))
			engine := gin.New()
			v := versogin.New(engine, api)
			engine.Use(v.Middleware())
			v.Name(test.Route.FullName()).GET(test.Route.Path(colon), show)

			r := versotest.AskRoute(t, api, "v2", httptest.NewRequest(http.MethodGet, "/", nil), v.Link, user)
			w := httptest.NewRecorder()
			engine.ServeHTTP(w, r)
			assert.Equal(t, "v2 "+test.Link, w.Body.String(), "asked")

			w = httptest.NewRecorder()
			c := gin.CreateTestContextOnly(w, engine)
			c.Request = httptest.NewRequest(http.MethodGet, "/", nil)
			require.NoError(t, v.SetVersion(c, verso.V("v2")))
			show(c)
			assert.Equal(t, "v2 "+test.Link, w.Body.String(), "without the middleware")

			c = gin.CreateTestContextOnly(w, engine)
			require.ErrorIs(t, v.SetVersion(c, verso.V("v9")), verso.ErrUnknownVersion)
			assert.True(t, versogin.Version(c).IsNone())
		})
	}
}
