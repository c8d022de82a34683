package verso

import (
	"cmp"
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
	names       map[string]string
	config      catalogue.RouteConfig
}

func optionsOf(options []RouteOption) (o routeOptions) {
	for _, option := range options {
		option(&o)
	}
	return o
}

// nameOf returns the name of a route that has none of its own.
func (o *routeOptions) nameOf(r *route.Route) string {
	return o.names[cmp.Or(r.RegisteredPath, r.Path)]
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

// Names gives routes without a name the names of their paths, written as in their
// registration, so that links lead to what generated code registers:
//
//	v.With(verso.Names(map[string]string{"/users/:id": "user"})).RegisterVersions(versions)
func Names(byPath map[string]string) RouteOption {
	return func(o *routeOptions) { o.names = byPath }
}
