package document

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A View is a schema with the parts of its allOf in it.
type View struct {
	// Kind is object, map, list, string, integer, number, boolean, union or any.
	Kind     string
	Props    Object
	Required map[string]bool
	Variants []any
	Schema   Object
	Nullable bool
}

// View returns the view of a schema.
func (d *Document) View(v any) View {
	ref := Str(Obj(v)["$ref"])
	w, known := d.views[ref]
	if !known {
		w = d.view(v, nil)
		if ref != "" && d.views != nil {
			d.views[ref] = w
		}
	}
	return w
}

// view is View for a part of schemas whose references are given: a part with such a reference is empty.
func (d *Document) view(v any, around []string) View {
	if ref := Str(Obj(v)["$ref"]); ref != "" {
		if slices.Contains(around, ref) {
			return View{Kind: "any", Props: Object{}, Required: map[string]bool{}, Schema: Object{}}
		}
		around = append(slices.Clip(around), ref)
	}
	m := d.Follow(v)
	w := View{Props: Object{}, Required: map[string]bool{}, Schema: m, Nullable: m["nullable"] == true}
	typ := Str(m["type"])
	for _, t := range List(m["type"]) {
		if t == "null" {
			w.Nullable = true
		} else {
			typ = Str(t)
		}
	}
	for _, part := range List(m["allOf"]) {
		w.take(d.view(part, around), m)
	}
	for _, k := range []string{"oneOf", "anyOf"} {
		for _, p := range List(m[k]) {
			if isNull(d.Follow(p)) {
				w.Nullable = true
				continue
			}
			w.Variants = append(w.Variants, p)
		}
	}
	if len(w.Variants) == 1 && len(List(m["allOf"])) == 0 {
		in := d.view(w.Variants[0], around)
		in.Nullable = in.Nullable || w.Nullable
		return in
	}
	if len(w.Variants) > 1 && len(List(m["allOf"])) == 0 {
		typ = w.scalar(d, m, typ, around)
	}
	w.members(Obj(m["properties"]))
	for _, r := range List(m["required"]) {
		w.Required[Str(r)] = true
	}
	w.Kind = w.kind(typ)
	return w
}

// scalar makes one scalar of variants that are of the same type, with the values that they list, and returns its type.
// Values with a description each are written in this way.
func (w *View) scalar(d *Document, m Object, typ string, around []string) string {
	var kind string
	var values []any
	for i, variant := range w.Variants {
		if d.Follow(variant)["properties"] != nil {
			return typ // most variants are objects, whose views take long
		}
		in := d.view(variant, around)
		listed := in.Enum()
		if !in.IsScalar() || in.Nullable ||
			i > 0 && (in.Kind != kind || (len(listed) == 0) != (len(values) == 0)) {
			return typ
		}
		kind, values = in.Kind, append(values, listed...)
	}
	w.Schema, w.Variants = maps.Clone(m), nil
	if len(values) > 0 && m["enum"] == nil {
		w.Schema["enum"] = values
	}
	return kind
}

// IsScalar reports whether a value is neither an object nor a list.
func (w View) IsScalar() bool {
	return slices.Contains([]string{"string", "integer", "number", "boolean"}, w.Kind)
}

// take adds a part of the allOf of m.
func (w *View) take(part View, m Object) {
	w.members(part.Props)
	maps.Copy(w.Required, part.Required)
	if len(List(m["allOf"])) > 1 {
		w.Schema = maps.Clone(w.Schema)
		for k, v := range part.Schema {
			if was, ok := w.Schema[k]; ok && (k == "items" || k == "additionalProperties" && v != true) {
				w.Schema[k] = joined(was, v)
			} else if !ok && !slices.Contains([]string{"allOf", "properties", "required", "$ref"}, k) {
				w.Schema[k] = v
			}
		}
		if len(part.Variants) > 1 {
			w.Variants = part.Variants
		}
	}
	if w.Kind == "" || part.Kind != "any" {
		w.Kind = part.Kind
	}
	w.Nullable = w.Nullable || part.Nullable && len(List(m["allOf"])) == 1
	if len(List(m["allOf"])) == 1 && m["properties"] == nil {
		w.Variants, w.Schema = part.Variants, part.Schema
		for _, k := range []string{"enum", "const"} { // the values of a variant, beside those of all variants
			if v, ok := m[k]; ok {
				w.Schema, w.Variants = maps.Clone(w.Schema), nil
				w.Schema[k] = v
			}
		}
	}
}

// members adds properties.
func (w *View) members(props Object) {
	for name, p := range props {
		w.Props[name] = joined(w.Props[name], p)
	}
}

