package versoecho5_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/labstack/echo/v5"

	"github.com/goverso/verso/adapters/versoecho5"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

// BenchmarkLink builds the URL of a route with two parameters, next to Echo's
// own Reverse, which builds the path only.
func BenchmarkLink(b *testing.B) {
	for _, count := range []int{10, 200, 10_000} {
		newEcho := func() *echo.Echo {
			e := echo.New()
			for i := range count - 1 {
				add(b, e, http.MethodGet, fmt.Sprintf("/r%d/:user/orders/:order", i), answerVersion, fmt.Sprintf("route-%d", i))
			}
			add(b, e, http.MethodGet, "/users/:user/orders/:order", answerVersion, "order")
			add(b, e, http.MethodGet, "/v1/users/:user/orders/:order", answerVersion, "v1:order")
			add(b, e, http.MethodGet, "/:version/users/:user/orders/:order", answerVersion, "order")
			return e
		}
		routes := newEcho().Router().Routes()
		b.Run(fmt.Sprintf("echo/%d", count), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = routes.Reverse("v1:order", "alice", 42)
			}
		})
		for name, api := range map[string]*verso.Versioning{
			"accept_header":   verso.Must(scheme.NewAcceptHeader("version", defaultV1)),
			"url_path":        verso.Must(scheme.NewURLPath("version", defaultV1)),
			"namespace":       verso.Must(scheme.NewNamespace(defaultV1)),
			"hostname":        verso.Must(scheme.NewHostName("", defaultV1)),
			"query_parameter": verso.Must(scheme.NewQueryParameter("version", defaultV1)),
		} {
			b.Run(fmt.Sprintf("%s/%d", name, count), func(b *testing.B) {
				e := newEcho()
				versoecho5.New(e, api).GET("/here", func(c *echo.Context) error {
					b.ReportAllocs()
					for b.Loop() {
						target := verso.Target{Name: "order", Args: []any{"alice", 42}}
						if name == "url_path" { // adds the version to named parameters
							target = verso.Target{Name: "order", Params: verso.Params{"user": "alice", "order": 42}}
						}
						if _, err := versoecho5.Link(c, target); err != nil {
							b.Fatal(err)
						}
					}
					return nil
				})
				e.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(b.Context(), http.MethodGet, "/here", nil))
			})
		}
	}
}

var defaultV1 = verso.Config{DefaultVersion: verso.V("v1"), AllowedVersions: []string{"v1", "v2"}}
