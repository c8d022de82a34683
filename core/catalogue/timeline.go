package catalogue

import (
	"slices"
	"sort"
	"time"

	"github.com/goverso/verso/core/internal/codes"
)

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
func (s State) String() string { return states[min(s, Ended+1)] }

var states = [...]string{"", "unreleased", "supported", "deprecated", "ended", ""}

// Moment is a catalogue at one reading of the clock. A request uses a single Moment,
// so that its decision, its fields and its handler agree. The methods do not
// allocate. The zero Moment belongs to no catalogue and must not be used.
type Moment struct {
	timeline *timeline
	second   int64
	stage    int
}

// Second returns m in seconds since 1970-01-01T00:00:00Z.
func (m Moment) Second() int64 { return m.second }

// State returns the state of a version.
func (m Moment) State(index int) State { return m.timeline.versions[index].state(m.second) }

// Listed reports whether a version is in the lists: it is released, before its
// sunset, and not a preview. What happens after the sunset does not matter.
func (m Moment) Listed(index int) bool { return m.timeline.versions[index].listed(m.second) }

// Brownout returns the status of the brownout that a version is in. retryAfter is
// the number of seconds until the brownout is over, for Retry-After (RFC 9110,
// section 10.2.3): at least 1, or 0 when the version ends with the brownout.
func (m Moment) Brownout(index int) (status int, retryAfter int64, ok bool) {
	v := &m.timeline.versions[index]
	next := sort.Search(len(v.runs), func(i int) bool { return v.runs[i].until > m.second })
	if next == len(v.runs) || m.second < v.runs[next].from {
		return 0, 0, false
	}
	current := v.runs[next]
	if current.until == v.ended {
		return current.status, 0, true
	}
	return current.status, current.until - m.second, true
}

// Forward returns the version that answers for a version that ended with
// [FallForward]: the oldest listed version after it in the catalogue. ok is false
// when there is no such version.
func (m Moment) Forward(index int) (forward int, ok bool) {
	return m.after(index, func(v *version) bool { return v.listed(m.second) })
}

// Next returns the oldest served version after a version: one that is released, has
// not ended and is not a preview. ok is false when there is no such version.
func (m Moment) Next(index int) (next int, ok bool) {
	return m.after(index, func(v *version) bool { return !v.preview && v.alive(m.second) })
}

// after returns the oldest fitting version after a version.
func (m Moment) after(index int, fits func(v *version) bool) (after int, ok bool) {
	for after = index + 1; after < len(m.timeline.versions); after++ {
		if fits(&m.timeline.versions[after]) {
			return after, true
		}
	}
	return -1, false
}

// Successor follows the chain of successors of a version and returns the first one
// that is released and has not ended, even if it is in a brownout. ok is false when
// there is no such version.
func (m Moment) Successor(index int) (successor int, ok bool) {
	versions := m.timeline.versions
	successor = versions[index].successor
	for successor >= 0 && !versions[successor].alive(m.second) {
		successor = versions[successor].successor
	}
	return successor, successor >= 0
}

// Stage returns the number of the stage of m, from 0. Within a stage, no version
// is released, deprecated or ended; only brownouts begin and end. So callers can
// precompute one value for each of the [Catalogue.Stages].
func (m Moment) Stage() int { return m.stage }

// Period is a period in which no version changes and no brownout begins or ends:
// a row of a timeline.
type Period struct {
	Moment // of each second of the period; only the seconds until the end of a brownout are those of the first
}

// From returns the first second of the period, the zero time for the first period.
func (e Period) From() time.Time { return timeOf(e.second) }

// timeline holds the versions in order, and the periods in which they do not change.
type timeline struct {
	versions []version
	names    []string
	index    map[string]int
	stages   []int64 // starts of the periods in which no version is released, deprecated or ended
	periods  []int64 // starts of the periods in which, besides, no brownout begins or ends
}

// newTimeline returns the timeline of versions.
func newTimeline(versions []version, index map[string]int) timeline {
	t := timeline{versions: versions, names: make([]string, len(versions)), index: index}
	var changes, edges []int64
	for i := range versions {
		v := &versions[i]
		t.names[i] = v.text
		changes = append(changes, v.released, v.deprecated, v.sunset)
		for _, r := range v.runs {
			edges = append(edges, r.from, r.until)
		}
	}
	t.stages = startsOf(changes)
	t.periods = startsOf(append(edges, t.stages...))
	return t
}

// serves reports whether a version is served that is not a preview.
func (t *timeline) serves(second int64) bool {
	return slices.ContainsFunc(t.versions, func(v version) bool { return !v.preview && v.alive(second) })
}

// version is a checked entry, with instants instead of dates and an index
// instead of a name.
type version struct {
	text      string
	preview   bool
	action    Action // "": like Serve, but not configured explicitly
	released  int64  // [always]: no date
	dates            // [never]: no date
	ended     int64  // the sunset if it ends the version, otherwise [never]
	successor int    // index, -1: none
	runs      []run  // in chronological order
	links     []string
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
func (v *version) alive(second int64) bool { return v.released <= second && second < v.ended }

// dates are a deprecation and a sunset, [never] where there is none.
type dates struct {
	deprecated, sunset int64
}

// join returns the earlier of each.
func (d dates) join(other dates) dates {
	return dates{min(d.deprecated, other.deprecated), min(d.sunset, other.sunset)}
}

func (d dates) none() bool { return d.deprecated == never && d.sunset == never }

// datesOf checks the dates of a version or a route.
func datesOf(m *mistakes, field string, deprecated, sunset time.Time) dates {
	d := dates{instant(m, field+"deprecated", deprecated, never), instant(m, field+"sunset", sunset, never)}
	if d.contradict() {
		m.add(field+"sunset", codes.SunsetBeforeDeprecation, dateText(d.deprecated))
	}
	return d
}

// contradict reports whether the sunset is before the deprecation.
func (d dates) contradict() bool { return d.deprecated != never && d.sunset < d.deprecated }
