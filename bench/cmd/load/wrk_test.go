package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
  37359 requests in 1.81s, 4.95MB read
`

func TestParseWrk(t *testing.T) {
	const requests = "  37359 requests in 1.81s, 4.95MB read\n"
	const rate = "Requests/sec:  20652.84\nTransfer/sec:      2.74MB\n"
	for _, test := range []struct {
		name, output string
		want         figures
		err          string
	}{
		{"seconds", output + rate, figures{requests: 37359, perSecond: 20652.84, p99: 1.06e9}, ""},
		{"microseconds", "     99%  876.00us\n" + requests + rate, figures{requests: 37359, perSecond: 20652.84, p99: 876e3}, ""},
		{"milliseconds", "     99%    1.50ms\n" + requests + rate, figures{requests: 37359, perSecond: 20652.84, p99: 1.5e6}, ""},
		{"errors of sockets", output + "  Socket errors: connect 0, read 3, write 0, timeout 0\n" + rate, figures{}, "read 3"},
		{"refusals", output + "  Non-2xx or 3xx responses: 7\n" + rate, figures{}, "responses: 7"},
		{"no rate", output, figures{}, "lacks"},
		{"no requests", "     99%    1.50ms\n" + rate, figures{}, "lacks"},
		{"no percentile", requests + rate, figures{}, "lacks"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := parseWrk(test.output)
			if test.err != "" {
				assert.ErrorContains(t, err, test.err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, test.want.requests, got.requests)
			assert.Equal(t, test.want.perSecond, got.perSecond)
			assert.InDelta(t, test.want.p99, got.p99, 1)
		})
	}
}
