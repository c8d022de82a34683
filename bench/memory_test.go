//go:build !race

package bench

import (
	"net/http"
	"net/url"
	"runtime"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestMemoryDoesNotGrow asks each framework for a million different versions
// that are not served, in each scheme in which a client can, from as many
// hosts. What the middleware holds must be what it held before.
func TestMemoryDoesNotGrow(t *testing.T) {
	total := 1_000_000
	if testing.Short() {
		total = 10_000
	}
	// Pools, timers and the runtime itself hold a little more or less each time.
	const slack = 256 << 10
	for _, f := range frameworks {
		t.Run(f.name, func(t *testing.T) {
			services := make(map[*schemeCase]http.Handler)
			for _, s := range schemeCases {
				services[s] = f.verso(s)
			}
			w := newDiscard()
			ask := func(from, to int) {
				for i := from; i < to; i++ {
					s := schemeCases[i%len(schemeCases)]
					w.serve(services[s], badRequest(s, i))
				}
			}
			ask(0, total/100) // fills pools and tables
			before := heapInUse()
			ask(total/100, total)
			after := heapInUse()
			t.Logf("%d requests: heap in use %d KiB before, %d KiB after", total, before>>10, after>>10)
			assert.Less(t, after, before+slack)
			runtime.KeepAlive(services)
		})
	}
}

// badRequest returns a request for the i-th version that is not served.
func badRequest(s *schemeCase, i int) *http.Request {
	version := "bad" + strconv.Itoa(i)
	r := &http.Request{
		Method: http.MethodGet,
		URL:    &url.URL{Path: "/users/42"},
		Host:   "h" + strconv.Itoa(i) + ".api.example.com",
		Header: http.Header{},
	}
	switch s.name {
	case "accept_header":
		r.Header["Accept"] = []string{"application/json; version=" + version}
	case "url_path":
		r.URL.Path = "/" + version + "/users/42"
	case "namespace":
		r.URL.Path = "/v2/users/42" // the client does not choose it
	case "hostname":
		r.Host = version + ".example.com"
	default:
		r.URL.RawQuery = "version=" + version
	}
	return r
}

// heapInUse returns how many bytes are reachable. Interned versions are let go
// of by a first collection and freed by a second.
func heapInUse() uint64 {
	for range 3 {
		runtime.GC()
	}
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
