package versochi_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versochi"
	verso "github.com/goverso/verso/core"
)

// TestUnmatchedWithOtherNames: where no route is, the middleware of the first version runs, whatever names the other
// versions have for parameters.
func TestUnmatchedWithOtherNames(t *testing.T) {
	r := chi.NewRouter()
	version := func(text, path string) func(chi.Router) {
		return func(r chi.Router) {
			r.Route(path, func(r chi.Router) {
				r.Use(func(next http.Handler) http.Handler {
					return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
						w.Header().Add("Ran", text)
						next.ServeHTTP(w, r)
					})
				})
				r.Get("/a", func(http.ResponseWriter, *http.Request) {})
			})
		}
	}
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	v := versochi.New(r, api)
	v.RegisterVersions(map[string]func(chi.Router){
		"v1": version("one", "/api/{account}"), "v2": version("two", "/api/{tenant}"),
	})
	v.RegisterVersions(map[string]func(chi.Router){
		"v1": version("one", "/rooms/{id:[0-9]{2}}"), "v2": version("two", "/rooms/{id:[0-9]{3}}"),
	})
	for target, want := range map[string]string{
		"/api/x/nowhere": "one", "/api/x/": "one", "/api/x/a": "two", "/rooms/12/nowhere": "one", "/rooms/123/nowhere": "two",
	} {
		w, sent := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, target, nil)
		sent.Header.Set("Api-Version", "v2")
		r.ServeHTTP(w, sent)
		assert.Equal(t, []string{want}, w.Header()["Ran"], target)
	}
}
