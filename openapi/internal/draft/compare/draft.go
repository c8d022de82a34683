// Package compare drafts a history of published documents: the Go types of the newest one, the edits
// of each release, and the routes.
package compare

import (
	"fmt"
	"maps"
	"slices"

	"github.com/goverso/verso/openapi/internal/draft/document"
	"github.com/goverso/verso/openapi/internal/draft/gotype"
	"github.com/goverso/verso/openapi/internal/draft/own"
)

// A Draft is what was drafted, to be tried and printed.
type Draft struct {
	Set      *gotype.Set
	Releases []*Release // the newest first, without the oldest version
	Oldest   string
	Routes   []*Route
	Hooks    []*Hook
	Funcs    []*Func
	Whole    document.Object // the newest document, with the operations that only older versions have
	Notes    []string        // what no declaration covers
	Additive []string        // what older clients do not notice
	Probes   []Probe
	InPath   bool // the version is a segment of the paths

	Ats       []At
	Questions []string // that no edit has
}

// A Release has the edits of a version.
type Release struct {
	Version string
	Types   []*TypeEdits // sorted by the names of the types
}

// TypeEdits are the edits of a Go type, the oldest first.
type TypeEdits struct {
	Type  string
	Edits []*Edit
}

// An Edit has several forms, as expressions of Go: the first that migrate takes is written.
type Edit struct {
	Options []string
	Todos   []string
	Verdict
}

// A Verdict is the result of a trial. Chosen is the index of the written option, or -1.
type Verdict struct {
	Chosen int
	Why    string
}

// A Route is the registration of an operation.
type Route struct {
	Since, RemovedIn string
	Method, Path     string
	Bodies           []*Edit
	Operation        string // the operationId
	Plain            string // why a trial found no Rewrite for it, or ""
	Refused          string // why the router does not take it, or ""
}

// A Hook is a webhook that the service sends.
type Hook struct {
	Name, Type, Since string
	Why               string // a trial refused it, or ""
}

// A Func is a function that a person completes.
type Func struct {
	Todo, Name, Old, New, Body string
}

// A Probe is a component of which both documents have a schema, with its Go type.
type Probe struct {
	Component, Type   string
	Version           string
	Request, Response bool
}

// A Source is a published document, with the name of its version.
type Source struct {
	Version string
	*document.Document
}

// Options change what is drafted.
type Options struct {
	Raw map[string]bool // unions of these Go names are raw JSON
	Own *own.Package    // the types of the service, or nil: then the draft has its own
}

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
			earlier: slices.Clone(all), routes: map[string]*Route{},
		}
		d.components()
		d.operations()
		d.webhooks()
		all = append(all, d)
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

// note adds what no declaration covers, once.
func (d *Draft) note(format string, args ...any) {
	if n := fmt.Sprintf(format, args...); !slices.Contains(d.Notes, n) {
		d.Notes = append(d.Notes, n)
	}
}

// Versions returns the versions, the newest first.
func (d *Draft) Versions() (l []string) {
	for _, r := range d.Releases {
		l = append(l, r.Version)
	}
	return append(l, d.Oldest)
}

// prune removes the types that nothing refers to.
func (d *Draft) prune() {
	var expressions []string
	for _, release := range d.Releases {
		for _, t := range release.Types {
			expressions = append(expressions, t.Type)
			for _, e := range t.Edits {
				expressions = append(expressions, e.Options...)
			}
		}
	}
	for _, r := range d.Routes {
		for _, body := range r.Bodies {
			expressions = append(expressions, body.Options...)
		}
	}
	for _, h := range d.Hooks {
		expressions = append(expressions, h.Type)
	}
	for _, f := range d.Funcs {
		expressions = append(expressions, f.Old, f.New, f.Body)
	}
	used := d.Set.Reached(expressions)
	for _, name := range d.Set.Names() {
		if _, ok := slices.BinarySearch(used, name); !ok {
			d.Set.Delete(name)
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

// VersionSource returns the source of the version, as an expression of Go.
func (d *Draft) VersionSource() string {
	if d.InPath {
		return `verso.PathParam("version")`
	}
	return `verso.Header("X-Version")`
}
