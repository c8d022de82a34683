package sources

import (
	"slices"

	"github.com/goverso/verso/core/source"
)

// Agree is the source of this name in package verso.
func Agree(sources ...source.Source) source.Source {
	return newOwn(&agree{newSeveral("agreement of", sources)})
}

// agree asks all members. A member without a version does not count; a member that cannot be read decides at once. Of
// equal texts it takes the reading of the first member in the URL, if the version is served, so that links keep the
// version there; else the first reading.
type agree struct{ several }

func (s *agree) read(r *source.Request, served *source.ServedVersions, agreed *source.Reading) {
	served = (*source.ServedVersions)(in(served).Agreeing())
	var linked, contradicts bool
	var reading source.Reading // not in the loop, where it would escape
	for i := range s.members {
		m := &s.members[i]
		reading = source.Reading{}
		ReadInto(m.Source, r, served, &reading)
		reading.PartsRead = 0
		switch reading.Outcome {
		case source.Absent, source.NoPlace, source.Unversioned:
			continue
		case source.NotAcceptable, source.Malformed, source.Failed:
			reading.Part = m.partOf(&reading)
			*agreed = reading
			return
		case source.Contradicting:
			contradicts = true
		}
		reading.Part = m.partOf(&reading)
		switch {
		case agreed.Outcome == source.Absent:
			*agreed, linked = reading, m.Place != source.NotInURL
		case reading.Text != agreed.Text:
			contradicts = true
		case m.Place != source.NotInURL && !linked:
			if in(served).Serves(reading.Text) { // else the first that carries it rejects it
				*agreed, linked = reading, true
			}
		}
	}
	if contradicts {
		agreed.Outcome = source.Contradicting
	}
}

func (s *agree) Describe() source.Description {
	d := s.described
	d.Check, d.PrefixDecides = s.check, slices.ContainsFunc(d.Parts, hasPrefix)
	return d
}

func hasPrefix(part source.Source) bool { return part.Describe().PathPrefix != "" }
