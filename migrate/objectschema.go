package migrate

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/goverso/verso/migrate/internal/jsontext"
)

// objectSchema is the schema of an object while its edits are taken back. The edits come from
// the newest to the oldest, so each finds what the edit before it left.
type objectSchema struct {
	*documentCopies
	schemaOf   func(t reflect.Type, isNull bool) map[string]any // of a Go type
	properties map[string]*property

	isParameters bool  // of a list, an edit changes each parameter
	isRead       bool  // no request has the object
	err          error // of the edits
}

// property is a property in the schema of an object, or a parameter.
type property struct {
	schema    any // nil: the object only requires it
	required  bool
	parameter map[string]any // that it was, nil for a property
}

// object returns the schema of an object for edits.
func (l *documentLowering) object(s map[string]any, isParameters bool) *objectSchema {
	return &objectSchema{documentCopies: &l.documentCopies, schemaOf: l.schemaOf, properties: propertiesOf(s),
		isParameters: isParameters}
}

// propertiesOf returns the properties of the schema of an object.
func propertiesOf(s map[string]any) map[string]*property {
	all := map[string]*property{}
	for name, schema := range anyMap(s["properties"]) {
		all[name] = &property{schema: schema}
	}
	for _, name := range anyList(s["required"]) {
		name := fmt.Sprint(name)
		all[name] = cmp.Or(all[name], new(property))
		all[name].required = true
	}
	return all
}

// write writes the properties of an object into its schema.
func write(s map[string]any, all map[string]*property) {
	delete(s, "required")
	properties := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if p := all[name]; p.schema != nil {
			properties[name] = p.schema
		}
		if all[name].required {
			s["required"] = append(anyList(s["required"]), name)
		}
	}
	if len(properties) > 0 || s["properties"] != nil {
		s["properties"] = properties
	}
}

// take removes a property and returns it.
func (o *objectSchema) take(name string) *property {
	p := o.properties[name]
	delete(o.properties, name)
	return p
}

// own returns a copy of a schema that an edit can change, and whether it can be null. It has
// no reference, and is not a union with null.
func (o *objectSchema) own(schema any) (s map[string]any, nullable bool) {
	s, nullable, err := o.owned(schema)
	o.err = cmp.Or(o.err, err)
	return s, nullable
}

// annotated returns a schema with an annotation. In OpenAPI 3.0 nothing stands beside a reference, and
// an object may not be done yet.
func annotated(schema any, keyword string, value any) map[string]any {
	s := merged(anyMap(schema), nil)
	if s["$ref"] != nil || s["properties"] != nil {
		s = map[string]any{"allOf": []any{schema}}
	}
	s[keyword] = value
	return s
}

// allowing returns a schema with a constant that the newest version may not send: null, an empty
// text, or a text outside an enum.
func (o *objectSchema) allowing(schema, value any) any {
	s, nullable, err := o.owned(schema)
	values := textsOf(s)
	isOther := values != nil && !slices.ContainsFunc(values,
		func(other any) bool { return fmt.Sprint(other) == fmt.Sprint(value) })
	switch {
	case value == nil && nullable, err != nil && value != nil, value != nil && value != "" && !isOther:
		return schema
	case value == nil && (err != nil || s["properties"] != nil): // it may not be done yet
		return o.orNull(anyMap(schema))
	case value == nil:
		return o.nullable(s, true)
	}
	if delete(s, "const"); isOther {
		s["enum"] = append(values, value)
	}
	if value == "" {
		for _, keyword := range []string{"minLength", "pattern", "format"} {
			delete(s, keyword)
		}
	}
	return o.nullable(s, nullable)
}

