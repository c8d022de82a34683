package conformance_test

import (
	"net/http"
	"testing"

	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
)

func BenchmarkReference(b *testing.B) {
	conformance.Benchmark(b, mountReference)
}

// BenchmarkWire hides that the server is one of net/http, so that requests go over a
// connection.
func BenchmarkWire(b *testing.B) {
	conformance.Benchmark(b, func(tb testing.TB, app conformance.App) *conformance.Server {
		tb.Helper()
		server := mountReference(tb, app)
		server.Handler = nil
		return server
	})
}

// TestBenchmarkFails benchmarks adapters that answer all requests wrongly. The
// benchmark of such a request fails before it is timed.
func TestBenchmarkFails(t *testing.T) {
	for name, broken := range map[string]conformance.Mount{
		"serves nothing": func(tb testing.TB, app conformance.App) *conformance.Server {
			tb.Helper()
			return conformance.Serve(tb, app, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) }))
		},
		"sees another version and rejects otherwise": mounting(mutation{
			version: func(verso.Version) verso.Version { return verso.V("v3") },
			problem: func(problem *verso.Problem) { problem.Status = http.StatusTeapot },
		}),
	} {
		failed := false
		testing.Benchmark(func(b *testing.B) {
			b.Helper()
			failed = !b.Run(name, func(b *testing.B) { conformance.Benchmark(b, broken) })
		})
		if !failed {
			t.Errorf("an adapter that %s is measured as if it were correct", name)
		}
	}
}
