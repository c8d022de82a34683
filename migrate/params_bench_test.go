package migrate_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

type sorted struct {
	OrderBy string `query:"order_by"`
	Limit   int    `query:"limit"`
}

// BenchmarkQuery has a request with one renamed parameter, one without Query, and a link.
func BenchmarkQuery(b *testing.B) {
	h := verso.Must(migrate.New(apiOf("v2", "v1"), migrate.Release("v2", migrate.Changed("x", migrate.For[sorted](migrate.Renamed("sort", "order_by")))), migrate.Release("v1")))
	route, v1 := h.Route(migrate.Query[sorted]()), verso.V("v1")
	plain := h.Route(migrate.Returns[sorted]())
	r, w := httptest.NewRequest(http.MethodGet, "/orders?sort=name&limit=5", nil), httptest.NewRecorder()
	for name, route := range map[string]*migrate.Route{"renamed": route, "without": plain} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				request := *r
				_, _ = route.Begin(v1, w, &request)
			}
		})
	}
	b.Run("link", func(b *testing.B) {
		b.ReportAllocs()
		query := url.Values{"order_by": {"name"}, "limit": {"5"}}
		for b.Loop() {
			route.LowerQuery(v1, query)
		}
	})
}
