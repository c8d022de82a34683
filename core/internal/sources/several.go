package sources

import (
	"slices"
	"strings"

	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/internal/finding"
	"github.com/goverso/verso/core/internal/nils"
	"github.com/goverso/verso/core/source"
)

// This file combines sources. A combination is a source again, which may be in another one. Its parts are the single
// sources at the ends, counted from 1 in their order: a reading names the part that decided, for the rejection and for
// links, and how many were asked, for Vary. A member counts its own parts from 1, too, so a number is moved by the
// parts before it on its way down or up.

// several is what First and Agree have in common.
type several struct {
	described source.Description // whose place is that of the first member in the URL
	members   []member
	missing   []source.Finding // members that are nil
}

// member is one of several sources.
type member struct {
	source.Source
	source.Description
	before int // how many parts are before its own
	upTo   int // how many parts there are with its own
}

func newSeveral(how string, sources []source.Source) several {
	var s several
	var names []string
	d := &s.described
	for i, from := range sources {
		if nils.Is(from) {
			s.missing = append(s.missing, finding.Of(codes.SourcesMissing, i+1))
			continue
		}
		m := member{Source: from, Description: from.Describe(), before: len(d.Parts)}
		if len(m.Parts) == 0 {
			d.Parts = append(d.Parts, from)
		} else {
			d.Parts = append(d.Parts, m.Parts...)
		}
		m.upTo = len(d.Parts)
		if d.Place == source.NotInURL {
			d.Place = m.Place
		}
		s.members, names = append(s.members, m), append(names, m.Name)
		d.Headers = append(d.Headers, m.Headers...)
	}
	d.Name = how + " " + strings.Join(names, ", ")
	slices.Sort(d.Headers)
	d.Headers = slices.Compact(d.Headers)
	return s
}

// check returns the mistakes in the combination and in each source.
func (s *several) check(served *source.ServedVersions) []source.Finding {
	findings := slices.Clone(s.missing)
	if len(s.members) == 0 {
		return append(findings, finding.Of(codes.SourcesEmpty))
	}
	seen, prefixed := make(map[string]bool), ""
	for _, part := range s.described.Parts {
		d := part.Describe()
		switch {
		case seen[d.Name]:
			findings = append(findings, finding.Of(codes.SourcesTwice, d.Name))
		case d.PathPrefix != "" && prefixed != "":
			findings = append(findings, finding.Of(codes.PrefixesTwice, prefixed, d.Name))
		case d.PathPrefix != "":
			prefixed = d.Name
		}
		seen[d.Name] = true
	}
	for _, m := range s.members {
		if m.Check != nil {
			findings = append(findings, m.Check(served)...)
		}
	}
	return findings
}

// partOf returns which part of the combination decided in a reading of m.
func (m *member) partOf(reading *source.Reading) int { return m.before + max(reading.Part, 1) }

// write writes the version in the way of the source that the request had it in.
func (s *several) write(w *source.Written, v source.Version) error {
	for i := range s.members {
		m := &s.members[i]
		if w.Part() > m.before && w.Part() <= m.upTo && (m.Place != source.NotInURL || w.Stays()) {
			return m.write(w, v)
		}
	}
	for i := range s.members {
		if m := &s.members[i]; m.Place != source.NotInURL && !w.Stays() {
			return m.write(w, v)
		}
	}
	return nil
}

func (m *member) write(w *source.Written, v source.Version) error {
	part := w.Part()
	w.SetPart(max(0, part-m.before))
	err := WriteInto(m.Source, w, v)
	w.SetPart(part)
	return err
}
