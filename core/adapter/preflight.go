package adapter

import (
	"net/http"
	"slices"

	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
)

// onlyOptions reports whether the handler of the route is for OPTIONS alone. A framework
// may have registered a route of other code for each method of any.
func onlyOptions(r *source.Request) bool {
	at := r.Route()
	return at != nil && at.Method == http.MethodOptions && !at.AnyMethod && !at.SharesHandler &&
		(!at.Foreign || !isOfAny(at))
}

// isOfAny reports whether other code has a route for each common method.
func isOfAny(r *route.Route) bool {
	for _, method := range [...]string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch,
		http.MethodDelete} {
		if !slices.ContainsFunc(r.SamePath(), func(same *route.Route) bool { return same.Method == method }) {
			return false
		}
	}
	return true
}

// isPreflight reports whether the request has the fields of a CORS preflight
// (Fetch, "CORS-preflight request").
func isPreflight(r *source.Request) bool {
	_, origin := r.Header("Origin")
	_, method := r.Header("Access-Control-Request-Method")
	return origin && method
}
