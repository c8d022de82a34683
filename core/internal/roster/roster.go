// Package roster finds the versions of a service without allocations: for the sources, which
// read versions, and package adapter, which decides.
package roster

import (
	"slices"
	"time"

	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/text"
	"github.com/goverso/verso/core/mediatype"
)

// Version is a version that requests can have.
type Version struct {
	Text  string
	Slot  int  // its position among [Set.All], -1: an unknown version, where every version is served
	Index int  // in the catalogue, -1: it has none
	None  bool // there is no version

	Preview bool
}

// Config configures a [Set].
type Config struct {
	Known      []string // in order, the oldest first; the default, if it is not listed, last
	Listed     int      // how many of them are listed
	Any        bool     // every version is served
	Dotless    bool     // a dot at the end of a host is ignored
	Default    string   // the default version
	HasDefault bool
	Produces   []string
	Catalogue  *catalogue.Catalogue // nil: there is none
	Clock      func() time.Time
}

// Set is the part that does not depend on time. Its exported fields are not changed.
type Set struct {
	Config
	IsLower    bool // no version has a capital letter
	Negotiator *mediatype.Negotiator
	All        []*Version // by slot: known, and then the default version if every version is served
	None       *Version   // of requests without a version, in the last slot

	defaultSlot int // of the default version among the known ones, -1: there is none
	ranks       []int
	byRank      []int          // slots, the newest version first
	byLowerCase map[string]int // slots
	longest     int            // bytes of a version
	byText      map[string]*Version
	byLast      [256]*Version // by the last byte, &ambiguous for several; nil: none
}

// ambiguous represents versions that end in the same byte.
var ambiguous Version

// NewSet returns the set of a configuration.
func NewSet(c Config) (*Set, error) {
	negotiator, err := mediatype.NewNegotiator(c.Produces...)
	if err != nil {
		return nil, err
	}
	s := &Set{
		Config: c, Negotiator: negotiator, defaultSlot: -1,
		IsLower:     !slices.ContainsFunc(c.Known, text.HasUpper) && !text.HasUpper(c.Default),
		byLowerCase: make(map[string]int), byText: make(map[string]*Version),
	}
	if c.HasDefault {
		s.defaultSlot = slices.Index(c.Known, c.Default)
	}
	for slot, version := range s.Known {
		s.longest = max(s.longest, len(version))
		s.byLowerCase[string(text.AppendLower(nil, version))] = slot
		s.add(version, c.Catalogue)
	}
	if s.Any && c.HasDefault {
		s.add(c.Default, nil)
	}
	s.None = &Version{Slot: len(s.All), Index: -1, None: true}
	s.rank()
	return s, nil
}

// rank orders the versions for negotiation: the newest first, then previews, and
// last a default that is not in the list.
func (s *Set) rank() {
	group := func(slot int) int {
		switch {
		case slot >= s.Listed:
			return 2
		case s.All[slot].Preview:
			return 1
		}
		return 0
	}
	for slot := range slices.Backward(s.Known) {
		s.byRank = append(s.byRank, slot)
	}
	slices.SortStableFunc(s.byRank, func(a, b int) int { return group(a) - group(b) })
	s.ranks = make([]int, len(s.Known))
	for rank, slot := range s.byRank {
		s.ranks[slot] = rank
	}
}

// add makes a version known.
func (s *Set) add(text string, versions *catalogue.Catalogue) {
	version := &Version{Text: text, Slot: len(s.All), Index: -1}
	if versions != nil {
		if index, ok := versions.Index(text); ok {
			version.Index, version.Preview = index, versions.Entry(index).Preview
		}
	}
	s.All, s.byText[text] = append(s.All, version), version
	if text == "" {
		return
	}
	if last := &s.byLast[text[len(text)-1]]; *last == nil {
		*last = version
	} else {
		*last = &ambiguous
	}
}

// IsDefault reports whether a version is the default.
func (s *Set) IsDefault(slot int) bool { return slot == s.defaultSlot }

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
