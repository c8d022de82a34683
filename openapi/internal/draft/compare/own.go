package compare

import (
	"slices"

	"github.com/goverso/verso/openapi/internal/draft/document"
	"github.com/goverso/verso/openapi/internal/draft/gotype"
	"github.com/goverso/verso/openapi/internal/draft/own"
)

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