// joined returns the schema of values that fit two schemas: an allOf of both, or the first or second alone where the
// other adds only a type.
func joined(was, v any) any {
	switch {
	case was == false || v == false:
		return false
	case saysLess(was, v):
		return v
	case saysLess(v, was):
		return was
	}
	return Object{"allOf": []any{was, v}}
}

// saysLess reports whether another schema has all keywords of a schema, except for type: object beside a reference or an
// allOf.
func saysLess(v, than any) bool {
	m, other := Obj(v), Obj(than)
	for k, x := range m {
		isObject := k == "type" && x == "object" && (other["$ref"] != nil || other["allOf"] != nil)
		if !isObject && !slices.Contains(texts, k) && Compact(x) != Compact(other[k]) {
			return false
		}
	}
	return true
}

func (w *View) kind(typ string) string {
	switch {
	case len(w.Variants) > 1:
		return "union"
	case len(w.Props) > 0:
		return "object"
	case typ == "array":
		return "list"
	case typ == "object":
		return "map"
	case typ != "":
		return typ
	case w.Kind != "":
		return w.Kind
	case w.Schema["items"] != nil:
		return "list"
	case Obj(w.Schema["additionalProperties"]) != nil:
		return "map"
	}
	values := w.Enum()
	if len(values) == 0 {
		return "any"
	}
	switch v := values[0].(type) {
	case string:
		return "string"
	case bool:
		return "boolean"
	case json.Number:
		if strings.ContainsAny(v.String(), ".eE") {
			return "number"
		}
		return "integer"
	}
	return "any"
}

// Enum returns the values that a schema lists, without null.
func (w View) Enum() []any {
	values := List(w.Schema["enum"])
	if c, ok := w.Schema["const"]; ok && len(values) == 0 {
		values = []any{c}
	}
	return slices.DeleteFunc(slices.Clone(values), func(v any) bool { return v == nil })
}

// Texts returns the member that distinguishes the variants of a union, and its values for each: texts, or
// integers as JSON writes them. The member is "" if none does.
func (d *Document) Texts(w View) (by string, of [][]string) {
	if len(w.Variants) == 0 {
		return "", nil
	}
	discriminator := Obj(w.Schema["discriminator"])
	if by = Str(discriminator["propertyName"]); by != "" {
		if of = d.textsBy(by, w, discriminator); of == nil {
			by = ""
		}
		return by, of
	}
	first := d.View(w.Variants[0]).Props
	for _, name := range Names(first) {
		if len(d.View(first[name]).Enum()) == 0 {
			continue
		}
		if of = d.textsBy(name, w, nil); of != nil {
			return name, of
		}
	}
	return "", nil
}

// textsBy returns the values of a member for each variant, or nil if they do not distinguish these.
func (d *Document) textsBy(by string, w View, discriminator Object) (of [][]string) {
	seen := map[string]bool{}
	for _, variant := range w.Variants {
		texts := d.textsOf(variant, by, discriminator)
		for _, text := range texts {
			if seen[text] {
				return nil
			}
			seen[text] = true
		}
		if len(texts) == 0 {
			return nil
		}
		of = append(of, texts)
	}
	return of
}

func (d *Document) textsOf(variant any, by string, discriminator Object) (texts []string) {
	w := d.View(variant)
	component := d.Component(variant)
	if w.Kind != "object" || w.Props[by] == nil ||
		!slices.Contains([]string{"string", "integer"}, d.View(w.Props[by]).Kind) {
		return nil
	}
	mapping := Obj(discriminator["mapping"])
	for _, text := range Names(mapping) {
		if ref := Str(mapping[text]); ref != "" && (ref == Str(Obj(variant)["$ref"]) || ref == component) {
			texts = append(texts, text)
		}
	}
	if len(texts) == 0 {
		for _, v := range d.View(w.Props[by]).Enum() {
			texts = append(texts, fmt.Sprint(v))
		}
	}
	if len(texts) == 0 && component != "" && discriminator["propertyName"] != nil {
		texts = append(texts, component)
	}
	slices.Sort(texts)
	return texts
}

// Shape returns a schema without what no client sees, to find what was renamed or moved.
func Shape(v any) string { return Compact(Shaped(v)) }

// Shaped returns a copy of a schema without what no client sees.
func Shaped(v any) any { return bare(v, false) }

// bare drops the texts of schemas. named means that v has schemas by name.
func bare(v any, named bool) any {
	switch v := v.(type) {
	case Object:
		m := Object{}
		for k, x := range v {
			if named || !slices.Contains(texts, k) && !strings.HasPrefix(k, "x-") && k != "deprecated" {
				m[k] = bare(x, k == "properties" && !named)
			}
		}
		return m
	case []any:
		l := make([]any, len(v))
		for i := range v {
			l[i] = bare(v[i], false)
		}
		return l
	}
	return v
}
