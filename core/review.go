package verso

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/route"
)

// review finds possible mistakes in what is configured and registered.
type review struct {
	*explanations
	found  []Finding
	linked bool // responses may have links
}

// findings returns the possible mistakes. Those that are acknowledged are marked.
func (x *explanations) findings() []Finding {
	w := &review{explanations: x, found: slices.Clone(x.api.findings)}
	if x.api.dated {
		w.catalogue()
	}
	if w.nameless {
		w.found = append(w.found, warn("client_not_set", "Observe", "Observe is not told who sends a request, so nobody knows whom to tell that a version ends: set Client in the adapter's configuration"))
	}
	w.routes()
	w.unused()
	w.heads()
	w.prefixes()
	w.unlinked()
	if w.linked && w.api.linksUnchecked() {
		w.found = append(w.found, uncheckedHost)
	}
	w.acknowledge()
	return w.found
}

// catalogue adds the mistakes in the catalogue that depend on today's date.
func (w *review) catalogue() {
	for _, warning := range w.api.catalogue.Warnings(w.api.config.Clock()) {
		w.found = append(w.found, warn(warning.Code, "Catalogue", "%s", warning.Message))
	}
	w.defaultOverTime()
}

// acknowledge marks the findings that are acknowledged. Once the routes are known, it
// adds a finding for each acknowledged code that no finding has.
func (w *review) acknowledge() {
	_, alone := w.explanations.routes.router.(noRouter)
	routeless := alone && len(w.explanations.routes.order) == 0
	for _, code := range w.api.config.Acknowledged {
		known := routeless || slices.Contains(saidOfRequests, code)
		for i := range w.found {
			if w.found[i].Code == code {
				w.found[i].Acknowledged, known = true, true
			}
		}
		if !known {
			w.found = append(w.found, warn("accepted_unknown", "Acknowledged", "no finding has the code %q: remove it, or correct it", code))
		}
	}
}

// saidOfRequests are the codes of findings that only a request causes.
var saidOfRequests = []string{"no_place_for_version", "at_least_unknown", "before_router"}

// defaultParam is the usual name of a parameter with the version.
const defaultParam = "version"

