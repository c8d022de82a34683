package compare

import (
	"fmt"
	"maps"
	"slices"

	"github.com/goverso/verso/openapi/internal/draft/document"
	"github.com/goverso/verso/openapi/internal/draft/gotype"
	"github.com/goverso/verso/openapi/internal/draft/own"
)

// An At is a member whose type is only for this place.
type At struct{ Outer, Inner, Member string }

// places notes where the schemas of bodies are, as [own.Package.Match] has it.
func (s *side) places() {
	note := func(v any, hint, place string) {
		key := hint
		for c := s.Component(v); ; c = s.Component(v) {
			if c != "" {
				key = c
			}
			if w := s.View(v); w.Kind != "list" {
				break
			}
			v = s.View(v).Schema["items"]
		}
		if s.placed[key] == "" {
			s.placed[key] = place
		}
	}
	for _, o := range s.Routes() {
		place := own.Place(o.Method, o.Path)
		if schema := document.JSON(s.Body(o.Op["requestBody"])); schema != nil {
			note(schema, requestName(o), place+" request")
		}
		responses := document.Obj(o.Op["responses"])
		for _, status := range document.Names(responses) {
			if schema := document.JSON(s.Body(responses[status])); schema != nil && below400(status) {
				note(schema, responseName(o, status), place+" response")
			}
		}
	}
}

// given returns the type of the service for an object, or raw JSON that no edit reaches.
func (s *side) given(w document.View, component, hint string) (name string, isStruct bool) {
	key, schema := component, component
	if component == "" {
		key, schema = " "+hint, hint
	}
	if name, ok := s.names[key]; ok {
		return name, s.set.Is(name, gotype.Struct)
	}
	place := s.placed[schema]
	if place == "" {
		place = hint
	}
	t := s.own.Match(schema, place, gotype.Name(schema), document.Names(w.Props))
	if t == nil {
		s.names[key] = s.any()
		return s.names[key], false
	}
	s.names[key] = t.Name
	if s.set.Get(t.Name) == nil {
		copied := *t
		copied.Fields = slices.Clone(t.Fields)
		s.set.Add(&copied)
	}
	for _, p := range document.Names(w.Props) {
		s.typ(w.Props[p], t.Name+" "+p)
	}
	return t.Name, true
}

// lacking leaves out the members that a type of the service does not have.
func (d *drafter) lacking(name string, x, y document.View) {
	t := d.Set.Get(name)
	if t == nil || !t.Given && t.Alias == "" {
		return
	}
	for _, p := range document.Names(y.Props) {
		if t.Field(p) == nil {
			d.ask("%s has no member %q, which the newest document has: is it missing, or is it another type?", name, p)
			delete(x.Props, p)
			delete(y.Props, p)
		}
	}
}

// at notes that a member of a type of the service has a type of its own.
func (d *drafter) at(of *gotype.Type, member, inner string) {
	inner = gotype.Element(inner)
	if t := d.Set.Get(inner); t == nil || t.Alias == "" || !of.Given && of.Alias == "" {
		return
	}
	if a := (At{of.Name, inner, member}); !slices.Contains(d.Ats, a) {
		d.Ats = append(d.Ats, a)
	}
}

// ask adds a question that no edit has, once.
func (d *Draft) ask(format string, args ...any) {
	if q := fmt.Sprintf(format, args...); !slices.Contains(d.Questions, q) {
		d.Questions = append(d.Questions, q)
	}
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
