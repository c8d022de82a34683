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
	// place of the version. It is "" for a pattern that is not understood.
	Path string `json:"path,omitempty"`

	Name    string `json:"name,omitempty"`
	Neutral bool   `json:"neutral,omitempty"`

	// Unchecked says that others have registered the route, and no middleware
	// of Verso's checks it: its requests have no version.
	Unchecked bool `json:"unchecked,omitempty"`

	// Versions are those that have the route, in order: by its options, and by
	// where it is, such as in the namespace of a version. nil: every version that
	// is served, or the route is neutral. Not nil and empty: none.
	Versions  []string `json:"versions,omitempty"`
	Since     string   `json:"since,omitempty"`      // by the options: the first of them, unless it is the oldest of all
	RemovedIn string   `json:"removed_in,omitempty"` // by the options: the first version after the last of them

	// The dates of the route itself; versions have theirs in the timeline.
	Deprecated time.Time `json:"deprecated,omitzero"`
	Sunset     time.Time `json:"sunset,omitzero"`
}

// routeInfo returns what is known of a route.
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

// InVersion reports whether a version of the configuration has the route. Every
// version has a neutral one.
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
	return r.Foreign && !b.everything.Load() && !slices.ContainsFunc(b.scopes, func(s *Scope) bool { return s.has(r) })
}

// versioned yields the routes whose requests have a version: checked ones that are not
// neutral.
func (b *Binding) versioned() iter.Seq[*route.Route] {
	return func(yield func(*route.Route) bool) {
		for r := range b.current().table.Routes() {
			p := planOf(r)
			if !b.isUnchecked(r) && (p == nil || !p.neutral) && !yield(r) {
				return
			}
		}
	}
}

// addRouteFindings adds what is wrong with the routes.
func (e *Explanation) addRouteFindings(b *Binding) {
	v := b.api
	names := v.pathParams()
	var without, unnamed, inNone, unread []string
	all, with, named, linkable, ranged := 0, 0, 0, 0, false
	for r := range b.current().table.Routes() {
		if b.isUnchecked(r) {
			continue
		}
		all++
		if r.HasName() {
			linkable++
		}
		p := planOf(r)
		if p != nil && p.neutral {
			continue
		}
		ranged = ranged || p != nil && p.ranged
		pattern := r.Pattern.String()
		switch {
		case len(names) == 0 && r.Pattern.HasParam(DefaultVersionParam):
			unread = append(unread, pattern)
		case len(names) == 0:
		case slices.ContainsFunc(names, r.Pattern.HasParam):
			with++
		default:
			without = append(without, pattern)
			continue
		}
		switch {
		case !v.byNamespace:
		case len(r.Namespaces()) > 0:
			named++
		default:
			unnamed = append(unnamed, pattern)
			continue
		}
		if b.isInNoVersion(r) {
			inNone = append(inNone, pattern)
		}
	}
	if ranged && isNewestFirst(v.set.known) {
		e.add("newest_first", "the versions are listed newest first (%s), and the options of routes apply from one version to those behind it: list the oldest first",
			quotedList(v.set.known))
	}
	if len(inNone) > 0 {
		e.add("route_in_no_version", "%s is in no version, so each request is rejected: list the version that it is placed under, or correct its place or its options", quotedList(inNone))
	}
	if len(unread) > 0 && v.source != nil {
		e.add("param_not_read", "the path parameter %q of %s has no part in the version, which is read from %s: use PathParam, or rename the parameter",
			DefaultVersionParam, quotedList(unread), strings.Join(e.Sources, ", "))
	}
	switch {
	case all == 0 || len(names) == 0:
	case with == 0:
		e.add("param_in_no_route", "the path parameter %s is in no route: name it in the patterns, or correct its name", quotedList(names))
	case !v.combined && len(without) > 0:
		e.add("route_without_param", "the path parameter %s is not in %s, where a request is %s: name it in the pattern, or make the route Neutral",
			quotedList(names), quotedList(without), b.withoutPlace(Absent))
	}
	if linkable > 0 && v.linksUnchecked() {
		e.Findings = append(e.Findings, uncheckedHost)
	}
	switch {
	case all == 0 || !v.byNamespace:
	case named == 0 && v.combined:
		e.add("no_namespaces", "no route is in a namespace, from which a version may be read: put the routes of a version into a namespace, or remove the source")
	case named == 0:
		e.add("no_namespaces", "no route is in a namespace, so every request is %s: put the routes of a version into a namespace", b.withoutPlace(Nowhere))
	case len(unnamed) > 0 && !v.combined:
		e.add("route_without_namespace", "%s is in no namespace, so a request is %s: put it into one, or make it Neutral", quotedList(unnamed), b.withoutPlace(Nowhere))
	}
}

