package adapter

import (
	"maps"
	"slices"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/internal/prefix"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
)

// unmounted adds the routes that the router does not have, although it lists those registered with v:
// they are in an unmounted router.
func (w *review) unmounted() {
	router, ok := w.routes.router.(interface{ ListsRegistrations() bool })
	if !ok || !router.ListsRegistrations() {
		return
	}
	rs := w.routes
	rs.adding.Lock()
	defer rs.adding.Unlock()
	has := make(map[*Registration]bool)
	for _, listed := range rs.listed() {
		has[listed.Registration] = true
	}
	var lost []string
	for _, registration := range rs.order {
		if !has[registration] {
			lost = append(lost, registration.given.Pattern.String())
		}
	}
	w.addFor(lost, codes.RouteUnmounted)
}

// names adds the paths of Names that no route has, unless another path in its map gives a
// route the name: generated code may be for several frameworks.
func (w *review) names() {
	rs := w.routes
	rs.adding.Lock()
	defer rs.adding.Unlock()
	has := maps.Clone(rs.namedPaths)
	for _, r := range w.all {
		has[namedPath(r)] = true
	}
	var lost []string
	for _, byPath := range rs.names {
		given := make(map[string]bool)
		for path, name := range byPath {
			given[name] = given[name] || has[path]
		}
		for path, name := range byPath {
			if !given[name] {
				lost = append(lost, path)
			}
		}
	}
	slices.Sort(lost)
	w.addFor(lost, codes.NameWithoutRoute)
}

// files adds the routes for files whose requests a middleware rejects, since a browser names
// no version.
func (w *review) files() {
	if w.api.byNamespace {
		return
	}
	for _, outcome := range []source.ReadingOutcome{source.Absent, source.NoPlace} { // beside a prefix
		if answer := w.withoutPlace(outcome); strings.HasPrefix(answer, "rejected") {
			w.find(codes.FilesChecked, w.versioned, func(r *route.Route) bool {
				of, lacks := w.api.lacksPlace(r)
				isOf := lacks && of == outcome || !lacks && outcome == source.Absent
				return isOf && r.Checked && !w.lacksParam(r) && w.api.takesFiles(r)
			}, answer)
		}
	}
}

// inNoVersion adds the routes of which all requests are rejected, and those that a version does not reach. Those that
// have no place for a version at all are the findings of other rules.
func (w *review) inNoVersion() {
	w.find(codes.RouteInNoVersion, w.versioned, func(r *route.Route) bool {
		return !w.lacksParam(r) && !w.lacksNamespace(r) && w.isInNoVersion(r)
	})
	if w.api.Catalogue == nil {
		return
	}
	for _, name := range w.api.pathParams {
		for index, version := range w.api.Catalogue.Versions() {
			takes := func(r *route.Route) bool { return hasVersion(r, index) && r.Pattern.Takes(name, version) }
			w.find(codes.ParamWithoutVersion, w.versioned, func(r *route.Route) bool {
				return hasVersion(r, index) && !takes(r) && !slices.ContainsFunc(w.versioned, func(other *route.Route) bool {
					return other.Method == r.Method && other.Pattern.Shape() == r.Pattern.Shape() && takes(other)
				})
			}, name, version)
		}
	}
}

// defaultParam is the usual name of a parameter with the version.
const defaultParam = "version"

// paramNotRead adds the routes with a parameter that looks like the version's, if the
// version is read from elsewhere.
func (w *review) paramNotRead() {
	if len(w.api.pathParams) > 0 {
		return
	}
	w.find(codes.ParamNotRead, w.versioned, func(r *route.Route) bool {
		return r.Pattern.HasParam(defaultParam)
	}, defaultParam, strings.Join(w.api.Sources(), ", "))
}

// versionInPath adds the routes that have a version in their path, if it is read from
// elsewhere alone.
func (w *review) versionInPath() {
	if slices.ContainsFunc(w.api.parts[1:], func(p part) bool { return p.Place == source.InPath }) {
		return
	}
	w.find(codes.VersionInPath, w.versioned, func(r *route.Route) bool {
		return slices.ContainsFunc(strings.Split(r.Pattern.String(), "/"),
			func(segment string) bool { return segment != "" && slices.Contains(w.api.Set.Known, segment) })
	}, strings.Join(w.api.Sources(), ", "))
}

// defaultUnused adds a default version that no request can have, since each route has its
// version in the path, or since requests without one are refused.
func (w *review) defaultUnused() {
	v := w.api
	if v.combined || v.config.DefaultVersion.IsNone() || len(w.checked) == 0 {
		return
	}
	place := v.parts[1].Place
	isRefused := v.config.Strict.RefuseUnversioned && (v.prefix != nil || v.byNamespace || place == source.InHost)
	hasDefault := func(r *route.Route) bool { return !w.isPlaced(r) || w.isInNoVersion(r) }
	row := codes.DefaultUnused
	switch {
	case isRefused:
		row = codes.DefaultRefused
	case place != source.InPath, slices.ContainsFunc(w.versioned, hasDefault):
		return
	}
	// What happens to it later does not matter.
	w.found = slices.DeleteFunc(w.found, func(f verso.Finding) bool { return slices.Contains(ofDefault, f.Code) })
	w.add(row, v.config.DefaultVersion)
}

// ofDefault are the findings about a default version that requests have.
var ofDefault = []string{codes.DefaultDeprecated.Code, codes.DefaultGone.Code, codes.DefaultUnreleased.Code,
	codes.DefaultNotListed.Code}

