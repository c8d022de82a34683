package versogin_test

import (
	"net/http"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
)

// TestMountTrustsItsOwnCheck: the middleware of a version runs, whatever version is set
// behind the check.
func TestMountTrustsItsOwnCheck(t *testing.T) {
	r := gin.New()
	v := versogin.New(r, verso.Must(verso.New(verso.Header("Api-Version"), twoVersions)))
	for prefix, of := range map[string]*versogin.Routes{
		"/own":   v,
		"/other": versogin.New(r, verso.Must(verso.New(verso.QueryParam("schema"), twoVersions))),
	} {
		set := func(c *gin.Context) { require.NoError(t, of.SetVersion(c, verso.V("v2"))) }
		v.Group(prefix).AfterCheck(set).Mount(map[string]func(gin.IRouter){
			"v1": func(g gin.IRouter) {
				g.Use(func(c *gin.Context) { c.AbortWithStatus(http.StatusForbidden) })
				g.GET("/x", answerVersion)
			},
			"v2": func(g gin.IRouter) { g.GET("/x", answerVersion) },
		})
	}
	for _, target := range []string{"/own/x", "/other/x"} {
		assert.Equal(t, http.StatusForbidden, send(t, r, "GET", target, http.Header{"Api-Version": {"v1"}}).status, target)
		assert.Equal(t, http.StatusOK, send(t, r, "GET", target, http.Header{"Api-Version": {"v2"}}).status, target)
	}
}
