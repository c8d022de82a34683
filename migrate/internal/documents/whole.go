package documents

import (
	"maps"
	"reflect"

	"github.com/goverso/verso/migrate/internal/edits"
	"github.com/goverso/verso/migrate/internal/openapi"
	"github.com/goverso/verso/migrate/internal/shape"
)

// whole lowers the schema of a type with edits of whole values.
func (l *lowering) whole(given map[string]any, t reflect.Type, list []edits.Whole, place string) any {
	own, nullable, err := l.Owned(given)
	l.note(err)
	var made any
	if older, key := list[0].Form(l.edits.All, t); key == "" {
		name, part := list[0].Part(own)
		if part == nil {
			l.fail(place, "there is no property %q, which %s has: %w", name, shape.NameOf(t), openapi.ErrNotNewest)
			return given
		}
		made, list = l.schema(part, older, place+"/properties/"+name), list[1:]
		if nullable && len(list) == 0 {
			made = l.OrNull(openapi.Map(made))
		}
	} else {
		o := l.object(nil, false)
		made = l.bare(o.Real(given), t, place)
		l.note(o.Err)
	}
	for i, e := range list {
		_, key := e.Form(l.edits.All, t)
		made = l.Nullable(within(key, made), nullable && i == len(list)-1)
	}
	if made, ok := made.(map[string]any); ok && len(list) > 0 {
		var changes []edits.Placed
		for _, p := range l.edits.Lacked(t) {
			if p.Whole != nil {
				changes = append(changes, p)
			}
		}
		made["x-changes"] = changesOf(changes)
	}
	return made
}

// within returns the schema of an object around a value.
func within(key string, value any) map[string]any {
	return map[string]any{"type": "object", "properties": map[string]any{key: value}, "required": []any{key}}
}

// outside takes a lowered example out of the objects around it, since the schema inside has it.
func (l *lowering) outside(value any, t reflect.Type) any {
	for _, e := range l.edits.Wholes(t) {
		_, key := e.Form(l.edits.All, t)
		if inner, ok := openapi.Map(value)[key]; ok && key != "" {
			value = inner
		}
	}
	return value
}

// wholeType returns the schema of a Go type with edits of whole values.
func (l *lowering) wholeType(t reflect.Type, list []edits.Whole, isNull bool) map[string]any {
	var made map[string]any
	if older, key := list[0].Form(l.edits.All, t); key == "" {
		made, list = l.schemaOf(older, true), list[1:]
	} else {
		made = l.bareSchemaOf(t, false)
	}
	for _, e := range list {
		_, key := e.Form(l.edits.All, t)
		made = within(key, made)
	}
	return l.Nullable(maps.Clone(made), isNull)
}
