package adapter

import (
	"slices"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/internal/codes"
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

// find adds a finding for the routes that have a mistake: see addFor.
func (w *review) find(row codes.Row, routes []*route.Route, has func(r *route.Route) bool, args ...any) {
	var patterns []string
	for _, r := range routes {
		if has(r) {
			patterns = append(patterns, r.Pattern.String())
		}
	}
	w.addFor(patterns, row, args...)
}

// addFor adds a finding for the routes that have a mistake, if there are any. They are
// the first argument of the row.
func (w *review) addFor(routes []string, row codes.Row, args ...any) {
	var known, others []string
	for _, pattern := range routes {
		if entry := row.Code + " " + pattern; slices.Contains(w.api.config.Acknowledged, entry) {
			known, w.used = append(known, pattern), append(w.used, entry)
		} else {
			others = append(others, pattern)
		}
	}
	for i, of := range [][]string{others, known} {
		if len(of) > 0 {
			of = unique(of)
			list := quotedList(of)
			if len(of) > 1 && strings.HasPrefix(row.Says, "%s") { // the subject, with a verb in the singular
				list = "each of " + list
			}
			w.add(row, slices.Concat([]any{list}, args)...)
			w.found[len(w.found)-1].Acknowledged = i == 1
		}
	}
}

func (w *review) add(row codes.Row, args ...any) { w.found = append(w.found, finding.Of(row, args...)) }

// withoutPlace describes how a request is answered if its route has no place for a
// version.
func (w *review) withoutPlace(outcome source.ReadingOutcome) string {
	version, err := w.api.versionFor(&source.Reading{Outcome: outcome}, w.api.Served)
	if err != nil {
		return "rejected with " + describe(nil, err)
	}
	return describe(version, nil)
}

// isPlaced reports whether the version is read from the path or the namespace of a route.
func (w *review) isPlaced(r *route.Route) bool {
	return w.api.hasPlaceInPath(r) || w.api.byNamespace && len(r.Namespaces()) > 0
}
