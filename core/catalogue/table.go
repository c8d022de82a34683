package catalogue

import "strconv"

// Table decides how requests for a route are answered in each version. [Catalogue.Route] returns
// one; the zero Table is not valid. It is immutable and safe for concurrent use. Its methods do not allocate.
type Table struct {
	lists          []*Lists // by stage
	lifecycles     []lifecycle
	choices        []int // by version, -1: the version does not have the route
	own            lifecycle
	gone           int64 // the route's sunset if the AfterSunset of the catalogue ends versions, otherwise [never]
	successorLinks bool
}

// Has reports whether a version has the route.
func (t *Table) Has(index int) bool { return t.choices[index] >= 0 }

// Choice returns the position of the choice for a version in
// [RouteConfig].Choices: 0 when Choices is nil, -1 when the version does not have
// the route.
func (t *Table) Choice(index int) int { return t.choices[index] }

// Fields returns the fields Deprecation, Sunset and Link of responses to requests
// for a version, without empty ones: the dates and links of the version, joined
// with the route's if the version has the route. They do not change over time.
func (t *Table) Fields(index int) []Field { return t.lifecycles[index].fields }

// RouteFields returns the fields of the route alone, for requests without a
// version.
func (t *Table) RouteFields() []Field { return t.own.fields }

// Sunset returns the date in the Sunset field of a version in RFC 3339, or "" if
// there is no date.
func (t *Table) Sunset(index int) string { return t.lifecycles[index].sunset }

// RouteSunset returns the route's own sunset in RFC 3339, or "" if it has none.
func (t *Table) RouteSunset() string { return t.own.sunset }

// Gone reports whether the route is past its own sunset and the AfterSunset of the
// catalogue is [Gone] or [FallForward]. The route is then gone from every version.
func (t *Table) Gone(m Moment) bool { return m.second >= t.gone }

// NamesSuccessor reports whether responses to requests for a version may have a Link
// with the relation "successor-version": the configuration sets SuccessorLinks,
// the response has Deprecation or Sunset, and the route is not gone.
func (t *Table) NamesSuccessor(m Moment, index int) bool {
	return t.successorLinks && !t.lifecycles[index].dates.none() && !t.Gone(m)
}

// Lists returns the lists of the versions that have the route, for every response.
func (t *Table) Lists(m Moment) *Lists { return t.lists[m.stage] }

// Decide returns how a request for a version is answered at a moment. It does not
// allocate.
func (t *Table) Decide(m Moment, index int) Decision {
	v := &m.timeline.versions[index]
	d := Decision{State: v.state(m.second), Version: index, Fields: t.lifecycles[index].fields}
	switch d.State {
	case Unreleased:
		return Decision{Outcome: Unknown, State: Unreleased, Version: -1}
	case Ended:
		d.Version = -1
		if v.action == FallForward {
			d.Version, _ = m.Forward(index)
		}
		if d.Version < 0 {
			d.Outcome = VersionGone
			return d
		}
	}
	status, retryAfter, brownout := m.Brownout(d.Version)
	switch {
	case brownout:
		d.Outcome, d.Status, d.RetryAfter = VersionBrownout, status, retryAfter
		if m.second+retryAfter >= t.gone {
			d.RetryAfter = 0
		}
	case t.Gone(m):
		d.Outcome = RouteGone
		if !t.Has(index) {
			// The version never had the route, so its dates and the
			// route's may contradict each other.
			d.Fields = t.own.fields
		}
	case !t.Has(d.Version):
		d.Outcome = NotInVersion
	default:
		d.Outcome = Served
	}
	return d
}

// DecideExempt is like Decide, but ignores sunsets and brownouts: the version asked for
// answers if it is released and has the route. It does not allocate.
func (t *Table) DecideExempt(m Moment, index int) Decision {
	d := Decision{Outcome: Served, State: m.State(index), Version: index, Fields: t.lifecycles[index].fields}
	switch {
	case d.State == Unreleased:
		return Decision{Outcome: Unknown, State: Unreleased, Version: -1}
	case !t.Has(index):
		d.Outcome = NotInVersion
	}
	return d
}

// Outcome is what happens to a request for a version of the catalogue.
type Outcome uint8

// The outcomes, in order of precedence: if several hold, the first one applies.
const (
	Unknown         Outcome = iota // not released: rejected like an unsupported version
	VersionGone                    // ended, and no other version answers for it: 410
	VersionBrownout                // the version that would answer is in a brownout
	RouteGone                      // the route is past its own sunset: 410, see Table.Gone
	NotInVersion                   // the version that would answer does not have the route: 404 or 405
	Served                         // the version answers
)

// String returns "unknown", "version_gone", "version_brownout", "route_gone",
// "not_in_version" or "served".
func (o Outcome) String() string { return outcomes[min(o, Served)] }

var outcomes = [...]string{"unknown", "version_gone", "version_brownout", "route_gone", "not_in_version", "served"}

// Decision determines how a request for a version is answered.
type Decision struct {
	Outcome Outcome
	State   State // of the version asked for

	// Version is the index of the version that answers, or would answer: the
	// one asked for, or the one that it falls forward to. It is -1 for Unknown
	// and VersionGone.
	Version int

	// Status is the HTTP status for VersionBrownout, and 0 for other outcomes.
	Status int

	// RetryAfter is the number of seconds until the version answers again, for
	// Retry-After. 0: do not send the field. Only VersionBrownout has it.
	RetryAfter int64

	// Fields are Deprecation, Sunset and Link of the version asked for. The
	// response has them whatever the outcome. They are nil for Unknown.
	Fields []Field
}

// lifecycle is the dates and links of a version or a route, with their fields.
type lifecycle struct {
	dates  dates
	links  []string
	fields []Field
	sunset string
}

// ready returns l with its fields.
func (l lifecycle) ready() lifecycle {
	if l.dates.deprecated != never {
		l.fields = append(l.fields, newField(DeprecationField, "@"+strconv.FormatInt(l.dates.deprecated, 10)))
	}
	if l.dates.sunset != never {
		l.fields = append(l.fields, newField(SunsetField, timeOf(l.dates.sunset).Format(imfFixdate)))
		l.sunset = dateText(l.dates.sunset)
	}
	if len(l.links) > 0 {
		l.fields = append(l.fields, newField(LinkField, l.links...))
	}
	return l
}
