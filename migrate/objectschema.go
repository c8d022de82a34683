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
)

// objectSchema is the schema of an object while its edits are taken back. The edits come from
// the newest to the oldest, so each finds what the edit before it left.
type objectSchema struct {
	lowering   *documentLowering
	properties map[string]any
	required   map[string]bool

	isParameters bool  // of a list, an edit changes each parameter
	isRead       bool  // no request has the object
	err          error // of the edits
}

func (o *objectSchema) writeTo(s map[string]any) {
	delete(s, "required")
	for _, name := range slices.Sorted(maps.Keys(o.required)) {
		s["required"] = append(anyList(s["required"]), name)
	}
	// They count members, and the version has another number of them.
	delete(s, "minProperties")
	delete(s, "maxProperties")
	s["properties"] = o.properties
}

// own returns a copy of a property that an edit can change, and whether it can be null. It has
// no reference, and is not a union with null. The property may be absent: requests lack members
// of responses.
func (o *objectSchema) own(name string) (s map[string]any, nullable bool) {
	s, nullable, err := o.lowering.owned(o.properties[name])
	o.err = cmp.Or(o.err, err)
	return s, nullable
}

// remove removes a property, and reports whether it was required.
func (o *objectSchema) remove(name string) (required bool) {
	required = o.required[name]
	delete(o.properties, name)
	delete(o.required, name)
	return required
}

// put adds a property. Whether it is required is in the set alone.
func (o *objectSchema) put(name string, property any, required bool) {
	if o.properties[name] = property; required {
		o.required[name] = true
	} else {
		delete(o.required, name)
	}
}

// notNull returns a schema without null.
func (o *objectSchema) notNull(s map[string]any) map[string]any {
	for _, keyword := range []string{"allOf", "anyOf"} { // of a component
		if parts := anyList(s[keyword]); len(parts) > 0 {
			return anyMap(parts[0])
		}
	}
	if s["$ref"] == nil {
		s, _, _ = o.lowering.owned(s)
	}
	return s
}

// allow lets a property have a constant that the newest version may not send: null, an empty text, or
// a text outside an enum.
func (o *objectSchema) allow(name string, value any) {
	l, property := o.lowering, o.properties[name]
	s, nullable, err := l.owned(property)
	list, isEnum := s["enum"].([]any)
	if only, ok := s["const"]; ok {
		list, isEnum = []any{only}, true
	}
	has := slices.ContainsFunc(list, func(other any) bool { return fmt.Sprint(other) == fmt.Sprint(value) })
	switch {
	case value == nil && !nullable && (err != nil || s["properties"] != nil): // it may not be done yet
		o.properties[name] = l.orNull(anyMap(property))
	case value == nil && !nullable:
		o.properties[name] = l.nullable(s, true)
	case err == nil && value != nil && (value == "" || isEnum && !has):
		if delete(s, "const"); isEnum && !has {
			s["enum"] = append(slices.Clip(list), value)
		}
		if value == "" {
			for _, keyword := range []string{"minLength", "pattern", "format"} {
				delete(s, keyword)
			}
		}
		o.properties[name] = l.nullable(s, nullable)
	}
}

// describe merges keywords into the schema of a property.
func (o *objectSchema) describe(name string, keywords map[string]any) {
	s, nullable, err := o.lowering.owned(o.properties[name])
	isWhole := errors.Is(err, errForms) || s["properties"] != nil
	if !isWhole {
		o.err = cmp.Or(o.err, err)
	}
	switch {
	case o.err != nil:
		return
	// What it leads to is described whole, and must be in the document.
	case keywords["$ref"] != nil:
		if _, _, o.err = o.lowering.owned(keywords); o.err == nil {
			o.properties[name] = maps.Clone(keywords)
		}
		return
	// An object stays what it is, and may not be done yet.
	case isWhole:
		s = map[string]any{"allOf": []any{o.properties[name]}}
		o.properties[name] = merged(s, keywords)
		return
	}
	o.properties[name] = o.lowering.nullable(merged(s, keywords), nullable)
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
	var in [][]byte
	for _, value := range values {
		raw, err := json.Marshal(value)
		in, o.err = append(in, raw), cmp.Or(o.err, err)
	}
	if o.err != nil {
		return nil
	}
	raw, err := fn(in)
	o.err = err
	return decoded(raw)
}

// mappedKeywords are the keywords that stay, or are mapped, when values have another type.
var mappedKeywords = slices.Concat([]string{"enum", "const"}, annotations)

// replace gives a property another schema, with the texts and the mapped values of before. A
// schema of nil only maps the values.
func (o *objectSchema) replace(name string, schema map[string]any, fn func([][]byte) ([]byte, error)) {
	was, nullable := o.own(name)
	for _, keyword := range conditionKeywords {
		if _, ok := was[keyword]; ok {
			o.err = fmt.Errorf("the keyword %s of the property %q cannot be followed", keyword, name)
		}
	}
	// In a query, a list is a parameter with several values, and an edit maps each of them; in a
	// body, an edit of a list maps the list.
	if items := anyMap(was["items"]); items != nil && o.isParameters {
		each := &objectSchema{lowering: o.lowering, properties: map[string]any{name: items}, err: o.err}
		each.replace(name, schema, fn)
		was["items"], o.err = each.properties[name], each.err
		o.properties[name] = o.lowering.nullable(was, nullable)
		o.mapValues(was, func(value any) any {
			if value == nil {
				return nil
			}
			list := slices.Clone(anyList(value))
			for i := range list {
				list[i] = o.computed(fn, list[i])
			}
			return list
		})
		return
	}
	if schema == nil {
		schema = was
		// The function may return any text, and these describe the newest one.
		maps.DeleteFunc(schema, func(key string, _ any) bool {
			return slices.Contains([]string{"pattern", "minLength", "maxLength", "format"}, key) ||
				strings.HasPrefix(key, "x-enum")
		})
	} else {
		for _, key := range append(mappedKeywords, parameterKey) {
			if value, ok := was[key]; ok {
				schema[key] = value
			}
		}
	}
	// Functions of an edit never see null, neither here nor in bodies.
	o.mapValues(schema, func(value any) any {
		if value == nil {
			return nil
		}
		return o.computed(fn, value)
	})
	o.properties[name] = o.lowering.nullable(schema, nullable)
}

// mapValues maps the values that the schema of a property gives.
func (o *objectSchema) mapValues(s map[string]any, lower func(value any) any) {
	mapValues(s, func(key string, value any) any {
		if o.err != nil {
			return nil
		}
		made := lower(value)
		if o.err != nil {
			o.err = fmt.Errorf("%s: %w", key, o.err)
		}
		return made
	})
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
