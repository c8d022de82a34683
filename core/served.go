package verso

import (
	"slices"

	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/text"
	"github.com/goverso/verso/core/mediatype"
)

// Served is what a source may know of the service: the versions that it serves and the
// media types that it produces, at the time of the request. It is immutable and safe
// for concurrent use.
type Served struct {
	set           *versionSet
	contradictory bool    // contradictions within one place are rejected
	hidden        []bool  // by index: the version is not known now; nil: all are
	shown         int     // how many are known now
	agree         *Served // the same, with contradictory
	ended         *Served // the versions that have ended, which are hidden in rank; nil: there are none
}

// versionSet is what stays the same over time.
type versionSet struct {
	known       []string // in order, the oldest first; the default, if it is not listed, last
	any         bool     // every version is served
	dotless     bool     // a dot at the end of a host does not count
	negotiator  *mediatype.Negotiator
	defaultOne  int // index of the default version, -1: there is none
	ranks       []int
	byRank      []int          // indexes, the newest version first
	byLowerCase map[string]int // indexes
	longest     int            // bytes of a version

	byIndex []*servedVersion
	byText  map[string]*servedVersion
	byLast  [256]*servedVersion // by the last byte, &ambiguous for several; nil: none
}

// servedVersion is a known version, and what requests for it keep.
type servedVersion struct {
	text    string
	index   int      // -1: a default version where every version is served
	results []Result // by part
}

// ambiguous stands for versions that end in the same byte.
var ambiguous servedVersion

func newVersionSet(c *Config) (*versionSet, error) {
	negotiator, err := mediatype.NewNegotiator(c.Produces...)
	if err != nil {
		return nil, err
	}
	s := &versionSet{
		known:       c.knownVersions(),
		any:         c.allowsAny(),
		dotless:     len(c.Strict.AllowedHosts) > 0,
		negotiator:  negotiator,
		defaultOne:  -1,
		byLowerCase: make(map[string]int),
	}
	for index, version := range s.known {
		s.longest = max(s.longest, len(version))
		s.byLowerCase[string(text.AppendLower(nil, version))] = index
		if !c.DefaultVersion.IsNone() && version == c.DefaultVersion.String() {
			s.defaultOne = index
		}
	}
	s.rank(c)
	return s, nil
}

// rank orders the versions for negotiation: the newest first, then previews, and
// last a default that is not in the list.
func (s *versionSet) rank(c *Config) {
	listed := len(c.listed())
	group := func(index int) int {
		switch {
		case index >= listed:
			return 2
		case c.Catalogue != nil && c.Catalogue.Entry(index).Preview:
			return 1
		}
		return 0
	}
	for index := range slices.Backward(s.known) {
		s.byRank = append(s.byRank, index)
	}
	slices.SortStableFunc(s.byRank, func(a, b int) int { return group(a) - group(b) })
	s.ranks = make([]int, len(s.known))
	for rank, index := range s.byRank {
		s.ranks[index] = rank
	}
}

// connectedTo returns the set with results that lead back to b.
func (s *versionSet) connectedTo(b *Binding) *versionSet {
	connected := *s
	connected.byIndex, connected.byText = nil, make(map[string]*servedVersion)
	add := func(text string, index int) *servedVersion {
		version := &servedVersion{text, index, b.resultsOf(V(text), index)}
		connected.byText[text] = version
		if text == "" {
			return version
		}
		if last := &connected.byLast[text[len(text)-1]]; *last == nil {
			*last = version
		} else {
			*last = &ambiguous
		}
		return version
	}
	for index, text := range s.known {
		connected.byIndex = append(connected.byIndex, add(text, index))
	}
	if d := b.api.config.DefaultVersion; s.any && !d.IsNone() {
		add(d.String(), -1)
	}
	return &connected
}

