package compare

import (
	"maps"
	"slices"

	"github.com/goverso/verso/openapi/internal/draft/document"
	"github.com/goverso/verso/openapi/internal/draft/gotype"
)

// Compare drafts the history of documents, the newest first. It changes them.
func Compare(sources []Source, options Options) *Draft {
	draft := &Draft{Set: gotype.NewSet(), Oldest: sources[len(sources)-1].Version, Whole: sources[0].Root}
	sides := make([]*side, len(sources))
	for i, s := range sources {
		sides[i] = newSide(s, draft.Set, options.Raw, i == 0)
		if i > 0 {
			sides[i].newer = sides[i-1]
		}
	}
	draft.segments(sides)
	if options.Own != nil {
		draft.Set.Reserve(options.Own.Declared...)
		sides[0].own = options.Own
		sides[0].places()
	}
	for _, o := range sides[0].Routes() { // the types first, so that older schemas find them
		sides[0].declare(o)
	}
	var all []*drafter
	for i := range len(sides) - 1 {
		d := &drafter{
			Draft: draft, a: sides[i+1], b: sides[i], edits: map[string][]*Edit{}, done: map[string]bool{}, mains: map[string]string{}, owns: map[string]string{},
			earlier: slices.Clone(all), routes: map[string]*Route{}, only: len(sides) == 2,
		}
		d.components()
		d.operations()
		d.webhooks()
		all = append(all, d)
	}
	for _, d := range all {
		d.inMembers()
	}
	register(draft, all)
	defer draft.probe(all)
	defer draft.prune()
	for _, d := range all {
		release := &Release{Version: d.b.Version}
		for _, name := range slices.Sorted(maps.Keys(d.edits)) {
			if len(d.edits[name]) > 0 {
				release.Types = append(release.Types, &TypeEdits{name, d.edits[name]})
			}
		}
		draft.Releases = append(draft.Releases, release)
	}
	return draft
}

// segments makes one path of those that differ in the segment with the version.
func (d *Draft) segments(sides []*side) {
	places, differ := map[int]bool{}, false
	first, _ := sides[0].VersionSegment()
	for _, s := range sides {
		segment, place := s.VersionSegment()
		if segment == "" {
			return
		}
		places[place] = true
		differ = differ || segment != first
	}
	if len(places) > 1 || !differ {
		return
	}
	d.InPath = true
	for _, s := range sides {
		segment, place := s.VersionSegment()
		s.Unversioned(segment, place)
		if segment != s.Version {
			d.note("the paths of %s have the segment %s: give the version this name, or clients need other paths",
				s.Version, segment)
		}
	}
}

// probe names the components that the test of a draft makes values of.
func (d *Draft) probe(pairs []*drafter) {
	newest := pairs[0].b
	for _, c := range slices.Sorted(maps.Keys(newest.names)) {
		t := newest.names[c]
		if newest.Schema(c) == nil || !d.Set.Is(t, gotype.Struct) {
			continue
		}
		for _, p := range pairs {
			if p.a.Schema(c) == nil || p.a.View(document.Ref(c)).Kind != "object" {
				continue
			}
			was, now := p.a.RolesOf(c), newest.RolesOf(c)
			if probe := (Probe{c, t, p.a.Version, was.Request && now.Request,
				was.Response && now.Response}); probe.Request || probe.Response {
				d.Probes = append(d.Probes, probe)
			}
		}
	}
}
