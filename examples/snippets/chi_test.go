package snippets

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versochi"
	verso "github.com/goverso/verso/core"
)

func TestChi(t *testing.T) {
	answer := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }
	list, search, removeIcon := answer, answer, answer
	notFound := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) }
	paginate := func(next http.Handler) http.Handler { return next }
	authenticate := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Api-Key") == "" {
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
	newUsersRouter := func() http.Handler {
		r := chi.NewRouter()
		r.Get("/", answer)
		return r
	}
	newAdminRouter := newUsersRouter
	api := verso.MustNew(verso.PathPrefix("/api/{version}"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	r := chi.NewRouter()
	v := versochi.New(r, api)
	v.EachVersion().Router().Route("/api", func(r chi.Router) { // was: r.Route("/api/v1", …
		r.Use(authenticate)
		r.Route("/tags", func(r chi.Router) {
			r.Get("/", list)
			versochi.On(r).RemovedIn("v2").Delete("/{id}/icon", removeIcon)
		})
		r.Mount("/users", newUsersRouter())
	})
	check := func(t *testing.T, want map[string]int) {
		t.Helper()
		for request, status := range want {
			w, asked := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, request, nil)
			asked.Header.Set("Api-Key", "secret")
			r.ServeHTTP(w, asked)
			assert.Equal(t, status, w.Code, request)
			w = httptest.NewRecorder()
			r.ServeHTTP(w, httptest.NewRequest(http.MethodGet, request, nil))
			assert.Equal(t, http.StatusUnauthorized, w.Code, request)
		}
	}
	check(t, map[string]int{"/api/v1/tags": 204, "/api/v2/tags/": 204, "/api/v2/users": 204, "/api/v1/nope": 404})
	t.Run("routes", func(t *testing.T) {
		r = chi.NewRouter()
		v := versochi.New(r, api)
		v.EachVersion().Router().Route("/api", func(r chi.Router) { // a subrouter at /api/v1, and one at /api/v2
			r.Use(authenticate)
			r.NotFound(notFound)
			r.With(paginate).Get("/users", list)
			versochi.On(r).Since("v2").Get("/search", search) // options of a route
			r.Mount("/admin", newAdminRouter())               // a router that chi has made
		})
		check(t, map[string]int{"/api/v1/users": 204, "/api/v2/search": 204, "/api/v1/search": 418, "/api/v2/admin": 204, "/api/v2/admin/x": 418})
	})
}
