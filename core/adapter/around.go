package adapter

import (
	"runtime"
	"sync/atomic"
	"weak"

	"github.com/goverso/verso/core/internal/codes"
)

// NoteAround records a handler that an adapter returns for a service to serve instead of the router, which
// does not list it. what names the method that returns it. If the garbage collector finds only the
// router still in use, and the handler has never called served, the finding handler_dropped is logged.
func NoteAround[T, R any](b *Binding, what string, around *T, router *R) (served func()) {
	journal, by, isServed, of := b.api.journal, newTracked(), new(atomic.Bool), weak.Make(router)
	// What the cleanup holds does not lead to the router: a service may end.
	runtime.AddCleanup(around, func(what string) {
		if of.Value() != nil && !isServed.Load() {
			go journal.say(codes.HandlerDropped, what, by.at()) // a log that blocks must not hold up other cleanups
		}
	}, what)
	return func() {
		if !isServed.Load() {
			isServed.Store(true)
		}
	}
}
