package adapter

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/internal/choice"
	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/internal/finding"
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
	reviewed     atomic.Int64 // of the changes of the routes, those after which the findings were logged; 0: none
	templates    sync.Map     // by pattern, those of routes
}

// Bind binds a versioning to a router. A nil router has no path parameters and no
// routes: it is for tests, whose requests have a router of their own
// ([source.Request.SetParams]).
func Bind(bound *verso.Versioning, router Router) *Binding {
	api := newEngine(bound)
	b := &Binding{api: api, routes: &routes{api: api, router: router, checked: make(map[place]*Registration),
		named: make(map[string][]*route.Route), namedPaths: make(map[string]bool)}}
	if router == nil {
		b.routes.router = noRouter{}
	}
	listBinding(b.routes)
	b.links = &links{api: api, routes: b.routes}
	b.decisions = newDecisions(b.links)
	b.explanations = &explanations{links: b.links, problemType: verso.ProblemType}
	return b
}

// Add records a route that an adapter registers, with its options. Host, Method and Path
// identify it in the router; an empty Host or Method means any. Name is its name in its
// namespace, or "v1:" if the framework gives the name later.
//
// The error joins [*verso.Finding]s: route_twice for a second route of the same host, method
// and path, route_name for a name of another path with the same parameters in the same version,
// route_one_version for a handler of a version that no request to the route can have,
// rewrite_and_versions for a rewriter of a route with a handler for each version, those of the
// options, and what the Review of a [verso.Rewriter] finds.
func (b *Binding) Add(r route.Route, options ...verso.RouteOption) (*Registration, error) {
	rs := b.routes
	rs.adding.Lock()
	defer rs.adding.Unlock()
	if rs.checked[placeOf(&r)] != nil {
		return nil, finding.Mistake(codes.RouteTwice)
	}
	if strings.ContainsAny(r.Method, " ,") {
		return nil, finding.Mistake(codes.RouteMethod, r.Method)
	}
	if upper := strings.ToUpper(r.Method); upper != r.Method && slices.Contains(methods[:], upper) {
		return nil, finding.Mistake(codes.RouteMethodCase, r.Method, upper)
	}
	if slices.ContainsFunc(methods[:], func(m string) bool { return strings.Contains(r.Path, m+" /") }) {
		return nil, finding.Mistake(codes.RouteMethodInPath, r.Path) // the form of a ServeMux
	}
	chosen := optionsOf(options)
	use(&chosen)
	rs.noteNames(&chosen)
	rs.namedPaths[namedPath(&r)] = true
	plan, err := rs.api.plan(&chosen)
	if err != nil {
		return nil, err
	}
	if !r.HasName() {
		r.Name += nameOf(&chosen, &r)
	}
	if r.Rewriter != nil && plan != nil && plan.Dispatches {
		return nil, finding.Mistake(codes.RewriteAndVersions)
	}
	if rewriter := rewriterOf(&r); rewriter != nil {
		for _, f := range rewriter.Review(rs.api.Versioning) {
			if f.Level == verso.LevelError {
				return nil, &f
			}
		}
	}
	rs.api.placeRoute(&r)
	r.RegisteredPath = rs.api.registeredPath(r.RegisteredPath, plan)
	if plan != nil {
		r.Plan = plan
		if err := rs.api.checkReached(&r, plan); err != nil {
			return nil, err
		}
	}
	if err := rs.addName(&r); err != nil {
		return nil, err
	}
	added := &Registration{given: r, place: rs.serve, of: rs}
	rs.checked[placeOf(&r)], rs.order = added, append(rs.order, added)
	rs.changes.Add(1)
	return added, nil
}

