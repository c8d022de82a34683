package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestJudge(t *testing.T) {
	for _, test := range []struct {
		name    string
		bound   *bound
		figures []float64
		worst   float64
		holds   bool
	}{
		{"below at most", atMost(1.25, ""), []float64{1.1, 1.2, 0.9}, 1.2, true},
		{"at the limit as it is printed", atMost(1.25, ""), []float64{1.2549}, 1.2549, true},
		{"above at most", atMost(1.25, ""), []float64{1.1, 1.3, 1.2}, 1.3, false},
		{"above at least", atLeast(3, ""), []float64{4, 3.5}, 3.5, true},
		{"below at least", atLeast(3, ""), []float64{4, 2.5, 3}, 2.5, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, figure := range test.figures {
				cell := test.bound.judge(figure, fmt.Sprint(figure))
				assert.Equal(t, !test.bound.admits(figure), strings.HasPrefix(cell, "**"), cell)
			}
			assert.Equal(t, test.worst, test.bound.worst)
			assert.Equal(t, fmt.Sprint(test.worst), test.bound.where)
			assert.Equal(t, test.holds, test.bound.admits(test.bound.worst))
		})
	}
}

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

func TestReplaceTables(t *testing.T) {
	replaced, err := replaceTables("# Page\n\n"+beginMarker+"\n\nold\n\n"+endMarker+"\n\nEnd.\n", "new\n")
	require.NoError(t, err)
	assert.Equal(t, "# Page\n\n"+beginMarker+"\n\nnew\n\n"+endMarker+"\n\nEnd.\n", replaced)

	_, err = replaceTables("# Page\n", "new\n")
	assert.ErrorContains(t, err, "no place for the tables")
}
