package sources

import (
	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/internal/finding"
	"github.com/goverso/verso/core/source"
)

// First is the source of this name in package verso.
func First(places ...source.Source) source.Source {
	return newOwn(&first{newSeveral("first of", places)})
}

// first asks its members until one names a version, also a wrong one: a later member never replaces it.
type first struct{ several }

func (s *first) read(r *source.Request, served *source.ServedVersions, reading *source.Reading) {
	for i := range s.members {
		m := &s.members[i]
		ReadInto(m.Source, r, served, reading)
		switch reading.Outcome {
		case source.Absent, source.NoPlace, source.Unversioned:
			*reading = source.Reading{}
			continue
		}
		if reading.PartsRead = m.before + reading.PartsRead; reading.PartsRead == m.before {
			reading.PartsRead = m.upTo
		}
		reading.Part = m.partOf(reading)
		return
	}
}

func (s *first) Describe() source.Description {
	d := s.described
	d.Check, d.PrefixDecides = s.check, len(d.Parts) > 0 && hasPrefix(d.Parts[0])
	return d
}

// check also finds a source behind one that always has a version, and one in the path that
// is not the first.
func (s *first) check(served *source.ServedVersions) []source.Finding {
	findings := s.several.check(served)
	for i, m := range s.members {
		if i > 0 && (m.PathPrefix != "" || m.PathParam != "" && !s.members[0].Namespace) {
			findings = append(findings, finding.Of(codes.PrefixOverruled, s.members[0].Name, m.Name))
		}
		if i+1 < len(s.members) && m.Stored {
			findings = append(findings, finding.Of(codes.StoredFirst, m.Name, s.members[i+1].Name))
		}
		if i+1 < len(s.members) && m.AlwaysFinds {
			findings = append(findings, finding.Of(codes.SourcesUnreachable, m.Name))
		}
	}
	return findings
}
