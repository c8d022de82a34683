package versoecho5_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/labstack/echo/v5"
	"github.com/stretchr/testify/assert"

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
// way, which Echo allows. Two middlewares take note of them.
func TestRoutesAddedBetweenWaves(t *testing.T) {
	e := echo.New()
	e.Use(check(e, verso.Must(scheme.NewNamespace(twoVersions))))
	again := e.Group("", check(e, verso.Must(scheme.NewNamespace(twoVersions))))
	add(t, again, http.MethodGet, "/v1/link/:name", func(c *echo.Context) error {
		return answerLink(verso.Target{Name: c.Param("name")})(c)
	}, "v1:link")
	server := httptest.NewServer(e)
	defer server.Close()
	for wave := range 5 {
		name := fmt.Sprintf("late-%d", wave)
		add(t, e, http.MethodGet, "/v2/"+name, answerVersion, "v2:"+name)
		add(t, again, http.MethodGet, "/v1/"+name, answerVersion, "v1:"+name)
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
