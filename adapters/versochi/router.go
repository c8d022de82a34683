package versochi

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/adapter/overhttp"
	"github.com/goverso/verso/core/route"
)

// router is the [adapter.Router] of a router of chi.
type router struct{ of chi.Routes }

// PathParam decodes what chi cuts from the path: as it was sent, if Go keeps that.
func (router) PathParam(request any, name string) (value string, ok bool) {
	r := request.(*http.Request)
	at := contextOf(r)
	value = at.URLParam(name)
	if plain, err := url.PathUnescape(value); err == nil && r.URL.RawPath != "" {
		value = plain
	}
	return value, slices.Contains(at.URLParams.Keys, name)
}

// Routes lists the routes of the router and its subrouters. chi has no names.
func (r router) Routes() (all []adapter.Listed) {
	for _, at := range endpointsOf(r.of) {
		listed := adapter.Listed{Route: at.Route, Middleware: adapter.Identities(at.middleware)}
		if check, ok := at.handler.(*overhttp.Check); ok {
			listed.Registration = check.Registration // wherever its router is mounted
		}
		all = append(all, listed)
	}
	return all
}

// endpoint has the handlers of chi for a method and a pattern.
type endpoint struct {
	route.Route
	handler    http.Handler
	middleware chi.Middlewares
}

// endpointsOf lists the endpoints of a router and its subrouters, in an order that stays: chi has
// the methods of a pattern in a map.
func endpointsOf(router chi.Routes) (all []endpoint) {
	_ = chi.Walk(router, func(method, pattern string, handler http.Handler,
		middleware ...func(http.Handler) http.Handler) error {
		at := route.Route{Method: method, Path: pattern, Pattern: route.Braces(pattern)}
		all = append(all, endpoint{at, handler, middleware})
		return nil
	})
	slices.SortStableFunc(all, func(a, b endpoint) int { return cmp.Compare(a.Path+" "+a.Method, b.Path+" "+b.Method) })
	return all
}

// Middleware returns a middleware that checks requests to routes that other code
// registers. A route of v decides for itself, behind all middleware: what runs between
// the two sees neither its version nor a rejection, which [Routes.AfterCheck] does.
// Install it with [chi.Router.With], or with [chi.Router.Use] or around the router, where it
// looks the route up once more. Requests that match no route pass untouched.
//
// Routes that other code registers have no options, and no namespace.
func (v *Routes) Middleware() func(http.Handler) http.Handler {
	check := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			at := contextOf(r)
			matched, pattern, method := r, patternOf(at), at.RouteMethod
			if pattern == "" || strings.HasSuffix(pattern, "*") { // chi has not matched the route of a subrouter yet
				method = cmp.Or(method, r.Method)
				matched, pattern = v.match(r, method)
			}
			if pattern == "" {
				next.ServeHTTP(w, r)
				return
			}
			v.over.CheckMatched(w, r, matched, method, pattern, next)
		})
	}
	v.over.Seam.NoteMiddleware(adapter.Identity(check))
	return check
}

// contextOf returns what chi knows of a request.
func contextOf(r *http.Request) *chi.Context { return cmp.Or(chi.RouteContext(r.Context()), &unrouted) }

var unrouted chi.Context

// patternOf returns the pattern that chi has matched so far.
func patternOf(at *chi.Context) string {
	return strings.ReplaceAll(strings.Join(at.RoutePatterns, ""), "/*/", "/")
}

// match returns a request with the context that chi will have behind the route of a method, and the
// pattern of the route, "" if there is none.
func (v *Routes) match(r *http.Request, method string) (matched *http.Request, pattern string) {
	before, at, path := contextOf(r), chi.NewRouteContext(), cmp.Or(r.URL.RawPath, r.URL.Path, "/")
	if len(before.RoutePatterns) == 0 {
		path = cmp.Or(before.RoutePath, path) // which middleware may set
	}
	if !cmp.Or(before.Routes, v.root).Match(at, method, path) {
		return nil, ""
	}
	return r.WithContext(context.WithValue(r.Context(), chi.RouteCtxKey, at)), patternOf(at)
}

// NotFound returns a handler for [chi.Router.NotFound] and MethodNotAllowed. It rejects
// requests for an unknown or ended version, so that you can delete
// the routes of an ended version: they still get 410. In a path parameter, an
// unknown version counts only where a route has the path: /favicon.ico is none. The next
// handler answers the rest; if it is nil, chi answers as usual. The Allow field of
// a 405 has the methods of the version: chi gives those of a path to its own handler alone.
//
//	r.NotFound(v.NotFound(nil))
//	r.MethodNotAllowed(v.NotFound(nil))
func (v *Routes) NotFound(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		call, rejected := v.over.Unmatched(w, r)
		if rejected {
			return
		}
		var allow []string
		for method := range strings.FieldsSeq("CONNECT DELETE GET HEAD OPTIONS PATCH POST PUT QUERY TRACE") {
			if _, pattern := v.match(r, method); pattern != "" {
				allow = append(allow, method)
			}
		}
		if allow != nil {
			w.Header().Set("Allow", call.Allow(strings.Join(allow, ", ")))
		}
		switch {
		case next != nil:
			next(w, r)
		case allow != nil:
			w.WriteHeader(http.StatusMethodNotAllowed)
		default:
			http.NotFound(w, r)
		}
	}
}
