package usage_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/usage"
)

// BenchmarkObserve counts requests of 100 clients for two versions of 10 routes,
// beside what one would write first: a sync.Map of atomic counters, which has
// neither days nor bounds. 16 goroutines need 2 CPUs: b.SetParallelism multiplies
// by their number.
func BenchmarkObserve(b *testing.B) {
	var calls []verso.Usage
	for client := range 100 {
		for route := range 10 {
			calls = append(calls, call(fmt.Sprint("v", 1+route%2), fmt.Sprint("client-", client), fmt.Sprintf("/:version/route-%d/:id", route), noon))
		}
	}
	table := usage.NewTable(versions(b), nil)
	type key struct {
		version       verso.Version
		client, route string
	}
	var counters sync.Map
	for _, counter := range []struct {
		name    string
		observe func(u *verso.Usage)
	}{
		{"table", func(u *verso.Usage) { table.Observe(b.Context(), *u) }},
		{"sync.Map", func(u *verso.Usage) {
			k := key{u.Version, u.Client, u.Route}
			n, ok := counters.Load(k)
			if !ok {
				n, _ = counters.LoadOrStore(k, new(atomic.Uint64))
			}
			n.(*atomic.Uint64).Add(1)
		}},
	} {
		b.Run(counter.name+"/1", func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				counter.observe(&calls[i%len(calls)])
				i += 7
			}
		})
		b.Run(counter.name+"/16", func(b *testing.B) {
			b.ReportAllocs()
			b.SetParallelism(8)
			var start atomic.Int64
			b.RunParallel(func(pb *testing.PB) {
				for i := int(start.Add(131)); pb.Next(); i += 7 {
					counter.observe(&calls[i%len(calls)])
				}
			})
		})
	}
}
