package source

// First returns a source that asks the given sources in turn. The first that finds a
// version decides, whether the version is served or not, and later sources are not asked.
// If none finds one, the default version applies; without a default the request is
// rejected with status 400, [MissingVersion].
//
// A link carries the version where the request had it, and no version if the request
// had none. [github.com/goverso/verso/core.Target.Version] goes to the same place, or else to the first source
// whose place is in the URL.
func First(sources ...Source) Source { return &first{newSeveral("first of", sources)} }

type first struct{ several }

func (s *first) Read(r Request, served *ServedVersions) Reading { return readBy(s.read, r, served) }

func (s *first) read(r *Request, served *ServedVersions, reading *Reading) {
	for i := range s.members {
		m := &s.members[i]
		ReadInto(m.Source, r, served, reading)
		switch reading.Outcome {
		case Absent, NoPlace, Unversioned:
			*reading = Reading{}
			continue
		}
		if reading.PartsRead = m.before + reading.PartsRead; reading.PartsRead == m.before {
			reading.PartsRead = m.upTo
		}
		reading.Part = m.partOf(reading)
		return
	}
}

func (s *first) Describe() Description {
	d := s.several.Describe()
	d.Check, d.PrefixDecides = s.check, len(s.parts) > 0 && hasPrefix(s.parts[0])
	return d
}

// check also finds a source behind one that always has a version, and a path prefix that
// is not the first.
func (s *first) check(served *ServedVersions) []Finding {
	findings := s.several.check(served)
	for i, m := range s.members {
		if i > 0 && m.PathPrefix != "" {
			findings = append(findings, warn("prefix_overruled", "Source",
				"the %s is asked before the %s, so a request runs the handler at a path of one version in another one: put the path prefix first, or use Agree",
				s.members[0].Name, m.Name))
		}
	}
	for _, m := range s.members[:max(0, len(s.members)-1)] {
		if m.AlwaysFinds {
			findings = append(findings, refuse("sources_unreachable", "Source",
				"the %s finds a version in every request, so the sources after it are never asked: put it last", m.Name))
		}
	}
	return findings
}
