package versohttp_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

// schemes are the five schemes, and others.
var schemes = []struct {
	name string
	api  *verso.Versioning
}{
	{"accept_header", verso.Must(scheme.NewAcceptHeader("version", defaultV1))},
	{"url_path", verso.Must(scheme.NewURLPath("version", defaultV1))},
	{"namespace", verso.Must(scheme.NewNamespace(defaultV1))},
	{"hostname", verso.Must(scheme.NewHostName("", defaultV1))},
	{"query_parameter", verso.Must(scheme.NewQueryParameter("version", defaultV1))},
	{"header", verso.Must(verso.New(verso.Header("Api-Version"), defaultV1))},
	{"first", verso.Must(verso.New(verso.First(verso.Header("Missing"), verso.PathParam("version")), defaultV1))},
}

// BenchmarkLink builds the URL of a route with two parameters. net/http has
// nothing of its own to compare with.
func BenchmarkLink(b *testing.B) {
	for _, count := range []int{10, 200, 10_000} {
		for _, s := range schemes {
			b.Run(fmt.Sprintf("%s/%d", s.name, count), func(b *testing.B) {
				mux := newRoutes(s.api)
				for i := range count - 1 {
					mux.Name(fmt.Sprintf("route-%d", i)).LinkOnly(fmt.Sprintf("/r%d/{user}/orders/{order}", i))
				}
				mux.Name("order").LinkOnly("/users/{user}/orders/{order}")
				mux.Name("v1:order").LinkOnly("/v1/users/{user}/orders/{order}")
				mux.Name("order").LinkOnly("/{version}/users/{user}/orders/{order}")
				mux.HandleFunc("GET /here", func(_ http.ResponseWriter, r *http.Request) {
					b.ReportAllocs()
					for b.Loop() {
						target := verso.Target{Name: "order", Params: verso.Params{"user": "alice", "order": 42}}
						if _, err := versohttp.Link(r, target); err != nil {
							b.Fatal(err)
						}
					}
				})
				mux.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(b.Context(), http.MethodGet, "/here", nil))
			})
		}
	}
}

// BenchmarkServe serves a request for v1: on a bare ServeMux, with a version put
// into the context by hand, on a Mux and behind the middleware.
func BenchmarkServe(b *testing.B) {
	const pattern = "GET /{version}/users"
	do := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	serve := func(name string, handler http.Handler) {
		b.Run(name, func(b *testing.B) {
			r := httptest.NewRequestWithContext(b.Context(), http.MethodGet, "http://v1.example.com/v1/users?version=v1", nil)
			r.Header.Set("Accept", "application/json; version=v1")
			r.Header.Set("Api-Version", "v1")
			w := httptest.NewRecorder()
			b.ReportAllocs()
			for b.Loop() {
				handler.ServeHTTP(w, r)
			}
		})
	}
	bare, byHand := http.NewServeMux(), http.NewServeMux()
	bare.Handle(pattern, do)
	serve("bare", bare)
	type key struct{}
	withKey := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), key{}, bare)))
		})
	}
	byHand.Handle(pattern, withKey(do))
	serve("context_by_hand", byHand)
	for _, s := range schemes {
		mux := newRoutes(s.api)
		mux.Namespace("v1").Handle(pattern, do)
		serve(s.name, mux)
	}
	serve("middleware", middleware(schemes[1].api)(bare))
}
