package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"syscall"
	"time"

	"github.com/goverso/verso/bench/internal/service"
)

// serveCPUTime answers with the processor time that the server has used, in
// nanoseconds.
func serveCPUTime(w http.ResponseWriter, _ *http.Request) {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_ = json.NewEncoder(w).Encode(usage.Utime.Nano() + usage.Stime.Nano()) // who asks sees what is missing
}

// readCPUTime asks the server for the processor time that it has used.
func readCPUTime(ctx context.Context, address string) (time.Duration, error) {
	var used time.Duration
	if err := service.Ask(ctx, address, &used); err != nil {
		return 0, fmt.Errorf("processor time of the server: %w", err)
	}
	return used, nil
}
