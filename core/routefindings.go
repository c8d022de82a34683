package verso

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/goverso/verso/core/route"
)

// addRouteFindings adds the mistakes in the routes.
func (e *Explanation) addRouteFindings(b *Binding) {
	v := b.api
	names := v.pathParams()
	var without, unnamed, inNone, unread, escaped []string
	all, with, named, linkable, ranged := 0, 0, 0, 0, false
	for r := range b.current().table.Routes() {
		if b.isUnchecked(r) {
			if b.looksVersioned(r) {
				escaped = append(escaped, r.Pattern.String())
			}
			continue
		}
		all++
		if r.HasName() {
			linkable++
		}
		if !b.isVersioned(r) {
			continue
		}
		p := planOf(r)
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
	if len(escaped) > 0 {
		e.add("unchecked_versioned", "%s is registered with the framework itself, at a path of versions, so requests to it are not checked: register it with Verso, as Neutral if it has no version", quotedList(escaped))
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

// addPrefixFindings adds the mistakes in the routes under a path prefix.
func (e *Explanation) addPrefixFindings(b *Binding) {
	p := b.api.prefix
	if p == nil {
		return
	}
	var outside, unknown, unlisted []string
	under, twins := make(map[string]bool), make(map[string]bool)
	routes := slices.Collect(b.versioned())
	for _, r := range routes {
		if b.served.set.lookup(r.Space) != nil && r.Space != "" {
			under[r.Space], twins[r.Twin] = true, true
		}
	}
	for _, r := range routes {
		text, segment, ok := p.split(&r.Pattern)
		switch {
		case r.Space != "":
			if !under[r.Space] {
				unknown = append(unknown, r.Pattern.String())
			}
		case ok && twins[p.twin(&r.Pattern, segment)]:
			unlisted = append(unlisted, fmt.Sprintf("%s (%s)", r.Pattern, text))
		case r.Twin == "":
			outside = append(outside, r.Pattern.String())
		}
	}
	warn := func(code string, patterns []string, format string, args ...any) {
		if len(patterns) > 0 {
			e.add(code, format, append([]any{quotedList(patterns)}, args...)...)
		}
	}
	unplaced := b.withoutPlace(Nowhere)
	warn("prefix_unknown_version", unknown, "under %s there is no version that is served, so each request is rejected: list the version, or correct the pattern")
	warn("prefix_unlisted", unlisted, "%s looks like a version, and is not listed: a request is %s: list the version before you register its routes", unplaced)
	warn("prefix_outside", outside, "%s is not under the path prefix, where a request is %s: make it Neutral, or register it with the framework", unplaced)
	for _, version := range b.served.Versions() {
		if !under[version] && len(routes) > 0 && !b.isDefault(version) {
			e.add("prefix_empty", "no route is under %q, the prefix of version %q: register its routes, by EachVersion if they are those of other versions, or remove the version from the list",
				p.fixed+"/"+p.before+version+p.behind, version)
		}
	}
}

// addUnlinked adds the routes for which no link to the successor of their version can be
// sent, except those whose options say that the successor does not have them.
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

// addOthersThatEnd adds the routes of others that end together with the default version,
// since a middleware checks them and they have no place for another version.
func (e *Explanation) addOthersThatEnd(b *Binding, since string) {
	var end []string
	for r := range b.versioned() {
		placed := b.hasPlaceInPath(r) || b.api.byNamespace && len(r.Namespaces()) > 0
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
