package verso

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/route"
)

// RouteInfo is a route in an [Explanation].
type RouteInfo struct {
	Method  string `json:"method,omitempty"` // "": every method
	Host    string `json:"host,omitempty"`
	Pattern string `json:"pattern"` // in the syntax of the router

	// Path is the pattern as a URI template (RFC 6570), the same for all routers:
	// "/users/{id}/files/{+path}". A route of EachVersion has {version} in the
	// place of the version. It is "" if the pattern is not understood.
	Path string `json:"path,omitempty"`

	Name    string `json:"name,omitempty"`
	Neutral bool   `json:"neutral,omitempty"`

	// Unchecked reports whether the route was registered with the framework and
	// no middleware of Verso checks it: its requests have no version.
	Unchecked bool `json:"unchecked,omitempty"`

	// Versions are those that have the route, in order, by its options and by
	// its place, such as the namespace of a version. nil: every version that is
	// served, or the route is neutral. Empty but not nil: no version.
	Versions  []string `json:"versions,omitempty"`
	Since     string   `json:"since,omitempty"`      // by the options: the first of them, unless it is the oldest of all
	RemovedIn string   `json:"removed_in,omitempty"` // by the options: the first version after the last of them

	// The route's own dates. Those of versions are in the timeline.
	Deprecated time.Time `json:"deprecated,omitzero"`
	Sunset     time.Time `json:"sunset,omitzero"`
}

// routeInfo describes a route.
func (b *Binding) routeInfo(r *route.Route) RouteInfo {
	info := RouteInfo{
		Method: r.Method, Host: r.Host, Pattern: cmp.Or(r.As, r.Pattern.String()), Path: b.template(r),
		Name: r.Name, Unchecked: b.isUnchecked(r),
	}
	if r.AnyMethod {
		info.Method = ""
	}
	p := planOf(r)
	if p != nil {
		info.Neutral, info.Deprecated, info.Sunset = p.neutral, p.deprecated, p.sunset
	}
	if info.Neutral || info.Unchecked {
		return info
	}
	if p != nil {
		info.addRange(b.api.catalogue.Versions(), p.table)
	}
	if only, fixed := b.onlyVersion(r); fixed && r.As == "" { // a route of EachVersion stands for all its forms
		has := !only.IsNone() && (p == nil || slices.Contains(info.Versions, only.String()))
		info.Versions, info.Since, info.RemovedIn = []string{}, "", ""
		if has {
			info.Versions = []string{only.String()}
		}
	}
	if len(info.Versions) > 0 && len(info.Versions) == len(b.api.set.known) {
		info.Versions = nil
	}
	return info
}

// addRange adds the versions that have a route by its options.
func (r *RouteInfo) addRange(versions []string, table *catalogue.Table) {
	for index, version := range versions {
		if !table.Has(index) {
			continue
		}
		if len(r.Versions) == 0 && index > 0 {
			r.Since = version
		}
		r.Versions = append(r.Versions, version)
		r.RemovedIn = ""
		if index+1 < len(versions) {
			r.RemovedIn = versions[index+1]
		}
	}
}

// template returns the path of a route as a URI template.
func (b *Binding) template(r *route.Route) string {
	path, p := r.Pattern.Template(), b.api.prefix
	if r.As == "" || p == nil {
		return path
	}
	if _, segment, ok := p.split(&r.Pattern); ok && r.Space != "" {
		path = p.fixed + strings.TrimPrefix(path, p.fixed+"/"+segment)
	}
	path, _ = p.in(versionPlaceholder, path)
	return path
}

// InVersion reports whether a configured version has the route. Every version has
// neutral routes.
func (r RouteInfo) InVersion(version string) bool {
	return r.Versions == nil || slices.Contains(r.Versions, version)
}

// String returns the route on one line.
func (r RouteInfo) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%-7s %-40s %-20s", r.Method, r.Host+r.Pattern, r.Name)
	separator := " "
	say := func(format, value string) {
		fmt.Fprintf(&text, separator+format, value)
		separator = ", "
	}
	if r.Neutral {
		say("%s", "neutral")
	}
	if r.Unchecked {
		say("%s", "not checked")
	}
	switch {
	case r.Versions != nil && len(r.Versions) == 0:
		say("%s", "in no version")
	case len(r.Versions) == 1 && r.Since == "" && r.RemovedIn == "":
		say("in %s", r.Versions[0])
	}
	if r.Since != "" {
		say("since %s", r.Since)
	}
	if r.RemovedIn != "" {
		say("removed in %s", r.RemovedIn)
	}
	if !r.Deprecated.IsZero() {
		say("deprecated %s", r.Deprecated.UTC().Format(time.DateOnly))
	}
	if !r.Sunset.IsZero() {
		say("sunset %s", r.Sunset.UTC().Format(time.DateOnly))
	}
	return strings.TrimRight(text.String(), " ")
}

// isUnchecked reports whether requests to a route have no version.
func (b *Binding) isUnchecked(r *route.Route) bool {
	return r.Foreign && !b.ChecksOthers() && !slices.ContainsFunc(b.scopes, func(s *Scope) bool { return s.has(r) })
}

// looksVersioned reports whether a route that others have registered is at a place of
// the version, or at the path of a route that has versions.
func (b *Binding) looksVersioned(r *route.Route) bool {
	return b.hasPlaceInPath(r) || slices.ContainsFunc(r.SamePath(), b.isVersioned)
}

// hasPlaceInPath reports whether the version is read from the path of a route.
func (b *Binding) hasPlaceInPath(r *route.Route) bool {
	return r.Space != "" || slices.ContainsFunc(b.api.pathParams(), r.Pattern.HasParam)
}

// isVersioned reports whether requests to a route have a version: it is checked and not
// neutral.
func (b *Binding) isVersioned(r *route.Route) bool {
	p := planOf(r)
	return !b.isUnchecked(r) && (p == nil || !p.neutral)
}

// versioned yields the routes whose requests have a version.
func (b *Binding) versioned() iter.Seq[*route.Route] {
	return func(yield func(*route.Route) bool) {
		for r := range b.current().table.Routes() {
			if b.isVersioned(r) && !yield(r) {
				return
			}
		}
	}
}
