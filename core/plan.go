package verso

import (
	"fmt"
	"strings"
	"time"

	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/sealed"
	"github.com/goverso/verso/core/route"
)

// plan is the options of a route, checked and prepared for requests.
type plan struct {
	neutral     bool
	ambiguous   bool // the route is one of several in different namespaces, and it is not known which
	ranged      bool // is in some versions by its options
	dispatches  bool
	unversioned bool
	table       *catalogue.Table // nil: neutral, without dates
	deprecated  time.Time        // of the route itself
	sunset      time.Time
}

// plan checks the options of a route. It returns nil if there are none. The errors are
// [*Finding]s, joined.
func (v *Versioning) plan(o *routeOptions) (*plan, error) {
	switch {
	case !o.neutral && !o.versioned && !o.dated:
		return nil, nil
	case o.neutral && o.versioned:
		return nil, mistake("neutral_and_versioned", "Routes", "a route is either neutral or in some versions: remove Neutral, or the other options")
	case o.neutral && o.dated:
		table, err := v.catalogue.NeutralRoute(o.config)
		if err != nil {
			return nil, joined(catalogueFindings("Routes", err))
		}
		return &plan{neutral: true, table: table, deprecated: o.config.Deprecated, sunset: o.config.Sunset}, nil
	case o.neutral:
		return &plan{neutral: true}, nil
	case v.catalogue == nil:
		return nil, mistake("route_needs_catalogue", "Routes",
			"the options need an order of versions, but every version is served: set AllowedVersions or a Catalogue")
	case !v.config.isListed(v.config.DefaultVersion):
		return nil, mistake("default_not_listed", "DefaultVersion",
			"the default version %q is not in the list, so it is not known which routes it has: add it to the list", v.config.DefaultVersion)
	}
	table, err := v.catalogue.Route(o.config)
	if err != nil {
		return nil, joined(o.nameHandlers(catalogueFindings("Routes", err)))
	}
	ranged := o.config.Since != "" || o.config.RemovedIn != "" || o.dispatches
	return &plan{ranged: ranged, dispatches: o.dispatches, unversioned: o.unversioned, table: table, deprecated: o.config.Deprecated, sunset: o.config.Sunset}, nil
}

// planOf returns the plan of the matched route, or nil.
func planOf(r *route.Route) *plan {
	if r == nil || r.Plan == nil {
		return nil
	}
	return r.Plan.(*plan)
}

// Sealed implements the type of [route.Route.Plan].
func (*plan) Sealed(sealed.Seal) {}

// nameHandlers puts the handlers that findings are about in the place of the choices that
// package catalogue knows.
func (o *routeOptions) nameHandlers(findings []Finding) []Finding {
	for i := range findings {
		choice, ok := strings.CutPrefix(findings[i].Field, "Routes.choices")
		var position int
		if count, _ := fmt.Sscanf(choice, "[%d]", &position); count == 1 {
			findings[i].Field = fmt.Sprintf("Handlers[%q]", o.config.Choices[position].From)
		} else if ok {
			findings[i].Field = "Handlers"
		}
	}
	return findings
}
