package catalogue

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/goverso/verso/core/internal/codes"
)

// RouteConfig sets which versions have a route, and which dates and links the route adds
// to those of the versions. The zero RouteConfig is a route that every version has.
type RouteConfig struct {
	Since     string // Optional. The first version that has the route. "": the first of all.
	RemovedIn string // Optional. The first version that no longer has the route. "": no version.

	// Choices are the alternatives of the route, each from its version on, in any order.
	// Optional. nil: one choice for all versions. The route is in the versions that have
	// a choice and are between Since and RemovedIn.
	Choices []Choice

	Deprecated time.Time // Optional. The earlier of this date and the version's applies.
	Sunset     time.Time // Optional. The earlier of this date and the version's applies.
	Links      []Link    // Optional. They are sent before the version's links.
}

// Choice applies from a version on, until the next choice.
type Choice struct {
	From    string // Required. A version of the catalogue.
	Removed bool   // the versions do not have the route
}

// field is how mistakes name the choice.
func (c Choice) field() string { return "choices[" + quote(c.From) + "]" }

// check finds the mistakes of a route of the versions, and returns its own lifecycle
// and the position of the choice for each version, -1 for a version without the route.
func (r RouteConfig) check(m *mistakes, t *timeline) (own lifecycle, choices []int) {
	own, choices = r.own(m), r.choose(m, t)
	if !own.dates.contradict() {
		t.checkDates(m, own.dates, choices)
	}
	return own, choices
}

// own checks the dates and links of the route itself, and returns them.
func (r RouteConfig) own(m *mistakes) lifecycle {
	return lifecycle{dates: datesOf(m, "", r.Deprecated, r.Sunset), links: linkLines(m, "links", r.Links)}
}

// choose checks which versions have the route, and returns the choice for each.
func (r RouteConfig) choose(m *mistakes, t *timeline) []int {
	before := len(*m)
	since, removed := 0, len(t.names)
	if r.Since != "" {
		since = t.bound(m, "since", r.Since, codes.SinceUnknown, since)
	}
	if r.RemovedIn != "" {
		removed = t.bound(m, "removed_in", r.RemovedIn, codes.RemovedUnknown, removed)
	}
	choices := r.dispatch(m, t)
	for i := range choices {
		if i < since || i >= removed {
			choices[i] = -1
		}
	}
	switch {
	case len(*m) > before:
	case slices.Max(choices) < 0:
		m.add("", codes.RangeEmpty, orNone(r.Since), orNone(r.RemovedIn))
	default:
		for position, choice := range r.Choices {
			if !choice.Removed && !slices.Contains(choices, position) {
				m.add(choice.field(), codes.ChoiceUnused, quote(choice.From), orNone(r.Since), orNone(r.RemovedIn))
			}
		}
	}
	return choices
}

// dispatch returns the choice for each version, regardless of Since and RemovedIn.
func (r RouteConfig) dispatch(m *mistakes, t *timeline) []int {
	choices := make([]int, len(t.names))
	if r.Choices == nil {
		return choices
	}
	before := len(*m)
	starts := make(map[int]int, len(r.Choices)) // index of a version -> position
	for position, choice := range r.Choices {
		unknown := codes.SinceUnknown
		if choice.Removed {
			unknown = codes.RemovedUnknown
		}
		starts[t.bound(m, choice.field(), choice.From, unknown, -1)] = position
	}

	current, answered := -1, false
	for i := range choices {
		if position, begins := starts[i]; begins {
			current = position
			if r.Choices[position].Removed {
				current = -1
			}
			if current < 0 && !answered && len(*m) == before {
				m.add(r.Choices[position].field(), codes.DispatchBegins, quote(t.names[i]))
			}
			answered = answered || current >= 0
		}
		choices[i] = current
	}
	if len(r.Choices) == 0 {
		m.add("choices", codes.DispatchEmpty)
	}
	return choices
}

// bound returns the index of a version, or other when the version is unknown.
func (t *timeline) bound(m *mistakes, field, version string, unknown codes.Row, other int) int {
	if index, ok := t.index[version]; ok {
		return index
	}
	m.add(field, unknown, quote(version), strings.Join(t.names[max(0, len(t.names)-10):], ", "))
	return other
}

// checkDates checks the dates of a route together with those of its versions.
func (t *timeline) checkDates(m *mistakes, own dates, choices []int) {
	var wrong []string
	for i := range t.versions {
		v := &t.versions[i]
		if choices[i] >= 0 && own.join(v.dates).contradict() {
			wrong = append(wrong, quote(v.text))
		}
	}
	if len(wrong) > 0 {
		m.add("sunset", codes.RouteSunsetBefore, strings.Join(wrong, ", "))
	}
}

func orNone(version string) string { return cmp.Or(version, "none") }
