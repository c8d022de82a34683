package main

import (
	"net/http"

	"github.com/goverso/verso/bench/internal/service"
	"github.com/goverso/verso/locales"
)

// serve is the server: for each scheme the service with Verso, then for each the
// one without, then what tells the memory.
func serve(framework string) error {
	f, err := service.Named(framework)
	if err != nil {
		return err
	}
	translator, err := locales.New()
	if err != nil {
		return err
	}
	var handlers []http.Handler
	for _, s := range service.Schemes {
		handlers = append(handlers, f.Versioned(s, translator))
	}
	for _, s := range service.Schemes {
		handlers = append(handlers, f.Bare(s, "v2"))
	}
	return service.Serve(append(handlers, http.HandlerFunc(serveMemory))...)
}
