package adapter

import (
	"net/http"
	"slices"
	"strings"

	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/vary"
)

// FieldMode determines how a [catalogue.Field] of a decision is added to the fields that
// a response has already: see [Fields.Each].
type FieldMode uint8

// The modes.
const (
	SetField  FieldMode = iota // replaces a field of that name
	AddField                   // adds the lines that are not there yet
	KeepField                  // unless there is a field of that name
	JoinField                  // joins the list of that name, in one line, as [verso.AddVary] does
)

// Fields are the response headers of a decision. The zero Fields is empty.
type Fields struct {
	constant *constant         // nil: nothing was read
	lists    *catalogue.Lists  // of versions, nil without a catalogue
	prepared []catalogue.Field // of the version or the route
	link     []string          // to the successor, or nil
	extra    []catalogue.Field // made for the request
	served   *catalogue.Field  // the version that is served, nil: none
}

// constant are the headers that depend on what was read alone.
type constant struct {
	names  []string         // of the request headers in Vary, in canonical form
	vary   catalogue.Field  // with one line
	expose *catalogue.Field // names those of the catalogue, nil: none

	isPrivate bool // no header names what the response depends on
}

var privateField = catalogue.Field{Name: "Cache-Control", Lines: []string{"private"}}

func newConstant(names []string, expose *catalogue.Field, isPrivate bool) *constant {
	return &constant{slices.Clone(names), catalogue.Field{Name: "Vary", Lines: []string{strings.Join(names, ", ")}},
		expose, isPrivate}
}

// add adds a header that is made for the request.
func (f *Fields) add(name, line string) {
	f.extra = append(f.extra, catalogue.Field{Name: name, Lines: []string{line}})
}

// isEmpty reports whether there are none.
func (f *Fields) isEmpty() bool {
	return f.lists == nil && (f.constant == nil || len(f.constant.names) == 0 && !f.constant.isPrivate)
}

// Each calls write for each header. Headers are written before the handler runs, so
// that it can add to them.
func (f *Fields) Each(write func(field catalogue.Field, mode FieldMode)) {
	if f.constant != nil && len(f.constant.names) > 0 {
		write(f.constant.vary, JoinField)
	}
	if f.constant != nil && f.constant.isPrivate {
		write(privateField, JoinField)
	}
	if f.lists == nil {
		return
	}
	for _, field := range f.prepared {
		write(field, modeOf(field.Name))
	}
	if f.link != nil {
		write(catalogue.Field{Name: catalogue.LinkField, Lines: f.link}, AddField)
	}
	for _, field := range f.extra {
		write(field, SetField)
	}
	for _, field := range f.lists.Fields {
		write(field, SetField)
	}
	if f.served != nil {
		write(*f.served, SetField)
	}
	if f.constant.expose != nil {
		write(*f.constant.expose, AddField)
	}
}

// Set writes the headers into those of a response of net/http: see [Fields.Each].
func (f *Fields) Set(header http.Header) {
	if f.constant == nil {
		return
	}
	if names := f.constant.names; len(names) > 0 && len(header["Vary"]) > 0 {
		header["Vary"] = vary.Join(header["Vary"], names...)
	} else if len(names) > 0 {
		header["Vary"] = f.constant.vary.Lines // without spare capacity: Header.Add copies it
	}
	if f.lists == nil && !f.constant.isPrivate { // most have no more
		return
	}
	f.Each(func(field catalogue.Field, mode FieldMode) {
		if field.Name != "Vary" {
			header[field.Name] = mode.Join(header[field.Name], field.Lines)
		}
	})
}

func modeOf(name string) FieldMode {
	switch name {
	case catalogue.LinkField:
		return AddField
	case catalogue.DeprecationField, catalogue.SunsetField:
		return KeepField
	}
	return SetField
}

// Join returns the lines that a response has, joined with the lines of a [catalogue.Field]
// of the same name.
func (m FieldMode) Join(lines, field []string) []string {
	switch {
	case len(lines) == 0 || m == SetField:
		return field
	case m == JoinField && len(field) > 0:
		return vary.Join(lines, strings.Split(strings.Join(field, ", "), ", ")...)
	case m == AddField:
		for _, line := range field {
			if !slices.Contains(lines, line) {
				lines = append(slices.Clip(lines), line)
			}
		}
	}
	return lines
}