// Scope gives all routes that the framework has under a prefix the same namespace and
// options. The error joins the [*verso.Finding]s of the options.
func (b *Binding) Scope(prefix, namespace string, options ...verso.RouteOption) (*Scope, error) {
	chosen := optionsOf(options)
	use(&chosen)
	p, err := b.api.plan(&chosen)
	if err != nil {
		return nil, err
	}
	s := &Scope{find: b.routes.find, prefix: prefix, name: route.Join(namespace, ""), options: chosen, plan: p}
	b.routes.adding.Lock()
	defer b.routes.adding.Unlock()
	b.routes.scopes = append(b.routes.scopes, s)
	b.routes.noteNames(&chosen)
	b.routes.changes.Add(1)
	return s, nil
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

// CheckEachVersion is for an adapter's EachVersion. It returns a [*verso.Finding],
// each_without_prefix, if no source is a [verso.PathPrefix].
func (b *Binding) CheckEachVersion() error {
	if b.api.prefix == nil {
		return finding.Mistake(codes.EachWithoutPrefix)
	}
	return nil
}

// Forms returns the paths under which EachVersion of an adapter registers a route: path
// itself for requests without a version, if there is a default, and then the path in each
// version. path is in the syntax of the router. Versions before the first that has the
// route by its options have no path: requests to those versions get the same response as
// before the route existed. They have a path if it can be for another version: by a source
// before the prefix or, for path itself, any other source, because the default moves, or
// because the version falls forward.
//
// The errors are [*verso.Finding]s: each_without_prefix if no source is a [verso.PathPrefix],
// prefix_outside for a path outside the template's fixed part, prefix_twice for
// a path with a version there, prefix_parameter for one with a parameter in the place of
// the version, besides a path of its own, and those of the options.
func (b *Binding) Forms(path string, options ...verso.RouteOption) (forms []string, err error) {
	if err := b.CheckEachVersion(); err != nil {
		return nil, err
	}
	v, p := b.api, b.api.prefix
	chosen := optionsOf(options)
	plan, err := v.plan(&chosen)
	if err != nil {
		return nil, err
	}
	if v.hasPlainForm(plan) {
		forms = append(forms, path)
	}
	segment, _, _ := strings.Cut(strings.TrimPrefix(path, p.Fixed+"/"), "/")
	for _, version := range v.Set.Known {
		form, ok := p.In(version, path)
		switch {
		case !ok:
			return nil, finding.Mistake(codes.EachOutside, path, p.Fixed+"/")
		case segment == p.Before+version+p.Behind:
			return nil, finding.Mistake(codes.EachTwice, path, version)
		}
		if !v.isTooEarly(plan, version) {
			forms = append(forms, form)
		}
	}
	// A ServeMux, which alone has {rest...}, prefers the more specific pattern.
	isTaken := strings.ContainsAny(segment, ":*{+") && !strings.Contains(segment, `\:`) && segment != "{$}" &&
		!strings.HasSuffix(segment, "...}")
	if v.hasPlainForm(plan) && isTaken {
		return nil, finding.Mistake(codes.EachParameter, path, segment, forms[len(forms)-1])
	}
	return forms, nil
}

// NoteRoute records that a route was added to the framework.
func (b *Binding) NoteRoute() { b.routes.changes.Add(1) }

// Track returns an option without effect. An adapter adds it to the options and the
// middleware that one call gives to the routes which are registered with its result, so
// that Explain can report options that no route uses.
func (b *Binding) Track() verso.RouteOption {
	t := newTracked()
	b.routes.track(t)
	return func(o *choice.Route) { o.Used = append(o.Used, &t.used) }
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
	at := place{host: r.Host, method: r.Method}
	ofPath := b.routes.find(r.Path).routes // nil: the path is not known
	known := ofPath[at]
	if known == nil && ofPath != nil && b.routes.relist(r.Method+" "+r.Path) { // it may have come since
		known = b.routes.find(r.Path).routes[at]
	}
	switch {
	case known == nil:
		r.Foreign, r.SharesHandler = true, true // perhaps: it came after the list, so its preflights are checked
		return r.Prepare()
	case known.Foreign && known.Plan == nil:
		return known
	}
	return nil
}

// review logs the findings at the first request, when the routes are known, and again when they have changed.
func (b *Binding) review() {
	if changes := b.routes.changes.Load() + 1; b.reviewed.Swap(changes) != changes {
		b.api.journal.logAll(findingsOf(b.explanations))
	}
}

// NoteSkipped records that a Skipper of the service leaves a request to a route of other code to its handler, unchecked. It
// logs the first one whose path has a version.
func (b *Binding) NoteSkipped(at *route.Route) {
	if at != nil && at.Foreign && b.api.hasPlaceInPath(at) {
		b.api.journal.say(codes.SkippedVersioned, at.Pattern.String())
	}
}

func (b *Binding) isReviewed() bool { return b.reviewed.Load() == b.routes.changes.Load()+1 }

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
// without a version. It does not retry without the version, as [verso.Result.Link] does. The
// errors are otherwise the same.
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

// Warn logs a finding that only an adapter can make and only a request reveals, once, unless
// [verso.Config.Acknowledged] has its code. docs/findings.md has the text, and names the args. Warn panics for a code that adapters do not have.
func (b *Binding) Warn(code string, args ...any) {
	i := slices.IndexFunc(foundByRequests, func(r codes.Row) bool { return r.Code == code })
	if i < 0 {
		panic("adapter: " + code + " is no finding for adapters: add its row to core/internal/codes")
	}
	b.api.journal.say(foundByRequests[i], args...)
}

// NoteAnswer notes the status with which the ErrorHandler of a service has answered a rejected request: 200 to 299 are
// logged, once.
func (b *Binding) NoteAnswer(status int) {
	if status >= http.StatusOK && status < http.StatusMultipleChoices {
		b.api.journal.say(codes.RejectedAsSuccess)
	}
}

// Versioning returns what is bound.
func (b *Binding) Versioning() *verso.Versioning { return b.api.Versioning }

// Observes reports whether [verso.Config.Observe] or [verso.Config.Counters] is set.
func (b *Binding) Observes() bool { return b.api.config.Observe != nil || b.api.config.Counters != nil }

// NoteRewriteErrors records that RewriteErrors of the adapter is installed, so responses
// of error middleware are rewritten too.
func (b *Binding) NoteRewriteErrors() { b.routes.rewritesErrors.Store(true) }

// NoteRewrite records that a request reached a route with a [verso.Rewriter] outside the
// middleware of RewriteErrors. If the service has called that method, it is a mistake.
func (b *Binding) NoteRewrite() {
	if b.routes.rewritesErrors.Load() {
		b.api.journal.say(codes.RewriteErrorsLate)
	}
}
