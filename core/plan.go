package verso

import (
	"errors"
	"fmt"
	"time"

	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/route"
)

// RouteOption says more of a route, where it is registered.
type RouteOption func(*routeOptions)

type routeOptions struct {
	neutral     bool
	versioned   bool
	dispatches  bool
	unversioned bool // dispatches requests without a version as well
	config      catalogue.RouteConfig
}

// Neutral makes a route version-neutral: its requests are not looked at, never
// rejected, and their responses have no field of Verso's. It is for /health and
// the like.
func Neutral() RouteOption {
	return func(o *routeOptions) { o.neutral = true }
}

// Since says that a version, and those after it, have the route. In an earlier
// one it is 404, [NotInVersion].
func Since(version string) RouteOption {
	return func(o *routeOptions) { o.config.Since, o.versioned = version, true }
}

// RemovedIn says that a version, and those after it, do not have the route any
// more: see [Since].
func RemovedIn(version string) RouteOption {
	return func(o *routeOptions) { o.config.RemovedIn, o.versioned = version, true }
}

// DeprecatedAt deprecates a route by itself, in all its versions. Of its date and
// that of a version the earlier one is sent (RFC 9745).
func DeprecatedAt(date time.Time) RouteOption {
	return func(o *routeOptions) { o.config.Deprecated, o.versioned = date, true }
}

// SunsetAt gives a route a sunset by itself: see [DeprecatedAt] and RFC 8594.
// Where the catalogue ends versions at their sunset, it ends the route.
func SunsetAt(date time.Time) RouteOption {
	return func(o *routeOptions) { o.config.Sunset, o.versioned = date, true }
}

// Related adds links to the responses of a route, before those of the version.
func Related(links ...catalogue.Link) RouteOption {
	return func(o *routeOptions) { o.config.Links, o.versioned = append(o.config.Links, links...), true }
}

// plan is what the options of a route say, checked and made ready for requests.
type plan struct {
	neutral     bool
	ranged      bool // is in some versions by its options
	dispatches  bool
	unversioned bool
	table       *catalogue.Table // nil: neutral
	deprecated  time.Time        // of the route itself
	sunset      time.Time
}

// plan checks the options of a route. It returns nil where there are none. The
// errors are [*Finding]s, joined.
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
			"a route is neutral or in versions, not both: remove Neutral or the other options")
	case o.neutral:
		return &plan{neutral: true}, nil
	case v.catalogue == nil:
		return nil, mistake("route_needs_catalogue", "Routes",
			"a route is in some versions, but every version is served: set AllowedVersions or a Catalogue, whose order applies")
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

// severalNamespaces is the plan of a request to one of several routes whose namespaces
// differ, when it is not known to which.
var severalNamespaces = new(plan)

// planOf returns the plan of the matched route, nil for none.
func planOf(r *route.Route) *plan {
	if r == nil || r.Plan == nil {
		return nil
	}
	return r.Plan.(*plan)
}

// tableOf returns what requests to a route get in each version.
func (v *Versioning) tableOf(p *plan) *catalogue.Table {
	if p == nil {
		return v.catalogue.Table()
	}
	return p.table
}

// catalogueFindings returns the mistakes that package catalogue found.
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
