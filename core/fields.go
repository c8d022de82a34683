package verso

import (
	"slices"
	"strings"

	"github.com/goverso/verso/core/catalogue"
)

// Field is a response header with its lines. Callers must not modify the lines.
type Field = catalogue.Field

// Mode says how a [Field] is added to those that a response has.
type Mode uint8

// The modes.
const (
	SetField  Mode = iota // replaces a field of that name
	AddField              // adds the lines that are not there yet
	KeepField             // unless there is a field of that name
	JoinField             // joins the list of that name, in one line: see [JoinVary]
)

// Join returns the lines that a response has, joined with those of a [Field] of the
// same name.
func (m Mode) Join(lines, field []string) []string {
	switch {
	case len(lines) == 0 || m == SetField:
		return field
	case m == JoinField:
		return JoinVary(lines, strings.Split(field[0], ", ")...)
	case m == AddField:
		for _, line := range field {
			if !slices.Contains(lines, line) {
				lines = append(slices.Clip(lines), line)
			}
		}
	}
	return lines
}

// HasFields reports whether the decision has response headers. If not, an adapter need
// not ask the framework for those of the response.
func (c *Call) HasFields() bool { return c.vary != nil || c.lists != nil }

// Fields calls write for each response header of the decision. An adapter over
// net/http calls [Call.SetFields] instead. Headers are written before the handler
// runs, so that it can add to them.
func (c *Call) Fields(write func(field Field, mode Mode)) {
	if c.vary != nil {
		write(c.vary.field, JoinField)
	}
	if c.lists == nil {
		return
	}
	for _, field := range c.fields {
		write(field, modeOf(field.Name))
	}
	for _, field := range c.extra {
		write(field, modeOf(field.Name))
	}
	for _, field := range c.lists.Fields {
		write(field, SetField)
	}
	if c.served != nil {
		write(*c.served, SetField)
	}
	if c.expose != nil {
		write(*c.expose, AddField)
	}
}

func modeOf(name string) Mode {
	switch name {
	case catalogue.LinkField:
		return AddField
	case catalogue.DeprecationField, catalogue.SunsetField:
		return KeepField
	}
	return SetField
}

// vary is a Vary field, ready to be sent.
type vary struct {
	names []string // of request headers, in canonical form
	field Field    // with one line
}

// newVary returns nil for no names.
func newVary(names []string) *vary {
	if len(names) == 0 {
		return nil
	}
	return &vary{slices.Clone(names), Field{Name: "Vary", Lines: []string{strings.Join(names, ", ")}}}
}

// JoinVary returns the lines of a Vary header with more names, without duplicates. It
// returns one line, since some caches read the last one only. A header that has "*"
// stays as it is (RFC 9110, section 12.5.5). The line may be one of names: callers
// must not modify it.
func JoinVary(lines []string, names ...string) []string {
	if len(lines) > 1 {
		lines = []string{strings.Join(lines, ", ")}
	}
	for i, name := range names {
		switch {
		case len(lines) == 0 || lines[0] == "":
			lines = names[i : i+1 : i+1]
		case !varies(lines[0], name):
			lines = []string{lines[0] + ", " + name}
		}
	}
	return lines
}

// varies reports whether a line of a Vary field has the name, or "*".
func varies(line, name string) bool {
	for element := range strings.SplitSeq(line, ",") {
		element = strings.TrimSpace(element)
		if element == "*" || strings.EqualFold(element, name) {
			return true
		}
	}
	return false
}
