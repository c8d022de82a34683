package versochi

import (
	"net/http"
	"runtime"
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

// closures returns how many functions given to Group and Route are running around its caller. Middleware that such a
// function adds is for the routes of its own router alone.
func closures() (n int) {
	var pcs [128]uintptr // of a deeper stack, those around are not counted
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	for more := true; more; {
		var frame runtime.Frame
		if frame, more = frames.Next(); slices.Contains(callers, frame.Function) {
			n++
		}
	}
	return n
}

// callers call the functions.
var callers = []string{
	"github.com/go-chi/chi/v5.(*Mux).Group", "github.com/go-chi/chi/v5.(*Mux).Route",
	"github.com/goverso/verso/adapters/versochi.(*Routes).Route", "github.com/goverso/verso/adapters/versochi.mux.Group",
}

// needOutside panics if v is older than a running function, whose middleware its routes would not have.
func (v *Routes) needOutside(what string, running int) {
	if running > v.within {
		v.over.Fail("%s: the function of a Group or Route is running, whose middleware the route would not have: "+
			"register it with the router of the function, by In or On, or where no function runs", what)
	}
}
