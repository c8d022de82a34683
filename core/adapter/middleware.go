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
	return slices.ContainsFunc(list, func(l Listed) bool { return m.runsFor(&l, list) })
}

// runsFor reports whether a route of a list is behind the middleware. In Gin a route without handlers of its own has
// the last middleware of its group as its handler, as other routes of the group show.
func (m *middleware) runsFor(l *Listed, list []Listed) bool {
	isBehind := slices.Contains(l.Middleware, m.identity)
	if isBehind || m.identity == nil || l.Handler != m.identity {
		return isBehind
	}
	chain := append(slices.Clip(l.Middleware), l.Handler)
	return slices.ContainsFunc(list, func(other Listed) bool {
		return len(other.Middleware) >= len(chain) && slices.Equal(other.Middleware[:len(chain)], chain)
	})
}

// isLast reports whether a route of a list has the middleware behind its handlers, as Gin takes it.
func (m *middleware) isLast(list []Listed) bool {
	return m.identity != nil && slices.ContainsFunc(list, func(l Listed) bool {
		return l.Handler == m.identity && !m.runsFor(&l, list)
	})
}

// isForAll reports whether all routes of a router are behind a middleware, if no route of the list is.
func (m *middleware) isForAll(of Router) bool {
	router, ok := of.(interface{ IsInstalled(identity any) bool })
	return m.identity == nil || m.reached.Load() || ok && router.IsInstalled(m.identity)
}
