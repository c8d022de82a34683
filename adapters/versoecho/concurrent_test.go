package versoecho_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versoecho"
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
	e.Use(versoecho.New(e, verso.Must(scheme.NewNamespace(twoVersions))).Middleware())
	again := e.Group("", check(e, verso.Must(scheme.NewNamespace(twoVersions))))
	again.GET("/v1/link/:name", func(c echo.Context) error {
		return answerLink(verso.Target{Name: c.Param("name")})(c)
	}).Name = "v1:link"
	server := serve(t, e)
	for wave := range 5 {
		name := fmt.Sprintf("late-%d", wave)
		e.GET("/v2/"+name, answerVersion).Name = "v2:" + name
		again.GET("/v1/"+name, answerVersion).Name = "v1:" + name
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

// TestConcurrentFirstRequests lets several middlewares look at the routes of
// new Echo instances at once.
func TestConcurrentFirstRequests(t *testing.T) {
	api := verso.Must(scheme.NewNamespace(twoVersions))
	for range 20 {
		var group sync.WaitGroup
		start := make(chan struct{})
		for i, e := range []*echo.Echo{echo.New(), echo.New()} {
			for target, mw := range map[string]echo.MiddlewareFunc{
				"/shared": check(e, api),
				"/own":    check(e, verso.Must(scheme.NewNamespace(twoVersions))),
			} {
				e.GET(target, answerVersion, mw).Name = fmt.Sprintf("v%d:users", i+1)
				for range 2 {
					group.Go(func() {
						response := httptest.NewRecorder()
						r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, nil)
						<-start
						e.ServeHTTP(response, r)
						assert.Equal(t, fmt.Sprintf("v%d", i+1), response.Body.String())
					})
				}
			}
		}
		close(start)
		group.Wait()
	}
}
