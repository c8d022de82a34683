package versohttp_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/goverso/verso/adapters/versohttp"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

// Each handler is for its version and those after it, until the next one.
func ExampleRoutes_HandleVersions() {
	v := versohttp.New(http.NewServeMux(), verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}}))
	v.HandleVersions("GET /{version}/rooms", versohttp.Handlers{
		"v1": func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprintln(w, "rooms") },
		"v2": func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprintln(w, "rooms with their beds") },
		"v3": nil,
	})

	for _, target := range []string{"/v1/rooms", "/v2/rooms", "/v3/rooms"} {
		w := httptest.NewRecorder()
		v.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		fmt.Println(w.Code, strings.TrimSpace(w.Body.String()))
	}
	// Output:
	// 200 rooms
	// 200 rooms with their beds
	// 404 {"type":"https://github.com/goverso/verso/blob/main/docs/problems.md#not-in-version","title":"Not in this API version","status":404,"detail":"This API version does not have the resource.","code":"not_in_version","allowed_versions":["v1","v2"]}
}

// Two versions register the same path, as generated code does.
func ExampleRoutes_RegisterVersions() {
	v := versohttp.New(http.NewServeMux(), verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	v.RegisterVersions(map[string]func(versohttp.Mux){
		"v1": func(mux versohttp.Mux) {
			mux.HandleFunc("GET /users/{id}", func(w http.ResponseWriter, r *http.Request) { _, _ = fmt.Fprintf(w, "user %s", r.PathValue("id")) })
		},
		"v2": func(mux versohttp.Mux) {
			mux.HandleFunc("GET /users/{user}", func(w http.ResponseWriter, r *http.Request) {
				_, _ = fmt.Fprintf(w, "user %s, whole", r.PathValue("user"))
			})
			mux.Handle("GET /rooms", http.NotFoundHandler())
		},
	})

	for _, version := range []string{"v1", "v2"} {
		w, request := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/users/7", nil)
		request.Header.Set("Api-Version", version)
		v.ServeHTTP(w, request)
		fmt.Println(w.Code, w.Body)
	}
	for _, route := range v.Explain().Routes {
		fmt.Println(route)
	}
	// Output:
	// 200 user 7
	// 200 user 7, whole
	// GET     /users/{id}
	// GET     /rooms                                                        since v2
}

func ExampleRoutes_With() {
	v := versohttp.New(http.NewServeMux(), verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	answer := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }
	v.Neutral().HandleFunc("GET /health", answer)
	v.Since("v2").HandleFunc("GET /{version}/bookings", answer)
	v.RemovedIn("v2").HandleFunc("GET /{version}/rooms", answer)
	v.With(verso.Since("v2")).Group("/{version}").Handle("GET /guests", http.NotFoundHandler())

	for _, r := range v.Explain().Routes {
		fmt.Println(r)
	}
	// Output:
	// GET     /health                                                       neutral
	// GET     /{version}/bookings                                           since v2
	// GET     /{version}/rooms                                              removed in v2
	// GET     /{version}/guests                                             since v2
}

func ExampleContentType() {
	v := versohttp.New(http.NewServeMux(), verso.MustNew(
		verso.MediaType("application/vnd.acme.{resource}-{version}+json"),
		verso.Config{AllowedVersions: []string{"v1", "v2"}},
	))
	v.HandleFunc("GET /orders", func(w http.ResponseWriter, r *http.Request) {
		contentType, err := versohttp.ContentType(r, "order")
		if err != nil {
			http.Error(w, "internal server error", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", contentType)
		_, _ = fmt.Fprintln(w, "[]")
	})

	r, w := httptest.NewRequest(http.MethodGet, "/orders", nil), httptest.NewRecorder()
	r.Header.Set("Accept", "application/vnd.acme.order-v2+json")
	v.ServeHTTP(w, r)
	fmt.Println(w.Header().Get("Content-Type"), w.Header().Get("Vary"))
	// Output: application/vnd.acme.order-v2+json Accept
}

// A unit test calls a handler without the check.
func ExampleRoutes_SetTestVersion() {
	showUser := func(w http.ResponseWriter, r *http.Request) {
		self, err := versohttp.Link(r, verso.Target{Name: "user", Params: verso.Params{"id": r.PathValue("id")}})
		if err != nil {
			http.Error(w, "internal server error", http.StatusInternalServerError)
			return
		}
		_, _ = fmt.Fprintln(w, versohttp.Version(r), self)
	}
	v := versohttp.New(http.NewServeMux(), verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	v.Name("user").HandleFunc("GET /{version}/users/{id}", showUser)

	r, err := v.SetTestVersion(httptest.NewRequest(http.MethodGet, "/", nil), verso.V("v2"))
	if err != nil {
		fmt.Println(err)
		return
	}
	r.SetPathValue("id", "7")
	w := httptest.NewRecorder()
	showUser(w, r)
	fmt.Print(w.Body)

	_, err = v.SetTestVersion(r, verso.V("v9"))
	fmt.Println(err)
	// Output:
	// v2 http://example.com/v2/users/7
	// verso: unknown version: "v9": use one of ["v1" "v2"]
}

// URLs that are there already stay, and each version has its own besides.
func ExampleRoutes_EachVersion() {
	v := versohttp.New(http.NewServeMux(), verso.MustNew(verso.PathPrefix("/api/{version}"), verso.Config{
		AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v1"),
	}))
	api := v.EachVersion()
	api.HandleFunc("GET /api/lists", func(w http.ResponseWriter, r *http.Request) { _, _ = fmt.Fprintln(w, versohttp.Version(r)) })
	handler := v.NotFound()(v)

	for _, target := range []string{"/api/lists", "/api/v1/lists", "/api/v2/lists", "/api/v3/lists"} {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		fmt.Println(w.Code, strings.TrimSpace(w.Body.String()))
	}
	// Output:
	// 200 v1
	// 200 v1
	// 200 v2
	// 404 404 page not found
}

// A version that is not served is answered without routes of its own.
func ExampleRoutes_NotFound() {
	mux := http.NewServeMux()
	v := versohttp.New(mux, verso.MustNew(verso.PathParam("version"), verso.Config{Catalogue: catalogue.MustNew(catalogue.Config{
		Versions:    []catalogue.Entry{{Version: "v1", Sunset: catalogue.MustDate("2025-12-31")}, {Version: "v2"}},
		AfterSunset: catalogue.Gone,
	})}))
	v.HandleFunc("GET /{version}/users", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	handler := v.NotFound()(mux)

	for _, target := range []string{"/v1/rooms", "/v2/rooms", "/favicon.ico"} {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		fmt.Println(w.Code, w.Header().Get("Content-Type"))
	}
	// Output:
	// 410 application/problem+json
	// 404 text/plain; charset=utf-8
	// 404 text/plain; charset=utf-8
}

// Bodies of v1 are rewritten, here to upper case; the handler knows v2 only. Module migrate makes
// useful rewriters.
func ExampleRoutes_Rewrite() {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	mux := http.NewServeMux()
	v := versohttp.New(mux, api)
	v.Rewrite(new(conformance.Shouting)).HandleFunc("GET /bookings/{id}", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("booked"))
	})
	handler := v.RewriteErrors()(mux)

	for _, version := range []string{"v1", "v2"} {
		w, request := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/bookings/1", nil)
		request.Header.Set("Api-Version", version)
		handler.ServeHTTP(w, request)
		fmt.Println(version, w.Body)
	}
	// Output:
	// v1 BOOKED
	// v2 booked
}

// Options of the operations of generated code.
func ExampleRoutes_PerRoute() {
	handlerFromMux := func(mux versohttp.Mux) { // as oapi-codegen writes it
		mux.HandleFunc("GET /rooms", http.NotFound)
		mux.HandleFunc("POST /webhooks/{id}", http.NotFound)
	}
	v := versohttp.New(http.NewServeMux(), verso.MustNew(verso.PathPrefix("/api/{version}"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	handlerFromMux(v.Group("/api/v1").PerRoute(func(v *versohttp.Routes, _, path string) *versohttp.Routes {
		if path == "/webhooks/{id}" {
			return v.Neutral()
		}
		return v
	}))
	for _, route := range v.Explain().Routes {
		fmt.Println(route)
	}
	// Output:
	// GET     /api/v1/rooms                                                 in v1
	// POST    /api/v1/webhooks/{id}                                         neutral
}
