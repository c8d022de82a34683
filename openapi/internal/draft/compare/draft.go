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

// An Edit has several forms, as expressions of Go: the first that migrate takes is written. Kind and Member are the
// function of package migrate and its first argument; those of a body are "".
type Edit struct {
	Kind, Member string

	Options []string
	Todos   []string
	Verdict
}

// An At is a member whose type is only for this place.
type At struct{ Outer, Inner, Member string }

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

// note adds what no declaration covers, once.
func (d *Draft) note(format string, args ...any) {
	if n := fmt.Sprintf(format, args...); !slices.Contains(d.Notes, n) {
		d.Notes = append(d.Notes, n)
	}
}

// ask adds a question that no edit has, once.
func (d *Draft) ask(format string, args ...any) {
	if q := fmt.Sprintf(format, args...); !slices.Contains(d.Questions, q) {
		d.Questions = append(d.Questions, q)
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

// VersionSource returns the source of the version, as an expression of Go.
func (d *Draft) VersionSource() string {
	if d.InPath {
		return `verso.PathParam("version")`
	}
	return `verso.Header("X-Version")`
}

// Given returns the types of the service that the draft needs, sorted.
func (d *Draft) Given() []string {
	return slices.DeleteFunc(d.Set.Names(), func(name string) bool { return !d.Set.Get(name).Given })
}

// Placed returns the members with a type of its own, by the outer and the inner type.
func (d *Draft) Placed() (all [][]string) {
	members := map[[2]string][]string{}
	for _, a := range d.Ats {
		if d.Set.Get(a.Outer) != nil && d.Set.Get(a.Inner) != nil {
			members[[2]string{a.Outer, a.Inner}] = append(members[[2]string{a.Outer, a.Inner}], a.Member)
		}
	}
	for _, types := range slices.SortedFunc(maps.Keys(members), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		all = append(all, slices.Concat(types[:], members[types]))
	}
	return all
}
