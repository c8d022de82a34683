package versohttp

import (
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/goverso/verso/core/adapter/overhttp"
	"github.com/goverso/verso/core/route"
)

// bound is what all groups of a ServeMux share.
type bound struct {
	shared *overhttp.Adapter
	mux    *http.ServeMux

	// For Middleware.
	checks atomic.Bool // routes of other code have a check
	own    sync.Map    // has the first byte of the patterns of v: see isOwn
	others sync.Map    // *route.Route by pattern
}

// decides reports whether a route of v will decide on a request, by the pattern that a
// ServeMux has matched. If the route has decided already, its handler may pass on another
// request.
func (b *bound) decides(r *http.Request) bool {
	if !b.isOwn(r.Pattern) {
		return false
	}
	before, ok := r.Context().Value(b.shared).(*overhttp.State)
	return !ok || before.Request.Pattern != r.Pattern
}

// isOwn reports whether a pattern that a ServeMux has matched is that of a route of v.
func (b *bound) isOwn(pattern string) bool {
	_, own := b.own.Load(identityOf(pattern))
	return own
}

func (b *bound) skips(r *http.Request, pattern string) bool {
	if b.shared.Skipper == nil || !b.shared.Skipper(r) {
		return false
	}
	if pattern != "" && !b.isOwn(pattern) {
		b.shared.Seam.NoteSkipped(b.ofOthers(pattern))
	}
	return true
}

// ofOthers returns the route of a pattern, of which nothing else is known.
func (b *bound) ofOthers(pattern string) *route.Route {
	known, ok := b.others.Load(pattern)
	if !ok {
		at := read(pattern)
		at.Foreign = true
		known, _ = b.others.LoadOrStore(pattern, at.Prepare())
	}
	return known.(*route.Route)
}