// described merges keywords into a schema.
func (o *objectSchema) described(schema any, keywords map[string]any) any {
	s, nullable, err := o.owned(schema)
	switch {
	// What it leads to is described whole, and must be in the document.
	case keywords["$ref"] != nil:
		_, _, o.err = o.owned(keywords)
		return keywords
	// An object stays what it is, and may not be done yet.
	case errors.Is(err, errForms) || s["properties"] != nil:
		return merged(map[string]any{"allOf": []any{schema}}, keywords)
	}
	o.err = err
	return o.nullable(merged(s, keywords), nullable)
}

// merged applies a merge patch (RFC 7396) to a copy of an object.
func merged(object, patch map[string]any) map[string]any {
	if object = maps.Clone(object); object == nil {
		object = map[string]any{}
	}
	for key, value := range patch {
		switch value := value.(type) {
		case nil:
			delete(object, key)
		case map[string]any:
			object[key] = merged(anyMap(object[key]), value)
		default:
			object[key] = value
		}
	}
	return object
}

// computed returns what a function of an edit makes of values of the document.
func (o *objectSchema) computed(fn func([][]byte) ([]byte, error), values ...any) any {
	if o.err != nil {
		return nil
	}
	var in [][]byte
	for _, value := range values {
		raw, _ := json.Marshal(value) // it was decoded
		in = append(in, raw)
	}
	raw, err := fn(in)
	o.err = err
	return jsontext.Decoded(raw)
}

// mappedKeywords are the keywords that stay, or are mapped, when values have another type.
var mappedKeywords = slices.Concat([]string{"enum", "const"}, annotations)

// mapped returns the schema of a Go type, with the texts and the mapped values of another schema.
// Without a type only the values are mapped.
func (o *objectSchema) mapped(schema any, old reflect.Type, fn func([][]byte) ([]byte, error)) any {
	was, nullable := o.own(schema)
	for _, keyword := range conditionKeywords {
		if _, ok := was[keyword]; ok {
			o.err = fmt.Errorf("the keyword %s of a property cannot be followed", keyword)
		}
	}
	made := was
	compute := func(value any) any { return o.computed(fn, value) }
	switch items := anyMap(was["items"]); {
	// In a query, a list is a parameter with several values, and an edit maps each of them; in a
	// body, an edit of a list maps the list.
	case items != nil && o.isParameters:
		was["items"] = o.mapped(items, old, fn)
		compute = func(value any) any {
			list := slices.Clone(anyList(value))
			for i := range list {
				list[i] = o.computed(fn, list[i])
			}
			return list
		}
	case old == nil:
		// The function may return any text, and these describe the newest one.
		maps.DeleteFunc(was, func(key string, _ any) bool {
			return slices.Contains([]string{"pattern", "minLength", "maxLength", "format"}, key) ||
				strings.HasPrefix(key, "x-enum")
		})
	default:
		made = o.schemaOf(old, true)
		for _, key := range mappedKeywords {
			if value, ok := was[key]; ok {
				made[key] = value
			}
		}
	}
	mapValues(made, func(key string, value any) any {
		// Functions of an edit never see null, neither here nor in bodies.
		if value == nil || o.err != nil {
			return nil
		}
		lowered := compute(value)
		if o.err != nil {
			o.err = fmt.Errorf("%s: %w", key, o.err)
		}
		return lowered
	})
	return o.nullable(made, nullable)
}

// mapValues maps the values that a schema gives. New values that older clients read as the same
// old one make it appear twice, and an enum must not repeat itself: two that become the same are
// one.
func mapValues(s map[string]any, lower func(key string, value any) any) {
	for _, key := range []string{"example", "default", "const", "examples", "enum"} {
		given, ok := s[key]
		values, isList := given.([]any)
		if key != "examples" && key != "enum" {
			values, isList = []any{given}, false
		}
		if !ok || values == nil {
			continue
		}
		made := []any{}
		for _, value := range values {
			mapped := lower(key, value)
			if !slices.ContainsFunc(made, func(other any) bool { return reflect.DeepEqual(other, mapped) }) {
				made = append(made, mapped)
			}
		}
		if s[key] = any(made); !isList {
			s[key] = made[0]
		}
	}
}
