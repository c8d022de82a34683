package catalogue

// Outcome is what happens to a request for a version of the catalogue.
type Outcome uint8

// The outcomes, in the order in which they are decided: of two that hold, the
// earlier one applies.
const (
	Unknown         Outcome = iota // not released: rejected like a text that is no version
	VersionGone                    // ended, and no version answers for it: 410
	VersionBrownout                // the version that would answer is in a brownout
	RouteGone                      // the route is past its own sunset: 410, see Table.Gone
	NotInVersion                   // the version that would answer does not have the route: 404, or 405 if the path has other methods in it
	Served                         // the version answers
)

// String returns "unknown", "version_gone", "version_brownout", "route_gone",
// "not_in_version" or "served".
func (o Outcome) String() string {
	switch o {
	case Unknown:
		return "unknown"
	case VersionGone:
		return "version_gone"
	case VersionBrownout:
		return "version_brownout"
	case RouteGone:
		return "route_gone"
	case NotInVersion:
		return "not_in_version"
	default:
		return "served"
	}
}

// Decision is what a request for a version gets.
type Decision struct {
	Outcome Outcome
	State   State // of the version asked for

	// Version is the index of the version that answers, or would: the one
	// asked for, or the one that it falls forward to. -1: Unknown and
	// VersionGone.
	Version int

	// Status is the HTTP status of VersionBrownout. 0: other outcomes.
	Status int

	// RetryAfter is the number of seconds until the version answers again, for
	// Retry-After. 0: do not send one. Only for VersionBrownout.
	RetryAfter int64

	// Fields are Deprecation, Sunset and Link of the version asked for, for
	// the response, whatever the outcome. nil: Unknown.
	Fields []Field
}

// Decide says what a request for a version gets at a moment. It does not allocate.
func (t *Table) Decide(m Moment, index int) Decision {
	v := &t.catalogue.versions[index]
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
			// What ended is the route, and its dates need not be in order
			// with those of a version that never had it.
			d.Fields = t.own.fields
		}
	case !t.Has(d.Version):
		d.Outcome = NotInVersion
	default:
		d.Outcome = Served
	}
	return d
}

// Keep is Decide for a request that no sunset and no brownout concerns: the version
// asked for answers once it is released, where it has the route. It does not
// allocate.
func (t *Table) Keep(m Moment, index int) Decision {
	d := Decision{Outcome: Served, State: m.State(index), Version: index, Fields: t.lifecycles[index].fields}
	switch {
	case d.State == Unreleased:
		return Decision{Outcome: Unknown, State: Unreleased, Version: -1}
	case !t.Has(index):
		d.Outcome = NotInVersion
	}
	return d
}
