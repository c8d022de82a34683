package versohttp_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
)

// The middleware checks routes registered by other code.
func ExampleRoutes_Middleware() {
	api := verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{version}/users", func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintln(w, versohttp.Version(r))
	})
	handler := versohttp.New(mux, api).Middleware()(mux)

	for _, target := range []string{"/v2/users", "/v9/nowhere"} {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		fmt.Println(w.Code, strings.TrimSpace(w.Body.String()))
	}
	// Output:
	// 200 v2
	// 404 404 page not found
}

// The middleware can be around single handlers, also of other routers.
func ExampleRoutes_Middleware_route() {
	api := verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	mux := http.NewServeMux()
	versioned := versohttp.New(mux, api).Middleware()
	mux.Handle("GET /{version}/users", versioned(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintln(w, versohttp.Version(r))
	})))
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintln(w, "fine")
	})

	for _, target := range []string{"/v2/users", "/health"} {
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		fmt.Println(w.Code, strings.TrimSpace(w.Body.String()))
	}
	// Output:
	// 200 v2
	// 200 fine
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
	cache := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			fmt.Println("cache of", versohttp.Version(r))
			next.ServeHTTP(w, r)
		})
	}
	mux := http.NewServeMux()
	v := versohttp.New(mux, verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	bookings := v.Group("/{version}", say("log"), say("authentication")).AfterCheck(cache)
	bookings.HandleFunc("GET /bookings", func(http.ResponseWriter, *http.Request) { fmt.Println("bookings") })

	for _, target := range []string{"/v2/bookings", "/v9/bookings"} {
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		fmt.Println(w.Code)
	}
	// Output:
	// log
	// authentication
	// cache of v2
	// bookings
	// 200
	// log
	// authentication
	// 404
}

func ExampleAtLeast() {
	v := versohttp.New(http.NewServeMux(), verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}}))
	v.HandleFunc("GET /{version}/rooms", func(w http.ResponseWriter, r *http.Request) {
		if versohttp.AtLeast(r, "v2") {
			_, _ = fmt.Fprintln(w, "rooms with their beds")
			return
		}
		_, _ = fmt.Fprintln(w, "rooms")
	})

	for _, target := range []string{"/v1/rooms", "/v3/rooms"} {
		w := httptest.NewRecorder()
		v.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		fmt.Print(w.Body)
	}
	// Output:
	// rooms
	// rooms with their beds
}

func ExampleConfig() {
	api := verso.MustNew(verso.QueryParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	v := versohttp.New(http.NewServeMux(), api, versohttp.Config{
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err *verso.Error, answer *verso.Answer) {
			http.Error(w, answer.Problem.Detail, err.StatusCode())
		},
	})
	v.HandleFunc("GET /users", func(http.ResponseWriter, *http.Request) {})

	w := httptest.NewRecorder()
	v.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/users?version=v9", nil))
	fmt.Println(w.Code, strings.TrimSpace(w.Body.String()))
	// Output: 404 Invalid version in query parameter.
}

// A service says who sent a request, and is told who calls which version.
func ExampleConfig_client() {
	api := verso.MustNew(verso.PathParam("version"), verso.Config{
		AllowedVersions: []string{"v1", "v2"},
		Observe: func(_ context.Context, u verso.Observation) {
			fmt.Printf("version %q %s on %s for %s\n", u.Version, u.Outcome, u.Route, u.Client)
		},
	})
	keys := map[string]string{"k-7": "acme"}
	v := versohttp.New(http.NewServeMux(), api, versohttp.Config{
		Client: func(r *http.Request) string { return keys[r.Header.Get("Api-Key")] },
	})
	v.HandleFunc("GET /{version}/users", func(http.ResponseWriter, *http.Request) {})

	for _, target := range []string{"/v1/users", "/v9/users"} {
		r := httptest.NewRequest(http.MethodGet, target, nil)
		r.Header.Set("Api-Key", "k-7")
		v.ServeHTTP(httptest.NewRecorder(), r)
	}
	// Output:
	// version "v1" served on /{version}/users for acme
	// version "" invalid_url_path_version on /{version}/users for acme
}

