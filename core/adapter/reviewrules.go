package adapter

import (
	"slices"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/internal/finding"
)

// rules are what a review looks for, in the order of the findings. A rule adds at most a
// few findings, each for all routes that have the mistake.
var rules = []func(*review){
	(*review).catalogue,
	(*review).client,
	(*review).errorsNotRewritten,
	(*review).notRewritten,
	(*review).rewriters,
	(*review).unchecked,
	(*review).files,
	(*review).order,
	(*review).stored,
	(*review).inNoVersion,
	(*review).paramNotRead,
	(*review).versionInPath,
	(*review).unplaced,
	(*review).defaultUnused,
	(*review).unused,
	(*review).heads,
	(*review).neighbours,
	(*review).prefixes,
	(*review).unlinked,
	(*review).hosts,
	(*review).acknowledge, // last: it marks what the rules before it have found
}

// findingsOf returns the possible mistakes in what x explains. Those that are acknowledged
// are marked.
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
	for _, rule := range rules {
		rule(w)
	}
	return w.found
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

// foundByRequests are the codes of findings that only a request causes.
var foundByRequests = []string{"no_place_for_version", "at_least_unknown", "before_router", filesChecked}
