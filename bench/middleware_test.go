package bench

import (
	"net/http"
	"testing"
)

// BenchmarkMiddleware serves a request for v2 in each framework and scheme:
// without a middleware, with one that does nothing, with one that stores a
// constant, with Verso, and with the same as Verso by hand.
func BenchmarkMiddleware(b *testing.B) {
	for _, f := range frameworks {
		for _, s := range schemeCases {
			for _, variant := range []struct {
				name    string
				service func(*schemeCase) http.Handler
			}{
				{"bare", f.bare},
				{"nop", f.nop},
				{"store", f.store},
				{"verso", f.verso},
				{"byhand", f.byHand},
			} {
				b.Run(f.name+"/"+s.name+"/"+variant.name, func(b *testing.B) {
					serve(b, variant.service(s), s.request(b))
				})
			}
		}
	}
}

// serve measures how a handler serves a request again and again.
func serve(b *testing.B, handler http.Handler, r *http.Request) {
	b.Helper()
	w := newDiscard()
	quiet(b)
	b.ReportAllocs()
	for b.Loop() {
		w.serve(handler, r)
	}
}
