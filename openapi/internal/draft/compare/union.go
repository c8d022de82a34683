package compare

import (
	"fmt"
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

// union drafts the edits of a union, and of its variants.
func (d *drafter) union(name string, x, y document.View, roles document.Roles) {
	if d.done[name] {
		return
	}
	d.done[name] = true
	by, now := d.b.Texts(y)
	t := d.Set.Get(name)
	if by == "" || t == nil || t.Kind != gotype.Union {
		if document.Shape(x.Schema) != document.Shape(y.Schema) {
			d.note("%s: no text distinguishes the variants of this union, and it changed: no edit reaches them", name)
		}
		return
	}
	_, before := d.a.Texts(x)
	for i, texts := range now {
		for j, was := range before {
			if len(was) > 0 && slices.Contains(texts, was[0]) {
				d.place(x.Variants[j], y.Variants[i], variantHint(name, texts), roles)
			}
		}
	}
	if len(before) == 0 {
		d.note("%s: no text distinguished the variants of this union", name)
		return
	}
	for _, text := range slices.Concat(now...) {
		if !slices.Contains(slices.Concat(before...), text) {
			e := d.add(name, newVariant(text, absent), fmt.Sprintf("the variant %q is new: older clients read lists "+
				"without it, and null where it is not in a list. Name what they read instead", text))
			e.Options = append(e.Options, newVariant(text, "nil"))
		}
	}
	for i, texts := range before {
		for _, text := range texts {
			if slices.Contains(slices.Concat(now...), text) {
				continue
			}
			of, _ := d.a.typ(x.Variants[i], variantHint(name, texts))
			if in := d.Set.Get(of); !slices.Contains(in.Union, name) {
				in.Union = append(in.Union, name)
			}
			t.Variants = append(t.Variants, gotype.Variant{Type: of, Texts: []string{text}})
			d.add(name, fmt.Sprintf("migrate.RemovedVariant(%q)", text),
				fmt.Sprintf("the variant %q is gone: requests of older clients with it are 400", text))
		}
	}
}

// variantHint names a variant without a component, by its union and its texts.
func variantHint(union string, texts []string) string { return union + " " + texts[0] }

const absent = "migrate.Absent"

func newVariant(text, instead string) string {
	return fmt.Sprintf("migrate.NewVariant(%q, %s)", text, instead)
}

// inMembers lets older clients read null for new variants of the unions that are a member, or the value of a map in
// one, somewhere: they cannot be left out there.
func (d *drafter) inMembers() {
	for _, name := range d.Set.Names() {
		for _, f := range d.Set.Get(name).Fields {
			if elem := strings.LastIndexByte(f.Type, ']') + 1; !strings.HasSuffix(f.Type[:elem], "[]") {
				d.notAbsent(f.Type[elem:])
			}
		}
	}
}

// notAbsent lets older clients read null for new variants of a union, which cannot be left out.
func (d *drafter) notAbsent(name string) {
	for _, e := range d.edits[name] {
		arguments, isNew := strings.CutPrefix(e.Options[0], "migrate.NewVariant(")
		text, isAbsent := strings.CutSuffix(arguments, ", "+absent+")")
		if isNew && isAbsent {
			e.Options = e.Options[1:]
			e.Todos = []string{fmt.Sprintf("the variant %s is new: older clients read null for it, also in lists. Name "+
				"what they read instead", text)}
		}
	}
}
