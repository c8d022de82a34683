package echotest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

// TestRoutesAddedBetweenWaves adds routes to a server when no request is under
// way, which Echo allows. Two middlewares take note of them.
func TestRoutesAddedBetweenWaves(t *testing.T) {
	e := newEcho()
	e.Use(New(e, verso.Must(scheme.NewNamespace(twoVersions))).Middleware())
	again := e.Group("", check(e, verso.Must(scheme.NewNamespace(twoVersions))))
	add(t, again, "GET", "/v1/link/:name", func(c Context) error {
		return answerLink(verso.Target{Name: c.Param("name")})(c)
	}, "v1:link")
	server := serve(t, e)
	for wave := range 5 {
		name := fmt.Sprintf("late-%d", wave)
		add(t, e, "GET", "/v2/"+name, answerVersion, "v2:"+name)
		add(t, again, "GET", "/v1/"+name, answerVersion, "v1:"+name)
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

// TestConcurrentFirstRequests lets several middlewares look at the routes of
// new Echo instances at once.
func TestConcurrentFirstRequests(t *testing.T) {
	api := verso.Must(scheme.NewNamespace(twoVersions))
	for range 20 {
		var group sync.WaitGroup
		start := make(chan struct{})
		for i, e := range []*Echo{newEcho(), newEcho()} {
			for target, mw := range map[string]MiddlewareFunc{
				"/shared": check(e, api),
				"/own":    check(e, verso.Must(scheme.NewNamespace(twoVersions))),
			} {
				add(t, e.Group(target, mw), "GET", "", answerVersion, fmt.Sprintf("v%d:users", i+1))
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
