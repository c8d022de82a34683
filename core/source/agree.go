package source

import (
	"slices"
)

// Agree returns a source that asks all of the given sources. Those that find a version
// must find the same: otherwise the request is rejected with status 400,
// [ContradictingVersions]. A version that is not served is rejected by the first
// source that finds it. Links are those of [First]; if several sources found the
// version, the first whose place is in the URL carries it.
func Agree(sources ...Source) Source { return &agree{newSeveral("agreement of", sources)} }

type agree struct{ several }

func (s *agree) Read(r Request, served *ServedVersions) Reading { return readBy(s.read, r, served) }

func (s *agree) read(r *Request, served *ServedVersions, agreed *Reading) {
	served = (*ServedVersions)(served.in().Agreeing())
	var linked, contradicts bool
	var reading Reading // not in the loop, where it would escape
	for i := range s.members {
		m := &s.members[i]
		reading = Reading{}
		ReadInto(m.Source, r, served, &reading)
		reading.PartsRead = 0
		switch reading.Outcome {
		case Absent, NoPlace, Unversioned:
			continue
		case NotAcceptable, Malformed, Failed:
			reading.Part = m.partOf(&reading)
			*agreed = reading
			return
		case Contradicting:
			contradicts = true
		}
		reading.Part = m.partOf(&reading)
		switch {
		case agreed.Outcome == Absent:
			*agreed, linked = reading, m.Place != NotInURL
		case reading.Text != agreed.Text:
			contradicts = true
		case m.Place != NotInURL && !linked:
			if _, ok := served.Find(reading.Text); ok { // else the first that carries it rejects it
				*agreed, linked = reading, true
			}
		}
	}
	if contradicts {
		agreed.Outcome = Contradicting
	}
}

func (s *agree) Describe() Description {
	d := s.several.Describe()
	d.PrefixDecides = slices.ContainsFunc(s.parts, hasPrefix)
	return d
}

func hasPrefix(part Source) bool { return part.Describe().PathPrefix != "" }
