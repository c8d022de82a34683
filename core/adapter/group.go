package adapter

import (
	"fmt"
	"slices"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/internal/finding"
	"github.com/goverso/verso/core/internal/nils"
	"github.com/goverso/verso/core/route"
)

// Group is what the routes of a group have in common, for an adapter whose middleware has type M. Its
// verbs return a copy with more options. [NewGroup] returns one; the zero Group is not valid.
type Group[M any] struct {
	Rewriter verso.Rewriter // nil: bodies stay
	Each     bool           // routes are registered in each version

	adapter   string // the name of its package
	binding   *Binding
	always    []M
	after     []M // what runs behind the check, the rewriting among it
	rewriting int // its place in after
	namespace string
	name      string
	options   []verso.RouteOption
}

// NewGroup returns a group without options. adapter is the name of the adapter's package, for panics.
// always runs behind the middleware of each [Group.AfterCheck].
func NewGroup[M any](adapter string, binding *Binding, always ...M) Group[M] {
	return Group[M]{adapter: adapter, binding: binding, always: always}
}

// Namespace puts the routes into a namespace, within the namespace of g. It panics if
// namespace is empty.
func (g Group[M]) Namespace(namespace string) Group[M] {
	if namespace == "" {
		g.Fail(`Namespace needs a name, such as "v1"`)
	}
	g.namespace = route.Join(g.namespace, namespace)
	return g
}

// Name gives the routes a name. The empty name is none: routes are often registered from a table.
func (g Group[M]) Name(name string) Group[M] { g.name = name; return g }

// FullName returns the name with its namespace, "" without a name.
func (g Group[M]) FullName() string {
	if g.name == "" {
		return ""
	}
	return route.Join(g.namespace, g.name)
}

// With adds options. Of several options of one kind, the last one applies.
func (g Group[M]) With(options ...verso.RouteOption) Group[M] {
	if len(options) == 0 {
		return g
	}
	if slices.ContainsFunc(options, func(o verso.RouteOption) bool { return o == nil }) {
		g.Fail("With: an option is nil: remove it")
	}
	g.options = slices.Concat(g.options, options)
	return g.Tracked()
}

// Tracked returns a copy of which [Binding.Explain] reports that no route is registered with it: for
// middleware, which has no effect then.
func (g Group[M]) Tracked() Group[M] {
	g.options = slices.Concat(g.options, []verso.RouteOption{g.binding.Track()})
	return g
}

// NeedFirst panics if what registers the routes elsewhere, such as In, loses middleware in front of their check.
func (g Group[M]) NeedFirst(what string, loses bool) {
	if loses {
		g.Fail("%s: the routes would lose the middleware of their group: call it first, and Group on what it returns", what)
	}
}

// AfterCheck adds middleware that runs after the check.
func (g Group[M]) AfterCheck(middleware ...M) Group[M] {
	g = g.Tracked()
	g.after = slices.Concat(g.after, middleware, g.always)
	return g
}

// After returns the middleware that runs after the check, the outermost first. AfterCheck and
// Rewrite add it.
func (g Group[M]) After() []M { return g.after }

// Rewrite rewrites the bodies of older versions, by the middleware, instead of the default: see
// [verso.DefaultRewriter]. It panics with a [*verso.Finding] if rewriter is nil, or if the routes have
// another. The rewriter comes from [Seam.Bound].
func (g Group[M]) Rewrite(rewriter verso.Rewriter, middleware M) Group[M] {
	g = g.WithoutDefault()
	switch {
	case rewriter == nil:
		panic(finding.Mistake(codes.RewriterMissing))
	case g.Rewriter != nil:
		panic(finding.Mistake(codes.RewriteTwice))
	}
	g = g.Tracked()
	g.Rewriter, g.rewriting, g.after = rewriter, len(g.after), append(slices.Clip(g.after), middleware)
	return g
}

// WithoutDefault removes the default rewriter, which is not for a handler for each version.
func (g Group[M]) WithoutDefault() Group[M] {
	if isDefault(g.Rewriter) {
		g.Rewriter, g.after = nil, slices.Concat(g.after[:g.rewriting], g.after[g.rewriting+1:])
	}
	return g
}

// EachVersion registers the routes in each version: see [Group.Forms]. It panics if no
// source is a [verso.PathPrefix].
func (g Group[M]) EachVersion() Group[M] {
	g.Must("EachVersion", g.binding.CheckEachVersion())
	g.Each = true
	return g
}

// Forms returns the paths at which a route is registered: its own, or with EachVersion those of
// [Binding.Forms].
func (g Group[M]) Forms(path string) ([]string, error) {
	if !g.Each {
		return []string{path}, nil
	}
	return g.binding.Forms(path, g.options...)
}

// Scope is [Binding.Scope] with the namespace and the options of the group.
func (g Group[M]) Scope(what, prefix string) *Scope {
	scope, err := g.binding.Scope(prefix, g.namespace, g.options...)
	g.Must(what, err)
	return scope
}

// Add records a route with the name, the options and the rewriter of the group.
func (g Group[M]) Add(what string, r route.Route) *Registration {
	r.Name, r.Rewriter = route.Join(g.namespace, g.name), g.Rewriter
	added, err := g.binding.Add(r, g.options...)
	g.Must("route "+what, err)
	return added
}

// PickFor is [Picker], and returns a group with the option that limits the route to the versions that
// have a handler.
func PickFor[H, M any](g Group[M], what string,
	handlers verso.Handlers[H]) (picking Group[M], pick func(*verso.Result) H) {
	pick, option, err := Picker(handlers, g.binding)
	g.Must("route "+what, err)
	return g.With(option), pick
}

// Fail panics with a mistake, after the name of the adapter.
func (g Group[M]) Fail(format string, args ...any) { panic(fmt.Errorf(g.adapter+": "+format, args...)) }

// Need panics if a middleware is nil. what is the method or route, such as "Use", for the message.
func (g Group[M]) Need(what string, middleware ...M) {
	if slices.ContainsFunc(middleware, func(m M) bool { return nils.Is(m) }) {
		g.Fail("%s: a middleware is nil: give it one", what)
	}
}

// NeedMethod panics if a route is registered for a list of methods without one.
func (g Group[M]) NeedMethod(path string, methods []string) {
	if len(methods) == 0 {
		g.Fail("route %s: there is no method: give it one", path)
	}
}

// Must panics with an error, after the name of a method or a route.
func (g Group[M]) Must(what string, err error) {
	if err != nil {
		g.Fail("%s: %w", what, err)
	}
}
