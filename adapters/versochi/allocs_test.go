package versochi_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versochi"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

// TestDeterminationAllocatesNothing compares requests through Verso with requests through a
// middleware that only keeps a pointer in the context.
func TestDeterminationAllocatesNothing(t *testing.T) {
	type key struct{}
	kept := new(int)
	keep := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), key{}, kept)))
		})
	}
	const pattern = "/{version}/users"
	do := func(http.ResponseWriter, *http.Request) {}
	byHand := chi.NewRouter()
	byHand.With(keep).Get(pattern, do)
	for name, api := range map[string]*verso.Versioning{
		"path":      verso.Must(scheme.NewURLPath("version", twoVersions)),
		"namespace": verso.Must(scheme.NewNamespace(twoVersions)),
		"accept":    verso.Must(scheme.NewAcceptHeader("version", twoVersions)),
		"query":     verso.Must(scheme.NewQueryParameter("version", twoVersions)),
		"host":      verso.Must(scheme.NewHostName("", twoVersions)),
		"first":     verso.MustNew(verso.First(verso.Header("Missing"), verso.PathParam("version")), twoVersions),
	} {
		t.Run(name, func(t *testing.T) {
			r := chi.NewRouter()
			versochi.New(r, api).Namespace("api:v1").Name("users").Get(pattern, do)
			assert.Equal(t, allocations(t, byHand), allocations(t, r))
		})
	}
}

func allocations(t *testing.T, handler http.Handler) float64 {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://v1.example.com/v1/users?version=v1", nil)
	r.Header.Set("Accept", "application/json; version=v1")
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	assert.Equal(t, http.StatusOK, w.Code)
	return testing.AllocsPerRun(1000, func() { handler.ServeHTTP(w, r) })
}
