package versohttp_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

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

// adding calls a function with a name for each route, from many goroutines.
func adding(add func(name string)) {
	var group sync.WaitGroup
	for worker := range 16 {
		group.Go(func() {
			for i := range 10 {
				add(fmt.Sprintf("late-%d-%d", worker, i))
			}
		})
	}
	group.Wait()
}

// TestRoutesAddedWhileServing adds routes beside requests, which ServeMux
// allows.
func TestRoutesAddedWhileServing(t *testing.T) {
	mux := newRoutes(verso.Must(scheme.NewNamespace(twoVersions)))
	v1 := mux.Group("/v1").Namespace("v1")
	v1.Name("link").HandleFunc("GET /link/{name}", func(w http.ResponseWriter, r *http.Request) {
		answerLink(verso.Target{Name: r.PathValue("name")})(w, r)
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	adding(func(name string) {
		v1.Name(name).HandleFunc("GET /"+name, answerVersion)
		assert.Equal(t, "v1", get(t, server, "/v1/"+name))
		assert.Equal(t, server.URL+"/v1/"+name, get(t, server, "/v1/link/"+name))
	})
}

// TestPatternsAddedWhileServing adds patterns to a ServeMux that the middleware
// is around.
func TestPatternsAddedWhileServing(t *testing.T) {
	mux := http.NewServeMux()
	server := httptest.NewServer(middleware(verso.Must(scheme.NewURLPath("version", twoVersions)))(mux))
	defer server.Close()
	adding(func(name string) {
		mux.HandleFunc("GET /{version}/"+name, answerVersion)
		assert.Equal(t, "v1", get(t, server, "/v1/"+name))
		assert.Equal(t, "v2", get(t, server, "/v2/"+name))
	})
}
