package versochi

import (
	"cmp"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"
)

// unmatched answers requests below a subrouter without a route for them: the middleware of the subrouter covers
// all paths there, also where another route has them.
type unmatched struct {
	http.Handler // answer, behind the middleware
	of           *chi.Mux
	outer        []chi.Routes // around of, at the same path
	in           *chi.Mux     // of the function
	below        string       // where of is in it
	root         *router
}

// answer answers as the subrouter does.
func (u *unmatched) answer(w http.ResponseWriter, r *http.Request) {
	allow, isNotAllowed := u.root.allow(r)
	field, of := "notFoundHandler", u.of
	if isNotAllowed {
		field = "methodNotAllowedHandler"
	}
	hasOwn := func(of *chi.Mux) bool { return !reflect.ValueOf(of).Elem().FieldByName(field).IsNil() }
	if !hasOwn(of) {
		of = cmp.Or(u.root.answers(), of)
	}
	if !isNotAllowed {
		of.NotFoundHandler()(w, r)
		return
	}
	for _, method := range allow {
		if !hasOwn(of) {
			w.Header().Add("Allow", method)
		}
	}
	of.MethodNotAllowedHandler()(w, r)
}

// answers returns a router with the root's answers for 404 and 405, or nil: the root may be in another type.
func (r *router) answers() *chi.Mux {
	inline, _ := r.of.With().(*chi.Mux)
	return inline
}

// allow returns the methods that the function's router has for the path of a request.
func (u *unmatched) allow(r *http.Request, at *chi.Context) (allow []string, isNotAllowed bool) {
	path, rest := cmp.Or(at.RoutePath, r.URL.RawPath, r.URL.Path), ""
	switch pattern, last := patternOf(at), len(at.URLParams.Values)-1; {
	case strings.HasSuffix(pattern, "/*") && last >= 0:
		rest = "/" + at.URLParams.Values[last]
	case strings.HasSuffix(pattern, "/"):
		rest = "/"
	}
	segments := strings.Split(strings.TrimSuffix(path, rest), "/")
	own := segments[max(len(segments)-strings.Count(u.below, "/"), 0):]
	method, around, within := cmp.Or(at.RouteMethod, r.Method), chi.NewRouteContext(), chi.NewRouteContext()
	u.in.Match(around, method, "/"+strings.Join(own, "/")+rest)
	for _, of := range append(slices.Clip(u.outer), u.of) { // chi's mount without a slash matches all
		of.Match(within, method, cmp.Or(rest, "/"))
	}
	allow, isNotAllowed = allowedBy(around)
	inner, isInner := allowedBy(within)
	return append(allow, inner...), isNotAllowed || isInner
}

// recorded is a subrouter of a function, where Match of chi finds its routes. It serves nothing.
type recorded struct{ *chi.Mux }
