package catalogue

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// RouteConfig says which versions have a route, and which dates and links the route
// adds to theirs. The zero RouteConfig is a route that every version has.
type RouteConfig struct {
	Since     string // Optional. The first version that has the route. "": the first of all.
	RemovedIn string // Optional. The first version that no longer has the route. "": no version.

	// Choices are the alternatives of the route, each from its version on, in any
	// order. Optional. nil: one choice for all versions. The route is in the
	// versions that have a choice and are between Since and RemovedIn.
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

// Route makes the table of a route. The error joins every mistake, each as an
// [*Error]. Make tables when routes are registered, not for each request.
func (c *Catalogue) Route(config RouteConfig) (*Table, error) {
	var m mistakes
	own := lifecycle{
		dates: dates{
			deprecated: m.instant("deprecated", config.Deprecated, never),
			sunset:     m.instant("sunset", config.Sunset, never),
		},
		links: m.links("links", config.Links),
	}
	choices := m.choices(c, config)
	m.joined(c, own.dates, choices)
	if err := m.err(); err != nil {
		return nil, err
	}
	return c.newTable(own, choices), nil
}

// choices checks which versions have a route, and returns the position of the
// choice for each version, -1 for a version without the route.
func (m *mistakes) choices(c *Catalogue, config RouteConfig) []int {
	before := len(m.errs)
	since, removed := 0, len(c.names)
	if config.Since != "" {
		since = m.bound(c, "since", config.Since, "since_unknown", since)
	}
	if config.RemovedIn != "" {
		removed = m.bound(c, "removed_in", config.RemovedIn, "removed_unknown", removed)
	}
	choices := m.dispatch(c, config.Choices)
	found := false
	for i := range choices {
		if i < since || i >= removed {
			choices[i] = -1
		}
		found = found || choices[i] >= 0
	}
	switch {
	case len(m.errs) > before:
	case !found:
		m.add("", "range_empty", "no version has the route, which is there since %s and removed in %s: change one of the bounds", orNone(config.Since), orNone(config.RemovedIn))
	default:
		for position, choice := range config.Choices {
			if !choice.Removed && !slices.Contains(choices, position) {
				m.add(fmt.Sprintf("choices[%d]", position), "choice_unused",
					"the choice from %s on applies to no version of the route, which is there since %s and removed in %s: remove the choice, or change the bound",
					quote(choice.From), orNone(config.Since), orNone(config.RemovedIn))
			}
		}
	}
	return choices
}

// dispatch returns the position of the choice for each version, -1 without one.
func (m *mistakes) dispatch(c *Catalogue, given []Choice) []int {
	choices := make([]int, len(c.names))
	if given == nil {
		return choices
	}
	before := len(m.errs)
	starts := make(map[int]int, len(given)) // index of a version -> position
	for position, choice := range given {
		field := fmt.Sprintf("choices[%d].from", position)
		unknown := "since_unknown"
		if choice.Removed {
			unknown = "removed_unknown"
		}
		from := m.bound(c, field, choice.From, unknown, -1)
		if first, twice := starts[from]; twice && from >= 0 {
			m.add(field, "dispatch_twice", "choices[%d] already begins with %s: remove one of them", first, quote(choice.From))
			continue
		}
		starts[from] = position
	}

	current, answered := -1, false
	for i := range choices {
		if position, begins := starts[i]; begins {
			current = position
			if given[position].Removed {
				current = -1
			}
			if current < 0 && !answered && len(m.errs) == before {
				m.add(fmt.Sprintf("choices[%d]", position), "dispatch_empty",
					"no choice applies before %s, so there is no route to remove: add a choice from an earlier version", quote(c.names[i]))
			}
			answered = answered || current >= 0
		}
		choices[i] = current
	}
	if len(given) == 0 {
		m.add("choices", "dispatch_empty", "the list of choices is empty: add one")
	}
	return choices
}

// bound returns the index of a version, or other when the version is unknown.
func (m *mistakes) bound(c *Catalogue, field, version, unknown string, other int) int {
	if index, ok := c.index[version]; ok {
		return index
	}
	m.add(field, unknown, "%s is not a listed version: write one of %s", quote(version), c.newest())
	return other
}

// newest lists the versions, at most the newest ten.
func (c *Catalogue) newest() string {
	const most = 10
	if len(c.names) <= most {
		return strings.Join(c.names, ", ")
	}
	return "…, " + strings.Join(c.names[len(c.names)-most:], ", ")
}

// joined checks the dates of a route, alone and together with those of its versions.
func (m *mistakes) joined(c *Catalogue, own dates, choices []int) {
	if own.contradict() {
		m.add("sunset", "sunset_before_deprecation", "the sunset is before the deprecation at %s: move one of them (RFC 9745, section 4)", dateText(own.deprecated))
		return
	}
	var wrong []string
	for i := range c.versions {
		v := &c.versions[i]
		if choices[i] >= 0 && own.join(dates{v.deprecated, v.sunset}).contradict() {
			wrong = append(wrong, quote(v.text))
		}
	}
	if len(wrong) > 0 {
		m.add("sunset", "sunset_before_deprecation",
			"the earliest sunset of the route and the version is before the earliest deprecation in %s: move one of them (RFC 9745, section 4)", strings.Join(wrong, ", "))
	}
}

func orNone(version string) string {
	return cmp.Or(version, "none")
}
