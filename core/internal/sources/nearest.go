package sources

import (
	"cmp"
	"slices"

	"github.com/goverso/verso/core/internal/finding"
	"github.com/goverso/verso/core/internal/roster"
	"github.com/goverso/verso/core/source"
)

// Nearest is the source of this name in package verso.
func Nearest(
	from source.Source, order func(text string) (series string, position []int, ok bool), until func() string,
) source.Source {
	return &nearest{from, order, until}
}

type nearest struct {
	source.Source
	order func(text string) (series string, position []int, ok bool)
	until func() string
}

func (s *nearest) Read(r source.Request, served *source.ServedVersions) source.Reading {
	reading := s.Source.Read(r, served)
	if reading.Outcome == source.Found && in(served).Lookup(reading.Text) == nil {
		if version := s.find(reading.Text, served); version != nil {
			reading.Text = version.Text
		}
	}
	return reading
}

// find returns the newest version up to a text, nil without one.
func (s *nearest) find(text string, served *source.ServedVersions) (found *roster.Version) {
	series, position, ok := s.order(text)
	if !ok {
		return nil
	}
	isLast := true
	for _, name := range slices.Backward(served.Versions()) {
		version := in(served).Lookup(name)
		if version == nil || version.Preview {
			continue
		}
		in, at, ok := s.order(name)
		switch {
		case !ok || in != series:
			continue
		case comparePositions(at, position) > 0:
			isLast = false
			continue
		case isLast && comparePositions(at, position) < 0 && !s.isWithin(series, position):
			return nil
		}
		return version
	}
	return nil
}

// isWithin reports whether a text is not after the bound.
func (s *nearest) isWithin(series string, position []int) bool {
	if s.until == nil {
		return false
	}
	in, bound, ok := s.order(s.until())
	return ok && in == series && comparePositions(position, bound) <= 0
}

func comparePositions(a, b []int) int {
	for i := range max(len(a), len(b)) {
		var x, y int
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x != y {
			return cmp.Compare(x, y)
		}
	}
	return 0
}

func (s *nearest) Describe() source.Description {
	d := s.Source.Describe()
	check := d.Check
	d.Check = func(served *source.ServedVersions) (findings []source.Finding) {
		if check != nil {
			findings = check(served)
		}
		return append(findings, s.check(served, &d)...)
	}
	return d
}

func (s *nearest) check(served *source.ServedVersions, d *source.Description) (findings []source.Finding) {
	if s.order == nil {
		return []source.Finding{finding.Refuse("order_missing", "Source", "Nearest has no order: give it ByDate, ByNumber or ByMinor")}
	}
	if d.PathPrefix != "" || d.Namespace || d.ContentType != nil {
		findings = append(findings, finding.Refuse("order_place", "Source", "the %s has the texts of listed versions only: give Nearest a source that reads any text", d.Name))
	}
	last := make(map[string][]int)
	for _, name := range served.Versions() {
		series, position, ok := s.order(name)
		switch {
		case !ok:
			findings = append(findings, finding.Warn("order_unknown", "AllowedVersions", "version %q has no place in the order, so no other text means it", name))
		case last[series] != nil && comparePositions(last[series], position) >= 0:
			findings = append(findings, finding.Refuse("order_wrong", "AllowedVersions", "version %q is listed after a later one: list the oldest first", name))
		default:
			last[series] = position
		}
	}
	return findings
}
