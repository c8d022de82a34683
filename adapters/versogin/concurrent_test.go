package versogin_test

import (
	"fmt"
	"io"
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

// get returns the body of an answer, "" when there is none. It is for many
// goroutines.
func get(t *testing.T, server *httptest.Server, target string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+target, nil)
	if !assert.NoError(t, err) {
		return ""
	}
	response, err := server.Client().Do(r)
	if !assert.NoError(t, err) {
		return ""
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	assert.NoError(t, err)
	return string(body)
}

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
				assert.Equal(t, "v1", get(t, server, "/v1/"+name))
				assert.Equal(t, "v2", get(t, server, "/v2/"+name))
				assert.Equal(t, server.URL+"/v1/"+name, get(t, server, "/v1/link/"+name))
			})
		}
		group.Wait()
	}
}
