package adapter

import "strings"

// PerRoute chooses what registers each route of a group, for the PerRoute of an adapter whose routes
// have type R. [NewPerRoute] returns one; the zero PerRoute leaves all routes to their group.
type PerRoute[R any] struct {
	choose func(v *R, method, path string) *R
	from   string // the prefix that choose does not get
	fail   func(format string, args ...any)
	by     *tracked
}

// NewPerRoute returns what asks choose about the routes of the group g under a prefix. It panics if choose is nil.
// [Binding.Explain] reports a PerRoute that no route has asked.
func NewPerRoute[R, M any](g Group[M], prefix string, choose func(v *R, method, path string) *R) PerRoute[R] {
	if choose == nil {
		g.Fail("PerRoute: the function is nil: give it one")
	}
	by := newTracked()
	g.binding.routes.track(by)
	return PerRoute[R]{choose, strings.TrimRight(prefix, "/"), g.Fail, by}
}

// IsZero reports whether all routes are left to their group.
func (p PerRoute[R]) IsZero() bool { return p.choose == nil }

// Of returns what registers a route: v, which must have no PerRoute, with options. path is the whole path, behind a host if the
// route has one. It panics if the function returns nil.
func (p PerRoute[R]) Of(v *R, method, path string) *R {
	p.by.used.Store(true)
	host, behind := "", path
	if at := strings.IndexByte(path, '/'); at > 0 {
		host, behind = path[:at], path[at:]
	}
	if rest, ok := strings.CutPrefix(behind, p.from); ok && (rest == "" || rest[0] == '/') { // else in another group
		behind = rest
	}
	chosen := p.choose(v, method, host+behind)
	if chosen == nil {
		p.fail("PerRoute: the function returns nil for %s %s: return v", method, path)
	}
	return chosen
}
