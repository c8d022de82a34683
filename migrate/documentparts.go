package migrate

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// documentPart is a part of allOf, with the edits whose members it has.
type documentPart struct {
	own   map[string]any // without a reference
	edits []placed
}

// partsOf returns the parts of an object, or nil if they must become one: if an edit has members
// in two of them, or a part is more than an object.
func (l *documentLowering) partsOf(s map[string]any, t reflect.Type) (parts []documentPart) {
	where := map[string]int{} // the part of a property, -1: several
	last := 0                 // the last part without a reference, which gets the members that edits bring back
	for i, each := range anyList(s["allOf"]) {
		own := anyMap(l.resolve(each))
		more := append([]string{"$ref", "allOf", "oneOf", "anyOf", "discriminator"}, conditionKeywords...)
		isMore := slices.ContainsFunc(more, func(keyword string) bool { return own[keyword] != nil })
		if own == nil || isMore || anyMap(each)["$ref"] != nil && !isAnnotated(anyMap(each), "$ref") {
			return nil
		}
		for name := range anyMap(own["properties"]) {
			if _, ok := where[name]; ok {
				where[name] = -1
			} else {
				where[name] = i
			}
		}
		if parts = append(parts, documentPart{own: maps.Clone(own)}); anyMap(each)["$ref"] == nil {
			last = i
		}
	}
	if !isAnnotated(s, "allOf") || l.edits.reshaped(t) != nil {
		return nil
	}
	for _, p := range l.edits.after(t, l.index) {
		at := last
		for i, name := range p.needs {
			is, ok := where[name]
			if !ok || is < 0 || i > 0 && is != at {
				return nil
			}
			at = is
		}
		for _, name := range p.lacks {
			where[name] = at
		}
		parts[at].edits = append(parts[at].edits, p)
	}
	// Another part may say what is required.
	for i := range parts {
		var stays []any
		for _, name := range anyList(parts[i].own["required"]) {
			if at, ok := where[fmt.Sprint(name)]; ok && at >= 0 && at != i && len(parts[at].edits) > 0 {
				parts[at].own["required"] = append(slices.Clip(anyList(parts[at].own["required"])), name)
			} else {
				stays = append(stays, name)
			}
		}
		if delete(parts[i].own, "required"); stays != nil {
			parts[i].own["required"] = stays
		}
	}
	return parts
}

// lowerParts lowers each part of an object for itself.
func (l *documentLowering) lowerParts(s map[string]any, parts []documentPart, t reflect.Type, place string) error {
	made := slices.Clone(anyList(s["allOf"]))
	for i, part := range parts {
		place := fmt.Sprint(place, "/allOf/", i)
		ref, isRef := anyMap(made[i])["$ref"].(string)
		key := schemaKey{ref, t}
		if !isRef || l.schemas[key] == nil {
			// The examples of one part lack the members of the next, so no edit can lower them.
			for _, key := range []string{"example", "examples", "default"} {
				delete(part.own, key)
			}
			if err := l.structure(part.own, t, part.edits, place); err != nil {
				return err
			}
		}
		switch {
		case !isRef:
			made[i] = part.own
			continue
		case l.schemas[key] == nil:
			l.schemas[key] = l.newCopy("schemas", ref, part.own)
		}
		each := maps.Clone(anyMap(made[i]))
		each["$ref"], made[i] = l.schemas[key].temporary, each
	}
	s["allOf"] = made
	return l.values(s, t, place)
}
