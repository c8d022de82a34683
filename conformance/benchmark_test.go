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

// TestBenchmarkFails benchmarks adapters that answer all requests wrongly. The
// benchmark of such a request fails before it is timed.
func TestBenchmarkFails(t *testing.T) {
	for name, broken := range map[string]conformance.Mount{
		"serves nothing": func(testing.TB, conformance.App) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
		},
		"sees another version and refuses otherwise": func(tb testing.TB, app conformance.App) http.Handler {
			tb.Helper()
			return mountMutant(tb, app, mutation{
				version: func(verso.Version) verso.Version { return verso.V("v3") },
				problem: func(problem *verso.Problem, _ http.Header) { problem.Status = http.StatusTeapot },
			})
		},
	} {
		failed := false
		testing.Benchmark(func(b *testing.B) {
			b.Helper()
			failed = !b.Run(name, func(b *testing.B) { conformance.Benchmark(b, broken) })
		})
		if !failed {
			t.Errorf("an adapter that %s is measured as if it was right", name)
		}
	}
}
