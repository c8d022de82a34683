package versochi_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/goverso/verso/adapters/versochi"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
)

// Routes have the methods of chi's router.
func ExampleRoutes_Get() {
	r := chi.NewRouter()
	v := versochi.New(r, verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	answer := func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintln(w, r.Method, "in", versochi.Version(r))
	}
	v.Route("/{version}/rooms", func(v *versochi.Routes) {
		v.Get("/", answer)
		v.Head("/", answer)
		v.Post("/", answer)
		v.Put("/", answer)
		v.Patch("/", answer)
		v.Delete("/", answer)
		v.Options("/", answer)
		v.Trace("/", answer)
		v.Connect("/", answer)
		v.Method("GET", "/{id}", http.HandlerFunc(answer))
		v.MethodFunc("PUT", "/{id}", answer)
		v.Handle("/any", http.HandlerFunc(answer))
		v.HandleFunc("DELETE /{id}", answer)
	})

	for _, method := range []string{"GET", "PATCH", "DELETE"} {
		w := httptest.NewRecorder()
		r.ServeHTTP(w, httptest.NewRequest(method, "/v2/rooms/", nil))
		fmt.Print(w.Body)
	}
	// Output:
	// GET in v2
	// PATCH in v2
	// DELETE in v2
}

// A method that chi does not know is a mistake when it is registered.
func ExampleRoutes_Query() {
	v := versochi.New(chi.NewRouter(), verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	chi.RegisterMethod("QUERY") // chi has it since 5.5
	v.Query("/{version}/rooms", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	for _, route := range v.Explain().Routes {
		fmt.Println(route)
	}
	// Output:
	// QUERY   /{version}/rooms
}

// Each handler is for its version and those after it, until the next one.
func ExampleRoutes_HandleVersions() {
	r := chi.NewRouter()
	v := versochi.New(r, verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}}))
	v.HandleVersions("GET", "/{version}/rooms", versochi.Handlers{
		"v1": func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, "rooms") },
		"v2": func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, "rooms with their beds") },
		"v3": nil,
	})

	for _, target := range []string{"/v1/rooms", "/v2/rooms", "/v3/rooms"} {
		w := httptest.NewRecorder()
		r.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		fmt.Println(w.Code, w.Body.Len() < 100)
	}
	// Output:
	// 200 true
	// 200 true
	// 404 false
}