// routes adds the mistakes in the routes.
func (w *review) routes() {
	v := w.api
	names := v.pathParams()
	var without, unnamed, inNone, unread, escaped []string
	all, with, named, ranged, rewritten := 0, 0, 0, false, false
	for r := range w.explanations.routes.current().table.Routes() {
		if w.explanations.routes.isUnchecked(r) {
			if v.hasPlaceInPath(r) || slices.ContainsFunc(r.SamePath(), w.explanations.routes.isVersioned) {
				escaped = append(escaped, r.Pattern.String())
			}
			continue
		}
		all, rewritten = all+1, rewritten || r.Rewritten
		w.linked = w.linked || r.HasName()
		if !w.explanations.routes.isVersioned(r) {
			continue
		}
		p := planOf(r)
		ranged = ranged || p != nil && p.ranged
		pattern := r.Pattern.String()
		switch {
		case len(names) == 0 && r.Pattern.HasParam(defaultParam):
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
		if w.isInNoVersion(r) {
			inNone = append(inNone, pattern)
		}
	}
	if rewritten && !w.explanations.routes.shelled.Load() {
		w.add("errors_not_rewritten", "bodies are rewritten for older versions, but not those that middleware answers with after an error or a panic: install RewriteErrors outside of that middleware")
	}
	if len(escaped) > 0 {
		w.add("unchecked_versioned", "%s is registered with the framework itself, at a path of versions, so requests to it are not checked: register it with Verso, as Neutral if it has no version", quotedList(escaped))
	}
	if ranged && isNewestFirst(v.set.known) {
		w.add("newest_first", "the versions are listed newest first (%s), and the options of routes apply from one version to those behind it: list the oldest first",
			quotedList(v.set.known))
	}
	if len(inNone) > 0 {
		w.add("route_in_no_version", "%s is in no version, so each request is rejected: list the version that it is placed under, or correct its place or its options", quotedList(inNone))
	}
	if len(unread) > 0 {
		w.add("param_not_read", "the path parameter %q of %s has no part in the version, which is read from %s: use PathParam, or rename the parameter",
			defaultParam, quotedList(unread), strings.Join(v.Sources(), ", "))
	}
	switch {
	case all == 0 || len(names) == 0:
	case with == 0:
		w.add("param_in_no_route", "the path parameter %s is in no route: name it in the patterns, or correct its name", quotedList(names))
	case !v.combined && len(without) > 0:
		w.add("route_without_param", "the path parameter %s is not in %s, where a request is %s: name it in the pattern, or make the route Neutral",
			quotedList(names), quotedList(without), w.withoutPlace(Absent))
	}
	switch {
	case all == 0 || !v.byNamespace:
	case named == 0 && v.combined:
		w.add("no_namespaces", "no route is in a namespace, from which a version may be read: put the routes of a version into a namespace, or remove the source")
	case named == 0:
		w.add("no_namespaces", "no route is in a namespace, so every request is %s: put the routes of a version into a namespace", w.withoutPlace(NoPlace))
	case len(unnamed) > 0 && !v.combined:
		w.add("route_without_namespace", "%s is in no namespace, so a request is %s: put it into one, or make it Neutral", quotedList(unnamed), w.withoutPlace(NoPlace))
	}
}

// unused adds the options that no route has.
func (w *review) unused() {
	rs := w.explanations.routes
	rs.adding.Lock()
	defer rs.adding.Unlock()
	var at []string
	for _, t := range rs.tracked {
		if !t.used.Load() {
			at = append(at, t.at)
		}
	}
	if len(at) > 0 {
		w.add("option_unused", "no route is registered with what %s returns, so its options or its middleware apply to none: register routes with the result, or remove the call", quotedList(at))
	}
}

// heads adds the routes for HEAD that are in other versions than those for GET.
func (w *review) heads() {
	var differ []string
	for r := range w.explanations.routes.current().table.Routes() {
		if r.Method != http.MethodHead || r.Foreign {
			continue
		}
		for _, get := range r.SamePath() {
			if get.Method == http.MethodGet && !get.Foreign && !w.hasSameVersions(r, get) {
				differ = append(differ, r.Pattern.String())
			}
		}
	}
	if len(differ) > 0 {
		w.add("head_differs", "%s has a route for HEAD that is in other versions than the one for GET: give both the same options", quotedList(differ))
	}
}

// hasSameVersions reports whether two routes are in the same versions.
func (w *review) hasSameVersions(a, b *route.Route) bool {
	neutral := func(r *route.Route) bool { p := planOf(r); return p != nil && p.neutral }
	same := neutral(a) == neutral(b)
	for index := range w.api.set.known {
		same = same && hasVersion(a, index) == hasVersion(b, index)
	}
	return same
}

// withoutPlace says what becomes of a request to a route that has no place for a version.
func (w *review) withoutPlace(outcome ReadingOutcome) string {
	version, err := w.api.resolve(&Reading{Outcome: outcome}, w.api.served)
	if err != nil {
		return "rejected with " + describe(nil, err)
	}
	return describe(version, nil)
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

// prefixes adds the mistakes in the routes under a path prefix.
func (w *review) prefixes() {
	p := w.api.prefix
	if p == nil {
		return
	}
	var outside, unknown, unlisted, taking []string
	under, twins := make(map[string]bool), make(map[string]bool)
	routes := slices.Collect(w.versioned())
	for _, r := range routes {
		if w.api.set.lookup(r.PrefixVersion) != nil && r.PrefixVersion != "" {
			under[r.PrefixVersion], twins[r.Resource] = true, true
		}
	}
	for _, r := range routes {
		text, segment, ok := p.split(&r.Pattern)
		switch {
		case r.PrefixVersion != "":
			if !under[r.PrefixVersion] {
				unknown = append(unknown, r.Pattern.String())
			}
		case ok && !twins[r.Resource] && twins[p.resource(&r.Pattern, segment)]: // one that is under a version itself is a nested noun
			unlisted = append(unlisted, fmt.Sprintf("%s (%s)", r.Pattern, text))
		case r.Resource == "":
			outside = append(outside, r.Pattern.String())
		case len(under) > 0 && p.hasParam(&r.Pattern):
			taking = append(taking, r.Pattern.String())
		}
	}
	warn := func(code string, patterns []string, format string, args ...any) {
		if len(patterns) > 0 {
			w.add(code, format, append([]any{quotedList(patterns)}, args...)...)
		}
	}
	unplaced := w.withoutPlace(NoPlace)
	warn("prefix_unknown_version", unknown, "under %s there is no version that is served, so each request is rejected: list the version, or correct the pattern")
	warn("prefix_unlisted", unlisted, "%s looks like a version, and is not listed: a request is %s: list the version before you register its routes", unplaced)
	warn("prefix_parameter", taking, "%s has a parameter in the place of the version: a request with a version there, to a path that this version does not have, is %s: put fixed text before the parameter, or acknowledge it", unplaced)
	warn("prefix_outside", outside, "%s is not under the path prefix, where a request is %s: make it Neutral, or register it with the framework", unplaced)
	for _, version := range w.api.set.known {
		if !under[version] && len(routes) > 0 && !w.api.isDefault(version) {
			w.add("prefix_empty", "no route is under %q, the prefix of version %q: register its routes, by EachVersion if they are those of other versions, or remove the version from the list",
				p.fixed+"/"+p.before+version+p.behind, version)
		}
	}
}

// unlinked adds the routes for which no link to the successor of their version can be
// sent, except those whose options say that the successor does not have them.
func (w *review) unlinked() {
	v := w.api
	if !v.dated {
		return
	}
	moment := v.catalogue.At(v.config.Clock())
	for index, version := range v.catalogue.Versions() {
		successor, ok := moment.Successor(index)
		if !ok || !v.catalogue.Table().NamesSuccessor(moment, index) {
			continue
		}
		var unlinked []string
		for r := range w.versioned() {
			only, fixed := v.onlyVersion(r)
			if !hasVersion(r, index) || fixed && !only.Is(version) {
				continue
			}
			switch hasTwin := w.links.hasSuccessorLink(r, v.set.all[successor].version); {
			case hasTwin:
				w.linked = true
			case hasVersion(r, successor):
				unlinked = append(unlinked, r.Pattern.String())
			}
		}
		if n := len(unlinked); n > 0 {
			w.found = append(w.found, warn("successor_unlinked", "Catalogue",
				"no link to the successor of version %q can be sent for %d of its routes, such as %s: no URL carries the version, or no route of the successor is at that path or has that name",
				version, n, quotedList(unlinked[:min(3, n)])))
		}
	}
}

// foreignThatEnd adds the routes of others that end together with the default version,
// since a middleware checks them and they have no place for another version.
func (w *review) foreignThatEnd(since string) {
	var end []string
	for r := range w.versioned() {
		placed := w.api.hasPlaceInPath(r) || w.api.byNamespace && len(r.Namespaces()) > 0
		if r.Foreign && !placed {
			end = append(end, r.Pattern.String())
		}
	}
	if len(end) > 0 {
		w.add("foreign_routes_end", "%s, with the default version, %s ends as well, which others have registered: keep the Middleware off it, or register it with Verso, as Neutral",
			since, quotedList(end))
	}
}

func (w *review) add(code, format string, args ...any) {
	w.found = append(w.found, warn(code, "Routes", format, args...))
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

// defaultOverTime adds what happens to the default version, now and later.
func (w *review) defaultOverTime() {
	v := w.api
	index, ok := v.catalogue.Index(v.config.DefaultVersion.String())
	if !ok || v.config.DefaultVersion.IsNone() {
		return
	}
	said := map[catalogue.State]bool{catalogue.Supported: true}
	for _, period := range v.catalogue.Periods(v.config.Clock()) {
		state := period.State(index)
		if said[state] {
			continue
		}
		said[state] = true
		since := "now"
		if period.From().After(v.config.Clock()) {
			since = "on " + period.From().UTC().Format(time.DateOnly)
		}
		code, what, change := "default_deprecated", "is deprecated", "choose another default before, or set AfterDefaultSunset"
		switch state {
		case catalogue.Unreleased:
			code, what, change = "default_unreleased", "is not released, so requests without a version are rejected", "choose another default before"
		case catalogue.Ended:
			unnamed := w.unnamedAt(period.Moment)
			code, what = "default_gone", "has ended: requests without a version get "+unnamed
			if strings.HasPrefix(unnamed, "410") {
				w.foreignThatEnd(since)
			}
		}
		if state != catalogue.Unreleased && v.config.AfterDefaultSunset != 0 {
			continue // the configuration says what such requests get
		}
		w.found = append(w.found, warn(code, "DefaultVersion", "%s the default version %q %s: %s",
			since, v.config.DefaultVersion, what, change))
	}
}
