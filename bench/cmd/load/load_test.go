package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/bench/internal/report"
)

// output is what wrk 4.1.0 printed, with one of its percentiles in seconds.
const output = `Running 1s test @ http://127.0.0.1:42603/users/42
  1 threads and 16 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency   156.65ms  299.21ms   1.09s    83.33%
    Req/Sec    41.28k    23.47k   59.03k    77.78%
  Latency Distribution
     50%  234.00us
     75%  137.20ms
     90%  711.46ms
     99%    1.06s 
`

func TestParseWrk(t *testing.T) {
	const requests = "  37359 requests in 1.81s, 4.95MB read\n"
	const rate = "Requests/sec:  20652.84\nTransfer/sec:      2.74MB\n"
	for _, test := range []struct {
		name, output string
		p99          float64
		err          string
	}{
		{"seconds", output + requests + rate, 1.06e9, ""},
		{"microseconds", "\n     99%  876.00us\n" + requests + rate, 876e3, ""},
		{"milliseconds", "\n     99%    1.50ms\n" + requests + rate, 1.5e6, ""},
		{"errors of sockets", output + requests + "  Socket errors: connect 0, read 3, write 0, timeout 0\n" + rate, 0, "read 3"},
		{"rejections", output + requests + "  Non-2xx or 3xx responses: 7\n" + rate, 0, "responses: 7"},
		{"no rate", output + requests, 0, "lacks"},
		{"no requests", output + rate, 0, "lacks"},
		{"no percentile", requests + rate, 0, "lacks"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := parseWrk(test.output)
			if test.err != "" {
				assert.ErrorContains(t, err, test.err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, result{37359, 20652.84, test.p99}, got)
		})
	}
}

func TestJudge(t *testing.T) {
	for _, test := range []struct {
		name    string
		ratio   []float64 // Verso / store, by the turn
		latency []float64
		missed  int
	}{
		{"no difference", []float64{0.99, 1.01}, []float64{0.99, 1.02}, 0},
		{"fewer requests", []float64{0.96, 0.98}, []float64{1, 1}, 1},
		{"both", []float64{0.5, 0.5}, []float64{2, 2}, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := &measurement{where: "echo, path"}
			for i := range 10 {
				m.store.perSecond, m.store.p99 = append(m.store.perSecond, 100), append(m.store.p99, 1e6)
				m.verso.perSecond = append(m.verso.perSecond, 100*test.ratio[i/5])
				m.verso.p99 = append(m.verso.p99, 1e6*test.latency[i/5])
			}
			m.store.cpuTime, m.verso.cpuTime = m.store.p99, m.verso.p99
			text, bounds := judge([]*measurement{m})
			assert.Equal(t, test.missed, strings.Count(report.Bounds(bounds...), "**no**"))
			assert.Contains(t, text, "| echo, path ")
		})
	}
}
