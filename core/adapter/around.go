package adapter

import (
	"net/http"
	"runtime"
	"sync/atomic"
	"weak"

	"github.com/goverso/verso/core/internal/codes"
)

// NoteAround returns a handler that a service is to serve instead of the router, which does not list it: around, with
// a record of its first request. what names the method of the adapter that returns it. If the garbage collector finds
// only the router still in use, and the handler has had no request, the finding handler_dropped is logged.
func NoteAround[R any](b *Binding, what string, around http.Handler, router *R) *Around {
	a := &Around{around, new(atomic.Bool)}
	journal, by, isServed, of := b.api.journal, newTracked(), a.isServed, weak.Make(router)
	// What the cleanup holds does not lead to the router: a service may end.
	runtime.AddCleanup(a, func(what string) {
		if of.Value() != nil && !isServed.Load() {
			go journal.say(codes.HandlerDropped, what, by.at()) // a log that blocks must not hold up other cleanups
		}
	}, what)
	return a
}

// Around is a handler around a router: see [NoteAround].
type Around struct {
	http.Handler
	isServed *atomic.Bool
}

// ServeHTTP serves a request.
func (a *Around) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !a.isServed.Load() {
		a.isServed.Store(true)
	}
	a.Handler.ServeHTTP(w, r)
}
