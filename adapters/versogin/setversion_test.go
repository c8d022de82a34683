package versogin_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/versotest"
)

// setVersionTests are the schemes, with the route of each and the link in v2.
var setVersionTests = []struct {
	name, namespace, path, link string
	source                      verso.Source
}{
	{"path", "", "/:version/users/:id", "http://v1.example.com/v2/users/7", verso.PathParam("version")},
	{"namespace", "v2", "/second/users/:id", "http://v1.example.com/second/users/7", verso.Namespace()},
	{"host", "", "/users/:id", "http://v1.example.com/users/7", verso.HostLabel("")},
	{"query", "", "/users/:id", "http://v1.example.com/users/7?version=v2", verso.QueryParam("version")},
	{"Accept", "", "/users/:id", "http://v1.example.com/users/7", verso.AcceptParam("version")},
	{"header", "", "/users/:id", "http://v1.example.com/users/7", verso.Header("Api-Version")},
	{"media type", "", "/users/:id", "http://v1.example.com/users/7", verso.MediaType("application/vnd.acme.{version}+json")},
	{"header or path", "", "/:version/users/:id", "http://v1.example.com/v2/users/7", verso.First(verso.Header("Api-Version"), verso.PathParam("version"))},
}

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
	for _, test := range setVersionTests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			api := verso.Must(verso.New(test.source, verso.Config{
				AllowedVersions: []string{"v1", "v2"},
				Links:           verso.Links{Origin: "http://v1.example.com"},
			}))
			engine := gin.New()
			v := versogin.New(engine, api)
			engine.Use(v.Middleware())
			v.Name(route.Join(test.namespace, "user")).GET(test.path, show)

			r := versotest.AskRoute(t, api, "v2", httptest.NewRequest(http.MethodGet, "/", nil), v.Link, user)
			w := httptest.NewRecorder()
			engine.ServeHTTP(w, r)
			assert.Equal(t, "v2 "+test.link, w.Body.String(), "asked")

			w = httptest.NewRecorder()
			c := gin.CreateTestContextOnly(w, engine)
			c.Request = httptest.NewRequest(http.MethodGet, "/", nil)
			require.NoError(t, v.SetVersion(c, verso.V("v2")))
			show(c)
			assert.Equal(t, "v2 "+test.link, w.Body.String(), "without the middleware")

			c = gin.CreateTestContextOnly(w, engine)
			require.ErrorIs(t, v.SetVersion(c, verso.V("v9")), verso.ErrUnknownVersion)
			assert.True(t, versogin.Version(c).IsNone())
		})
	}
}
