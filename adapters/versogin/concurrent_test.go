package versogin_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

// TestRoutesAddedBetweenWaves adds routes to a server when no request is under
// way, which Gin allows.
func TestRoutesAddedBetweenWaves(t *testing.T) {
	r := gin.New()
	v := versogin.New(r, verso.Must(scheme.NewNamespace(twoVersions)))
	r.Use(v.Middleware())
	v1, v2 := v.Group("/v1").Namespace("v1"), v.Group("/v2").Namespace("v2")
	v1.Name("link").GET("/link/:name", func(c *gin.Context) {
		answerLink(verso.Target{Name: c.Param("name")})(c)
	})
	server := httptest.NewServer(r)
	defer server.Close()
	for wave := range 5 {
		name := fmt.Sprintf("late-%d", wave)
		v1.Name(name).GET("/"+name, answerVersion)
		v2.Name(name).GET("/"+name, answerVersion)
		var group sync.WaitGroup
		for range 32 {
			group.Go(func() {
				assert.Equal(t, "v1", sendTo(t, server, http.MethodGet, "/v1/"+name, nil, nil).Body)
				assert.Equal(t, "v2", sendTo(t, server, http.MethodGet, "/v2/"+name, nil, nil).Body)
				assert.Equal(t, server.URL+"/v1/"+name, sendTo(t, server, http.MethodGet, "/v1/link/"+name, nil, nil).Body)
			})
		}
		group.Wait()
	}
}
