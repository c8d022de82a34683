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
	rank  int  // for negotiation, -1: it has none
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

	byRank      []*Version // the newest first
	byDefault   *Version   // nil: there is no default version
	byLowerCase map[string]*Version
	longest     int // bytes of a version
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
		Config: c, Negotiator: negotiator,
		IsLower:     !slices.ContainsFunc(c.Known, text.HasUpper) && !text.HasUpper(c.Default),
		byLowerCase: make(map[string]*Version), byText: make(map[string]*Version),
	}
	for slot, version := range s.Known {
		s.longest = max(s.longest, len(version))
		s.add(version)
		s.byLowerCase[string(text.AppendLower(nil, version))] = s.All[slot]
	}
	if s.Any && c.HasDefault {
		s.add(c.Default)
	}
	if c.HasDefault {
		s.byDefault = s.Lookup(c.Default)
	}
	s.None = &Version{Slot: len(s.All), Index: -1, None: true}
	s.rank()
	return s, nil
}

// rank orders the versions for negotiation: the newest first, then previews, and
// last a default that is not in the list.
func (s *Set) rank() {
	group := func(version *Version) int {
		switch {
		case version.Slot >= s.Listed:
			return 2
		case version.Preview:
			return 1
		}
		return 0
	}
	s.byRank = slices.Clone(s.All[:len(s.Known)])
	slices.Reverse(s.byRank)
	slices.SortStableFunc(s.byRank, func(a, b *Version) int { return group(a) - group(b) })
	for rank, version := range s.byRank {
		version.rank = rank
	}
}

// add makes a version known.
func (s *Set) add(text string) {
	version := &Version{Text: text, Slot: len(s.All), Index: -1, rank: -1}
	if s.Catalogue != nil {
		if index, ok := s.Catalogue.Index(text); ok {
			version.Index, version.Preview = index, s.Catalogue.Entry(index).Preview
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

// Lookup returns the version of a text, nil if there is none.
func (s *Set) Lookup(text string) *Version {
	if text == "" {
		return s.byText[text]
	}
	version := s.byLast[text[len(text)-1]]
	if version == nil || version.Text == text {
		return version
	}
	if version == &ambiguous {
		return s.byText[text]
	}
	return nil
}
