package adapter

import (
	"fmt"
	"sync"
	"sync/atomic"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/internal/roster"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
)

// Binding is a [verso.Versioning] bound to one router: it knows the routes, decides on
// requests, and builds links. [Bind] returns one; the zero Binding is not valid. It is for
// adapters, and safe for concurrent use.
type Binding struct {
	api          *engine
	routes       *routes
	links        *links
	decisions    *decisions
	explanations *explanations
	isReviewed   atomic.Bool // the findings were logged
	templates    sync.Map    // by pattern, those of routes
}

// Bind binds a versioning to a router. A nil router has no path parameters and no
// routes: it is for tests, whose requests have a router of their own
// ([source.Request.SetParams]).
func Bind(bound *verso.Versioning, router Router) *Binding {
	api := newEngine(bound)
	b := &Binding{api: api, routes: &routes{api: api, router: router, checked: make(map[place]*Registration),
		named: make(map[string][]*route.Route)}}
	if router == nil {
		b.routes.router = noRouter{}
	}
	b.links = &links{api: api, routes: b.routes}
	b.decisions = newDecisions(b.links)
	b.explanations = &explanations{links: b.links, problemType: verso.ProblemType}
	return b
}

// Scope gives all routes that the framework has under a prefix the same namespace and
// options. The errors are those of [Binding.Add].
func (b *Binding) Scope(prefix, namespace string, options ...verso.RouteOption) (*Scope, error) {
	chosen := optionsOf(options)
	use(&chosen)
	p, err := b.api.plan(&chosen)
	if err != nil {
		return nil, err
	}
	of := &group{prefix: prefix, name: route.Join(namespace, ""), options: chosen, plan: p}
	s := &Scope{routes: b.routes, group: of}
	b.routes.adding.Lock()
	defer b.routes.adding.Unlock()
	b.routes.groups = append(b.routes.groups, s.group)
	b.routes.changes.Add(1)
	return s, nil
}

// NoteRoute records that a route was added to the framework.
func (b *Binding) NoteRoute() { b.routes.changes.Add(1) }

// NoteMiddleware records that a middleware checks routes registered by other code: those
// that [Listed] shows behind it, by the value that identifies it. A middleware without a route in the
// list is for all of them, for example before the router, or without an identity, nil.
func (b *Binding) NoteMiddleware(identity any) {
	b.routes.adding.Lock()
	defer b.routes.adding.Unlock()
	b.routes.middleware = append(b.routes.middleware, identity)
	b.routes.changes.Add(1)
}

// Lookup returns the route by which a middleware decides on a request, given its host,
// its method, and the pattern that the framework has matched. It returns nil if all
// routes of the pattern have a check of their own.
//
// The route is Foreign and has no options. It has a namespace if the routes of the
// pattern that have no check share it; if they do not, and the version is read from the
// namespace, the decision is a programming error. It has no Pattern if the router does
// not list it. exact is false if the pattern has no route of the method, routes with a
// check as well, or several namespaces: another middleware may have changed the host or
// the method, so that these do not tell which route was matched. A framework that can
// tell it calls [Binding.Matched], or does not decide if that route has a check.
//
// A CORS preflight to a route for OPTIONS is not checked, so method must be "-" if the
// request has the method OPTIONS and the framework has matched a route of another one.
func (b *Binding) Lookup(host, method, pattern string) (at *route.Route, exact bool) {
	p := b.routes.find(pattern)
	r := p.in(host, method)
	switch {
	case p.foreign == nil:
		return nil, r != nil
	case r != nil && r.Foreign && r.Plan == nil && planOf(p.foreign) == nil:
		return r, !p.checked
	}
	return p.foreign, false
}

// Template returns the URI template of the routes that the framework has under a pattern, with
// a placeholder for the version in the path, which a group may have as text. It returns the
// pattern if it has no route.
func (b *Binding) Template(pattern string) string {
	if known, ok := b.templates.Load(pattern); ok {
		return known.(string)
	}
	for r := range b.routes.current().table.Routes() {
		if r.Path == pattern || r.Pattern.String() == pattern {
			template := b.explanations.templateOfVersions(r)
			b.templates.Store(pattern, template)
			return template
		}
	}
	return pattern
}

