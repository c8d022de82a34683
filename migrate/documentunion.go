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
	for i, part := range anyList(s[keyword]) {
		place := fmt.Sprint(place, "/", keyword, "/", i)
		if l.isNull(part) {
			made = append(made, part)
			continue
		}
		own, _, err := l.owned(part)
		if err != nil {
			return err
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
			if part, err = l.withTexts(part, u.by, left); err != nil {
				return err
			}
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
	if s[keyword] = made; mapping != nil {
		d := maps.Clone(anyMap(s["discriminator"]))
		d["mapping"], s["discriminator"] = moved, d
	}
	return nil
}

// withTexts gives the property with the texts those of the version.
func (l *documentLowering) withTexts(part any, by string, texts []any) (any, error) {
	for ; len(l.later) > 0; l.later = l.later[1:] {
		if err := l.later[0](); err != nil {
			return nil, err
		}
	}
	s := anyMap(l.resolve(part))
	made, properties := maps.Clone(s), maps.Clone(anyMap(s["properties"]))
	property := maps.Clone(anyMap(properties[by]))
	delete(property, "const")
	if property["enum"] = texts; property["default"] != nil && !slices.Contains(texts, property["default"]) {
		delete(property, "default")
	}
	properties[by], made["properties"] = property, properties
	ref, ok := anyMap(part)["$ref"].(string)
	if !ok {
		return made, nil
	}
	for _, each := range l.list { // the copy of the version
		if each.temporary == ref {
			each.value = made
			return part, nil
		}
	}
	return l.copyOf("schemas", ref, made), nil
}

// textsOf returns the texts that a property can have, by its schema.
func textsOf(property any) []any {
	s := anyMap(property)
	if only, ok := s["const"]; ok {
		return []any{only}
	}
	return slices.Clone(anyList(s["enum"]))
}
