package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	results, err := parse(strings.NewReader(`goos: linux
BenchmarkMiddleware/echo/url_path/store 	 100	 200.0 ns/op	 352 B/op	 3 allocs/op
BenchmarkMiddleware/echo/url_path/verso 	 100	 250.0 ns/op	 352 B/op	 3 allocs/op
BenchmarkMiddleware/echo/url_path/store 	 100	 900.0 ns/op	 352 B/op	 3 allocs/op
BenchmarkMiddleware/echo/url_path/verso 	 100	 240.0 ns/op	 352 B/op	 3 allocs/op
BenchmarkMiddleware/echo/url_path/store 	 100	 190.0 ns/op	 352 B/op	 3 allocs/op
BenchmarkMiddleware/echo/url_path/verso 	 100	 230.0 ns/op	 352 B/op	 3 allocs/op
PASS
`))
	require.NoError(t, err)
	assert.InDelta(t, 200, results.nanoseconds("Middleware/echo/url_path/store"), 1e-6)
	assert.InDelta(t, 1.2, results.ratio("Middleware/echo/url_path/verso", "Middleware/echo/url_path/store"), 1e-6)
	assert.Equal(t, 3.0, results.allocations("Middleware/echo/url_path/verso"))

	_, err = writeReport(new(strings.Builder), results)
	assert.ErrorContains(t, err, "benchmarks did not run")

	_, err = parse(strings.NewReader("PASS\n"))
	assert.ErrorContains(t, err, "no benchmarks")
}