func ExampleVersion() {
	api := verso.MustNew(verso.QueryParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	v := versohttp.New(http.NewServeMux(), api)
	v.HandleFunc("GET /users", func(w http.ResponseWriter, r *http.Request) {
		if versohttp.Version(r) == verso.V("v1") {
			_, _ = fmt.Fprintln(w, "users in their first form")
			return
		}
		_, _ = fmt.Fprintln(w, "users")
	})

	w := httptest.NewRecorder()
	v.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/users?version=v1", nil))
	fmt.Println(w.Code, strings.TrimSpace(w.Body.String()))
	// Output: 200 users in their first form
}

func ExampleRoutes_Namespace() {
	api := verso.MustNew(verso.Namespace(), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	v := versohttp.New(http.NewServeMux(), api)
	users := func(v *versohttp.Routes) {
		v.Name("user-list").HandleFunc("GET /users", func(w http.ResponseWriter, r *http.Request) {
			self, err := versohttp.Link(r, verso.Target{Name: "user-list"})
			_, _ = fmt.Fprintln(w, self, err)
		})
	}
	users(v.Group("/v1").Namespace("v1"))
	users(v.Group("/v2").Namespace("v2"))

	w := httptest.NewRecorder()
	v.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://api.example.com/v2/users", nil))
	fmt.Println(w.Code, strings.TrimSpace(w.Body.String()))
	// Output: 200 http://api.example.com/v2/users <nil>
}

func ExampleRoutes_Group() {
	api := verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	v := versohttp.New(http.NewServeMux(), api)
	versions := v.Group("/{version}")
	versions.HandleFunc("GET /users/{id}", func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintln(w, versohttp.Version(r), r.PathValue("id"))
	})

	w := httptest.NewRecorder()
	v.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v1/users/7", nil))
	fmt.Println(w.Code, strings.TrimSpace(w.Body.String()))
	// Output: 200 v1 7
}

func ExampleLink_otherVersion() {
	api := verso.MustNew(verso.QueryParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	v := versohttp.New(http.NewServeMux(), api)
	v.Name("user").HandleFunc("GET /users/{id}", func(w http.ResponseWriter, r *http.Request) {
		successor, err := versohttp.Link(r, verso.Target{Name: "user", Args: []any{r.PathValue("id")}, Version: verso.V("v2")})
		_, _ = fmt.Fprintln(w, successor, err)
	})

	w := httptest.NewRecorder()
	v.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://api.example.com/users/7?version=v1", nil))
	fmt.Println(w.Code, strings.TrimSpace(w.Body.String()))
	// Output: 200 http://api.example.com/users/7?version=v2 <nil>
}

func ExampleRoutes_Link() {
	api := verso.MustNew(verso.PathParam("version"), verso.Config{
		AllowedVersions: []string{"v1", "v2"},
		Links:           verso.LinkConfig{Origin: "https://api.example.com"},
	})
	v := versohttp.New(http.NewServeMux(), api)
	v.Name("user").HandleFunc("GET /{version}/users/{id}", http.NotFound)

	fmt.Println(v.Link(verso.Target{Name: "user", Params: verso.Params{"id": 7}, Version: verso.V("v1")}))
	// Output: https://api.example.com/v1/users/7 <nil>
}

func ExampleRoutes_LinkOnly() {
	api := verso.MustNew(verso.AcceptParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v1")})
	v := versohttp.New(http.NewServeMux(), api)
	v.Name("avatar").LinkOnly("static.example.com/avatars/{id}")
	v.HandleFunc("GET /here", func(w http.ResponseWriter, r *http.Request) {
		avatar, err := versohttp.Link(r, verso.Target{Name: "avatar", Params: verso.Params{"id": 7}})
		_, _ = fmt.Fprintln(w, avatar, err)
	})

	w := httptest.NewRecorder()
	v.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://api.example.com/here", nil))
	fmt.Println(w.Code, strings.TrimSpace(w.Body.String()))
	// Output: 200 http://static.example.com/avatars/7 <nil>
}

func ExampleInContext() {
	showUser := func(ctx context.Context, id string) string { // as of a generated server
		result, _ := verso.FromContext(ctx)
		self, err := result.Link(verso.Target{Name: "user", Params: verso.Params{"id": id}})
		if err != nil {
			panic(err)
		}
		return fmt.Sprint(result.Version(), " ", result.AtLeast("v2"), " ", self)
	}
	v := versohttp.New(http.NewServeMux(), verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	v.AfterCheck(versohttp.InContext).Name("user").HandleFunc("GET /{version}/users/{id}", func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprint(w, showUser(r.Context(), r.PathValue("id")))
	})

	w := httptest.NewRecorder()
	v.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v2/users/7", nil))
	fmt.Println(w.Body)
	// Output: v2 true http://example.com/v2/users/7
}
