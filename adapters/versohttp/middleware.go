package versohttp

import (
	"fmt"
	"net/http"
	"path"
	"reflect"
	"slices"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
)

// Middleware returns a middleware that checks all routes inside it, even those that
// other code registers. Routes of v check again.
//
// Put it directly around the ServeMux of v: it looks the route up first, so that the
// version can be a path parameter, and requests that the ServeMux answers by itself
// pass untouched. Or put it around a handler that is registered on a ServeMux, or on
// another router that sets path values ([http.Request.SetPathValue]). Around any
// other handler it checks every request without knowing the route: if a source reads a
// path parameter, the request fails with status 500, and the log of the server says
// why. [verso.Usage] has the route if a ServeMux inside has matched the request.
//
// Routes that other code registers have no options and no namespace: where the version
// is read from the namespace, they get the default version. The middleware panics if
// the handler is nil, and when the version is read from namespaces and the handler is
// not the ServeMux of v.
func (r *Routes) Middleware() func(http.Handler) http.Handler {
	r.binding.CheckOthers()
	matched, ahead := &router{say: r.sayWithout}, &router{ahead: true, say: r.sayWithout}
	return func(next http.Handler) http.Handler {
		routes, ok := next.(*Routes)
		switch {
		case isNil(next):
			r.fail("Middleware: the handler is nil: give it one")
		case ok && routes.mux == r.mux, next == http.Handler(r.mux):
			return r.lookUp(ahead)
		case readsNamespaces(r.api.Source()):
			r.fail("Middleware: the version is read from the namespaces of routes, which only routes of v have: put it directly around the ServeMux of v")
		}
		return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			var at *route.Route
			if req.Pattern != "" {
				at = r.ofOthers(req.Pattern)
			}
			r.serve(w, req, at, matched, &kept{early: true}, next)
		})
	}
}

func readsNamespaces(source verso.Source) bool {
	if source == nil {
		return false
	}
	described := source.Describe()
	return described.Namespace || slices.ContainsFunc(described.Parts, readsNamespaces)
}

// sayWithout logs once that a request gets the default version since its pattern does
// not have a path parameter. Where there are other sources, that is usual.
func (b *bound) sayWithout(name, pattern string) {
	if len(b.api.Sources()) > 1 && !strings.HasSuffix(pattern, "/") {
		return
	}
	b.binding.Warn("route_without_param", "Routes", "the path parameter %q is not in %q: such a route gets the default version, "+
		"also where a handler inside routes on by a pattern that has it", name, pattern)
}

// lookUp returns what asks the ServeMux for the pattern that a request matches, and
// decides, in front of it.
func (b *bound) lookUp(ahead *router) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		handler, pattern := b.mux.Handler(r)
		if pattern == "" || redirects(handler, pattern, r.URL.EscapedPath()) {
			b.mux.ServeHTTP(w, r)
			return
		}
		r.Pattern = pattern // as the ServeMux will do
		var at *route.Route
		if own, ok := b.own.Load(pattern); ok {
			if b.KeepServed != nil { // which the check of the route asks
				b.mux.ServeHTTP(w, r)
				return
			}
			at = own.(*verso.Registration).Route()
		} else {
			at = b.ofOthers(pattern)
		}
		b.serve(w, r, at, ahead, &kept{early: true}, b.mux)
	}
}

// ofOthers returns the route of a pattern, of which nothing else is known.
func (b *bound) ofOthers(pattern string) *route.Route {
	if known, ok := b.others.Load(pattern); ok {
		return known.(*route.Route)
	}
	known, _ := b.others.LoadOrStore(pattern, read(pattern).Prepare())
	return known.(*route.Route)
}

var redirectHandler = reflect.TypeOf(http.RedirectHandler("/", http.StatusTemporaryRedirect))

// redirects reports whether the handler is the ServeMux's own redirect: to the
// clean path, or to the path with a slash at the end. The pattern is then that of
// the other path, or in a CONNECT even the client's own text.
func redirects(handler http.Handler, pattern, sent string) bool {
	if reflect.TypeOf(handler) != redirectHandler {
		return false
	}
	clean := path.Clean(sent)
	return clean != sent && (clean == "/" || clean+"/" != sent) || strings.Count(pattern, "/") > strings.Count(sent, "/")
}

// asked is the path value that notes, in a request without a pattern, which path
// parameter a source has asked for, so that the requests in which none does allocate
// nothing. No pattern can have a wildcard of that name.
const asked = "verso: path parameter"

// unrouted returns the error of a request that was decided on without the path
// parameter that a source has asked for, nil for others.
func unrouted(r *http.Request) error {
	if r.Pattern != "" || r.PathValue(asked) == "" {
		return nil
	}
	return fmt.Errorf("the version may be in the path parameter %q, but the request has no route yet: "+
		"put the middleware directly around the ServeMux of v, or around the handlers that are registered on it", r.PathValue(asked))
}
