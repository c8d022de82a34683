package migrate

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// union lowers the schema of a union: each part by the struct that its texts name, in the mapping
// of a discriminator or in the property of the texts.
func (l *documentLowering) union(s map[string]any, keyword string, u *union, place string) error {
	mapping, made, moved := anyMap(anyMap(s["discriminator"])["mapping"]), []any{}, map[string]any{}
	variants, _ := u.in(l.edits, l.index, nil)
	isNull := func(v variant) bool { return v.lacks && v.edit != nil && string(v.edit.instead) == "null" }
	for i, part := range anyList(s[keyword]) {
		place := fmt.Sprint(place, "/", keyword, "/", i)
		if l.isNull(part) {
			made = append(made, part)
			continue
		}
		// A reference to the union, beside null or a description.
		if whole := anyMap(l.resolve(part)); whole["oneOf"] != nil || whole["anyOf"] != nil {
			part, err := l.schema(part, u.typ, place)
			if err != nil {
				return err
			}
			made = append(made, part)
			continue
		}
		own, _, err := l.owned(part)
		if err != nil {
			return fmt.Errorf("%s: %w", place, err)
		}
		texts := textsOf(anyMap(own["properties"])[u.by])
		for text, ref := range mapping {
			if ref == anyMap(part)["$ref"] && !slices.Contains(texts, any(text)) {
				texts = append(texts, text)
			}
		}
		var of reflect.Type
		var left []any
		changed := false
		for _, text := range texts {
			i := slices.IndexFunc(variants, func(v variant) bool { return any(v.now) == text && !v.gone })
			if i < 0 {
				left = append(left, text)
				continue
			}
			v := variants[i]
			if of != nil && of != v.typ {
				return fmt.Errorf("%s: it has the texts of two structs, %s and %s: describe each", place, nameOf(of),
					nameOf(v.typ))
			}
			if of = v.typ; !v.lacks {
				left = append(left, v.text)
			}
			changed = changed || v.lacks || v.text != text
		}
		// Objects without the member have a part without texts.
		if len(texts) == 0 {
			of = u.typeOf("")
		}
		switch {
		case len(texts) > 0 && len(left) == 0:
			continue // only newer versions have it
		case of == nil && len(texts) == 0:
			return fmt.Errorf("%s: its struct is not known by a text of %q: give the property an enum, or the schema a mapping", place, u.by)
		case of != nil:
			if part, err = l.schema(part, of, place); err != nil {
				return err
			}
		}
		if changed {
			part = l.withTexts(part, u, left)
		}
		made = append(made, part)
		for _, text := range left {
			if mapping != nil {
				moved[fmt.Sprint(text)] = anyMap(part)["$ref"]
			}
		}
	}
	for _, v := range variants {
		if v.gone && !v.lacks && v.typ != nil { // only older versions have it
			part := l.schemaOf(v.typ, nil)
			anyMap(part["properties"])[u.by] = map[string]any{"type": "string", "enum": []any{v.text}}
			made = append(made, part)
		}
	}
	switch isRead := slices.ContainsFunc(variants, isNull); { // instead of what only newer versions have
	case isRead && l.is30:
		s["nullable"] = true
	case isRead && !slices.ContainsFunc(made, l.isNull):
		made = append(made, map[string]any{"type": "null"})
	}
	if len(made) == 0 { // an empty list is no schema
		made = append(made, map[string]any{"not": map[string]any{}})
	}
	if s[keyword] = made; mapping != nil {
		d := maps.Clone(anyMap(s["discriminator"]))
		d["mapping"], s["discriminator"] = moved, d
	}
	return nil
}

// withTexts gives the property with the texts those of the version, in a copy: outside of the union
// the struct keeps its own. All edits are taken back by then.
func (l *documentLowering) withTexts(part any, u *union, texts []any) any {
	ref, isReference := anyMap(part)["$ref"].(string)
	key := schemaKey{fmt.Sprint(texts, ref), u.typ}
	made := map[string]any{}
	if !isReference || l.schemas[key] == nil {
		l.last = append(l.last, func() {
			maps.Copy(made, anyMap(l.resolve(part)))
			properties := maps.Clone(anyMap(made["properties"]))
			property := maps.Clone(anyMap(properties[u.by]))
			delete(property, "const")
			if property["enum"] = texts; property["default"] != nil && !slices.Contains(texts, property["default"]) {
				delete(property, "default")
			}
			properties[u.by], made["properties"] = property, properties
		})
	}
	if !isReference {
		return made
	}
	if l.schemas[key] == nil {
		of := ref
		for _, each := range l.list {
			if each.temporary == ref {
				of = each.ref
			}
		}
		l.schemas[key] = l.newCopy("schemas", of, made)
	}
	reference := maps.Clone(anyMap(part))
	reference["$ref"] = l.schemas[key].temporary
	return reference
}

// textsOf returns the texts that a property can have, by its schema.
func textsOf(property any) []any {
	s := anyMap(property)
	if only, ok := s["const"]; ok {
		return []any{only}
	}
	return slices.Clone(anyList(s["enum"]))
}
