package versochi

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/goverso/verso/core/adapter"
)

// Middleware returns a middleware that checks requests to routes that other code
// registers. A route of v decides for itself, behind all middleware: what runs between
// the two sees neither its version nor a rejection, which [Routes.AfterCheck] does.
// Install it with [chi.Router.With], or with [chi.Router.Use] or around the router, where it
// looks the route up once more. Requests that match no route pass untouched.
//
// Routes that other code registers have no options, and no namespace. A middleware of a subrouter that
// changes the path or the method hides its requests, unless chi has it: install it in
// front, or let the code register with [Routes.Router].
func (v *Routes) Middleware() func(http.Handler) http.Handler {
	var reached func()
	var own any
	check := func(next http.Handler) http.Handler {
		reached() // of a middleware around the router, which chi does not list
		return v.around(next, func(w http.ResponseWriter, r *http.Request) {
			at := contextOf(r)
			matched, pattern, method := r, patternOf(at), cmp.Or(at.RouteMethod, r.Method)
			if pattern == "" || strings.HasSuffix(pattern, "*") ||
				v.root.treeOf(v.root.of).subs[strings.TrimSuffix(pattern, "/")] != nil {
				matched, method, pattern = v.match(r, method, own) // chi has not matched the route of a subrouter yet
			}
			if pattern == "" {
				next.ServeHTTP(w, r)
				return
			}
			v.over.CheckMatched(w, r, matched, method, pattern, next)
		})
	}
	own = adapter.Identity(check)
	reached = v.over.Seam.NoteMiddleware(own)
	return check
}

// around returns a middleware's handler, which may be around the router.
func (v *Routes) around(next http.Handler, handler http.HandlerFunc) http.Handler {
	mux, ok := next.(*chi.Mux)
	if !ok || v.root.of != chi.Router(mux) {
		return handler
	}
	return adapter.NoteAround(v.over.Seam.Binding, "Middleware", handler, mux)
}

// match returns a request with the context that chi will have behind the route of a method, the
// method of the route, and its pattern, "" if there is none. own is the middleware that asks.
func (v *Routes) match(r *http.Request, method string, own any) (matched *http.Request, of, pattern string) {
	before, at, path := contextOf(r), chi.NewRouteContext(), cmp.Or(r.URL.RawPath, r.URL.Path, "/")
	routes := cmp.Or[chi.Routes](before.Routes, v.root.of)
	if len(before.RoutePatterns) == 0 {
		behind := routes.Middlewares()
		if before != &unrouted { // else it is around the router
			is := func(m func(http.Handler) http.Handler) bool { return adapter.Identity(m) == own }
			behind = behind[slices.IndexFunc(behind, is)+1:]
		}
		of, to, passes := v.root.moved(r, behind, method, before.RoutePath) // which middleware may set
		if !passes {
			return nil, "", ""
		}
		method, path = of, cmp.Or(to, path)
	}
	of, ok := v.root.find(r, routes, at, method, path)
	if !ok {
		return nil, "", ""
	}
	if pattern = patternOf(at); !v.root.treeOf(v.root.of).has[whereIs(of, pattern, at.RoutePatterns)] {
		pattern = cmp.Or(strings.TrimSuffix(pattern, "/"), "/") // the path of a mount, with a slash
	}
	return r.WithContext(context.WithValue(r.Context(), chi.RouteCtxKey, at)), of, pattern
}

// NotFound returns a handler for [chi.Router.NotFound] and MethodNotAllowed. It rejects
// requests for an unknown or ended version, so that you can delete
// the routes of an ended version: they still get 410. In a path parameter, an
// unknown version counts only where a route has the path: /favicon.ico is none. The next
// handler answers the rest; if it is nil, chi answers as usual. Subrouters of [Routes.Router] that have answers of
// their own for 404 and 405 reject as well; routers that [Routes.Mount] gets do not. The Allow field of
// a 405 has the methods of the version: chi gives those of a path to its own handler alone. A method that
// chi does not know is 405 for every path, without the field, which is the answer of chi: see [chi.RegisterMethod].
//
//	r.NotFound(v.NotFound(nil))
//	r.MethodNotAllowed(v.NotFound(nil))
func (v *Routes) NotFound(next http.HandlerFunc) http.HandlerFunc {
	v.root.rejects.Store(true)
	return func(w http.ResponseWriter, r *http.Request) {
		call, rejected := v.over.Unmatched(w, r)
		if rejected {
			return
		}
		allow, isNotAllowed := v.root.allow(r)
		if allow != nil {
			w.Header().Set("Allow", call.Allow(strings.Join(allow, ", ")))
		}
		switch {
		case next != nil:
			next(w, r)
		case isNotAllowed:
			w.WriteHeader(http.StatusMethodNotAllowed)
		default:
			http.NotFound(w, r)
		}
	}
}
