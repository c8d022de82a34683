package main

import (
	"net/http"

	"github.com/goverso/verso/bench/internal/service"
)

// services is how many services there are for a scheme.
const services = 3

// servedVersion is the version that all requests ask for.
const servedVersion = "v2"

// serve is the server: for each scheme the service alone, the one with a store
// and the one with Verso, in one process, so that all have the same memory and
// the same garbage collector; behind them what tells the processor time.
func serve(framework string) error {
	f, err := service.Named(framework)
	if err != nil {
		return err
	}
	handlers := make([]http.Handler, 0, services*len(service.Schemes)+1)
	for _, s := range service.Schemes {
		handlers = append(handlers, f.Bare(s, servedVersion), f.Stored(s, servedVersion), f.Versioned(s, nil))
	}
	return service.Serve(append(handlers, http.HandlerFunc(serveCPUTime))...)
}