// Two versions register the same path, as generated code does.
func ExampleRoutes_RegisterVersions() {
	r := chi.NewRouter()
	v := versochi.New(r, verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	v.RegisterVersions(map[string]func(chi.Router){
		"v1": func(r chi.Router) {
			r.Get("/users/{id}", func(w http.ResponseWriter, r *http.Request) { _, _ = fmt.Fprintf(w, "user %s", chi.URLParam(r, "id")) })
		},
		"v2": func(r chi.Router) {
			r.Get("/users/{user}", func(w http.ResponseWriter, r *http.Request) {
				_, _ = fmt.Fprintf(w, "user %s, whole", chi.URLParam(r, "user"))
			})
		},
	})

	for _, version := range []string{"v1", "v2"} {
		w, request := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/users/7", nil)
		request.Header.Set("Api-Version", version)
		r.ServeHTTP(w, request)
		fmt.Println(w.Code, w.Body)
	}
	// Output:
	// 200 user 7
	// 200 user 7, whole
}

// Code for chi registers in each version. Its subrouters are chi's, with their own middleware and answers for 404.
func ExampleRoutes_Router() {
	answer := func(w http.ResponseWriter, r *http.Request) { _, _ = fmt.Fprint(w, versochi.Version(r)) }
	authenticate := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Api-Key") == "" {
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
	r := chi.NewRouter()
	v := versochi.New(r, verso.MustNew(verso.PathPrefix("/api/{version}"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	v.EachVersion().Router().Route("/api", func(r chi.Router) { // was: r.Route("/api/v1", …
		r.Use(authenticate)
		r.Route("/rooms", func(r chi.Router) {
			r.Get("/", answer)
			versochi.On(r).Since("v2").Get("/free", answer)
		})
	})
	r.Get("/*", func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, "page") })

	for _, target := range []string{"/api/v1/rooms", "/api/v2/rooms/free", "/api/v1/rooms/free", "/api/v2/nope", "/nope"} {
		w, request := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, target, nil)
		request.Header.Set("Api-Key", "secret")
		r.ServeHTTP(w, request)
		fmt.Println(target, w.Code, strings.TrimSpace(w.Body.String()))
	}
	w := httptest.NewRecorder()
	r.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/api/v2/nope", nil))
	fmt.Println("without a key", w.Code)
	// Output:
	// /api/v1/rooms 200 v1
	// /api/v2/rooms/free 200 v2
	// /api/v1/rooms/free 404 404 page not found
	// /api/v2/nope 404 404 page not found
	// /nope 200 page
	// without a key 401
}

// Options of a route that chi's code registers.
func ExampleOn() {
	rooms := func(r chi.Router) {
		r.Get("/", http.NotFound)
		versochi.On(r).Name("room").RemovedIn("v2").Get("/{id}", http.NotFound)
	}
	v := versochi.New(chi.NewRouter(), verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	v.Router().Route("/{version}/rooms", rooms)
	for _, route := range v.Explain().Routes {
		fmt.Println(route)
	}
	// Output:
	// GET     /{version}/rooms
	// GET     /{version}/rooms/{id}                    room                 removed in v2
}

// Options of the operations of generated code.
func ExampleRoutes_PerRoute() {
	handlerFromMux := func(r chi.Router) { // as oapi-codegen writes it
		r.Group(func(r chi.Router) { r.Get("/rooms", http.NotFound) })
		r.Group(func(r chi.Router) { r.Post("/webhooks/{id}", http.NotFound) })
	}
	v := versochi.New(chi.NewRouter(), verso.MustNew(verso.PathPrefix("/api/{version}"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	handlerFromMux(v.Group("/api/v1").PerRoute(func(v *versochi.Routes, _, pattern string) *versochi.Routes {
		if pattern == "/webhooks/{id}" {
			return v.Neutral()
		}
		return v
	}).Router())
	for _, route := range v.Explain().Routes {
		fmt.Println(route)
	}
	// Output:
	// GET     /api/v1/rooms                                                 in v1
	// POST    /api/v1/webhooks/{id}                                         neutral
}

// Routes of a subrouter: chi serves its root without a slash, too.
func ExampleRoutes_Route() {
	r := chi.NewRouter()
	v := versochi.New(r, verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	v.Route("/{version}/rooms", func(v *versochi.Routes) {
		v.Use(func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Cache-Control", "no-store")
				next.ServeHTTP(w, r)
			})
		})
		v.Get("/", func(w http.ResponseWriter, r *http.Request) { _, _ = fmt.Fprint(w, versochi.Version(r)) })
	})

	for _, target := range []string{"/v1/rooms", "/v2/rooms/", "/v2/rooms/nope"} {
		w := httptest.NewRecorder()
		r.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		fmt.Println(target, w.Code, w.Header().Get("Cache-Control"))
	}
	// Output:
	// /v1/rooms 200 no-store
	// /v2/rooms/ 200 no-store
	// /v2/rooms/nope 404 no-store
}

// The routes of a router on which generated code has registered them get checks.
func ExampleRoutes_Mount() {
	generated := chi.NewRouter()
	generated.Route("/rooms", func(r chi.Router) {
		r.Get("/{id}", func(w http.ResponseWriter, r *http.Request) { _, _ = fmt.Fprint(w, "room ", chi.URLParam(r, "id")) })
	})
	r := chi.NewRouter()
	v := versochi.New(r, verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	v.Since("v2").Mount("/{version}", generated)
	v.Mount("/{version}/files", http.NotFoundHandler())

	for _, target := range []string{"/v1/rooms/7", "/v2/rooms/7", "/v9/rooms/7", "/v9/files/a/b"} {
		w := httptest.NewRecorder()
		r.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		fmt.Println(target, w.Code)
	}
	// Output:
	// /v1/rooms/7 404
	// /v2/rooms/7 200
	// /v9/rooms/7 404
	// /v9/files/a/b 404
}

func ExampleRoutes_With() {
	v := versochi.New(chi.NewRouter(), verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	answer := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }
	v.Neutral().Get("/health", answer)
	v.Since("v2").Get("/{version}/bookings", answer)
	v.RemovedIn("v2").Get("/{version}/rooms", answer)
	v.With(verso.Since("v2")).Group("/{version}").Get("/guests", answer)

	var lines []string
	for _, r := range v.Explain().Routes {
		lines = append(lines, r.String())
	}
	slices.Sort(lines)
	for _, line := range lines {
		fmt.Println(line)
	}
	// Output:
	// GET     /health                                                       neutral
	// GET     /{version}/bookings                                           since v2
	// GET     /{version}/guests                                             since v2
	// GET     /{version}/rooms                                              removed in v2
}

func ExampleRoutes_Namespace() {
	r := chi.NewRouter()
	v := versochi.New(r, verso.MustNew(verso.Namespace(), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	users := func(v *versochi.Routes) {
		v.Name("user-list").Get("/users", func(w http.ResponseWriter, r *http.Request) {
			self, err := versochi.Link(r, verso.Target{Name: "user-list"})
			_, _ = fmt.Fprint(w, self, " ", err)
		})
	}
	users(v.Group("/v1").Namespace("v1"))
	users(v.Group("/v2").Namespace("v2"))

	w := httptest.NewRecorder()
	r.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://api.example.com/v2/users", nil))
	fmt.Println(w.Code, w.Body)
	// Output: 200 http://api.example.com/v2/users <nil>
}

// A subrouter that chi has made has routes of both kinds.
func ExampleRoutes_In() {
	r := chi.NewRouter()
	v := versochi.New(r, verso.MustNew(verso.QueryParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	r.Route("/hotels/{hotel}", func(r chi.Router) {
		r.Get("/status", func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, "open") })
		v.In("/hotels/{hotel}", r).Get("/rooms", func(w http.ResponseWriter, r *http.Request) {
			_, _ = fmt.Fprint(w, "rooms of ", versochi.Param(r, "hotel"), " in ", versochi.Version(r))
		})
	})

	for _, target := range []string{"/hotels/7/status", "/hotels/7/rooms?version=v2"} {
		w := httptest.NewRecorder()
		r.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		fmt.Println(w.Body)
	}
	// Output:
	// open
	// rooms of 7 in v2
}

// Middleware of a group runs before the check, and that of AfterCheck behind it.
func ExampleRoutes_AfterCheck() {
	say := func(name string) func(http.Handler) http.Handler {
		return func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				fmt.Println(name)
				next.ServeHTTP(w, r)
			})
		}
	}
	r := chi.NewRouter()
	v := versochi.New(r, verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	v.Group("/{version}", say("authentication")).AfterCheck(say("cache")).Get("/rooms", func(http.ResponseWriter, *http.Request) { fmt.Println("rooms") })

	for _, target := range []string{"/v2/rooms", "/v9/rooms"} {
		w := httptest.NewRecorder()
		r.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		fmt.Println(w.Code)
	}
	// Output:
	// authentication
	// cache
	// rooms
	// 200
	// authentication
	// 404
}

// URLs that are there already stay, and each version has its own besides.
func ExampleRoutes_EachVersion() {
	r := chi.NewRouter()
	v := versochi.New(r, verso.MustNew(verso.PathPrefix("/api/{version}"), verso.Config{
		AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v1"),
	}))
	v.EachVersion().Get("/api/lists", func(w http.ResponseWriter, r *http.Request) { _, _ = fmt.Fprint(w, versochi.Version(r)) })

	for _, target := range []string{"/api/lists", "/api/v1/lists", "/api/v2/lists", "/api/v3/lists"} {
		w := httptest.NewRecorder()
		r.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		fmt.Println(target, w.Code)
	}
	// Output:
	// /api/lists 200
	// /api/v1/lists 200
	// /api/v2/lists 200
	// /api/v3/lists 404
}

// Bodies of v1 are rewritten, here to upper case; the handler knows v2 only. Module migrate makes
// useful rewriters.
func ExampleRoutes_Rewrite() {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	r := chi.NewRouter()
	v := versochi.New(r, api)
	r.Use(v.RewriteErrors())
	v.Rewrite(new(conformance.Shouting)).Get("/bookings/{id}", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("booked"))
	})

	for _, version := range []string{"v1", "v2"} {
		w, request := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/bookings/1", nil)
		request.Header.Set("Api-Version", version)
		r.ServeHTTP(w, request)
		fmt.Println(version, w.Body)
	}
	// Output:
	// v1 BOOKED
	// v2 booked
}
