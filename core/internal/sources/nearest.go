package sources

import (
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/internal/finding"
	"github.com/goverso/verso/core/internal/nils"
	"github.com/goverso/verso/core/internal/roster"
	"github.com/goverso/verso/core/source"
)

// This file reads a text between two versions as the older. In comes the reading of another source;
// out goes that reading with the text of a known version, so that the engine looks it up as any other.
// A text without a place in the order stays, and is rejected there.

// Nearest is the source of this name in package verso.
func Nearest(from source.Source, order Order) source.Source {
	if nils.Is(from) {
		return nil
	}
	return newOwn(&nearest{from: from, order: order, inHost: from.Describe().Place == source.InHost})
}

type nearest struct {
	from   source.Source
	order  Order
	inHost bool
	placed atomic.Pointer[placed] // by the last versioning
}

// placed are the versions that have a place, in their order.
type placed struct {
	set      *roster.Set
	versions []placedVersion
}

type placedVersion struct {
	place
	*roster.Version
	released time.Time
}

func (s *nearest) read(r *source.Request, served *source.ServedVersions, reading *source.Reading) {
	ReadInto(s.from, r, served, reading)
	if reading.Outcome != source.Found {
		return
	}
	if listed := in(served).Set().Lookup(reading.Text); listed != nil {
		reading.Later = !in(served).Has(listed)
		return
	}
	var version *roster.Version
	if version, reading.Later = s.find(r, reading.Text, in(served)); version != nil {
		reading.Text = version.Text
	}
}

// find returns the version for a text, or nil. later reports whether the text is after the
// newest version.
func (s *nearest) find(r *source.Request, text string, served *roster.Versions) (_ *roster.Version, later bool) {
	if s.inHost {
		text = strings.ToLower(text) // as hosts ignore case
	}
	at, ok := s.order.parse(text)
	if !ok {
		return nil, false
	}
	all, isNewest := s.places(served.Set()), true
	for i := range slices.Backward(all) {
		v := &all[i]
		if v.hasV != at.hasV || v.Preview || !served.Has(v.Version) {
			continue
		}
		switch order := compare(&v.place, &at); {
		case order > 0:
			isNewest = false
		case s.order.within && v.numbers[0] != at.numbers[0]:
			return nil, isNewest
		case order == 0 || !isNewest || s.order.isServed(at, r.Time()):
			return v.Version, false
		default:
			return nil, true
		}
	}
	return nil, false
}

// places returns the versions that have a place.
func (s *nearest) places(set *roster.Set) []placedVersion {
	if known := s.placed.Load(); known != nil && known.set == set {
		return known.versions
	}
	made := &placed{set: set}
	for _, version := range set.All {
		if at, ok := s.order.parse(version.Text); ok && version.Index >= 0 {
			released := set.Catalogue.Entry(version.Index).Released
			made.versions = append(made.versions, placedVersion{at, version, released})
		}
	}
	s.placed.Store(made)
	return made.versions
}

// write writes the version in place of the text that the request has.
func (s *nearest) write(w *source.Written, v source.Version) error {
	if !s.inHost || !w.Stays() || w.Part() == 0 {
		return WriteInto(s.from, w, v)
	}
	var moved source.Written
	moved.SetLink(w.Part(), false)
	err := WriteInto(s.from, &moved, v)
	w.SetHost(func(host string) (string, error) {
		if host, err := moved.Host(host); err == nil {
			return host, nil
		}
		return "", nil // a fixed origin, which stays
	})
	return err
}

func (s *nearest) Describe() source.Description {
	d := s.from.Describe()
	check := d.Check
	d.Check = func(served *source.ServedVersions) (findings []source.Finding) {
		if check != nil {
			findings = check(served)
		}
		return append(findings, s.check(in(served).Set(), &d)...)
	}
	return d
}

func (s *nearest) check(set *roster.Set, d *source.Description) (findings []source.Finding) {
	if s.order.parse == nil {
		return []source.Finding{finding.Of(codes.OrderMissing)}
	}
	if s.order.mistake != "" {
		findings = append(findings, finding.Of(codes.OrderRelease, s.order.mistake))
	}
	_, again := s.from.(own[*nearest])
	if again || d.PathPrefix != "" || d.Namespace || d.ContentType != nil || len(d.Parts) > 0 {
		findings = append(findings, finding.Of(codes.OrderPlace, d.Name))
	}
	if _, ok := set.Catalogue.ServedField(0); !ok {
		return append(findings, finding.Of(codes.NearestNeedsServedHeader, "Api-Version"))
	}
	for _, version := range set.Known {
		index, _ := set.Catalogue.Index(version)
		if _, ok := s.order.parse(version); !ok && !set.Catalogue.Entry(index).Preview { // no other text means a preview
			findings = append(findings, finding.Of(codes.OrderUnknown, version))
		}
	}
	last := make(map[bool]*placedVersion)
	all, now := s.places(set), set.Clock()
	for i := range all {
		v := &all[i]
		switch before := last[v.hasV]; {
		case before == nil:
		case compare(&before.place, &v.place) == 0:
			findings = append(findings, finding.Of(codes.OrderEqual, before.Text, v.Text))
		case compare(&before.place, &v.place) > 0:
			findings = append(findings, finding.Of(codes.OrderWrong, v.Text, before.Text))
		}
		last[v.hasV] = v
		switch {
		case s.order.release != nil && s.order.mistake == "" && !v.Preview && !v.released.After(now) && compare(&v.place, s.order.release) > 0:
			findings = append(findings, finding.Of(codes.OrderReleasePassed, v.Text))
		case v.Preview && s.isReached(all, v, now):
			findings = append(findings, finding.Of(codes.PreviewReached, v.Text))
		case !v.Preview && v.released.After(now) && s.isReached(all, v, v.released.Add(-time.Nanosecond)):
			findings = append(findings, finding.Of(codes.ReleasedTooLate, v.Text))
		}
	}
	return findings
}

// isReached reports whether texts in the place of a version mean an older one at a time,
// while the version is not released.
func (s *nearest) isReached(all []placedVersion, v *placedVersion, at time.Time) bool {
	var older, later bool
	for i := range all {
		other := &all[i]
		if other.hasV != v.hasV || other.Preview || other.released.After(at) ||
			s.order.within && other.numbers[0] != v.numbers[0] {
			continue
		}
		isOlder := compare(&other.place, &v.place) < 0
		older, later = older || isOlder, later || !isOlder
	}
	return (older || !s.order.within) && (later || s.order.isServed(v.place, at))
}
