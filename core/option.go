package verso

import (
	"cmp"
	"sync/atomic"
	"time"

	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/route"
)

// RouteOption is an option of a route, given at its registration.
type RouteOption func(*routeOptions)

type routeOptions struct {
	neutral     bool
	versioned   bool
	dated       bool // has dates or links of its own
	dispatches  bool
	unversioned bool // dispatches requests without a version as well
	names       map[string]string
	config      catalogue.RouteConfig
	used        []*atomic.Bool // of [Binding.Track]
}

func optionsOf(options []RouteOption) (o routeOptions) {
	for _, option := range options {
		option(&o)
	}
	return o
}

// use notes that a route has the options.
func (o *routeOptions) use() {
	for _, used := range o.used {
		used.Store(true)
	}
}

// nameOf returns the name for a route without a name.
func (o *routeOptions) nameOf(r *route.Route) string {
	return o.names[cmp.Or(r.RegisteredPath, r.Path)]
}

// Neutral makes a route version-neutral: Verso does not read its requests, never
// rejects them, and adds no header to the responses. It is for /health and the like. With
// [DeprecatedAt], [SunsetAt] or [Related], the responses announce that the route ends, and
// if the catalogue ends versions at their sunset, so does the route.
func Neutral() RouteOption { return func(o *routeOptions) { o.neutral = true } }

// Since limits a route to a version and later ones. Requests in an earlier version are
// rejected with status 404, [NotInVersion], or 405, [MethodNotInVersion], if that version
// has the path with other methods.
func Since(version string) RouteOption {
	return func(o *routeOptions) { o.config.Since, o.versioned = version, true }
}

// RemovedIn removes a route from a version and later ones: see [Since].
func RemovedIn(version string) RouteOption {
	return func(o *routeOptions) { o.config.RemovedIn, o.versioned = version, true }
}

// DeprecatedAt deprecates a route in all its versions. The earlier of its date and
// that of the version is sent (RFC 9745).
func DeprecatedAt(date time.Time) RouteOption {
	return func(o *routeOptions) { o.config.Deprecated, o.dated = date, true }
}

// SunsetAt gives a route a sunset in all its versions: see [DeprecatedAt] and RFC 8594.
// It ends the route, if the catalogue ends versions at their sunset.
func SunsetAt(date time.Time) RouteOption {
	return func(o *routeOptions) { o.config.Sunset, o.dated = date, true }
}

// Related adds links to the responses of a route, before those of the version.
func Related(links ...catalogue.Link) RouteOption {
	return func(o *routeOptions) { o.config.Links, o.dated = append(o.config.Links, links...), true }
}

// Names names routes by their registered paths, for routes without a name, so that links
// can target what generated code registers:
//
//	v.With(verso.Names(map[string]string{"/users/:id": "user"})).RegisterVersions(versions)
func Names(byPath map[string]string) RouteOption { return func(o *routeOptions) { o.names = byPath } }
