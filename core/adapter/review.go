package adapter

import (
	"fmt"
	"slices"
	"strings"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/finding"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
)

// review finds possible mistakes in what is configured and registered.
type review struct {
	*explanations
	all       []*route.Route
	checked   []*route.Route // whose requests are checked
	versioned []*route.Route // whose requests have a version
	found     []verso.Finding
	used      []string // of Acknowledged, those for one route
	linked    bool     // responses have links to successors
}

// findingsOf returns the possible mistakes in what x explains, in the order of the rules. A rule
// adds at most a few findings, each for all routes that have the mistake. Those that are
// acknowledged are marked.
func findingsOf(x *explanations) []verso.Finding {
	w := &review{explanations: x, found: slices.Clone(x.api.Findings)}
	for r := range x.routes.current().table.Routes() {
		w.all = append(w.all, r)
		if !x.routes.isUnchecked(r) {
			w.checked = append(w.checked, r)
		}
		if x.routes.isVersioned(r) {
			w.versioned = append(w.versioned, r)
		}
	}
	w.catalogue()
	w.client()
	w.errorsNotRewritten()
	w.notRewritten()
	w.rewriters()
	w.unchecked()
	w.files()
	w.order()
	w.stored()
	w.inNoVersion()
	w.paramNotRead()
	w.versionInPath()
	w.unplaced()
	w.defaultUnused()
	w.unused()
	w.neighbours()
	w.hidden()
	w.names()
	w.prefixes()
	w.unlinked()
	w.hosts()
	w.acknowledge() // last: it marks what the other rules have found
	return w.found
}

// catalogue adds the mistakes in the catalogue that depend on today's date.
func (w *review) catalogue() {
	if !w.api.Dated {
		return
	}
	for _, warning := range w.api.Catalogue.Warnings(w.api.config.Clock()) {
		w.found = append(w.found, finding.Warn(warning.Code, "Catalogue", "%s", warning.Message))
	}
	w.defaultOverTime()
}

// client adds that Observe does not learn who sends a request.
func (w *review) client() {
	if w.nameless {
		w.found = append(w.found, finding.Warn("client_not_set", "Observe",
			"Observe gets no client name, so you cannot tell who still calls a version that ends: set Client in the adapter's configuration, or Acknowledged: []string{\"client_not_set\"} in verso.Config if your clients cannot be told apart"))
	}
}

// stored adds that Middleware for all routes may decide before the version is stored.
func (w *review) stored() {
	w.routes.adding.Lock()
	defer w.routes.adding.Unlock()
	isExempt := func(r *route.Route) bool { return r.Foreign && !r.Checked }
	if len(w.api.stored) > 0 && len(w.routes.middleware) > 0 && !slices.ContainsFunc(w.all, isExempt) {
		w.add("stored_behind_middleware",
			"Middleware reads the %s, which another middleware stores: "+
				"install that one first, and then acknowledge this, or routes of other code have no such version",
			w.api.stored[0].Describe().Name)
	}
}

// unused adds the options that no route has.
func (w *review) unused() {
	rs := w.routes
	rs.adding.Lock()
	defer rs.adding.Unlock()
	var at []string
	for _, t := range rs.tracked {
		if !t.used.Load() {
			at = append(at, t.at())
		}
	}
	w.addFor(at, "option_unused",
		"no route is registered with what %s returns, so its options or middleware have no effect: register routes with the result, or remove the call")
}

// hosts adds that clients choose the host of links, if there may be links.
func (w *review) hosts() {
	if w.api.linksUnchecked() && (w.linked || slices.ContainsFunc(w.checked, (*route.Route).HasName)) {
		w.found = append(w.found, uncheckedHost)
	}
}

