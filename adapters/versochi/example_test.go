package versochi_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/goverso/verso/adapters/versochi"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

func Example() {
	api := verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	r := chi.NewRouter()
	v := versochi.New(r, api)
	v.Name("user").Get("/{version}/users/{id}", func(w http.ResponseWriter, r *http.Request) {
		self, err := versochi.Link(r, verso.Target{Name: "user", Params: verso.Params{"id": versochi.Param(r, "id")}})
		if err != nil {
			http.Error(w, "internal server error", http.StatusInternalServerError)
			return
		}
		_, _ = fmt.Fprintln(w, versochi.Version(r), self)
	})

	for _, target := range []string{"/v2/users/7", "/v9/users/7"} {
		w := httptest.NewRecorder()
		r.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		fmt.Println(w.Code, strings.TrimSpace(w.Body.String()))
	}
	// Output:
	// 200 v2 http://example.com/v2/users/7
	// 404 {"type":"https://github.com/goverso/verso/blob/main/docs/problems.md#invalid-version","title":"Invalid API version","status":404,"detail":"Invalid version in URL path.","code":"invalid_url_path_version","allowed_versions":["v1","v2"]}
}

func ExampleConfig() {
	api := verso.MustNew(verso.QueryParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	r := chi.NewRouter()
	v := versochi.New(r, api, versochi.Config{
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err *verso.Error, answer *verso.Answer) {
			http.Error(w, answer.Problem.Detail, err.StatusCode())
		},
	})
	v.Get("/users", func(http.ResponseWriter, *http.Request) {})

	w := httptest.NewRecorder()
	r.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/users?version=v9", nil))
	fmt.Println(w.Code, strings.TrimSpace(w.Body.String()))
	// Output: 404 Invalid version in query parameter.
}

func ExampleAtLeast() {
	r := chi.NewRouter()
	v := versochi.New(r, verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}}))
	v.Get("/{version}/rooms", func(w http.ResponseWriter, r *http.Request) {
		if versochi.AtLeast(r, "v2") {
			_, _ = fmt.Fprintln(w, "rooms with their beds")
			return
		}
		_, _ = fmt.Fprintln(w, "rooms")
	})

	for _, target := range []string{"/v1/rooms", "/v3/rooms"} {
		w := httptest.NewRecorder()
		r.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		fmt.Print(w.Body)
	}
	// Output:
	// rooms
	// rooms with their beds
}

func ExampleContentType() {
	r := chi.NewRouter()
	v := versochi.New(r, verso.MustNew(
		verso.MediaType("application/vnd.acme.{resource}-{version}+json"),
		verso.Config{AllowedVersions: []string{"v1", "v2"}},
	))
	v.Get("/orders", func(w http.ResponseWriter, r *http.Request) {
		contentType, err := versochi.ContentType(r, "order")
		if err != nil {
			http.Error(w, "internal server error", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", contentType)
		_, _ = fmt.Fprintln(w, "[]")
	})

	request, w := httptest.NewRequest(http.MethodGet, "/orders", nil), httptest.NewRecorder()
	request.Header.Set("Accept", "application/vnd.acme.order-v2+json")
	r.ServeHTTP(w, request)
	fmt.Println(w.Header().Get("Content-Type"), w.Header().Get("Vary"))
	// Output: application/vnd.acme.order-v2+json Accept
}

func ExampleInContext() {
	showUser := func(ctx context.Context, id string) string { // as of a generated server
		result, _ := verso.FromContext(ctx)
		self, err := result.Link(verso.Target{Name: "user", Params: verso.Params{"id": id}})
		if err != nil {
			panic(err)
		}
		return fmt.Sprint(result.Version(), " ", self)
	}
	r := chi.NewRouter()
	v := versochi.New(r, verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	v.AfterCheck(versochi.InContext).Name("user").Get("/{version}/users/{id}", func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprint(w, showUser(r.Context(), chi.URLParam(r, "id")))
	})

	w := httptest.NewRecorder()
	r.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v2/users/7", nil))
	fmt.Println(w.Body)
	// Output: v2 http://example.com/v2/users/7
}

// A unit test calls a handler without the check.
func ExampleRoutes_SetTestVersion() {
	rooms := func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintln(w, "rooms of", versochi.Version(r))
	}
	v := versochi.New(chi.NewRouter(), verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	v.Get("/{version}/rooms", rooms)

	r, err := v.SetTestVersion(httptest.NewRequest(http.MethodGet, "/", nil), verso.V("v2"))
	if err != nil {
		fmt.Println(err)
		return
	}
	w := httptest.NewRecorder()
	rooms(w, r)
	fmt.Print(w.Body)
	// Output: rooms of v2
}

// The middleware checks routes registered by other code.
func ExampleRoutes_Middleware() {
	r := chi.NewRouter()
	r.Use(versochi.New(r, verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})).Middleware())
	r.Route("/{version}", func(r chi.Router) {
		r.Get("/users", func(w http.ResponseWriter, r *http.Request) { _, _ = fmt.Fprintln(w, versochi.Version(r)) })
	})

	for _, target := range []string{"/v2/users", "/v9/users", "/v9/nowhere"} {
		w := httptest.NewRecorder()
		r.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		fmt.Println(target, w.Code, w.Header().Get("Content-Type"))
	}
	// Output:
	// /v2/users 200 text/plain; charset=utf-8
	// /v9/users 404 application/problem+json
	// /v9/nowhere 404 text/plain; charset=utf-8
}

// A version that is not served is answered without routes of its own.
func ExampleRoutes_NotFound() {
	r := chi.NewRouter()
	v := versochi.New(r, verso.MustNew(verso.PathParam("version"), verso.Config{Catalogue: catalogue.MustNew(catalogue.Config{
		Versions:    []catalogue.Entry{{Version: "v1", Sunset: catalogue.MustDate("2025-12-31")}, {Version: "v2"}},
		AfterSunset: catalogue.Gone,
	})}))
	v.Get("/{version}/users", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	r.NotFound(v.NotFound(nil))
	r.MethodNotAllowed(v.NotFound(nil))

	for _, request := range []string{"GET /v1/rooms", "GET /v2/rooms", "DELETE /v2/users"} {
		method, target, _ := strings.Cut(request, " ")
		w := httptest.NewRecorder()
		r.ServeHTTP(w, httptest.NewRequest(method, target, nil))
		fmt.Printf("%d %q %q\n", w.Code, w.Header().Get("Content-Type"), w.Header().Get("Allow"))
	}
	// Output:
	// 410 "application/problem+json" ""
	// 404 "text/plain; charset=utf-8" ""
	// 405 "" "GET"
}

func ExampleRoutes_Link() {
	v := versochi.New(chi.NewRouter(), verso.MustNew(verso.PathParam("version"), verso.Config{
		AllowedVersions: []string{"v1", "v2"},
		Links:           verso.LinkConfig{Origin: "https://api.example.com"},
	}))
	v.Name("user").Get("/{version}/users/{id:[0-9]+}", http.NotFound)

	fmt.Println(v.Link(verso.Target{Name: "user", Params: verso.Params{"id": 7}, Version: verso.V("v1")}))
	// Output: https://api.example.com/v1/users/7 <nil>
}
