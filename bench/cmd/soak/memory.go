package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"runtime"
	"time"
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
		m, err := askMemory(ctx, address)
		if err != nil || m.Goroutines <= goroutines || time.Now().After(deadline) {
			return m, err
		}
	}
}

func askMemory(ctx context.Context, address string) (m memory, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address, nil)
	if err != nil {
		return memory{}, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return memory{}, err
	}
	defer func() { _ = response.Body.Close() }()
	if err := json.NewDecoder(response.Body).Decode(&m); err != nil {
		return memory{}, fmt.Errorf("memory of the server: %w", err)
	}
	return m, nil
}
