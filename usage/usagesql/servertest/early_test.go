package servertest

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/usage/usagesql"
)

// TestEarlier: a process that sees more combinations than its memory has room for writes
// earlier, and calls none of them "all others". Nothing is lost, and nothing counted twice.
func TestEarlier(t *testing.T) {
	onEach(t, func(t *test, d database) {
		p := start(t, d, every(time.Minute), func(c *usagesql.Config) { c.MaxCells = 6000 })
		require.Equal(t, 200, p.get("level=summary").Code)
		var group sync.WaitGroup
		var total atomic.Int64
		for w := range 4 {
			group.Go(func() {
				for i := range 10_000 {
					p.Observe(t.Context(), call("v1", fmt.Sprint("client ", i), fmt.Sprint("/", w), noon))
					total.Add(1)
					if i%500 == 0 {
						time.Sleep(50 * time.Millisecond) // as a service has
					}
				}
			})
		}
		group.Wait()
		p.end(t)
		assert.EqualValues(t, total.Load(), merged(t, d)["2026-11-21"])
		assert.Equal(t, 10_000, countOf(t, d, `SELECT count(DISTINCT client) FROM verso_usage`))
		assert.Equal(t, 40_000, countOf(t, d, `SELECT count(*) FROM verso_usage`))
		assert.Zero(t, countOf(t, d, `SELECT count(*) FROM verso_usage WHERE other_client OR other_route`))
	})
}

// TestNamesOfProcesses: the bound of names is one for all processes, whoever merges.
func TestNamesOfProcesses(t *testing.T) {
	onEach(t, func(t *test, d database) {
		ten := func(c *usagesql.Config) { c.MaxClients = 10 }
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
