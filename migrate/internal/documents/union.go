package documents

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/goverso/verso/migrate/internal/edits"
	"github.com/goverso/verso/migrate/internal/openapi"
	"github.com/goverso/verso/migrate/internal/shape"
)

// union lowers the schema of a union: each part by the struct that its texts name, in the mapping
// of a discriminator or in the property of the texts.
func (l *lowering) union(s map[string]any, keyword string, u *edits.Union, place string) {
	mapping, made, moved := openapi.Map(openapi.Map(s["discriminator"])["mapping"]), []any{}, map[string]any{}
	variants, lacks, olders := l.edits.Members(u.Typ), l.edits.Lacks(u, l.edits.Index), map[string]string{}
	for _, m := range variants {
		if !m.Gone {
			olders[m.Now] = m.Name
		}
	}
	add := func(part any, texts ...string) {
		made = append(made, part)
		for _, text := range texts {
			if ref := openapi.Map(part)["$ref"]; ref != nil {
				moved[text] = ref
			}
		}
	}
	for i, part := range openapi.List(s[keyword]) {
		place := fmt.Sprint(place, "/", keyword, "/", i)
		// A reference to the union, beside null or a description.
		if whole := openapi.Map(l.Resolve(part)); whole["oneOf"] != nil || whole["anyOf"] != nil {
			add(l.schema(part, u.Typ, place))
			continue
		}
		if l.IsNull(part) || l.isShared(part, openapi.List(s[keyword]), keyword, u, place) {
			add(part)
			continue
		}
		if part, texts := l.variant(part, mapping, u, olders, lacks, place); part != nil {
			add(part, texts...)
		}
	}
	for _, m := range variants {
		if m.Gone && m.Typ != nil { // only older versions have it
			add(l.gone(m, u, mapping != nil || slices.ContainsFunc(made, isRef)), m.Name)
		}
	}
	for _, e := range lacks { // null is read instead of what only newer versions have
		if string(e.Instead) != "null" {
			continue
		}
		if l.Is30 {
			s["nullable"] = true
		} else if !slices.ContainsFunc(made, l.IsNull) {
			made = append(made, map[string]any{"type": "null"})
		}
	}
	if len(made) == 0 { // an empty list is not a schema
		made = append(made, map[string]any{"not": map[string]any{}})
	}
	if s[keyword] = made; mapping != nil {
		d := maps.Clone(openapi.Map(s["discriminator"]))
		d["mapping"], s["discriminator"] = moved, d
	}
}

// isShared reports whether a part of allOf describes what all variants have. It stays, so an
// edit of a variant must not be about what it describes.
func (l *lowering) isShared(part any, parts []any, keyword string, u *edits.Union, place string) bool {
	hasVariants := func(part any) bool {
		s := openapi.Map(l.Resolve(part))
		return s["oneOf"] != nil || s["anyOf"] != nil
	}
	s := openapi.Map(l.Resolve(part))
	if keyword != "allOf" || s["properties"] == nil || !slices.ContainsFunc(parts, hasVariants) {
		return false
	}
	described := openapi.PropertiesOf(s)
	if p := described[u.By]; p != nil && openapi.TextsOf(p.Schema) != nil {
		l.fail(place, "it lists texts of %q beside the variants: list them in these alone", u.By)
	}
	for _, m := range l.edits.Members(u.Typ) {
		if m.Typ == nil {
			continue
		}
		for _, e := range l.edits.Lacked(m.Typ) {
			for _, name := range slices.Concat(e.Needs, e.Lacks) {
				if described[name] != nil {
					l.fail(place, "it describes %q beside the variants, and %s has an edit of it", name,
						shape.NameOf(m.Typ))
				}
			}
		}
	}
	return true
}

// isRef reports whether a part of a union is a reference.
func isRef(part any) bool { return openapi.Map(part)["$ref"] != nil }

// gone returns the part of a variant that only older versions have. It is a component, named after
// its Go type, where parts beside it are: the mapping of a discriminator has no other form.
func (l *lowering) gone(m shape.Member, u *edits.Union, isComponent bool) map[string]any {
	lower := func() map[string]any {
		part := l.schemaOf(m.Typ, true)
		if texts, _, _ := l.partTexts(part, nil, u); !slices.Equal(texts, []string{m.Name}) {
			return l.withTexts(part, u, []string{m.Name})
		}
		return part
	}
	name := shape.ShortName(m.Typ)
	if !isComponent || l.components[m.Typ] != "" || name == "" {
		return lower()
	}
	ref := openapi.Reference("components", "schemas", name)
	return l.Copied(map[string]any{"$ref": ref}, openapi.Key{Ref: fmt.Sprint(u.By, m.Name, ref), Type: m.Typ}, func() any {
		within := l.within
		defer func() { l.within = within }()
		l.within = nil // it does not depend on where it is
		return lower()
	})
}