// Matched returns the route by which a middleware decides, for the route that the
// framework has matched, or nil if that route has a check of its own. See
// [Binding.Lookup].
func (b *Binding) Matched(r route.Route) *route.Route {
	known := b.routes.find(r.Path).routes[place{host: r.Host, method: r.Method}]
	switch {
	case known == nil:
		r.Foreign = true
		return r.Prepare()
	case known.Foreign && known.Plan == nil:
		return known
	}
	return nil
}

// review logs the findings at the first request, when the routes are known.
func (b *Binding) review() {
	if !b.isReviewed.Swap(true) {
		b.api.journal.logAll(findingsOf(b.explanations))
	}
}

// DetermineVersion returns the version that the request asks for: an allowed version,
// the default version, or the zero Version. A rejected request is an [*verso.Error]; any
// other error is a programming error, such as [verso.ErrNotImplemented]. Specification: "The
// schemes".
func (b *Binding) DetermineVersion(r source.Request) (verso.Version, error) {
	call := Call{Request: r}
	b.decisions.decide(&call)
	if !call.exempt {
		b.review()
	}
	if call.err != nil {
		return verso.Version{}, call.err
	}
	return in(call.result).Version, nil
}

// Result returns the result of a request for a version, for a test that calls a handler
// without a check. Its links carry the version in the first source whose place is in the
// URL. It fails with [verso.ErrUnknownVersion] if the version is not served. It ignores the
// clock and also returns a result for an ended version.
func (b *Binding) Result(version verso.Version) (*verso.Result, error) {
	if !b.api.IsAllowedVersion(version) {
		return nil, fmt.Errorf("verso: %w: %q: use one of %q", verso.ErrUnknownVersion, version, b.api.Set.Known)
	}
	part := 0
	if b.api.combined {
		part = b.api.linked
	}
	known := b.api.Set.None
	if !version.IsNone() {
		if known = b.api.Set.Lookup(version.String()); known == nil {
			known = &roster.Version{Text: version.String(), Slot: -1}
		}
	}
	return b.decisions.resultOf(known, part), nil
}

// Link builds the URL of the target without a request, in the version of the target: see
// [verso.Result.Link]. It is relative unless [verso.LinkConfig] has an Origin.
func (b *Binding) Link(target verso.Target) (string, error) {
	return b.links.link(&source.Request{}, verso.Version{}, 0, &target)
}

// Reverse builds the URL of the target in the given version. The zero Version means a URL
// without a version. It does not retry without the version, as [verso.Result.Link] does.
// Specification: "Links".
func (b *Binding) Reverse(r source.Request, version verso.Version, target verso.Target) (string, error) {
	return b.links.linkIn(&r, version, 0, &target)
}

// Explain returns the configuration, what each kind of request gets, the routes, and
// possible mistakes. It logs the findings not yet logged.
func (b *Binding) Explain() *verso.Explanation {
	e := b.explanations.explain()
	e.Findings = findingsOf(b.explanations)
	b.api.journal.logAll(e.Findings)
	return e
}

// Warn logs a mistake that only a request reveals, once for each code, unless
// [verso.Config.Acknowledged] has the code. It is for adapters.
func (b *Binding) Warn(code, field, format string, args ...any) {
	b.api.journal.warn(code, field, format, args...)
}

// Versioning returns what is bound.
func (b *Binding) Versioning() *verso.Versioning { return b.api.Versioning }

// Observes reports whether [verso.Config.Observe] is set.
func (b *Binding) Observes() bool { return b.api.config.Observe != nil }

// NoteRewriteErrors records that RewriteErrors of the adapter is installed, so responses
// of error middleware are rewritten too.
func (b *Binding) NoteRewriteErrors() { b.routes.rewritesErrors.Store(true) }

// NoteRewrite records that a request reached a route with a [verso.Rewriter] outside the
// middleware of RewriteErrors. If the service has called that method, it is a mistake.
func (b *Binding) NoteRewrite() {
	if b.routes.rewritesErrors.Load() {
		b.Warn(errorsNotRewritten, "Routes",
			"RewriteErrors was called, and its middleware is not installed before a route with Rewrite: install it before the routes")
	}
}
