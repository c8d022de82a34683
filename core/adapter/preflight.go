package adapter

import (
	"net/http"
	"slices"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
)

// onlyOptions reports whether the handler of the route is for OPTIONS alone. A framework
// may have registered a route of other code for each method of any.
func onlyOptions(r *source.Request) bool {
	at := r.Route()
	return at != nil && at.Method == http.MethodOptions && !at.AnyMethod && !at.SharesHandler && (!at.Foreign || !isOfAny(at))
}

// isOfAny reports whether other code has a route for each common method.
func isOfAny(r *route.Route) bool {
	for _, method := range [...]string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
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

// preflight decides on a CORS preflight. A route without options whose handler is for
// OPTIONS alone exists to answer preflights, so they are not checked there. Elsewhere the
// host and a version that the request names are checked as in any request. A browser does
// not send the header of the request behind it, so a preflight without a version is not
// rejected. If the route has version options, its handler is not called either, because
// no version was decided.
func (d *decisions) preflight(c *Call, p *plan) {
	if p != nil || !onlyOptions(&c.Request) {
		c.Request.HideValues()
		d.determine(c, p)
		_, ok := c.err.(*verso.Error) //nolint:errorlint // an error of a source may wrap one
		if !ok || c.namesVersion() || c.rejection == &unknownHost {
			return
		}
	}
	*c = Call{exemptFromSunset: c.exemptFromSunset, Request: c.Request, exempt: true, result: d.resultOf(d.api.set.None, 0)}
	if c.unanswered = p != nil; c.unanswered {
		d.journal.warn("preflight_unanswered", "Routes",
			"a CORS preflight without a version is answered with status 204 instead of by its route's handler, because the route has version options: install CORS before Verso")
	}
}
