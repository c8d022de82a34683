package documents

import (
	"maps"
	"reflect"

	"github.com/goverso/verso/migrate/internal/edits"
	"github.com/goverso/verso/migrate/internal/openapi"
	"github.com/goverso/verso/migrate/internal/shape"
)

// enveloped lowers the schema of a type around whose values an object came or went.
func (l *lowering) enveloped(given map[string]any, t reflect.Type, list []*edits.Envelope, place string) any {
	own, nullable, err := l.Owned(given)
	l.note(err)
	var made any
	if e := list[0]; e.Old == nil {
		inside := openapi.Map(own["properties"])[e.Key]
		if inside == nil {
			l.fail(place, "there is no property %q, which %s has: %w", e.Key, shape.NameOf(t), openapi.ErrNotNewest)
			return given
		}
		made, list = l.schema(inside, l.edits.Inside(t, e), place+"/properties/"+e.Key), list[1:]
		if nullable && len(list) == 0 {
			made = l.OrNull(openapi.Map(made))
		}
	} else {
		o := l.object(nil, false)
		made = l.bare(o.Real(given), t, place)
		l.note(o.Err)
	}
	for i, e := range list {
		made = l.Nullable(within(e, made), nullable && i == len(list)-1)
	}
	if made, ok := made.(map[string]any); ok && len(list) > 0 {
		var changes []edits.Placed
		for _, p := range l.edits.Lacked(t) {
			if p.Envelope != nil {
				changes = append(changes, p)
			}
		}
		made["x-changes"] = changesOf(changes)
	}
	return made
}

// within returns the schema of an object around a value.
func within(e *edits.Envelope, value any) map[string]any {
	return map[string]any{"type": "object", "properties": map[string]any{e.Key: value}, "required": []any{e.Key}}
}

// outside takes a lowered example out of the envelopes, since the schema inside has it.
func (l *lowering) outside(value any, t reflect.Type) any {
	for _, e := range l.edits.Envelopes(t) {
		if inner, ok := openapi.Map(value)[e.Key]; ok && e.Old != nil {
			value = inner
		}
	}
	return value
}

// envelopedType returns the schema of a Go type with objects around its values.
func (l *lowering) envelopedType(t reflect.Type, list []*edits.Envelope, isNull bool) map[string]any {
	var made map[string]any
	if e := list[0]; e.Old == nil {
		made, list = l.schemaOf(l.edits.Inside(t, e), true), list[1:]
	} else {
		made = l.bareSchemaOf(t, false)
	}
	for _, e := range list {
		made = within(e, made)
	}
	return l.Nullable(maps.Clone(made), isNull)
}
