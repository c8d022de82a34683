package snippets

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
)

// TestFirstVersionPlaces registers routes as docs/start.md says: under a prefix
// or with a header, at the root, and in a group that exists.
func TestFirstVersionPlaces(t *testing.T) {
	config := verso.Config{AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v1"), Links: verso.LinkConfig{Relative: true}}
	together := verso.MustNew(verso.First(verso.PathPrefix("/api/{version}"), verso.Header("Api-Version")), config)
	root := verso.MustNew(verso.PathPrefix("/{version}"), config)
	inGin := func(c *gin.Context) { c.String(http.StatusOK, versogin.Version(c).String()) }
	inEcho := func(c echo.Context) error { return c.String(http.StatusOK, versoecho.Version(c).String()) }

	services := make(map[string]http.Handler)
	r := gin.New()
	versogin.New(r, together).EachVersion().Group("/api").GET("/users", inGin)
	services["together in Gin"] = r
	e := echo.New()
	versoecho.New(e, together).EachVersion().Group("/api").GET("/users", inEcho)
	services["together in Echo"] = e
	r = gin.New()
	versogin.New(r, root).EachVersion().GET("/users", inGin)
	services["root in Gin"] = r
	e = echo.New()
	versoecho.New(e, root).EachVersion().GET("/users", inEcho)
	services["root in Echo"] = e

	r = gin.New()
	group := r.Group("/", func(c *gin.Context) { c.Header("Group", "yes") })
	group.GET("/other", func(*gin.Context) {})
	versogin.New(r, root).In(group).EachVersion().GET("/users", inGin)
	services["group in Gin"] = r
	e = echo.New()
	authed := e.Group("", func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			c.Response().Header().Set("Group", "yes")
			return next(c)
		}
	})
	authed.GET("/other", func(echo.Context) error { return nil })
	versoecho.New(e, root).In(authed).EachVersion().GET("/users", inEcho)
	services["group in Echo"] = e

	for _, test := range []struct{ where, path, header, version, group string }{
		{"together", "/api/users", "", "v1", ""},
		{"together", "/api/users", "v2", "v2", ""},
		{"together", "/api/v2/users", "", "v2", ""},
		{"together", "/api/v2/users", "v1", "v2", ""},
		{"root", "/users", "", "v1", ""},
		{"root", "/v2/users", "", "v2", ""},
		{"group", "/users", "", "v1", "yes"},
		{"group", "/v2/users", "", "v2", "yes"},
	} {
		for _, framework := range []string{"Gin", "Echo"} {
			t.Run(test.where+" "+framework+test.path+test.header, func(t *testing.T) {
				w := httptest.NewRecorder()
				request := httptest.NewRequest(http.MethodGet, test.path, nil)
				if test.header != "" {
					request.Header.Set("Api-Version", test.header)
				}
				services[test.where+" in "+framework].ServeHTTP(w, request)
				assert.Equal(t, test.version, w.Body.String())
				assert.Equal(t, test.group, w.Header().Get("Group"))
			})
		}
	}
}
