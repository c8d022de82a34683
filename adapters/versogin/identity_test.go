package versogin

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
)

// TestIdentity fails if a newer Gin changes what identity.go relies on.
func TestIdentity(t *testing.T) {
	engine := gin.New()
	assert.Equal(t, engineOf(&engine.RouterGroup), engineOf(engine.Group("/a").Group("/b")), "groups have their engine in the field engine")
	assert.NotEqual(t, engineOf(&engine.RouterGroup), engineOf(&gin.New().RouterGroup))

	answer := func(text string) gin.HandlerFunc { return func(c *gin.Context) { c.String(http.StatusOK, text) } }
	one, other := answer("one"), answer("other")
	engine.GET("/x", one)
	assert.Equal(t, adapter.Identity(one), adapter.Identity(engine.Routes()[0].HandlerFunc), "Routes returns the handler itself")

	matched, checked := make(map[string]bool), make(map[string]bool)
	engine.Use(func(c *gin.Context) {
		matched[c.FullPath()] = adapter.Identity(c.Handler()) == adapter.Identity(other)
		checked[c.FullPath()] = hasCheck(c)
	})
	engine.GET("/foreign", other)
	New(engine, verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1"}})).GET("/own", other)
	for _, path := range []string{"/foreign", "/own"} {
		engine.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, path, nil))
	}
	assert.Equal(t, map[string]bool{"/foreign": true, "/own": true}, matched, "Handler returns the last handler itself")
	assert.Equal(t, map[string]bool{"/foreign": false, "/own": true}, checked, "HandlerNames has the name of a check")
}

// TestOtherGin has a Gin that keeps its fields in another way: what they tell is not known, and nothing panics.
func TestOtherGin(t *testing.T) {
	renamed := new(struct{ router int })
	assert.Zero(t, engineOf(renamed))
	_, ok := codesOf(renamed, "noMethod")
	assert.False(t, ok)
	assert.Nil(t, chainsOf(renamed))
	assert.Nil(t, chainsOf(&struct{ trees []struct{ verb string } }{make([]struct{ verb string }, 1)}))
	assert.Nil(t, chainsOf(&struct {
		trees []struct {
			method string
			root   *struct {
				path     string
				handlers []func()
			}
		}
	}{make([]struct {
		method string
		root   *struct {
			path     string
			handlers []func()
		}
	}, 1)}))
}
