package adapter

import (
	"slices"
	"sync/atomic"
)

// middleware checks the routes of other code: see [Binding.NoteMiddleware].
type middleware struct {
	identity any
	reached  atomic.Bool
	by       *tracked // where the adapter was asked for it
}

// isIn reports whether a route of a list is behind the middleware.
func (m *middleware) isIn(list []Listed) bool {
	return slices.ContainsFunc(list, func(l Listed) bool { return slices.Contains(l.Middleware, m.identity) })
}

// isLast reports whether a route of a list has the middleware behind its handlers, as Gin takes it.
func (m *middleware) isLast(list []Listed) bool {
	return m.identity != nil && slices.ContainsFunc(list, func(l Listed) bool { return l.Handler == m.identity })
}

// isForAll reports whether all routes of a router are behind a middleware, if no route of the list is.
func (m *middleware) isForAll(of Router) bool {
	router, ok := of.(interface{ IsInstalled(identity any) bool })
	return m.identity == nil || m.reached.Load() || ok && router.IsInstalled(m.identity)
}
