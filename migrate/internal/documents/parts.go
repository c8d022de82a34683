package documents

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/goverso/verso/migrate/internal/edits"
	"github.com/goverso/verso/migrate/internal/openapi"
)

// partsOf returns the edits of an object by the parts of its allOf that have their members, or
// nil if the parts must become one: if an edit has members in two, or a part is not an object.
func (l *lowering) partsOf(s map[string]any, t reflect.Type) [][]edits.Placed {
	parts := openapi.List(s["allOf"])
	where := map[string]int{} // the part of a property, -1: several
	last := 0                 // the last part without a reference, which gets the members that edits bring back
	for i, each := range parts {
		own, given := openapi.Map(l.Resolve(each)), openapi.Map(each)
		more := append([]string{"$ref", "allOf", "oneOf", "anyOf"}, openapi.ConditionKeywords...)
		isMore := slices.ContainsFunc(more, func(keyword string) bool { return own[keyword] != nil })
		if own == nil || isMore || given["$ref"] != nil && !openapi.IsAnnotated(given, "$ref") {
			return nil
		}
		for name := range openapi.PropertiesOf(own) {
			if _, ok := where[name]; ok {
				where[name] = -1
			} else {
				where[name] = i
			}
		}
		if given["$ref"] == nil {
			last = i
		}
	}
	if !openapi.IsAnnotated(s, "allOf") || l.edits.Reshaped(t) != nil {
		return nil
	}
	made := make([][]edits.Placed, len(parts))
	for _, p := range l.edits.Lacked(t) {
		switch {
		case p.Keywords == nil:
		case len(p.Needs) > 0 && where[p.Needs[0]] < 0:
			at := l.describing(parts, p)
			made[at] = append(made[at], p)
			continue
		case len(p.Needs) > 0:
		case len(p.Keywords) == 1 && p.Keywords["required"] != nil: // each part requires its own members
			for i := range made {
				made[i] = append(made[i], p)
			}
			continue
		default:
			return nil // keywords of the whole object
		}
		at := last
		for i, name := range p.Needs {
			is, ok := where[name]
			if !ok || is < 0 || i > 0 && is != at {
				return nil
			}
			at = is
		}
		for _, name := range p.Lacks {
			where[name] = at
		}
		made[at] = append(made[at], p)
	}
	return made
}

// describing returns the part of an allOf with keywords of a member which several parts describe, or the last
// that describes it.
func (l *lowering) describing(parts []any, p edits.Placed) (at int) {
	for i, each := range parts {
		schema := openapi.Map(openapi.Map(l.Resolve(each))["properties"])[p.Needs[0]]
		if schema == nil {
			continue
		}
		at = i
		own, _, _ := l.Owned(schema)
		for keyword := range p.Keywords {
			if own[keyword] != nil {
				return i
			}
		}
	}
	return at
}

// lowerParts lowers each part of an object for itself.
func (l *lowering) lowerParts(s map[string]any, edits [][]edits.Placed, t reflect.Type, place string) {
	made := slices.Clone(openapi.List(s["allOf"]))
	for i, each := range made {
		lower := func() any {
			own := maps.Clone(openapi.Map(l.Resolve(each)))
			// The examples of one part lack the members of the next, so no edit can lower them.
			maps.DeleteFunc(own, func(key string, _ any) bool {
				return slices.Contains([]string{"example", "examples", "default"}, key)
			})
			l.structure(own, t, edits[i], fmt.Sprint(place, "/allOf/", i))
			return own
		}
		if ref, ok := openapi.Map(each)["$ref"].(string); ok {
			made[i] = l.Copied(openapi.Map(each), openapi.Key{Ref: ref, Type: t}, lower)
		} else {
			made[i] = lower()
		}
	}
	s["allOf"] = made
	l.values(s, t, place)
}
