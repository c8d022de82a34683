package catalogue

// Outcome is what happens to a request for a version of the catalogue.
type Outcome uint8

// The outcomes, in order of precedence: if several hold, the first one applies.
const (
	Unknown         Outcome = iota // not released: rejected like an unsupported version
	VersionGone                    // ended, and no other version answers for it: 410
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

// Decision says how a request for a version is answered.
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

// Decide returns how a request for a version is answered at a moment. It does not
// allocate.
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

// Keep is like Decide, but ignores sunsets and brownouts: the version asked for
// answers if it is released and has the route. It does not allocate.
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