// routesPastSunset adds the routes that are served although their own sunset has passed: nothing ends them.
func (w *review) routesPastSunset() {
	now := w.api.config.Clock()
	w.find(codes.RouteSunsetPassed, w.checked, func(r *route.Route) bool {
		p := planOf(r)
		return p != nil && !p.Config.Sunset.IsZero() && !p.Config.Sunset.After(now) &&
			(w.api.Catalogue == nil || !p.table.Gone(w.api.Catalogue.At(now)))
	})
}

// lacksParam reports whether the version is read from a path parameter that a route does
// not have.
func (w *review) lacksParam(r *route.Route) bool {
	names := w.api.pathParams
	return len(names) > 0 && r.Pattern.Err() == nil && !slices.ContainsFunc(names, r.Pattern.HasParam)
}

// lacksNamespace reports whether the version is read from a namespace, and a route has
// none.
func (w *review) lacksNamespace(r *route.Route) bool {
	return w.api.byNamespace && len(r.Namespaces()) == 0
}

// unplaced adds the routes without the place that the version is read from: a path parameter, or a
// namespace.
func (w *review) unplaced() {
	switch {
	case len(w.checked) == 0:
		return
	case len(w.versioned) == 0 && len(w.routes.middleware) == 0:
		w.add(codes.AllNeutral)
		return
	}
	names := w.api.pathParams
	switch {
	case len(names) == 0:
	case !slices.ContainsFunc(w.versioned, func(r *route.Route) bool { return !w.lacksParam(r) }):
		w.add(codes.ParamInNoRoute, quotedList(names))
	case !w.api.combined:
		w.find(codes.RouteWithoutParam, w.versioned, w.lacksParam, quotedList(names), w.withoutPlace(source.Absent))
	}
	w.find(codes.NeutralInVersion, w.checked, func(r *route.Route) bool {
		return !w.routes.isVersioned(r) && slices.ContainsFunc(names, r.Pattern.HasParam)
	})
	isNamed := func(r *route.Route) bool { return !w.lacksParam(r) && !w.lacksNamespace(r) }
	switch noPlace := w.withoutPlace(source.NoPlace); {
	case !w.api.byNamespace:
	case slices.ContainsFunc(w.versioned, isNamed):
		if !w.api.combined {
			w.find(codes.RouteWithoutNamespace, w.versioned, w.lacksNamespace, noPlace)
		}
	case w.api.combined:
		w.add(codes.NamespacesUnused)
	default:
		w.add(codes.NoNamespaces, noPlace)
	}
}

// doubled adds the routes with text before the version which the versions have already: /v{version} for "v1".
func (w *review) doubled() {
	var at []string
	newest := ""
	for _, r := range w.versioned {
		for _, segment := range w.segmentsOf(&r.Pattern) {
			if _, written, found := prefix.Doubled(segment, w.api.Set.Known); found && strings.Contains(segment, versionSegment) {
				at, newest = append(at, r.Pattern.String()), written
			}
		}
	}
	w.addFor(at, codes.RouteDoubled, newest)
}

// unlinked adds the routes for which no link to the successor of their version can be
// sent, except routes that the successor does not have by their options.
func (w *review) unlinked() {
	v := w.api
	if !v.Dated {
		return
	}
	moment := v.Catalogue.At(v.config.Clock())
	for index, version := range v.Catalogue.Versions() {
		successor, ok := moment.Successor(index)
		if !ok || !v.Catalogue.Table().NamesSuccessor(moment, index) {
			continue
		}
		var unlinked []string
		for _, r := range w.versioned {
			only, fixed := v.onlyVersion(r)
			if !hasVersion(r, index) || fixed && !only.Is(version) {
				continue
			}
			switch hasLink := w.hasSuccessorLink(r, v.versions[successor]); {
			case hasLink:
				w.linked = true
			case hasVersion(r, successor) && !w.hasTwin(r):
				unlinked = append(unlinked, r.Pattern.String())
			}
		}
		if n := len(unlinked); n > 0 {
			w.add(codes.SuccessorUnlinked, version, n, quotedList(unlinked[:min(3, n)]))
		}
	}
}

// hasTwin reports whether the resource of a route without a place for the version has another route
// with one: requests that name the version elsewhere have no other URL in another version.
func (w *review) hasTwin(r *route.Route) bool {
	return !w.api.hasPlaceInPath(r) && slices.ContainsFunc(w.versioned, func(other *route.Route) bool {
		if !w.api.hasPlaceInPath(other) || other.Method != r.Method || other.Host != r.Host {
			return false
		}
		at := slices.DeleteFunc(w.segmentsOf(&other.Pattern), func(s string) bool { return s == versionSegment })
		return r.HasName() && other.Name == r.Name || slices.Equal(at, w.segmentsOf(&r.Pattern))
	})
}

// isInNoVersion reports whether requests to a route are rejected because of where it
// is: the only version that they may have is not served, or does not have the route.
// Of each version, that is usual.
func (w *review) isInNoVersion(r *route.Route) bool {
	if r.RegisteredPath != "" || w.api.prefix != nil && w.api.known(r.PrefixVersion).IsNone() {
		return false
	}
	info := w.routeInfo(r)
	return info.Versions != nil && len(info.Versions) == 0
}

// middleware adds the middleware that no route is behind.
func (w *review) middleware() {
	rs := w.routes
	rs.adding.Lock()
	defer rs.adding.Unlock()
	list := rs.listed()
	var at []string
	for _, m := range rs.middleware {
		if m.isLast(list) || !m.isIn(list) && !m.isForAll(rs.router) {
			at = append(at, m.by.at())
		}
	}
	w.addFor(at, codes.MiddlewareUnused)
}
