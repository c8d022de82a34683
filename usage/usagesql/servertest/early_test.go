package servertest

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestEarlier: a process that sees more combinations than its memory has room for writes
// earlier, and calls none of them "all others". Nothing is lost, and nothing counted twice.
func TestEarlier(t *testing.T) {
	onEach(t, func(t *test, d database) {
		p := start(t, d, every(time.Minute), func(c *settings) { c.MaxCells = 6000 })
		require.Equal(t, 200, p.get("level=summary").Code)
		written := func() (n int) { // combinations, merged or not
			rows, err := open(t, d).Query(`SELECT counts FROM verso_usage_batches`)
			require.NoError(t, err)
			defer rows.Close()
			for rows.Next() {
				var text string
				require.NoError(t, rows.Scan(&text))
				n += strings.Count(text, `"client":`)
			}
			return n + countOf(t, d, `SELECT count(*) FROM verso_usage`)
		}
		const rounds, workers, routes = 10, 4, 1000
		for round := range rounds {
			var group sync.WaitGroup
			for w := range workers {
				group.Go(func() {
					for i := range routes {
						p.Observe(t.Context(), call("v1", fmt.Sprint("client ", round*routes+i), fmt.Sprint("/", w), noon))
					}
				})
			}
			group.Wait()
			// The bound of four tables is real: no more come before the full ones are written.
			observed := (round + 1) * workers * routes
			require.Eventually(t, func() bool { return written() > observed-6000 }, time.Minute, 10*time.Millisecond)
		}
		p.end(t)
		assert.EqualValues(t, 40_000, merged(t, d)["2026-11-21"])
		assert.Equal(t, 10_000, countOf(t, d, `SELECT count(DISTINCT client) FROM verso_usage`))
		assert.Equal(t, 40_000, countOf(t, d, `SELECT count(*) FROM verso_usage`))
		assert.Zero(t, countOf(t, d, `SELECT count(*) FROM verso_usage WHERE other_client OR other_route`))
	})
}

// TestNamesOfProcesses: the bound of names is one for all processes, whoever merges.
func TestNamesOfProcesses(t *testing.T) {
	onEach(t, func(t *test, d database) {
		ten := func(c *settings) { c.MaxClients = 10 }
		a, b := start(t, d, ten), start(t, d, ten)
		for i, p := range []*process{a, b, a} {
			for n := range 6 - i {
				p.Observe(t.Context(), call("v1", fmt.Sprint("client ", i, n), "/users", noon))
			}
			require.Equal(t, 200, p.get("level=summary").Code)
		}
		assert.Equal(t, 10, countOf(t, d, `SELECT count(DISTINCT client) FROM verso_usage WHERE client <> ''`))
		assert.Equal(t, 5, countOf(t, d, `SELECT sum(requests) FROM verso_usage WHERE other_client`))
	})
}

// TestCallerKeepsName: at the bound, the clients that never called a version with an end give up
// their names first. Their requests are among the others', and no sum changes.
func TestCallerKeepsName(t *testing.T) {
	onEach(t, func(t *test, d database) {
		p := start(t, d, func(c *settings) { c.MaxClients = 10 })
		want := sent{}
		for i := range 10 {
			at := noon.AddDate(0, 0, -10-i)
			want.observe(p, call("v2", fmt.Sprint("new ", i), "/users", at))
			want.observe(p, call("v2", fmt.Sprint("new ", i), "/users", at.AddDate(0, 0, -14)))
		}
		require.Equal(t, 200, p.get("level=summary").Code)
		for range 2 {
			want.observe(p, call("v1", "billing", "/users", noon))
			want.observe(p, call("v2", "one more", "/users", noon))
			require.Equal(t, 200, p.get("level=summary").Code)
		}
		names := func(n string) int {
			return countOf(t, d, `SELECT count(DISTINCT client) FROM verso_usage WHERE client = '`+n+`'`)
		}
		assert.Equal(t, []int{1, 0, 0, 1}, []int{names("billing"), names("one more"), names("new 9"), names("new 8")})
		for _, sum := range []string{`SELECT sum(requests) FROM verso_usage`, `SELECT sum(requests) FROM verso_usage_clients`, `SELECT sum(requests) FROM verso_usage_routes`, `SELECT sum(requests) FROM verso_usage_days`} {
			assert.Equal(t, 24, countOf(t, d, sum), sum)
		}
		assert.Equal(t, 4, countOf(t, d, `SELECT sum(requests) FROM verso_usage_clients WHERE other_client`))
		page := p.get("format=html").Body.String()
		assert.Contains(t, page, "1 of 1 client has not moved.")
		assert.Contains(t, page, "billing")
		assert.Contains(t, p.get("format=openmetrics").Body.String(), "verso_usage_names 10\n")
	})
}
