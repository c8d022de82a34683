package sources

import (
	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/internal/finding"
	"github.com/goverso/verso/core/internal/roster"
	"github.com/goverso/verso/core/source"
)

// Each source of this package has the same wrapper, by whose type [ReadInto] finds it. Other code may embed the
// source in a type of its own, and then this type no longer matches: its own methods are called.

// own is a source of this package, which [ReadInto] and [WriteInto] know by its type.
type own[S describer] struct{ of S }

type describer interface{ Describe() source.Description }

func newOwn[S describer](of S) source.Source { return own[S]{of} }

func (s own[S]) Describe() source.Description { return s.of.Describe() }

// in returns what the sources know of the versions besides.
func in(served *source.ServedVersions) *roster.Versions { return (*roster.Versions)(served) }

// refused returns a finding for each version that cannot be in the place of a source.
func refused(served *source.ServedVersions, cannot func(version string) bool, row codes.Row) (
	findings []source.Finding) {
	for _, version := range served.Versions() {
		if cannot(version) {
			findings = append(findings, finding.Of(row, version))
		}
	}
	return findings
}
