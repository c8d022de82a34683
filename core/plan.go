package verso

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
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

// tracked is what one call of a method such as Since gives to routes.
type tracked struct {
	at   string // in the service's code: "main.go:31"
	used atomic.Bool
}

// Track returns an option without effect. An adapter adds it to the options and the
// middleware that one call gives to the routes which are registered with its result, so
// that a finding can say that there are none.
func (b *Binding) Track() RouteOption {
	t := &tracked{at: callerOf()}
	b.routes.adding.Lock()
	defer b.routes.adding.Unlock()
	b.routes.tracked = append(b.routes.tracked, t)
	return func(*routeOptions) { t.used.Store(true) }
}

// callerOf returns where the adapter that calls Track was called.
func callerOf() string {
	var counters [16]uintptr
	frames := runtime.CallersFrames(counters[:runtime.Callers(3, counters[:])])
	adapter, more := frames.Next()
	for more {
		var at runtime.Frame
		at, more = frames.Next()
		if filepath.Dir(at.File) != filepath.Dir(adapter.File) || strings.HasSuffix(at.File, "_test.go") {
			return fmt.Sprintf("%s:%d", filepath.Base(at.File), at.Line)
		}
	}
	return "an unknown place"
}

// plan is the options of a route, checked and prepared for requests.
type plan struct {
	neutral     bool
	ambiguous   bool // the route is one of several in different namespaces, and it is not known which
	ranged      bool // is in some versions by its options
	dispatches  bool
	unversioned bool
	table       *catalogue.Table // nil: neutral
	deprecated  time.Time        // of the route itself
	sunset      time.Time
}

// plan checks the options of a route. It returns nil if there are none. The errors are
// [*Finding]s, joined.
func (v *Versioning) plan(o *routeOptions) (*plan, error) {
	switch {
	case !o.neutral && !o.versioned:
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
		return nil, joined(CatalogueFindings("Routes", err))
	}
	ranged := o.config.Since != "" || o.config.RemovedIn != "" || o.dispatches
	return &plan{ranged: ranged, dispatches: o.dispatches, unversioned: o.unversioned, table: table, deprecated: o.config.Deprecated, sunset: o.config.Sunset}, nil
}

// planOf returns the plan of the matched route, nil for none.
func planOf(r *route.Route) *plan {
	if r == nil || r.Plan == nil {
		return nil
	}
	return r.Plan.(*plan)
}

// Handlers maps versions to handlers. A handler serves its version and the later ones,
// up to the next key, in the order of the API's versions. A nil handler means that
// these versions do not have the route. The key "" is the handler of requests without
// a version, where they are allowed.
//
//	verso.Handlers[http.Handler]{"v1": listV1, "v3": listV3, "v5": nil}
type Handlers[H any] map[string]H

// Bind returns the function that picks the handler of a request, for [Seam.HandleVersions], and
// the option that puts the route into the versions that have a handler.
//
// The error joins [*Finding]s: for an unknown version, a nil handler before the first
// handler, no handler at all, and "" where requests without a version are rejected.
func (h Handlers[H]) Picker(b *Binding) (pick func(result *Result) H, option RouteOption, err error) {
	handlers := maps.Clone(h)
	unversioned, hasUnversioned := handlers[""]
	delete(handlers, "")
	if hasUnversioned && (isNil(unversioned) || !b.api.config.AllowUnversioned) {
		return nil, nil, mistake("handler_unversioned", "Routes",
			`the handler "" is for requests without a version, which are rejected: set AllowUnversioned, or remove the handler`)
	}
	versions := slices.Sorted(maps.Keys(handlers))
	choices := make([]catalogue.Choice, len(versions))
	for i, version := range versions {
		choices[i] = catalogue.Choice{From: version, Removed: isNil(handlers[version])}
	}
	option = func(o *routeOptions) {
		o.config.Choices, o.versioned, o.dispatches, o.unversioned = choices, true, true, hasUnversioned
	}
	o := optionsOf([]RouteOption{option})
	plan, err := b.api.plan(&o)
	if err != nil {
		return nil, nil, err
	}
	byIndex := make([]H, len(b.api.catalogue.Versions()))
	for i := range byIndex {
		if position := plan.table.Choice(i); position >= 0 {
			byIndex[i] = handlers[versions[position]]
		}
	}
	return func(result *Result) H {
		if result.index >= 0 {
			return byIndex[result.index]
		}
		return unversioned
	}, option, nil
}
