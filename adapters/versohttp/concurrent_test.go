package versohttp_test

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
		assert.Equal(t, "v1", sendTo(t, server, http.MethodGet, "/v1/"+name, nil, nil).Body)
		assert.Equal(t, server.URL+"/v1/"+name, sendTo(t, server, http.MethodGet, "/v1/link/"+name, nil, nil).Body)
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
		assert.Equal(t, "v1", sendTo(t, server, http.MethodGet, "/v1/"+name, nil, nil).Body)
		assert.Equal(t, "v2", sendTo(t, server, http.MethodGet, "/v2/"+name, nil, nil).Body)
	})
}
