package versochi

import (
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/goverso/verso/core/adapter"
)

// place is a router of chi, and where it is.
type place struct {
	chi.Router
	mount string
}

// loses reports whether the middleware of the place does not run for the routes of a router.
// It does for a router mounted below it.
func (p place) loses(prefix string, router chi.Router) bool {
	own := adapter.Identities(p.Middlewares())
	begins := func(middleware []func(http.Handler) http.Handler) bool {
		return adapter.HasLead(adapter.Identities(middleware), own)
	}
	below, isBelow := strings.CutPrefix(prefix+"/", strings.TrimSuffix(p.mount, "/")+"/")
	if begins(router.Middlewares()) || isBelow && !isInline(p.Router) {
		return false
	}
	return !isBelow || !slices.ContainsFunc(p.Routes(), func(mounted chi.Route) bool {
		chain, ok := mounted.Handlers["*"].(*chi.ChainHandler)
		lead, isMount := strings.CutSuffix(mounted.Pattern, "*")
		return ok && isMount && strings.HasPrefix("/"+below, lead) && begins(chain.Middlewares)
	})
}
