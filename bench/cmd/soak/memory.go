package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"runtime"
	"time"

	"github.com/goverso/verso/bench/internal/service"
)

// memory is what a server holds.
type memory struct {
	Heap       uint64 // bytes in use after garbage collection
	Goroutines int
}

// serveMemory collects garbage and answers with what is left.
func serveMemory(w http.ResponseWriter, _ *http.Request) {
	for range 3 { // interned versions and pools are let go of by one, freed by the next
		runtime.GC()
	}
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	_ = json.NewEncoder(w).Encode(memory{stats.HeapAlloc, runtime.NumGoroutine()}) // who asks sees what is missing
}

// settle is how long a server may take to let go of closed connections.
const settle = 2 * time.Second

// readMemory asks a server what it holds, again and again until it has as few
// goroutines as given or time to settle has passed.
func readMemory(ctx context.Context, address string, goroutines int) (memory, error) {
	for deadline := time.Now().Add(settle); ; time.Sleep(settle / 50) {
		var m memory
		if err := service.Ask(ctx, address, &m); err != nil {
			return memory{}, fmt.Errorf("memory of the server: %w", err)
		}
		if m.Goroutines <= goroutines || time.Now().After(deadline) {
			return m, nil
		}
	}
}
