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

func Example() {
	api := verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	mux := versohttp.NewMux(api)
	mux.Name("user").HandleFunc("GET /{version}/users/{id}", func(w http.ResponseWriter, r *http.Request) {
		self, err := versohttp.Link(r, verso.Target{Name: "user", Params: verso.Params{"id": r.PathValue("id")}})
		if err != nil {
			http.Error(w, "internal server error", http.StatusInternalServerError)
			return
		}
		_, _ = fmt.Fprintln(w, versohttp.Version(r), self)
	})

	for _, target := range []string{"http://api.example.com/v2/users/7", "http://api.example.com/v9/users/7"} {
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		fmt.Println(w.Code, strings.TrimSpace(w.Body.String()))
	}
	// Output:
	// 200 v2 http://api.example.com/v2/users/7
	// 404 {"type":"https://github.com/goverso/verso/blob/main/docs/problems.md#invalid-version","title":"Invalid API version","status":404,"detail":"Invalid version in URL path.","code":"invalid_url_path_version","allowed_versions":["v1","v2"]}
}

func ExampleMiddleware() {
	api := verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{version}/users", func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintln(w, versohttp.Version(r))
	})
	handler := versohttp.Middleware(api)(mux)

	for _, target := range []string{"/v2/users", "/v9/nowhere"} {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		fmt.Println(w.Code, strings.TrimSpace(w.Body.String()))
	}
	// Output:
	// 200 v2
	// 404 404 page not found
}

