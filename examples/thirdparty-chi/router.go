package versochi

import (
	"net/http"
	"net/url"
	"slices"

	"github.com/go-chi/chi/v5"

	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
)

// bound is the [adapter.Router] of a router.
type bound struct{ router chi.Routes }

// PathParam decodes what chi cuts from the path: as it was sent, if Go keeps that.
func (bound) PathParam(request any, name string) (value string, ok bool) {
	r := request.(*http.Request)
	params := chi.RouteContext(r.Context()).URLParams
	for i, key := range slices.Backward(params.Keys) { // the innermost of a name applies
		if key != name {
			continue
		}
		if plain, err := url.PathUnescape(params.Values[i]); err == nil && r.URL.RawPath != "" {
			return plain, true
		}
		return params.Values[i], true
	}
	return "", false
}

// Routes lists the routes of the router and its subrouters. chi has no names.
func (b bound) Routes() (all []adapter.Listed) {
	_ = chi.Walk(b.router, func(method, pattern string, handler http.Handler, _ ...func(http.Handler) http.Handler) error {
		r := adapter.Listed{Route: route.Route{Method: method, Path: pattern, Pattern: route.Braces(pattern)}}
		if c, ok := handler.(*check); ok {
			r.Registration = c.registration // wherever its router is mounted
		}
		all = append(all, r)
		return nil
	})
	return all
}
