package versohttp

import (
	"net/http"
	"slices"
	"strings"

	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/adapter/overhttp"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
)

// Middleware returns a middleware that checks the routes inside it that other code
// registers. A route of v decides for itself, behind all middleware: what runs between
// the two sees neither its version nor a rejection, which [Routes.AfterCheck] does.
//
// Put it directly around the ServeMux of v: it looks the route up first, so that the
// version can be a path parameter, and requests that the ServeMux answers by itself
// pass untouched. Or put it around a handler registered on a ServeMux, or on
// another router that sets path values ([http.Request.SetPathValue]). Around any
// other handler, which may change the path, it checks every request without knowing its
// route: neutral routes and paths that match no route are rejected too, which is logged
// once. If a source reads a path parameter, the request fails with status 500, and the
// log of the server names the cause: a router without path values, such as gorilla/mux,
// needs an adapter over package overhttp. [verso.Observation] has the route if a ServeMux inside has
// matched the request.
//
// Routes that other code registers have no options and no namespace: where the version
// is read from the namespace, they get the default version. The middleware panics if
// the handler is nil, and when the version is read from namespaces and the handler is
// not the ServeMux of v.
func (r *Routes) Middleware() func(http.Handler) http.Handler {
	r.checks.Store(true)
	matched, ahead := &router{say: r.logWithout}, &router{ahead: true, say: r.logWithout}
	installed := r.over.Seam.NoteMiddleware(r.over.Seam) // no list has it
	return func(next http.Handler) http.Handler {
		installed()
		routes, ok := next.(*Routes)
		r.over.Need("Middleware", next)
		switch {
		case ok && routes.mux == r.mux, next == http.Handler(r.mux):
			return adapter.NoteAround(r.over.Seam.Binding, "Middleware", &lookUp{r.bound, ahead}, r.mux)
		case notFoundOf(next) != nil && notFoundOf(next).mux == r.mux:
			r.over.Fail("Middleware: it is around NotFound, so that it does not know the routes: write v.NotFound()(v.Middleware()(mux))")
		case readsNamespaces(r.over.Seam.Versioning().Source()):
			r.over.Fail("Middleware: the version is read from the namespaces of routes, which only routes of v have: put it directly around the ServeMux of v")
		}
		return &around{r.bound, matched, next}
	}
}

// around is what Middleware puts around any handler but the ServeMux.
type around struct {
	*bound
	params *router
	next   http.Handler
}

func (a *around) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if a.skips(r, r.Pattern) || a.decides(r) {
		a.next.ServeHTTP(w, r)
		return
	}
	a.checkForeign(w, r, a.params, a.next)
}

// checkForeign checks a request to a route that other code registers.
func (b *bound) checkForeign(w http.ResponseWriter, r *http.Request, params *router, next http.Handler) {
	var onStack adapter.Call
	k, call := b.shared.NewState(w, r), &onStack
	k.InFront = true
	if b.shared.Seam.Observes() {
		p := &passing{bound: b, before: r.Pattern, next: next}
		call, next = &p.call, p
	}
	var at *route.Route
	if r.Pattern != "" {
		if at = b.ofOthers(r.Pattern); at.Method == http.MethodOptions && b.sharesHandler(r) {
			shared := *at
			shared.SharesHandler, at = true, &shared
		}
	} else {
		b.warnApart(r)
	}
	call.Request.SetHTTP(r, r, at)
	call.Request.SetParams(params)
	b.shared.Seam.Decide(k, call)
	if err := unrouted(r); err != nil {
		call.Fail(err)
	}
	_ = b.shared.Seam.Proceed(k, call, next)
}

// warnApart warns where the ServeMux has a route of v for a request that is not routed yet.
// The check does not rely on that: the handler around the ServeMux may change the request.
func (b *bound) warnApart(r *http.Request) {
	if _, pattern := b.mux.Handler(r); pattern != "" && b.isOwn(pattern) {
		b.shared.Seam.Warn("middleware_apart")
	}
}

// passing records for the observer the route that a ServeMux behind the middleware has
// written into the request. For a CONNECT that it redirects, it is the client's own
// text.
type passing struct {
	*bound
	call   adapter.Call // of the request
	before string       // pattern of the request
	next   http.Handler
}

func (p *passing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer func() {
		if r.Pattern != p.before && r.Method != http.MethodConnect {
			p.call.Route = p.ofOthers(r.Pattern)
		}
	}()
	p.next.ServeHTTP(w, r)
}

func readsNamespaces(from source.Source) bool {
	if from == nil {
		return false
	}
	described := from.Describe()
	return described.Namespace || slices.ContainsFunc(described.Parts, readsNamespaces)
}

// logWithout logs once that a request gets the default version since its pattern does
// not have a path parameter. Where there are other sources, that is usual.
func (b *bound) logWithout(name, pattern string) {
	if len(b.shared.Seam.Versioning().Sources()) > 1 && !strings.HasSuffix(pattern, "/") {
		return
	}
	b.shared.Seam.Warn("route_without_param", name, pattern)
}

// lookUp asks the ServeMux for the pattern that a request matches, and decides in front of it,
// unless the route does.
type lookUp struct {
	*bound
	params *router
}

func (l *lookUp) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	handler, pattern := l.mux.Handler(r)
	if on, _ := handler.(*adapter.Around); on != nil && on.Handler == http.Handler(l) { // which the ServeMux would call again
		http.NotFound(w, r)
		return
	}
	if pattern == "" || l.skips(r, pattern) || l.isOwn(pattern) || redirects(handler, pattern, r.URL.EscapedPath()) {
		l.mux.ServeHTTP(w, r)
		return
	}
	r.Pattern = pattern // as the ServeMux will do
	l.checkForeign(w, r, l.params, l.mux)
}

// sharesHandler reports whether the handler of other code for a request has another method of the path, too.
func (b *bound) sharesHandler(r *http.Request) bool {
	own, pattern := b.mux.Handler(r)
	if pattern != r.Pattern { // of another ServeMux
		return false
	}
	probe := *r
	for _, probe.Method = range methodNames {
		other, pattern := b.mux.Handler(&probe)
		if probe.Method != r.Method && pattern != "" && handlerOf(own) == handlerOf(other) {
			return true
		}
	}
	return false
}

// handlerOf identifies a handler, without the middlewares of Middleware around it.
func handlerOf(handler http.Handler) any {
	for a, ok := handler.(*around); ok; a, ok = handler.(*around) {
		handler = a.next
	}
	return overhttp.Identity(handler)
}
