package bench

import (
	"os"
	"runtime"
	"runtime/debug"
	"testing"
)

// What a benchmark may allocate before the garbage collector runs, and how much
// of that it finds taken from the system.
const (
	collectAt = 512 << 20
	warmBytes = 64 << 20
)

// quiet keeps the garbage collector and page faults out of a benchmark, which
// else hit the one that comes first or holds least: they made a service seem
// slower than the next one that allocates more. What is allocated is compared
// as such. It makes Verso look worse beside the store, which allocates as
// often, and better beside what allocates fewer bytes, as Iris does. The
// environment variable VERSO_BENCH_GC=on leaves the collector on.
func quiet(b *testing.B) {
	b.Helper()
	if os.Getenv("VERSO_BENCH_GC") != "on" {
		percent, limit := debug.SetGCPercent(-1), debug.SetMemoryLimit(collectAt)
		b.Cleanup(func() {
			debug.SetGCPercent(percent)
			debug.SetMemoryLimit(limit)
		})
	}
	const piece = 8 << 10 // fits into gaps, which the runtime fills first
	pieces := make([][]byte, warmBytes/piece)
	for i := range pieces {
		pieces[i] = make([]byte, piece)
		pieces[i][0], pieces[i][piece/2] = 1, 1
	}
	runtime.KeepAlive(pieces)
	runtime.GC() // lets the benchmark have it
}
