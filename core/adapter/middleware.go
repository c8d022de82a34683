package adapter

import (
	"slices"
	"sync/atomic"

	"github.com/goverso/verso/core/internal/codes"
)

// middleware checks the routes of other code: see [Binding.NoteMiddleware].
type middleware struct {
	identity any
	reached  atomic.Bool
	by       *tracked // where the adapter was asked for it
}

// NoteMiddleware records that a middleware checks routes registered by other code: those
// which [Listed] shows behind it, by the value that identifies it. A middleware without an identity, nil, is for all
// routes. If no route of the list is behind it, it is for all routes once it has called reached, as it does for each
// request of a route, or if [Router] reports that it IsInstalled. Until then, Explain has the finding middleware_unused.
func (b *Binding) NoteMiddleware(identity any) (reached func()) {
	m := &middleware{identity: identity, by: newTracked()}
	b.routes.adding.Lock()
	defer b.routes.adding.Unlock()
	b.routes.middleware = append(b.routes.middleware, m)
	b.routes.changes.Add(1)
	return func() {
		if !m.reached.Load() && !m.reached.Swap(true) {
			b.routes.changes.Add(1)
		}
	}
}

// isIn reports whether a route of a list is behind the middleware.
func (m *middleware) isIn(list []Listed) bool {
	return slices.ContainsFunc(list, func(l Listed) bool { return slices.Contains(l.Middleware, m.identity) })
}

// isLast reports whether a route of a list has the middleware behind its handlers, as Gin takes it.
func (m *middleware) isLast(list []Listed) bool {
	return m.identity != nil && slices.ContainsFunc(list, func(l Listed) bool { return l.Handler == m.identity })
}

// isForAll reports whether all routes are behind a middleware, if no route of the list is.
func (rs *routes) isForAll(m *middleware) bool {
	router, ok := rs.router.(interface{ IsInstalled(identity any) bool })
	return m.identity == nil || m.reached.Load() || ok && router.IsInstalled(m.identity)
}

// middleware adds the middleware that no route is behind.
func (w *review) middleware() {
	rs := w.routes
	rs.adding.Lock()
	defer rs.adding.Unlock()
	list := rs.listed()
	var at []string
	for _, m := range rs.middleware {
		if m.isLast(list) || !m.isIn(list) && !rs.isForAll(m) {
			at = append(at, m.by.at())
		}
	}
	w.addFor(at, codes.MiddlewareUnused)
}