// variant lowers a part of a union, and returns it with its texts in the older version: nil if only newer
// versions have it. olders are the texts by the newest ones, without those of lacks.
func (l *lowering) variant(part any, mapping map[string]any, u *edits.Union, olders map[string]string,
	lacks map[string]*edits.Variant, place string) (lowered any, left []string) {
	texts, isMapped, err := l.partTexts(part, mapping, u)
	if err != nil {
		l.fail(place, "%w", err)
	}
	var of reflect.Type
	isSame := true // also the texts of other parts, which a property that all share lists
	for _, newest := range texts {
		older, has := olders[newest]
		isSame = isSame && (has && older == newest || !has && lacks[newest] == nil)
		switch typ := u.TypeOf(newest); {
		case !has && lacks[newest] == nil: // of no variant
			left = append(left, newest)
		case of == nil || of == typ:
			if of = typ; has {
				left = append(left, older)
			}
		case !isMapped:
			l.fail(place, "it has the texts of two structs, %s and %s: describe each", shape.NameOf(of), shape.NameOf(typ))
		}
	}
	// Objects without the member have a part without texts.
	if len(texts) == 0 {
		of = u.TypeOf("")
	}
	switch {
	case len(texts) > 0 && len(left) == 0:
		return nil, nil
	case of == nil && len(texts) == 0:
		l.fail(place,
			"its struct is not known by a text of %q: give the property an enum, or the schema a mapping", u.By)
	case of != nil:
		part = l.schema(part, of, place)
	}
	if !isSame {
		part = l.withTexts(part, u, left)
	}
	return part, left
}

// partTexts returns the texts of a part of a union: those of the mapping, which is decisive where all
// parts may have the same ones, and those of its property.
func (l *lowering) partTexts(part any, mapping map[string]any, u *edits.Union) (texts []string, isMapped bool, err error) {
	for _, text := range slices.Sorted(maps.Keys(mapping)) {
		to := fmt.Sprint(mapping[text])
		if !openapi.IsReference(to) {
			to = openapi.Reference("components", "schemas", to)
		}
		if to == openapi.Map(part)["$ref"] {
			texts = append(texts, text)
		}
	}
	isMapped = len(texts) > 0
	own, _, err := l.Owned(part)
	property, propertyErr := openapi.Map(l.Resolve(openapi.Map(own["properties"])[u.By])), error(nil)
	if openapi.TextsOf(property) == nil { // its own values are decisive, whatever forms an allOf has beside them
		property, _, propertyErr = l.Owned(openapi.Map(own["properties"])[u.By])
	}
	for _, value := range openapi.TextsOf(property) {
		if text := fmt.Sprint(value); !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return texts, isMapped, cmp.Or(err, propertyErr)
}

// withTexts gives the property with the texts those of the version, in a copy: beside the union
// the struct keeps its own. All edits are taken back by then.
func (l *lowering) withTexts(part any, u *edits.Union, texts []string) map[string]any {
	lower := func() any {
		made, values := map[string]any{}, []any{}
		for _, text := range texts {
			if values = append(values, text); u.AreNumbers() {
				values[len(values)-1] = json.Number(text)
			}
		}
		l.later = append(l.later, func() { // after the edits of the struct
			// Several parts of an allOf may have the texts.
			whole, err := l.Flatten(openapi.Map(l.Resolve(part)), "", map[string]bool{})
			o := l.object(whole, false)
			p := cmp.Or(o.Properties[u.By], new(openapi.Property))
			own, nullable := o.Own(p.Schema)
			delete(own, "const")
			if own["enum"] = values; own["default"] != nil && !slices.Contains(texts, fmt.Sprint(own["default"])) {
				delete(own, "default")
			}
			p.Schema, o.Properties[u.By] = l.Nullable(own, nullable), p
			openapi.Write(whole, o.Properties)
			maps.Copy(made, whole)
			l.note(cmp.Or(err, o.Err))
		})
		return made
	}
	if ref, ok := openapi.Map(part)["$ref"].(string); ok {
		return l.Copied(openapi.Map(part), openapi.Key{Ref: fmt.Sprint(texts, ref), Type: u.Typ}, lower)
	}
	return openapi.Map(lower())
}
