package catalogue

import "slices"

// State is the state of a version at a moment. A version has exactly one state.
// The zero State means no version.
type State uint8

// The states.
const (
	Unreleased State = iota + 1 // before its release: unknown to clients
	Supported                   // released and not deprecated
	Deprecated                  // deprecated, or past a sunset that does not end the version
	Ended                       // past a sunset that ends the version, see [Action]
)

// String returns "unreleased", "supported", "deprecated" or "ended", and "" for
// the zero State.
func (s State) String() string {
	switch s {
	case Unreleased:
		return "unreleased"
	case Supported:
		return "supported"
	case Deprecated:
		return "deprecated"
	case Ended:
		return "ended"
	default:
		return ""
	}
}

// Moment is a catalogue at one reading of the clock. A request uses a single Moment,
// so that its decision, its fields and its handler agree. The methods do not
// allocate. The zero Moment belongs to no catalogue and must not be used.
type Moment struct {
	catalogue *Catalogue
	second    int64
	stage     int
}

// Second returns m in seconds since 1970-01-01T00:00:00Z.
func (m Moment) Second() int64 { return m.second }

// State returns the state of a version.
func (m Moment) State(index int) State {
	return m.catalogue.versions[index].state(m.second)
}

// Listed reports whether a version is in the lists: it is released, before its
// sunset, and not a preview. What happens after the sunset does not matter.
func (m Moment) Listed(index int) bool {
	return m.catalogue.versions[index].listed(m.second)
}

// Brownout returns the status of the brownout that a version is in. retryAfter is
// the number of seconds until the brownout is over, for Retry-After (RFC 9110,
// section 10.2.3): at least 1, or 0 when the version ends with the brownout.
func (m Moment) Brownout(index int) (status int, retryAfter int64, ok bool) {
	v := &m.catalogue.versions[index]
	if len(v.runs) == 0 || m.second < v.runs[0].from || v.runs[len(v.runs)-1].until <= m.second {
		return 0, 0, false
	}
	next, _ := slices.BinarySearchFunc(v.runs, m.second, func(r run, second int64) int {
		if r.until <= second {
			return -1
		}
		return 1
	})
	current := v.runs[next]
	if m.second < current.from {
		return 0, 0, false
	}
	if current.until == v.ended {
		return current.status, 0, true
	}
	return current.status, current.until - m.second, true
}

// Forward returns the version that answers for a version that ended with
// [FallForward]: the oldest listed version after it in the catalogue. ok is false
// when there is no such version.
func (m Moment) Forward(index int) (forward int, ok bool) {
	for forward = index + 1; forward < len(m.catalogue.versions); forward++ {
		if m.Listed(forward) {
			return forward, true
		}
	}
	return -1, false
}

// Next returns the oldest served version after a version: one that is released, has
// not ended and is not a preview. ok is false when there is no such version.
func (m Moment) Next(index int) (next int, ok bool) {
	versions := m.catalogue.versions
	for next = index + 1; next < len(versions); next++ {
		if v := &versions[next]; !v.preview && v.alive(m.second) {
			return next, true
		}
	}
	return -1, false
}

// Successor follows the chain of successors of a version and returns the first one
// that is released and has not ended, even if it is in a brownout. ok is false when
// there is no such version.
func (m Moment) Successor(index int) (successor int, ok bool) {
	versions := m.catalogue.versions
	successor = versions[index].successor
	for successor >= 0 && !versions[successor].alive(m.second) {
		successor = versions[successor].successor
	}
	return successor, successor >= 0
}

// Stage returns the number of the stage of m, from 0. Within a stage, no version
// is released, deprecated or ended; only brownouts begin and end. So callers can
// precompute one value for each of the [Catalogue.Stages].
func (m Moment) Stage() int {
	return m.stage
}

// Stages returns the number of stages of the catalogue, at least 1.
func (c *Catalogue) Stages() int {
	return len(c.changes) + 1
}

// stageStart returns the first second of a stage, [always] for the first stage.
func (c *Catalogue) stageStart(stage int) int64 {
	if stage == 0 {
		return always
	}
	return c.changes[stage-1]
}

// state returns the state at a second.
func (v *version) state(second int64) State {
	switch {
	case second < v.released:
		return Unreleased
	case second >= v.ended:
		return Ended
	case second >= v.deprecated || second >= v.sunset:
		return Deprecated
	default:
		return Supported
	}
}

// listed reports whether the version is in the lists: see [Moment.Listed].
func (v *version) listed(second int64) bool {
	return !v.preview && v.released <= second && second < v.sunset
}

// alive reports whether the version is released and has not ended.
func (v *version) alive(second int64) bool {
	return v.released <= second && second < v.ended
}
