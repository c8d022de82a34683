package compare

import (
	"maps"
	"slices"
	"strings"

	"github.com/goverso/verso/openapi/internal/draft/document"
	"github.com/goverso/verso/openapi/internal/draft/gotype"
)

// View is as the document has it, and a union of objects without a text that distinguishes them is an object: it has the
// members of all forms and those beside them. Members are required if each form, or the whole, requires them.
func (s *side) View(v any) document.View {
	w := s.Document.View(v)
	if w.Kind != "union" || s.own != nil {
		return w
	}
	if by, _ := s.Texts(w); by != "" {
		return w
	}
	all, forms := w, map[string][]any{}
	all.Kind, all.Props, all.Required = "object", maps.Clone(w.Props), nil
	for _, form := range w.Variants {
		in := s.Document.View(form)
		onlyRequires := in.Kind == "any" && len(in.Variants) == 0 && len(in.Required) > 0 && len(w.Props) > 0
		if in.Kind != "object" && !onlyRequires {
			return w
		}
		for p, schema := range in.Props {
			if !slices.ContainsFunc(forms[p], func(other any) bool { return s.alike(other, schema) }) {
				forms[p] = append(forms[p], schema)
			}
		}
		if all.Required == nil {
			all.Required = maps.Clone(in.Required)
		}
		maps.DeleteFunc(all.Required, func(p string, _ bool) bool { return !in.Required[p] })
	}
	for p, schemas := range forms {
		if all.Props[p] = schemas[0]; len(schemas) > 1 {
			all.Props[p] = document.Object{"anyOf": schemas}
		}
	}
	for p := range w.Required {
		all.Required[p] = true
	}
	return all
}

// alike reports whether the Go types of two schemas are the same.
func (s *side) alike(a, b any) bool {
	x, y := s.Document.View(a), s.Document.View(b)
	if c := s.Component(a); c != "" && c == s.Component(b) {
		return true
	}
	if x.Kind == "list" && y.Kind == "list" {
		return s.alike(x.Schema["items"], y.Schema["items"])
	}
	return x.Kind == y.Kind && x.IsScalar() || document.Shape(a) == document.Shape(b)
}

// ways returns how a joined object describes a member, in its forms and beside them.
func (s *side) ways(w document.View, p string) (l []string) {
	for _, form := range append(slices.Clone(w.Variants), w.Schema) {
		if schema := s.Document.View(form).Props[p]; schema != nil {
			l = append(l, document.Shape(schema))
		}
	}
	slices.Sort(l)
	return slices.Compact(l)
}

// extended returns the places of a member in the components that the discriminator of an object names.
func (s *side) extended(w document.View, p string) (places []string) {
	mapping := document.Obj(document.Obj(w.Schema["discriminator"])["mapping"])
	for _, text := range document.Names(mapping) {
		ref := document.Str(mapping[text])
		if !strings.Contains(ref, "#") {
			ref = "#/components/schemas/" + ref
		}
		if form := (document.Object{"$ref": ref}); s.View(form).Props[p] != nil {
			places = append(places, s.Component(form)+"."+p)
		}
	}
	return slices.Compact(places)
}

// forms returns the components of the variants of a schema.
func (s *side) forms(v any) (l []string) {
	for _, form := range s.View(v).Variants {
		l = append(l, s.Component(form))
	}
	return l
}

// isJoined reports whether an object is a union of objects.
func isJoined(w document.View) bool { return w.Kind == "object" && len(w.Variants) > 1 }

// inside returns the path of a member with a name in a schema, at any depth and in any variant, or "".
func (s *side) inside(v any, name string, seen map[string]bool) string {
	if c := s.Component(v); c != "" {
		if seen[c] {
			return ""
		}
		seen[c] = true
	}
	w := s.View(v)
	for _, p := range document.Names(w.Props) {
		if gotype.Norm(p) == gotype.Norm(name) {
			return "." + p
		}
	}
	for _, p := range document.Names(w.Props) {
		if path := s.inside(w.Props[p], name, seen); path != "" {
			return "." + p + path
		}
	}
	for _, variant := range w.Variants {
		if path := s.inside(variant, name, seen); path != "" {
			return path
		}
	}
	if w.Kind == "list" {
		if path := s.inside(w.Schema["items"], name, seen); path != "" {
			return "[]" + path
		}
	}
	return ""
}

// form is the kind of a schema, and of the elements of a list.
func (s *side) form(v any) string {
	w := s.View(v)
	if w.Kind == "list" {
		return "list of " + s.View(w.Schema["items"]).Kind
	}
	return w.Kind
}
