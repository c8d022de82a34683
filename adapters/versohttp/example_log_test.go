package versohttp_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
)

type observed struct{}

// A logger runs before the check, so it does not see the version in its own request. It puts
// a place for the observation into the context, which Observe fills, for rejections too.
func Example_log() {
	api := verso.MustNew(verso.PathParam("version"), verso.Config{
		AllowedVersions: []string{"v1", "v2"},
		Observe: func(ctx context.Context, o verso.Observation) {
			if seen, ok := ctx.Value(observed{}).(*verso.Observation); ok {
				*seen = o
			}
		},
	})
	logger := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var seen verso.Observation
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), observed{}, &seen)))
			fmt.Printf("%s version=%q served=%q outcome=%q\n", r.URL.Path, seen.Version, seen.Served, seen.Outcome)
		})
	}
	mux := http.NewServeMux()
	v := versohttp.New(mux, api)
	v.Since("v2").HandleFunc("GET /{version}/users", func(http.ResponseWriter, *http.Request) {})

	for _, path := range []string{"/v2/users", "/v1/users", "/v9/users", "/favicon.ico"} {
		logger(mux).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, path, nil))
	}
	// Output:
	// /v2/users version="v2" served="v2" outcome="served"
	// /v1/users version="v1" served="" outcome="not_in_version"
	// /v9/users version="" served="" outcome="invalid_url_path_version"
	// /favicon.ico version="" served="" outcome=""
}
