package catalogue

import "slices"

// Table decides how requests for a route are answered in each version. It is
// immutable and safe for concurrent use. Its methods do not allocate.
type Table struct {
	catalogue  *Catalogue
	lists      []*Lists // by stage
	lifecycles []lifecycle
	choices    []int // by version, -1: the version does not have the route
	own        lifecycle
	gone       int64 // the route's sunset if the AfterSunset of the catalogue ends versions, otherwise [never]
}

// Has reports whether a version has the route.
func (t *Table) Has(index int) bool {
	return t.choices[index] >= 0
}

// Choice returns the position of the choice for a version in
// [RouteConfig].Choices: 0 when Choices is nil, -1 when the version does not have
// the route.
func (t *Table) Choice(index int) int {
	return t.choices[index]
}

// Fields returns the fields Deprecation, Sunset and Link of responses to requests
// for a version, without empty ones: the dates and links of the version, joined
// with the route's if the version has the route. They do not change over time.
func (t *Table) Fields(index int) []Field {
	return t.lifecycles[index].fields
}

// RouteFields returns the fields of the route alone, for requests without a
// version.
func (t *Table) RouteFields() []Field {
	return t.own.fields
}

// Sunset returns the date in the Sunset field of a version in RFC 3339, or "" if
// there is no date.
func (t *Table) Sunset(index int) string {
	return t.lifecycles[index].sunset
}

// RouteSunset returns the route's own sunset in RFC 3339, or "" if it has none.
func (t *Table) RouteSunset() string {
	return t.own.sunset
}

// Gone reports whether the route is past its own sunset and the AfterSunset of the
// catalogue is [Gone] or [FallForward]. The route is then gone from every version.
func (t *Table) Gone(m Moment) bool {
	return m.second >= t.gone
}

// NamesSuccessor reports whether responses to requests for a version may have a Link
// with the relation "successor-version": the configuration sets SuccessorLinks,
// the response has Deprecation or Sunset, and the route is not gone.
func (t *Table) NamesSuccessor(m Moment, index int) bool {
	return t.catalogue.config.SuccessorLinks && !t.lifecycles[index].dates.none() && !t.Gone(m)
}

// newTable computes a table. Routes without dates and links share the lifecycles
// of the first table, that of the catalogue.
func (c *Catalogue) newTable(own lifecycle, choices []int) *Table {
	t := &Table{catalogue: c, lists: c.listsOf(choices), choices: choices, own: own.ready(), gone: never}
	if c.config.AfterSunset.ends() {
		t.gone = own.dates.sunset
	}
	if c.table != nil && own.isZero() {
		t.lifecycles = c.table.lifecycles
		return t
	}
	for i := range c.versions {
		v := &c.versions[i]
		l := lifecycle{dates: dates{v.deprecated, v.sunset}, links: v.links}
		if t.Has(i) {
			l.dates = l.dates.join(own.dates)
			l.links = slices.Concat(own.links, v.links)
		}
		t.lifecycles = append(t.lifecycles, l.ready())
	}
	return t
}
