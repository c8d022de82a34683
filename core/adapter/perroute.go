package adapter

import "strings"

// PerRoute chooses what registers each route of a group, for the PerRoute of an adapter whose routes
// have type R. [NewPerRoute] returns one; the zero PerRoute leaves all routes to their group.
type PerRoute[R any] struct {
	choose func(v *R, method, path string) *R
	from   string // the prefix that choose does not get
	field  func(*R) *PerRoute[R]
	fail   func(format string, args ...any)
	by     *tracked
}

// NewPerRoute returns what asks choose about the routes of the group g under a prefix, which have had old. field is
// where routes keep it, and copies of them. It panics if choose is nil, and if old has a function, which would not be
// asked. [Binding.Explain] reports a PerRoute without an effect.
func NewPerRoute[R, M any](g Group[M], old PerRoute[R], prefix string, choose func(v *R, method, path string) *R,
	field func(*R) *PerRoute[R]) PerRoute[R] {
	switch {
	case choose == nil:
		g.Fail("PerRoute: the function is nil: give it one")
	case !old.IsZero():
		g.Fail("PerRoute: the routes have a function already: join the two")
	}
	by := newTracked()
	g.binding.routes.track(by)
	return PerRoute[R]{choose, strings.TrimRight(prefix, "/"), field, g.Fail, by}
}

// IsZero reports whether all routes are left to their group.
func (p PerRoute[R]) IsZero() bool { return p.choose == nil }

// Of returns what registers a route: the copy v of the routes that have p, or what its methods return. path is the
// whole path, behind a host if the route has one. It panics if the function returns nil or other routes, which may
// lack the middleware of v.
func (p PerRoute[R]) Of(v *R, method, path string) *R {
	*p.field(v) = PerRoute[R]{by: p.by} // which asks no more
	host, behind := "", path
	if at := strings.IndexByte(path, '/'); at > 0 {
		host, behind = path[:at], path[at:]
	}
	if rest, ok := strings.CutPrefix(behind, p.from); ok && (rest == "" || rest[0] == '/') { // else in another group
		behind = rest
	}
	chosen := p.choose(v, method, host+behind)
	switch {
	case chosen == nil:
		p.fail("PerRoute: the function returns nil for %s %s: return v", method, path)
	case p.field(chosen).by != p.by:
		p.fail("PerRoute: the function returns other routes for %s %s: return v or a copy of it",
			method, path)
	case chosen != v:
		p.by.used.Store(true)
	}
	return chosen
}