// servedAt returns what is served at a moment: all, without a catalogue.
func (s *versionSet) servedAt(moment *catalogue.Moment, contradictory bool) *Served {
	served := &Served{set: s, contradictory: contradictory, shown: len(s.known)}
	if moment != nil {
		served.hide(*moment)
	}
	strict := *served
	strict.contradictory = true
	strict.agree = &strict
	served.agree = &strict
	return served
}

// hide hides the versions that are not released yet from all look-ups, and moves those
// that have ended to ranks of their own.
func (s *Served) hide(moment catalogue.Moment) {
	unreleased, past := make([]bool, len(s.set.known)), make([]bool, len(s.set.known))
	ended := 0
	for index := range s.set.known {
		state := moment.State(index)
		unreleased[index] = state == catalogue.Unreleased
		past[index] = state != catalogue.Ended
		if state == catalogue.Ended {
			ended++
		}
		if state == catalogue.Unreleased || state == catalogue.Ended {
			s.shown--
		}
	}
	s.hidden = unreleased
	if ended > 0 {
		s.ended = &Served{set: s.set, hidden: past, shown: ended}
	}
}

// lookup returns the known version of a text, nil if there is none.
func (s *Served) lookup(text string) *servedVersion {
	version := s.set.lookup(text)
	if version != nil && s.hidden != nil && version.index >= 0 && s.hidden[version.index] {
		return nil
	}
	return version
}

// found returns the known version of a reading, nil if there is none.
func (s *Served) found(reading *Reading) *servedVersion {
	if version := reading.served; version != nil && version.text == reading.Text {
		return version
	}
	return s.lookup(reading.Text)
}

// has reports whether the version of a result is known now.
func (s *Served) has(result *Result) bool {
	return s.hidden == nil || result.index < 0 || !s.hidden[result.index]
}

func (s *versionSet) lookup(text string) *servedVersion {
	if text == "" {
		return s.byText[text]
	}
	version := s.byLast[text[len(text)-1]]
	if version == nil || version.text == text {
		return version
	}
	if version == &ambiguous {
		return s.byText[text]
	}
	return nil
}

// Find returns the reading of a version, and whether the version is served. For a
// source that needs to know, it saves a second look-up.
func (s *Served) Find(text string) (reading Reading, ok bool) {
	version := s.lookup(text)
	return Reading{Outcome: Found, Text: text, served: version}, version != nil || s.set.any
}

// Versions returns the versions that are known over time in order, the oldest
// first. It is empty when every version is served. Callers must not modify it.
func (s *Served) Versions() []string { return s.set.known }

// RefusesContradictions reports whether a source must look for contradictions within
// its place, such as a query parameter with two values, and return [Contradicting] for
// them.
func (s *Served) RefusesContradictions() bool { return s.contradictory }

// Negotiator returns the negotiator among the media types that the service
// produces.
func (s *Served) Negotiator() *mediatype.Negotiator { return s.set.negotiator }

// Rank returns the position of a version among those that clients can ask for, the
// newest first, ignoring the case of ASCII letters. With [Served.Len] it makes Served
// the [mediatype.Versions] of a vendor media type.
func (s *Served) Rank(version string) (rank int, ok bool) {
	if len(version) > s.set.longest {
		return 0, false
	}
	var buffer [64]byte
	index, ok := s.set.byLowerCase[string(text.AppendLower(buffer[:0], version))]
	if !ok || s.hides(index) {
		return 0, false
	}
	return s.set.ranks[index], true
}

// hides reports whether a version has no rank now.
func (s *Served) hides(index int) bool {
	return s.hidden != nil && (s.hidden[index] || s.ended != nil && !s.ended.hidden[index])
}

// Len returns how many versions have a rank now.
func (s *Served) Len() int { return s.shown }

// atRank returns the version of a rank.
func (s *Served) atRank(rank int) *servedVersion { return s.set.byIndex[s.set.byRank[rank]] }

// defaultRank returns the rank of the default version, -1 for none.
func (s *Served) defaultRank() int {
	if index := s.set.defaultOne; index >= 0 && !s.hides(index) {
		return s.set.ranks[index]
	}
	return -1
}
