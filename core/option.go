package verso

import (
	"maps"
	"slices"
	"time"

	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/choice"
	"github.com/goverso/verso/core/internal/codes"
)

// RouteOption is an option of a route, given at its registration. Its parameter is internal,
// since only package adapter reads what options choose.
type RouteOption func(*choice.Route)

// Neutral makes a route version-neutral: Verso does not read its requests, never
// rejects them, and adds no header to the responses. It is for /health and the like. With
// [DeprecatedAt], [SunsetAt] or [Related], the responses announce that the route ends, and
// if the catalogue ends versions at their sunset, so does the route.
func Neutral() RouteOption { return func(o *choice.Route) { o.Neutral = true } }

// Since limits a route to a version and later ones. Requests in an earlier version are
// rejected with status 404, [NotInVersion], or 405, [MethodNotInVersion], if that version
// has the path with other methods. The registration refuses the empty version, and one before
// the bound of a group around it.
func Since(version string) RouteOption {
	return func(o *choice.Route) {
		o.Since = append(o.Since, o.Config.Since)
		o.Config.Since, o.Versioned = version, true
		refuse(o, version == "", &codes.RouteBoundEmpty)
	}
}

// RemovedIn removes a route from a version and later ones: see [Since]. The registration refuses one after
// the bound of a group around it.
func RemovedIn(version string) RouteOption {
	return func(o *choice.Route) {
		o.RemovedIn = append(o.RemovedIn, o.Config.RemovedIn)
		o.Config.RemovedIn, o.Versioned = version, true
		refuse(o, version == "", &codes.RouteBoundEmpty)
	}
}

// DeprecatedAt deprecates a route in all its versions. The earlier of its date and
// that of the version is sent (RFC 9745). The registration refuses the zero time.
func DeprecatedAt(date time.Time) RouteOption {
	return func(o *choice.Route) {
		o.Config.Deprecated, o.Dated = date, true
		refuse(o, date.IsZero(), &codes.RouteDateZero)
	}
}

// SunsetAt gives a route a sunset in all its versions: see [DeprecatedAt] and RFC 8594.
// It ends the route, if the catalogue ends versions at their sunset.
func SunsetAt(date time.Time) RouteOption {
	return func(o *choice.Route) {
		o.Config.Sunset, o.Dated = date, true
		refuse(o, date.IsZero(), &codes.RouteDateZero)
	}
}

// Related adds links to the responses of a route, before those of the version. The registration
// refuses none.
func Related(links ...catalogue.Link) RouteOption {
	return func(o *choice.Route) {
		o.Config.Links, o.Dated = append(o.Config.Links, links...), true
		refuse(o, len(links) == 0, &codes.RouteLinkless)
	}
}

// Names names routes by their registered paths, for routes without a name, so that links
// can target what generated code registers. The registration refuses an empty name:
//
//	v.With(verso.Names(map[string]string{"/users/:id": "user"})).RegisterVersions(versions)
func Names(byPath map[string]string) RouteOption {
	return func(o *choice.Route) {
		o.Names = byPath
		refuse(o, slices.Contains(slices.Collect(maps.Values(byPath)), ""), &codes.RouteNameless)
	}
}

// refuse notes the mistake of an option, for the registration.
func refuse(o *choice.Route, isMistake bool, row *codes.Row) {
	if isMistake {
		o.Mistake = row
	}
}
