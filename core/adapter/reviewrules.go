package adapter

import (
	"slices"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/internal/finding"
)

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
	w.heads()
	w.neighbours()
	w.prefixes()
	w.unlinked()
	w.hosts()
	w.acknowledge() // last: it marks what the others have found
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
