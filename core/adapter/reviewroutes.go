package adapter

import (
	"maps"
	"slices"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/internal/finding"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
)

// unchecked adds the routes without a check whose paths have versions.
func (w *review) unchecked() {
	w.find("unchecked_versioned", w.all, func(r *route.Route) bool {
		return w.routes.isUnchecked(r) && (w.api.hasPlaceInPath(r) ||
			slices.ContainsFunc(r.SamePath(), w.routes.isVersioned))
	}, "%s is registered with the framework directly, at a path that Verso versions, so requests to it are not checked: register it with Verso, as Neutral if it has no version")
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
	w.addFor(lost, "name_without_route",
		"no route has the path %s of Names, so links do not find its name: "+
			"write the whole path as it is registered, with the prefix of its group")
}

// takesFiles reports whether a route of other code has all paths below one, as files do, and
// no place for a version. A ServeMux, which does not list its routes, writes it as "/static/".
func (v *engine) takesFiles(r *route.Route) bool {
	return r != nil && r.Foreign && !v.hasPlaceInPath(r) &&
		(strings.HasSuffix(r.Pattern.Shape(), "/{*}") || !r.Checked && strings.HasSuffix(r.Path, "/"))
}

const filesChecked = "files_checked"

// filesAdvice follows the route and what its requests get.
const filesAdvice = "%s, registered by other code, has all paths below it, as files do, and is behind Middleware, where a request without a version is %s: exempt it with Skipper, or register it where Middleware does not run"

// files adds the routes for files whose requests a middleware rejects, since a browser names
// no version.
func (w *review) files() {
	if w.api.byNamespace {
		return
	}
	for _, outcome := range []source.ReadingOutcome{source.Absent, source.NoPlace} { // beside a prefix
		if answer := w.withoutPlace(outcome); strings.HasPrefix(answer, "rejected") {
			w.find(filesChecked, w.versioned, func(r *route.Route) bool {
				of, lacks := w.api.lacksPlace(r)
				isOf := lacks && of == outcome || !lacks && outcome == source.Absent
				return isOf && r.Checked && !w.lacksParam(r) && w.api.takesFiles(r)
			}, filesAdvice, answer)
		}
	}
}

// inNoVersion adds the routes of which all requests are rejected. Those that have no
// place for a version at all are the findings of other rules.
func (w *review) inNoVersion() {
	w.find("route_in_no_version", w.versioned, func(r *route.Route) bool {
		return !w.lacksParam(r) && !w.lacksNamespace(r) && w.isInNoVersion(r)
	}, "no version has %s, so every request to it is rejected: "+
		"list the version in its prefix or namespace, or correct its options")
}

// defaultParam is the usual name of a parameter with the version.
const defaultParam = "version"

// paramNotRead adds the routes with a parameter that looks like the version's, if the
// version is read from elsewhere.
func (w *review) paramNotRead() {
	if len(w.api.pathParams) > 0 {
		return
	}
	w.find("param_not_read", w.versioned, func(r *route.Route) bool {
		return r.Pattern.HasParam(defaultParam)
	}, "the path parameter %[2]q of %[1]s does not affect the version, which is read from %[3]s: "+
		"use PathParam, or rename the parameter",
		defaultParam, strings.Join(w.api.Sources(), ", "))
}

// versionInPath adds the routes that have a version in their path, if it is read from
// elsewhere alone.
func (w *review) versionInPath() {
	if slices.ContainsFunc(w.api.parts[1:], func(p part) bool { return p.Place == source.InPath }) {
		return
	}
	w.find("version_in_path", w.versioned, func(r *route.Route) bool {
		return slices.ContainsFunc(strings.Split(r.Pattern.String(), "/"),
			func(segment string) bool { return slices.Contains(w.api.Set.Known, segment) })
	}, "the version in the path %[1]s has no part in that of a request, which is read from %[2]s: use PathPrefix or Namespace, or rename the segment",
		strings.Join(w.api.Sources(), ", "))
}

// defaultUnused adds a default version that no request can have, since each route has its
// version in the path.
func (w *review) defaultUnused() {
	v := w.api
	if v.combined || v.config.DefaultVersion.IsNone() || v.parts[1].Place != source.InPath || len(w.checked) == 0 {
		return
	}
	hasDefault := func(r *route.Route) bool { return !w.isPlaced(r) || w.isInNoVersion(r) }
	if !slices.ContainsFunc(w.versioned, hasDefault) {
		// What happens to it later does not matter.
		w.found = slices.DeleteFunc(w.found, func(f verso.Finding) bool { return slices.Contains(ofDefault, f.Code) })
		w.found = append(w.found, finding.Warn("default_unused", "DefaultVersion",
			"no request has the default version %q, since the path of each route has a version: remove it",
			v.config.DefaultVersion))
	}
}

// ofDefault are the findings about a default version that requests have.
var ofDefault = []string{"default_deprecated", "default_gone", "default_unreleased", "default_not_listed"}

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
	if len(w.checked) == 0 {
		return
	}
	switch names := w.api.pathParams; {
	case len(names) == 0:
	case !slices.ContainsFunc(w.versioned, func(r *route.Route) bool { return !w.lacksParam(r) }):
		w.add("param_in_no_route", "the path parameter %s does not occur in any route: add it to the patterns, or correct its name", quotedList(names))
	case !w.api.combined:
		w.find("route_without_param", w.versioned, w.lacksParam,
			"the path parameter %[2]s is not in %[1]s, where a request is %[3]s: name it in the pattern, or make the route Neutral",
			quotedList(names), w.withoutPlace(source.Absent))
	}
	isNamed := func(r *route.Route) bool { return !w.lacksParam(r) && !w.lacksNamespace(r) }
	switch noPlace := w.withoutPlace(source.NoPlace); {
	case !w.api.byNamespace:
	case slices.ContainsFunc(w.versioned, isNamed):
		if !w.api.combined {
			w.find("route_without_namespace", w.versioned, w.lacksNamespace,
				"%s is in no namespace, so a request is %s: put it into one, or make it Neutral", noPlace)
		}
	case w.api.combined:
		w.add("no_namespaces",
			"no route is in a namespace, from which a version may be read: put the routes of a version into a namespace, or remove the source")
	default:
		w.add("no_namespaces",
			"no route is in a namespace, so every request is %s: put the routes of a version into a namespace", noPlace)
	}
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
			case hasVersion(r, successor):
				unlinked = append(unlinked, r.Pattern.String())
			}
		}
		if n := len(unlinked); n > 0 {
			w.found = append(w.found, finding.Warn("successor_unlinked", "Catalogue",
				"no link to the successor of version %q can be sent for %d of its routes, such as %s: "+
					"no URL carries the version, or no route of the successor is at that path or has that name",
				version, n, quotedList(unlinked[:min(3, n)])))
		}
	}
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