// defaultOverTime adds what happens to the default version, now and later.
func (w *review) defaultOverTime() {
	v := w.api
	index, ok := v.Catalogue.Index(v.config.DefaultVersion.String())
	if !ok || v.config.DefaultVersion.IsNone() {
		return
	}
	said := map[catalogue.State]bool{catalogue.Supported: true}
	for _, period := range v.Catalogue.Periods(v.config.Clock()) {
		state := period.State(index)
		if said[state] {
			continue
		}
		said[state] = true
		since := "now"
		if period.From().After(v.config.Clock()) {
			since = "on " + period.From().UTC().Format(time.DateOnly)
		}
		code, what, change := "default_deprecated", "is deprecated",
			"choose another default before, or set AfterDefaultSunset"
		switch state {
		case catalogue.Unreleased:
			code, what, change = "default_unreleased", "is not released, so requests without a version are rejected",
				"choose another default before"
		case catalogue.Ended:
			unnamed := w.unnamedAt(period.Moment)
			code, what = "default_gone", "has ended: requests without a version get "+unnamed
			if strings.HasPrefix(unnamed, "410") {
				w.find("foreign_routes_end", w.versioned, func(r *route.Route) bool {
					return r.Foreign && !w.isPlaced(r) // a middleware checks it
				}, "%[2]s: %[1]s, registered by other code, ends with the default version: exclude it from Middleware, or register it with Verso, as Neutral",
					since)
			}
		}
		if state != catalogue.Unreleased && v.config.AfterDefaultSunset != "" {
			continue // the configuration determines it
		}
		w.found = append(w.found, finding.Warn(code, "DefaultVersion", "%s the default version %q %s: %s", since,
			v.config.DefaultVersion, what, change))
	}
}

// find adds a finding for the routes that have a mistake: see addFor.
func (w *review) find(code string, routes []*route.Route, has func(r *route.Route) bool, format string, args ...any) {
	var patterns []string
	for _, r := range routes {
		if has(r) {
			patterns = append(patterns, r.Pattern.String())
		}
	}
	w.addFor(patterns, code, format, args...)
}

// withoutPlace describes how a request is answered if its route has no place for a
// version.
func (w *review) withoutPlace(outcome source.ReadingOutcome) string {
	version, err := w.api.versionFor(&source.Reading{Outcome: outcome}, w.api.Served)
	if err != nil {
		return "rejected with " + describe(nil, err)
	}
	return describe(version, nil)
}

// addFor adds a finding for the routes that have a mistake, if there are any. They are
// the first argument of the format.
func (w *review) addFor(routes []string, code, format string, args ...any) {
	var known, others []string
	for _, pattern := range routes {
		if entry := code + " " + pattern; slices.Contains(w.api.config.Acknowledged, entry) {
			known, w.used = append(known, pattern), append(w.used, entry)
		} else {
			others = append(others, pattern)
		}
	}
	for i, of := range [][]string{others, known} {
		if len(of) > 0 {
			w.add(code, format, slices.Concat([]any{quotedList(of)}, args)...)
			w.found[len(w.found)-1].Acknowledged = i == 1
		}
	}
}

func (w *review) add(code, format string, args ...any) {
	w.found = append(w.found, finding.Warn(code, "Routes", format, args...))
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

// isPlaced reports whether the version is read from the path or the namespace of a route.
func (w *review) isPlaced(r *route.Route) bool {
	return w.api.hasPlaceInPath(r) || w.api.byNamespace && len(r.Namespaces()) > 0
}

// acknowledge marks the findings that are acknowledged. Once the routes are known, it
// adds a finding for each acknowledged code that no finding has.
func (w *review) acknowledge() {
	_, alone := w.routes.router.(noRouter)
	routeless := alone && len(w.routes.order) == 0
	for _, code := range w.api.config.Acknowledged {
		isKnown := routeless || slices.Contains(foundByRequests, code) || slices.Contains(w.used, code)
		for i := range w.found {
			if w.found[i].Code == code {
				w.found[i].Acknowledged, isKnown = true, true
			}
		}
		if !isKnown {
			w.found = append(w.found, finding.Warn("accepted_unknown", "Acknowledged",
				"no finding has the code %q: remove it, or correct it", code))
		}
	}
}

// foundByRequests are the codes of warnings that a request may cause where no rule finds them.
var foundByRequests = []string{"no_place_for_version", "at_least_unknown", "preflight_unanswered", "before_router",
	"middleware_apart", "no_method", "route_without_param", "rewritten_passed_on", errorsNotRewritten, filesChecked}
