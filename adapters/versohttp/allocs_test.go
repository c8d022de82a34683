package versohttp_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

// schemes are the five schemes, and others.
var schemes = []struct {
	name string
	api  *verso.Versioning
}{
	{"accept_header", verso.Must(scheme.NewAcceptHeader("version", defaultV1))},
	{"url_path", verso.Must(scheme.NewURLPath("version", defaultV1))},
	{"namespace", verso.Must(scheme.NewNamespace(defaultV1))},
	{"hostname", verso.Must(scheme.NewHostName("", defaultV1))},
	{"query_parameter", verso.Must(scheme.NewQueryParameter("version", defaultV1))},
	{"header", verso.MustNew(verso.Header("Api-Version"), defaultV1)},
	{"first", verso.MustNew(verso.First(verso.Header("Missing"), verso.PathParam("version")), defaultV1)},
}

// TestDeterminationAllocatesNothing compares requests through Verso with requests
// through a middleware that only keeps a pointer in the context, for which
// net/http makes a context and a copy of the request.
func TestDeterminationAllocatesNothing(t *testing.T) {
	type key struct{}
	kept := new(int)
	keep := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), key{}, kept)))
		})
	}
	const pattern = "GET /{version}/users/{id}"
	do := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	bare := http.NewServeMux()
	bare.Handle(pattern, do)

	for _, s := range schemes {
		mux := newRoutes(s.api)
		mux.Namespace("api").Namespace("v1").Name("user").Handle(pattern, do)
		handlers := map[string]struct{ versioned, byHand http.Handler }{"Mux": {mux, serveMuxOf(pattern, keep(do))}}
		if s.name != "namespace" {
			versioned := middleware(s.api)
			handlers["middleware around a route"] = struct{ versioned, byHand http.Handler }{serveMuxOf(pattern, versioned(do)), serveMuxOf(pattern, keep(do))}
			handlers["middleware around a ServeMux"] = struct{ versioned, byHand http.Handler }{versioned(bare), keep(bare)}
		}
		for name, h := range handlers {
			t.Run(s.name+"/"+name, func(t *testing.T) {
				assert.Equal(t, allocs(t, h.byHand), allocs(t, h.versioned)-lookUpAllocs(t, name, bare))
			})
		}
	}
}

// serveMuxOf returns a ServeMux with one route.
func serveMuxOf(pattern string, handler http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle(pattern, handler)
	return mux
}

// allocs counts the allocations of a request.
func allocs(t *testing.T, handler http.Handler) float64 {
	t.Helper()
	r := newUsersRequest(t)
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	assert.Equal(t, http.StatusOK, w.Code)
	return testing.AllocsPerRun(1000, func() { handler.ServeHTTP(w, r) })
}

// lookUpAllocs counts what the ServeMux allocates for the pattern of a request,
// which the middleware around it looks up.
func lookUpAllocs(t *testing.T, name string, mux *http.ServeMux) float64 {
	t.Helper()
	if name != "middleware around a ServeMux" {
		return 0
	}
	r := newUsersRequest(t)
	return testing.AllocsPerRun(1000, func() { mux.Handler(r) })
}

func newUsersRequest(t *testing.T) *http.Request {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://v1.example.com/v1/users/7?version=v1", nil)
	r.Header.Set("Accept", "application/json; version=v1")
	r.Header.Set("Api-Version", "v1")
	return r
}

// TestLinkAllocations bounds what a link costs: nothing but its text, where the
// version is not part of what is built.
func TestLinkAllocations(t *testing.T) {
	target := verso.Target{Name: "user", Params: verso.Params{"id": 7}}
	mux := newRoutes(verso.Must(scheme.NewHostName("", defaultV1)))
	mux.Name("user").HandleFunc("GET /users/{id}", answerVersion)
	mux.HandleFunc("GET /here", func(_ http.ResponseWriter, r *http.Request) {
		assert.LessOrEqual(t, testing.AllocsPerRun(100, func() { _, _ = versohttp.Link(r, target) }), 2.0)
	})
	mux.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/here", nil))
}
