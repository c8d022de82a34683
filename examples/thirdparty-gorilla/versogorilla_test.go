package versogorilla_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	versogorilla "example.com/verso-gorilla"
	"github.com/gorilla/mux"

	verso "github.com/goverso/verso/core"
)

func Example() {
	api := verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	r := mux.NewRouter()
	v := versogorilla.New(r, api, versogorilla.Config{})
	v.Name("user").HandleFunc("GET", "/{version}/users/{id}", func(w http.ResponseWriter, r *http.Request) {
		self, err := versogorilla.Link(r, verso.Target{Name: "user", Params: verso.Params{"id": r.PathValue("id")}})
		_, _ = fmt.Fprint(w, versogorilla.Version(r), " ", self, " ", err)
	})

	w := httptest.NewRecorder()
	r.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v2/users/a%20b", nil))
	fmt.Println(w.Code, w.Body)
	// Output: 200 v2 http://example.com/v2/users/a%20b <nil>
}

// TestPathValues has the values in routes of the adapter, in those of mux behind the middleware,
// and where RegisterVersions gives them other names.
func TestPathValues(t *testing.T) {
	r := mux.NewRouter()
	v := versogorilla.New(r, verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}), versogorilla.Config{})
	answer := func(name string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			_, _ = fmt.Fprint(w, versogorilla.Version(r), " ", r.PathValue(name))
		}
	}
	v.HandleFunc("GET", "/{version}/own/{id}", answer("id"))
	v.HandleFunc("GET", "/{version}/rest/{path:.*}", answer("path"))
	v.RegisterVersions(map[string]func(*mux.Router){
		"v1": func(r *mux.Router) { r.HandleFunc("/{version}/joined/{id}", answer("id")).Methods("GET") },
		"v2": func(r *mux.Router) { r.HandleFunc("/{version}/joined/{name}", answer("name")).Methods("GET") },
	})
	others := r.NewRoute().Subrouter()
	others.Use(v.Middleware())
	others.HandleFunc("/{version}/others/{id:[^/]+}", answer("id"))
	for target, want := range map[string]string{
		"/v1/own/a%2Fb": "200 v1 a/b", "/v2/rest/a/b%20c": "200 v2 a/b c", "/v1/joined/7": "200 v1 7", "/v2/joined/8": "200 v2 8",
		"/v2/others/caf%C3%A9": "200 v2 café", "/v9/others/7": "404 {", "/v9/own/7": "404 {", "/nowhere": "404 404 page",
	} {
		w := httptest.NewRecorder()
		r.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		if got := fmt.Sprint(w.Code, " ", w.Body); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, want %q", target, got, want)
		}
	}
}

// TestAllow has the methods of the version in the Allow field of a 405.
func TestAllow(t *testing.T) {
	r := mux.NewRouter()
	v := versogorilla.New(r, verso.MustNew(verso.QueryParam("v"), verso.Config{AllowedVersions: []string{"v1", "v2"}}), versogorilla.Config{})
	r.NotFoundHandler, r.MethodNotAllowedHandler = v.NotFound(), v.NotFound()
	v.HandleFunc("GET", "/users", func(http.ResponseWriter, *http.Request) {})
	v.Since("v2").HandleFunc("POST", "/users", func(http.ResponseWriter, *http.Request) {})
	for target, want := range map[string]string{
		"/users?v=v1": "405 GET", "/users?v=v2": "405 GET, POST", "/users?v=v9": "404 ", "/nowhere?v=v1": "404 ",
	} {
		w := httptest.NewRecorder()
		r.ServeHTTP(w, httptest.NewRequest(http.MethodDelete, target, nil))
		if got := fmt.Sprint(w.Code, " ", w.Header().Get("Allow")); got != want {
			t.Errorf("DELETE %s: %q, want %q", target, got, want)
		}
	}
}

func TestMistakesPanic(t *testing.T) {
	v := versogorilla.New(mux.NewRouter(), verso.MustNew(verso.QueryParam("v"), verso.Config{AllowedVersions: []string{"v1"}}), versogorilla.Config{})
	empty := func(next http.Handler) http.Handler { return next }
	for name, mistake := range map[string]func(){
		"no router":       func() { versogorilla.New(nil, nil, versogorilla.Config{}) },
		"no handler":      func() { v.HandleFunc("GET", "/x", nil) },
		"an invalid path": func() { v.HandleFunc("GET", "/{x:(}", func(http.ResponseWriter, *http.Request) {}) },
		"middleware that is not listed": func() {
			v.RegisterVersions(map[string]func(*mux.Router){"v1": func(r *mux.Router) {
				r.Use(empty)
				r.PathPrefix("/x").Subrouter().HandleFunc("/y", func(http.ResponseWriter, *http.Request) {})
			}})
		},
	} {
		func() {
			defer func() {
				if text := fmt.Sprint(recover()); !strings.HasPrefix(text, "versogorilla: ") {
					t.Errorf("%s: it panics with %q", name, text)
				}
			}()
			mistake()
		}()
	}
}
