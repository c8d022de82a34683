package main

import (
	"fmt"
	"net/http"

	"github.com/goverso/verso/bench/internal/service"
)

// servedVersion is the version that all requests ask for.
const servedVersion = "v2"

// serve is the server: for each scheme the service without Verso and the one
// with it, in one process, so that both have the same memory and the same
// garbage collector; behind them what tells the processor time.
func serve(framework string) error {
	f := service.Named(framework)
	if f == nil {
		return fmt.Errorf("there is no framework %q", framework)
	}
	handlers := make([]http.Handler, 0, 2*len(service.Schemes)+1)
	for _, s := range service.Schemes {
		handlers = append(handlers, f.Bare(s, servedVersion), f.Versioned(s, nil))
	}
	return service.Serve(append(handlers, http.HandlerFunc(serveCPUTime))...)
}