// withoutPlace says what becomes of a request to a route that has no place for a version.
func (b *Binding) withoutPlace(outcome Outcome) string {
	result, err := b.resolve(&Reading{Outcome: outcome}, b.served)
	if err != nil {
		return "rejected with " + describe(result, err)
	}
	return describe(result, nil)
}

// isInNoVersion reports whether requests to a route are rejected because of where it
// is: the only version that they may have is not served, or does not have the route.
// Of each version, that is usual.
func (b *Binding) isInNoVersion(r *route.Route) bool {
	if r.As != "" || b.api.prefix != nil && b.known(r.Space).IsNone() {
		return false
	}
	info := b.routeInfo(r)
	return info.Versions != nil && len(info.Versions) == 0
}

// isNewestFirst reports whether the numbers in the texts of versions decrease.
func isNewestFirst(versions []string) bool {
	numbers := func(version string) []string {
		return strings.FieldsFunc(version, func(r rune) bool { return r < '0' || r > '9' })
	}
	byNumber := func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) }
	for i := 1; i < len(versions); i++ {
		if slices.CompareFunc(numbers(versions[i-1]), numbers(versions[i]), byNumber) <= 0 {
			return false
		}
	}
	return len(versions) > 1
}

// addUnlinked adds, for each version whose responses name a successor, the routes for
// which no link to it can be sent. Routes that the successor does not have by their
// options are left out.
func (e *Explanation) addUnlinked(b *Binding) {
	v := b.api
	if !v.dated || v.source == nil {
		return
	}
	moment := v.catalogue.At(v.config.Clock())
	for index, version := range v.catalogue.Versions() {
		successor, ok := moment.Successor(index)
		if !ok || !v.catalogue.Table().NamesSuccessor(moment, index) {
			continue
		}
		var unlinked []string
		for r := range b.versioned() {
			only, fixed := b.onlyVersion(r)
			isOfVersion := hasVersion(r, index) && hasVersion(r, successor) && (!fixed || only.Is(version))
			if isOfVersion && !b.hasTwin(r, V(b.served.set.byIndex[successor].text)) {
				unlinked = append(unlinked, r.Pattern.String())
			}
		}
		if n := len(unlinked); n > 0 {
			e.Findings = append(e.Findings, warn("successor_unlinked", "Catalogue",
				"no link to the successor of version %q can be sent for %d of its routes, such as %s: no URL carries the version, or no route of the successor is at that path or has that name",
				version, n, quotedList(unlinked[:min(3, n)])))
		}
	}
}

// addOthersThatEnd adds the routes of others that end with the default version, since a
// middleware checks them and they have no place for another.
func (e *Explanation) addOthersThatEnd(b *Binding, since string) {
	var end []string
	for r := range b.versioned() {
		placed := r.Space != "" || b.api.byNamespace && len(r.Namespaces()) > 0 || slices.ContainsFunc(b.api.pathParams(), r.Pattern.HasParam)
		if r.Foreign && !placed {
			end = append(end, r.Pattern.String())
		}
	}
	if len(end) > 0 {
		e.add("others_end", "%s, with the default version, %s ends as well, which others have registered: keep the Middleware off it, or register it with Verso, as Neutral",
			since, quotedList(end))
	}
}

func (e *Explanation) add(code, format string, args ...any) {
	e.Findings = append(e.Findings, warn(code, "Routes", format, args...))
}

// maxListed bounds how many routes a finding names.
const maxListed = 5

func quotedList(texts []string) string {
	texts = slices.Compact(slices.Clone(texts))
	var quoted []string
	for _, text := range texts[:min(maxListed, len(texts))] {
		quoted = append(quoted, fmt.Sprintf("%q", text))
	}
	if more := len(texts) - maxListed; more > 0 {
		quoted = append(quoted, fmt.Sprintf("%d more", more))
	}
	return strings.Join(quoted, ", ")
}