func ExampleMiddleware_route() {
	api := verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	versioned := versohttp.Middleware(api)
	mux := http.NewServeMux()
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

func ExampleMiddleware_anyHandler() {
	api := verso.Must(verso.NewAcceptHeader(verso.Config{AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v1")}))
	handler := versohttp.Middleware(api)(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintln(w, versohttp.Version(r))
	}))

	for _, accept := range []string{"application/json; version=v2", ""} {
		r, w := httptest.NewRequest(http.MethodGet, "/", nil), httptest.NewRecorder()
		r.Header.Set("Accept", accept)
		handler.ServeHTTP(w, r)
		fmt.Println(w.Code, strings.TrimSpace(w.Body.String()))
	}
	// Output:
	// 200 v2
	// 200 v1
}

func ExampleConfig() {
	api := verso.Must(verso.NewQueryParameter(verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	mux := versohttp.NewMux(api, versohttp.Config{
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err *verso.Error, answer *verso.Answer) {
			http.Error(w, answer.Problem.Detail, err.StatusCode())
		},
	})
	mux.HandleFunc("GET /users", func(http.ResponseWriter, *http.Request) {})

	w := httptest.NewRecorder()
	mux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/users?version=v9", nil))
	fmt.Println(w.Code, strings.TrimSpace(w.Body.String()))
	// Output: 404 Invalid version in query parameter.
}

// A service says who sent a request, and is told who calls which version.
func ExampleConfig_client() {
	api := verso.Must(verso.NewURLPath(verso.Config{
		AllowedVersions: []string{"v1", "v2"},
		Observe: func(_ context.Context, u verso.Usage) {
			fmt.Printf("version %q %s on %s for %s\n", u.Version, u.Outcome, u.Route, u.Client)
		},
	}))
	keys := map[string]string{"k-7": "acme"}
	mux := versohttp.NewMux(api, versohttp.Config{
		Client: func(r *http.Request) string { return keys[r.Header.Get("Api-Key")] },
	})
	mux.HandleFunc("GET /{version}/users", func(http.ResponseWriter, *http.Request) {})

	for _, target := range []string{"/v1/users", "/v9/users"} {
		r := httptest.NewRequest(http.MethodGet, target, nil)
		r.Header.Set("Api-Key", "k-7")
		mux.ServeHTTP(httptest.NewRecorder(), r)
	}
	// Output:
	// version "v1" served on /{version}/users for acme
	// version "" invalid_url_path_version on /{version}/users for acme
}

func ExampleVersion() {
	api := verso.Must(verso.NewQueryParameter(verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	mux := versohttp.NewMux(api)
	mux.HandleFunc("GET /users", func(w http.ResponseWriter, r *http.Request) {
		if versohttp.Version(r) == verso.V("v1") {
			_, _ = fmt.Fprintln(w, "users in their first form")
			return
		}
		_, _ = fmt.Fprintln(w, "users")
	})

	w := httptest.NewRecorder()
	mux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/users?version=v1", nil))
	fmt.Println(w.Code, strings.TrimSpace(w.Body.String()))
	// Output: 200 users in their first form
}

func ExampleMux_Namespace() {
	api := verso.Must(verso.NewNamespace(verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	mux := versohttp.NewMux(api)
	users := func(mux *versohttp.Mux) {
		mux.Name("user-list").HandleFunc("GET /users", func(w http.ResponseWriter, r *http.Request) {
			self, err := versohttp.Link(r, verso.Target{Name: "user-list"})
			_, _ = fmt.Fprintln(w, self, err)
		})
	}
	users(mux.Group("/v1").Namespace("v1"))
	users(mux.Group("/v2").Namespace("v2"))

	w := httptest.NewRecorder()
	mux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://api.example.com/v2/users", nil))
	fmt.Println(w.Code, strings.TrimSpace(w.Body.String()))
	// Output: 200 http://api.example.com/v2/users <nil>
}

func ExampleMux_Group() {
	api := verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	mux := versohttp.NewMux(api)
	versions := mux.Group("/{version}")
	versions.HandleFunc("GET /users/{id}", func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintln(w, versohttp.Version(r), r.PathValue("id"))
	})

	w := httptest.NewRecorder()
	mux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v1/users/7", nil))
	fmt.Println(w.Code, strings.TrimSpace(w.Body.String()))
	// Output: 200 v1 7
}

func ExampleLink_otherVersion() {
	api := verso.Must(verso.NewQueryParameter(verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	mux := versohttp.NewMux(api)
	mux.Name("user").HandleFunc("GET /users/{id}", func(w http.ResponseWriter, r *http.Request) {
		successor, err := versohttp.Link(r, verso.Target{Name: "user", Args: []any{r.PathValue("id")}, Version: verso.V("v2")})
		_, _ = fmt.Fprintln(w, successor, err)
	})

	w := httptest.NewRecorder()
	mux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://api.example.com/users/7?version=v1", nil))
	fmt.Println(w.Code, strings.TrimSpace(w.Body.String()))
	// Output: 200 http://api.example.com/users/7?version=v2 <nil>
}

func ExampleMux_Link() {
	api := verso.Must(verso.NewURLPath(verso.Config{
		AllowedVersions: []string{"v1", "v2"},
		Links:           verso.Links{Origin: "https://api.example.com"},
	}))
	mux := versohttp.NewMux(api)
	mux.Name("user").HandleFunc("GET /{version}/users/{id}", http.NotFound)

	fmt.Println(mux.Link(verso.Target{Name: "user", Params: verso.Params{"id": 7}, Version: verso.V("v1")}))
	// Output: https://api.example.com/v1/users/7 <nil>
}

func ExampleMux_LinkOnly() {
	api := verso.Must(verso.NewAcceptHeader(verso.Config{AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v1")}))
	mux := versohttp.NewMux(api)
	mux.Name("avatar").LinkOnly("static.example.com/avatars/{id}")
	mux.HandleFunc("GET /here", func(w http.ResponseWriter, r *http.Request) {
		avatar, err := versohttp.Link(r, verso.Target{Name: "avatar", Params: verso.Params{"id": 7}})
		_, _ = fmt.Fprintln(w, avatar, err)
	})

	w := httptest.NewRecorder()
	mux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://api.example.com/here", nil))
	fmt.Println(w.Code, strings.TrimSpace(w.Body.String()))
	// Output: 200 http://static.example.com/avatars/7 <nil>
}
