package verso

import (
	"slices"

	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/text"
	"github.com/goverso/verso/core/mediatype"
)

// ServedVersions is what a source may know of the service: the versions that it serves
// and the media types that it produces, at the time of the request. It is immutable and
// safe for concurrent use.
type ServedVersions struct {
	set           *versionSet
	contradictory bool            // contradictions within one place are rejected
	hidden        []bool          // by slot: the version is not known now; nil: all are
	shown         int             // how many are known now
	agree         *ServedVersions // the same, with contradictory
	ended         *ServedVersions // the versions that have ended, which are hidden in rank; nil: there are none
}

// versionSet is the part that does not depend on time.
type versionSet struct {
	known       []string // in order, the oldest first; the default, if it is not listed, last
	any         bool     // every version is served
	dotless     bool     // a dot at the end of a host is ignored
	negotiator  *mediatype.Negotiator
	defaultSlot int // of the default version among the known ones, -1: there is none
	ranks       []int
	byRank      []int          // slots, the newest version first
	byLowerCase map[string]int // slots
	longest     int            // bytes of a version

	all    []*servedVersion // by slot: known, and then the default version if every version is served
	none   *servedVersion   // of requests without a version, in the last slot
	byText map[string]*servedVersion
	byLast [256]*servedVersion // by the last byte, &ambiguous for several; nil: none
}

// servedVersion is a version that requests can have.
type servedVersion struct {
	version Version
	text    string
	slot    int // its position among all, -1: a version that is not known, where every version is served
	index   int // in the catalogue, -1: it has none
	preview bool
}

// ambiguous represents versions that end in the same byte.
var ambiguous servedVersion

func newVersionSet(c *Config, versions *catalogue.Catalogue) (*versionSet, error) {
	negotiator, err := mediatype.NewNegotiator(c.Produces...)
	if err != nil {
		return nil, err
	}
	s := &versionSet{
		known: c.knownVersions(), any: c.allowsAny(), dotless: len(c.Strict.AllowedHosts) > 0, negotiator: negotiator, defaultSlot: -1,
		byLowerCase: make(map[string]int), byText: make(map[string]*servedVersion),
	}
	for slot, version := range s.known {
		s.longest = max(s.longest, len(version))
		s.byLowerCase[string(text.AppendLower(nil, version))] = slot
		if c.DefaultVersion.Is(version) {
			s.defaultSlot = slot
		}
		s.add(version, versions)
	}
	if d := c.DefaultVersion; s.any && !d.IsNone() {
		s.add(d.String(), nil)
	}
	s.none = &servedVersion{slot: len(s.all), index: -1}
	s.rank(len(c.listed()), c.isPreview)
	return s, nil
}

// rank orders the versions for negotiation: the newest first, then previews, and
// last a default that is not in the list.
func (s *versionSet) rank(listed int, isPreview func(Version) bool) {
	group := func(slot int) int {
		switch {
		case slot >= listed:
			return 2
		case isPreview(s.all[slot].version):
			return 1
		}
		return 0
	}
	for slot := range slices.Backward(s.known) {
		s.byRank = append(s.byRank, slot)
	}
	slices.SortStableFunc(s.byRank, func(a, b int) int { return group(a) - group(b) })
	s.ranks = make([]int, len(s.known))
	for rank, slot := range s.byRank {
		s.ranks[slot] = rank
	}
}

// add makes a version known.
func (s *versionSet) add(text string, versions *catalogue.Catalogue) {
	version := &servedVersion{version: V(text), text: text, slot: len(s.all), index: -1}
	if versions != nil {
		if index, ok := versions.Index(text); ok {
			version.index, version.preview = index, versions.Entry(index).Preview
		}
	}
	s.all, s.byText[text] = append(s.all, version), version
	if text == "" {
		return
	}
	if last := &s.byLast[text[len(text)-1]]; *last == nil {
		*last = version
	} else {
		*last = &ambiguous
	}
}

// servedAt returns what is served at a moment: all, without a catalogue.
func (s *versionSet) servedAt(moment *catalogue.Moment, contradictory bool) *ServedVersions {
	served := &ServedVersions{set: s, contradictory: contradictory, shown: len(s.known)}
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
func (s *ServedVersions) hide(moment catalogue.Moment) {
	unreleased, past := make([]bool, len(s.set.all)), make([]bool, len(s.set.all))
	ended := 0
	for slot, version := range s.set.all {
		state := moment.State(version.index)
		unreleased[slot] = state == catalogue.Unreleased
		past[slot] = state != catalogue.Ended
		if state == catalogue.Ended {
			ended++
		}
		if state == catalogue.Unreleased || state == catalogue.Ended {
			s.shown--
		}
	}
	s.hidden = unreleased
	if ended > 0 {
		s.ended = &ServedVersions{set: s.set, hidden: past, shown: ended}
	}
}

// lookup returns the known version of a text, nil if there is none.
func (s *ServedVersions) lookup(text string) *servedVersion {
	version := s.set.lookup(text)
	if version != nil && !s.has(version) {
		return nil
	}
	return version
}

// found returns the known version of a reading, nil if there is none.
func (s *ServedVersions) found(reading *Reading) *servedVersion {
	if version := reading.version; version != nil && version.text == reading.Text {
		return version
	}
	return s.lookup(reading.Text)
}

// has reports whether one of all versions is known now.
func (s *ServedVersions) has(version *servedVersion) bool {
	return s.hidden == nil || version.slot >= len(s.hidden) || !s.hidden[version.slot]
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
func (s *ServedVersions) Find(text string) (reading Reading, ok bool) {
	version := s.lookup(text)
	return Reading{Outcome: Found, Text: text, version: version}, version != nil || s.set.any
}

// Versions returns the versions that are known over time in order, the oldest
// first. It is empty when every version is served. Callers must not modify it.
func (s *ServedVersions) Versions() []string { return s.set.known }

// RefusesContradictions reports whether a source must look for contradictions within
// its place, such as a query parameter with two values, and return [Contradicting] for
// them.
func (s *ServedVersions) RefusesContradictions() bool { return s.contradictory }

// Negotiator returns the negotiator among the media types that the service
// produces.
func (s *ServedVersions) Negotiator() *mediatype.Negotiator { return s.set.negotiator }

// Rank returns the position of a version among those that clients can ask for, the
// newest first, ignoring the case of ASCII letters. With [ServedVersions.Len] it makes ServedVersions
// the [mediatype.Versions] of a vendor media type.
func (s *ServedVersions) Rank(version string) (rank int, ok bool) {
	if len(version) > s.set.longest {
		return 0, false
	}
	var buffer [64]byte
	slot, ok := s.set.byLowerCase[string(text.AppendLower(buffer[:0], version))]
	if !ok || s.hides(slot) {
		return 0, false
	}
	return s.set.ranks[slot], true
}

// hides reports whether a version has no rank now.
func (s *ServedVersions) hides(slot int) bool {
	return s.hidden != nil && (s.hidden[slot] || s.ended != nil && !s.ended.hidden[slot])
}

// Len returns how many versions have a rank now.
func (s *ServedVersions) Len() int { return s.shown }

// atRank returns the version of a rank.
func (s *ServedVersions) atRank(rank int) *servedVersion { return s.set.all[s.set.byRank[rank]] }

// defaultRank returns the rank of the default version, or -1.
func (s *ServedVersions) defaultRank() int {
	if slot := s.set.defaultSlot; slot >= 0 && !s.hides(slot) {
		return s.set.ranks[slot]
	}
	return -1
}
