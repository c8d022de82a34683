package roster

import (
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/text"
)

// MaxNamed bounds how many versions a rejection names.
const MaxNamed = 100

// Versions is a [Set] at the time of a request. ServedVersions of package source is the same,
// with fewer methods: either converts to the other.
type Versions struct {
	set           *Set
	contradictory bool      // contradictions within one place are rejected
	hidden        []bool    // by slot: the version is not known now; nil: all are
	shown         int       // how many are known now
	agree         *Versions // the same, with contradictory
	ended         *Versions // the versions that have ended, which are hidden in rank; nil: there are none
}

// At returns what is served at a moment: all, without a catalogue.
func (s *Set) At(moment *catalogue.Moment, contradictory bool) *Versions {
	served := &Versions{set: s, contradictory: contradictory, shown: len(s.Known)}
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
func (s *Versions) hide(moment catalogue.Moment) {
	unreleased, past := make([]bool, len(s.set.All)), make([]bool, len(s.set.All))
	ended := 0
	for slot, version := range s.set.All {
		state := moment.State(version.Index)
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
		s.ended = &Versions{set: s.set, hidden: past, shown: ended}
	}
}

// Set returns the part that does not depend on time.
func (s *Versions) Set() *Set { return s.set }

// Lookup returns the known version of a text, nil if there is none.
func (s *Versions) Lookup(text string) *Version {
	version := s.set.Lookup(text)
	if version != nil && !s.Has(version) {
		return nil
	}
	return version
}

// Serves reports whether a text is a served version.
func (s *Versions) Serves(text string) bool { return s.Lookup(text) != nil || s.set.Any }

// Has reports whether one of all versions is known now.
func (s *Versions) Has(version *Version) bool {
	return s.hidden == nil || version.Slot >= len(s.hidden) || !s.hidden[version.Slot]
}

// RefusesContradictions reports whether contradictions within one place are rejected.
func (s *Versions) RefusesContradictions() bool { return s.contradictory }

// Agreeing returns the same, with contradictions rejected.
func (s *Versions) Agreeing() *Versions { return s.agree }

// Ended returns the versions that have ended, nil if there are none.
func (s *Versions) Ended() *Versions { return s.ended }

// Rank returns the position of a version among those that clients can ask for.
func (s *Versions) Rank(version string) (rank int, ok bool) {
	if len(version) > s.set.longest {
		return 0, false
	}
	var buffer [64]byte
	known, ok := s.set.byLowerCase[string(text.AppendLower(buffer[:0], version))]
	if !ok || s.hides(known.Slot) {
		return 0, false
	}
	return known.rank, true
}

// hides reports whether a version has no rank now.
func (s *Versions) hides(slot int) bool {
	return s.hidden != nil && (s.hidden[slot] || s.ended != nil && !s.ended.hidden[slot])
}

// Len returns how many versions have a rank now.
func (s *Versions) Len() int { return s.shown }

// AtRank returns the version of a rank.
func (s *Versions) AtRank(rank int) *Version { return s.set.byRank[rank] }

// DefaultRank returns the rank of the default version, or -1.
func (s *Versions) DefaultRank() int {
	if s.set.byDefault != nil && !s.hides(s.set.byDefault.Slot) {
		return s.set.byDefault.rank
	}
	return -1
}
