package versohttp_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
)

// request sends a handler a request and prints the status and the body.
func request(handler http.Handler, url string, header ...string) {
	r := httptest.NewRequest(http.MethodGet, url, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	fmt.Println(w.Code, strings.TrimSpace(w.Body.String()))
}

func Example() {
	scheme, err := verso.NewURLPath(verso.Settings{AllowedVersions: []string{"v1", "v2"}})
	if err != nil {
		panic(err)
	}
	mux, err := versohttp.NewMux(versohttp.Config{Scheme: scheme})
	if err != nil {
		panic(err)
	}
	mux.Name("user").HandleFunc("GET /{version}/users/{id}", func(w http.ResponseWriter, r *http.Request) {
		self, err := versohttp.Reverse(r, verso.Target{Name: "user", Kwargs: verso.Kwargs{"id": r.PathValue("id")}})
		if err != nil {
			http.Error(w, "internal server error", http.StatusInternalServerError)
			return
		}
		_, _ = fmt.Fprintln(w, versohttp.Version(r), self)
	})

	request(mux, "http://api.example.com/v2/users/7")
	request(mux, "http://api.example.com/v9/users/7")
	// Output:
	// 200 v2 http://api.example.com/v2/users/7
	// 404 {"type":"https://github.com/goverso/verso/blob/main/docs/problems.md#invalid-version","title":"Invalid API version","status":404,"detail":"Invalid version in URL path.","code":"invalid_url_path_version","allowed_versions":["v1","v2"]}
}

func ExampleNewMiddleware() {
	versioned, err := versohttp.NewMiddleware(versohttp.Config{
		Scheme: verso.Must(verso.NewAcceptHeader(verso.Settings{DefaultVersion: verso.V("v1"), AllowedVersions: []string{"v1", "v2"}})),
	})
	if err != nil {
		panic(err)
	}
	handler := versioned(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintln(w, versohttp.Version(r))
	}))

	request(handler, "/", "Accept", "application/json; version=v2")
	request(handler, "/")
	// Output:
	// 200 v2
	// 200 v1
}

func ExampleNewMiddleware_serveMux() {
	versioned, err := versohttp.NewMiddleware(versohttp.Config{
		Scheme: verso.Must(verso.NewURLPath(verso.Settings{AllowedVersions: []string{"v1", "v2"}})),
	})
	if err != nil {
		panic(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{version}/users", func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintln(w, versohttp.Version(r))
	})

	request(versioned(mux), "/v2/users")
	request(versioned(mux), "/v9/nowhere")
	// Output:
	// 200 v2
	// 404 404 page not found
}

func ExampleMux_Namespace() {
	mux, err := versohttp.NewMux(versohttp.Config{
		Scheme: verso.Must(verso.NewNamespace(verso.Settings{AllowedVersions: []string{"v1", "v2"}})),
	})
	if err != nil {
		panic(err)
	}
	users := func(mux *versohttp.Mux) {
		mux.Name("user-list").HandleFunc("GET /users", func(w http.ResponseWriter, r *http.Request) {
			self, err := versohttp.Reverse(r, verso.Target{Name: "user-list"})
			_, _ = fmt.Fprintln(w, self, err)
		})
	}
	users(mux.Group("/v1").Namespace("v1"))
	users(mux.Group("/v2").Namespace("v2"))

	request(mux, "http://api.example.com/v2/users")
	// Output: 200 http://api.example.com/v2/users <nil>
}

func ExampleReverse_otherVersion() {
	mux, err := versohttp.NewMux(versohttp.Config{Scheme: verso.Must(verso.NewQueryParameter(verso.Settings{}))})
	if err != nil {
		panic(err)
	}
	mux.Name("user").HandleFunc("GET /users/{id}", func(w http.ResponseWriter, r *http.Request) {
		successor, err := versohttp.Reverse(r, verso.Target{Name: "user", Args: []any{r.PathValue("id")}, Version: verso.V("v2")})
		_, _ = fmt.Fprintln(w, successor, err)
	})

	request(mux, "http://api.example.com/users/7?version=v1")
	// Output: 200 http://api.example.com/users/7?version=v2 <nil>
}

func ExampleMux_Reverse() {
	mux, err := versohttp.NewMux(versohttp.Config{
		Scheme: verso.Must(verso.NewURLPath(verso.Settings{})),
		Links:  verso.LinkConfig{Origin: "https://api.example.com"},
	})
	if err != nil {
		panic(err)
	}
	mux.Name("user").HandleFunc("GET /{version}/users/{id}", http.NotFound)

	fmt.Println(mux.Reverse(verso.Target{Name: "user", Kwargs: verso.Kwargs{"id": 7}, Version: verso.V("v1")}))
	// Output: https://api.example.com/v1/users/7 <nil>
}

func ExampleMux_BuildOnly() {
	mux, err := versohttp.NewMux(versohttp.Config{Scheme: verso.Must(verso.NewQueryParameter(verso.Settings{}))})
	if err != nil {
		panic(err)
	}
	mux.Name("avatar").BuildOnly("static.example.com/avatars/{id}")
	mux.HandleFunc("GET /here", func(w http.ResponseWriter, r *http.Request) {
		avatar, err := versohttp.Reverse(r, verso.Target{Name: "avatar", Kwargs: verso.Kwargs{"id": 7}})
		_, _ = fmt.Fprintln(w, avatar, err)
	})

	request(mux, "http://api.example.com/here")
	// Output: 200 http://static.example.com/avatars/7 <nil>
}
