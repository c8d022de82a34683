package verso

import (
	"errors"
	"fmt"
	"time"

	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/route"
)

// RouteOption is an option of a route, given at its registration.
type RouteOption func(*routeOptions)

type routeOptions struct {
	neutral     bool
	versioned   bool
	dispatches  bool
	unversioned bool // dispatches requests without a version as well
	config      catalogue.RouteConfig
}

// Neutral makes a route version-neutral: Verso does not read its requests, never
// rejects them, and adds no header to the responses. It is for /health and the like.
func Neutral() RouteOption {
	return func(o *routeOptions) { o.neutral = true }
}

// Since says that a version and those after it have the route. Requests in an earlier
// version are rejected with status 404, [NotInVersion].
func Since(version string) RouteOption {
	return func(o *routeOptions) { o.config.Since, o.versioned = version, true }
}

// RemovedIn says that a version and those after it do not have the route: see [Since].
func RemovedIn(version string) RouteOption {
	return func(o *routeOptions) { o.config.RemovedIn, o.versioned = version, true }
}

// DeprecatedAt deprecates a route in all its versions. The earlier of its date and
// that of the version is sent (RFC 9745).
func DeprecatedAt(date time.Time) RouteOption {
	return func(o *routeOptions) { o.config.Deprecated, o.versioned = date, true }
}

// SunsetAt gives a route a sunset in all its versions: see [DeprecatedAt] and RFC 8594.
// It ends the route, if the catalogue ends versions at their sunset.
func SunsetAt(date time.Time) RouteOption {
	return func(o *routeOptions) { o.config.Sunset, o.versioned = date, true }
}

// Related adds links to the responses of a route, before those of the version.
func Related(links ...catalogue.Link) RouteOption {
	return func(o *routeOptions) { o.config.Links, o.versioned = append(o.config.Links, links...), true }
}

// plan is the options of a route, checked and prepared for requests.
type plan struct {
	neutral     bool
	ranged      bool // is in some versions by its options
	dispatches  bool
	unversioned bool
	table       *catalogue.Table // nil: neutral
	deprecated  time.Time        // of the route itself
	sunset      time.Time
}

// plan checks the options of a route. It returns nil if there are none. The errors are
// [*Finding]s, joined.
func (v *Versioning) plan(options []RouteOption) (*plan, error) {
	var o routeOptions
	for _, option := range options {
		option(&o)
	}
	switch {
	case len(options) == 0:
		return nil, nil
	case o.neutral && o.versioned:
		return nil, mistake("neutral_and_versioned", "Routes",
			"a route is either neutral or in some versions: remove Neutral, or the other options")
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
		return nil, joined(catalogueFindings("Routes", err))
	}
	ranged := o.config.Since != "" || o.config.RemovedIn != "" || o.dispatches
	return &plan{ranged: ranged, dispatches: o.dispatches, unversioned: o.unversioned, table: table, deprecated: o.config.Deprecated, sunset: o.config.Sunset}, nil
}

// severalNamespaces is the plan of a request to one of several routes with different
// namespaces, if it is not known which.
var severalNamespaces = new(plan)

// planOf returns the plan of the matched route, nil for none.
func planOf(r *route.Route) *plan {
	if r == nil || r.Plan == nil {
		return nil
	}
	return r.Plan.(*plan)
}

// tableOf returns the table of a route with the given plan.
func (v *Versioning) tableOf(p *plan) *catalogue.Table {
	if p == nil {
		return v.catalogue.Table()
	}
	return p.table
}

// catalogueFindings returns the mistakes that package catalogue found, as findings.
func catalogueFindings(field string, err error) (findings []Finding) {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range several.Unwrap() {
			findings = append(findings, catalogueFindings(field, one)...)
		}
		return findings
	}
	if mistake, ok := errors.AsType[*catalogue.Error](err); ok {
		if mistake.Field != "" {
			field = fmt.Sprintf("%s.%s", field, mistake.Field)
		}
		return []Finding{refuse(mistake.Code, field, "%s", mistake.Message)}
	}
	return []Finding{refuse("catalogue", field, "%w", err)}
}
