package source

import (
	"github.com/goverso/verso/core/internal/roster"
	"github.com/goverso/verso/core/mediatype"
)

// ServedVersions is what a source may know of the service: the versions that it serves
// and the media types that it produces, at the time of the request. It is immutable and
// safe for concurrent use.
//
// Its parts are internal, since only Verso creates it.
type ServedVersions roster.Versions

// in returns what package sources knows besides.
func (s *ServedVersions) in() *roster.Versions { return (*roster.Versions)(s) }

// Find returns the reading of a version, and whether the version is served.
func (s *ServedVersions) Find(text string) (reading Reading, ok bool) {
	return Reading{Outcome: Found, Text: text}, s.in().Serves(text)
}

// Versions returns the versions that are known over time in order, the oldest
// first. It is empty when every version is served. Callers must not modify it.
func (s *ServedVersions) Versions() []string { return s.in().Set().Known }

// RefusesContradictions reports whether a source must look for contradictions within
// its place, such as a query parameter with two values, and return [Contradicting] for
// them.
func (s *ServedVersions) RefusesContradictions() bool { return s.in().RefusesContradictions() }

// Negotiator returns the negotiator among the media types that the service
// produces.
func (s *ServedVersions) Negotiator() *mediatype.Negotiator { return s.in().Set().Negotiator }

// Rank returns the position of a version among those that clients can ask for, the
// newest first, ignoring the case of ASCII letters. With [ServedVersions.Len] it makes ServedVersions
// the [mediatype.Versions] of a vendor media type.
func (s *ServedVersions) Rank(version string) (rank int, ok bool) { return s.in().Rank(version) }

// Len returns how many versions have a rank now.
func (s *ServedVersions) Len() int { return s.in().Len() }
