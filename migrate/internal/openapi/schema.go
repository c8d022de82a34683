package openapi

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// ConditionKeywords are keywords that constrain members by name or by example, in ways that edits do not
// know. A document that still had them would contradict what the version sends.
var ConditionKeywords = []string{"not", "if", "then", "else", "dependentSchemas", "dependentRequired", "propertyNames",
	"patternProperties", "unevaluatedProperties", "contains", "prefixItems", "$dynamicRef"}

// annotations are the keywords that constrain nothing, so they survive another type.
var annotations = []string{"title", "description", "summary", "deprecated", "readOnly", "writeOnly", "example",
	"examples", "default", "externalDocs", "xml", "$comment"}

func isAnnotation(key string) bool {
	return slices.Contains(annotations, key) || strings.HasPrefix(key, "x-")
}

// IsAnnotated reports whether only annotations stand beside a keyword.
func IsAnnotated(s map[string]any, keyword string) bool {
	for key := range s {
		if key != keyword && key != "type" && key != "nullable" && !isAnnotation(key) {
			return false
		}
	}
	return true
}

// IsAlone reports whether a keyword has a single schema and nothing beside it constrains more: a
// nullable struct is written so, and a reference with a description.
func (c *Document) IsAlone(s map[string]any, keyword string) bool {
	return len(c.WithoutNull(List(s[keyword]))) == 1 && IsAnnotated(s, keyword)
}

// WithoutNull returns the parts of a union that are not null.
func (c *Document) WithoutNull(list []any) []any {
	return slices.DeleteFunc(slices.Clone(list), c.IsNull)
}

// IsNull reports whether a part of a union is null. OpenAPI 3.0 has no type for it: its documents write the keyword
// nullable alone, or an enum of null.
func (c *Document) IsNull(part any) bool {
	s := Map(c.Resolve(part))
	values := List(s["enum"])
	return s["type"] == "null" || len(values) == 1 && values[0] == nil ||
		c.Is30 && s["nullable"] == true && s["type"] == nil && IsAnnotated(s, "nullable")
}

// Flatten joins the parts of allOf. A part that comes again adds nothing.
func (c *Document) Flatten(given map[string]any, place string, seen map[string]bool) (map[string]any, error) {
	s := maps.Clone(given)
	delete(s, "allOf")
	properties := PropertiesOf(s)
	parts := List(given["allOf"])
	for i, each := range parts {
		part, place := c.withoutNull(Map(each), parts), fmt.Sprint(place, "/allOf/", i)
		if ref, ok := part["$ref"].(string); ok {
			if seen[ref] {
				continue
			}
			seen[ref], place = true, ref
			target := c.Lookup(ref)
			if target == nil {
				return nil, fmt.Errorf("%q does not lead to a schema: bundle its files first", ref)
			}
			beside := maps.Clone(part)
			if delete(beside, "$ref"); c.Is30 { // where it is ignored
				beside = map[string]any{}
			}
			beside["allOf"] = append([]any{target}, List(beside["allOf"])...)
			part = beside
		}
		part, err := c.Flatten(part, place, seen)
		if err != nil {
			return nil, err
		}
		for name, p := range PropertiesOf(part) {
			there := properties[name]
			properties[name] = p
			if there == nil {
				continue
			}
			p.Required = p.Required || there.Required
			// Both parts apply to the property, such as a list of objects, and then of a type.
			if p.Schema == nil {
				p.Schema = there.Schema
			} else if there.Schema != nil && !reflect.DeepEqual(there.Schema, p.Schema) {
				p.Schema = map[string]any{"allOf": []any{there.Schema, p.Schema}}
			}
		}
		for key, value := range part {
			switch own, ok := s[key]; {
			case key == "properties", key == "required":
			// The examples of one part lack the members of the next.
			case len(parts) > 1 && slices.Contains([]string{"example", "examples", "default"}, key):
			// The outermost text describes the object best.
			case !ok:
				s[key] = value
			case key == "type" && common(own, value) != nil:
				s[key] = common(own, value)
			case !isAnnotation(key) && !reflect.DeepEqual(own, value):
				return nil, fmt.Errorf(
					"%s: a part of allOf has another %q, which cannot be followed: describe one object", place, key)
			}
		}
	}
	Write(s, properties)
	return s, nil
}

// withoutNull returns a part of an allOf without null beside its only form, if another part takes objects alone.
func (c *Document) withoutNull(part map[string]any, parts []any) map[string]any {
	isObject := func(part any) bool { return Map(part)["type"] == "object" && Map(part)["nullable"] != true }
	for _, keyword := range []string{"oneOf", "anyOf"} {
		if c.IsAlone(part, keyword) && slices.ContainsFunc(parts, isObject) {
			return Map(c.WithoutNull(List(part[keyword]))[0])
		}
	}
	return part
}

// common returns the only type that two keywords allow, or nil.
func common(a, b any) (t any) {
	types := func(given any) []any {
		if list := List(given); list != nil {
			return list
		}
		return []any{given}
	}
	both := slices.DeleteFunc(slices.Clone(types(a)), func(t any) bool { return !slices.Contains(types(b), t) })
	if len(both) == 1 {
		t = both[0]
	}
	return t
}

var errForms = errors.New("a property with several forms")

// Owned returns a copy of a schema that an edit can change, and whether it can be null. It has no
// reference, and null is taken out, so that an edit sees the same in OpenAPI 3.0, where it is a
// keyword, and in 3.1, where it is a type or a part of a union.
func (c *Document) Owned(value any) (s map[string]any, nullable bool, err error) {
	if s, err = c.Flatten(map[string]any{"allOf": []any{value}}, "", map[string]bool{}); err != nil {
		return map[string]any{}, false, err
	}
	nullable = s["nullable"] == true
	delete(s, "nullable")
	for _, keyword := range []string{"oneOf", "anyOf"} {
		list, ok := s[keyword].([]any)
		if !ok {
			continue
		}
		parts := c.WithoutNull(list)
		if len(parts) == len(list) && c.isListed(TextsOf(s), parts, keyword) {
			delete(s, keyword)
			continue
		}
		t, values := c.valuesOf(parts)
		if TextsOf(s) == nil && values != nil && (s["type"] == nil || s["type"] == t) {
			delete(s, keyword)
			s["type"], s["enum"], nullable = t, values, nullable || len(parts) < len(list)
			continue
		}
		if len(parts) != 1 {
			return map[string]any{}, nullable || len(parts) < len(list),
				fmt.Errorf("%w (%s) cannot be followed", errForms, keyword)
		}
		delete(s, keyword)
		inner, innerNullable, err := c.Owned(map[string]any{"allOf": []any{s, parts[0]}})
		return inner, nullable || innerNullable || len(parts) < len(list), err
	}
	// OpenAPI 3.1 writes a nullable type as a list with null.
	if list, ok := s["type"].([]any); ok {
		types := slices.DeleteFunc(slices.Clone(list), func(t any) bool { return t == "null" })
		nullable = nullable || len(types) < len(list)
		if s["type"] = any(types); len(types) == 1 {
			s["type"] = types[0]
		}
	}
	return s, nullable, nil
}

// isListed reports whether each of the values that a schema lists is also among its forms, which then add nothing:
// documents describe the values of an enum in this way.
func (c *Document) isListed(values, forms []any, keyword string) bool {
	count := map[string]int{}
	for _, each := range forms {
		form := Map(c.Resolve(each))
		if form["const"] == nil || !IsAnnotated(form, "const") {
			return false
		}
		count[fmt.Sprint(form["const"])]++
	}
	return len(values) > 0 && !slices.ContainsFunc(values, func(value any) bool {
		n := count[fmt.Sprint(value)]
		return n == 0 || n > 1 && keyword == "oneOf"
	})
}

// valuesOf returns the values that several forms list, and their common type, if the forms do nothing else. A list of
// texts needs no type.
func (c *Document) valuesOf(forms []any) (t any, values []any) {
	for i, each := range forms {
		form := Map(c.Resolve(each))
		listed, keyword := TextsOf(form), "enum"
		if _, ok := form["const"]; ok {
			keyword = "const"
		}
		of, isOne := form["type"].(string)
		isOther := func(value any) bool { _, ok := value.(string); return !ok }
		if form["type"] == nil && !slices.ContainsFunc(listed, isOther) {
			of, isOne = "string", true
		}
		if len(forms) < 2 || len(listed) == 0 || !isOne || form["nullable"] == true ||
			!IsAnnotated(form, keyword) || i > 0 && of != t {
			return nil, nil
		}
		t, values = of, append(values, listed...)
	}
	return t, values
}

// Nullable lets a schema accept null, if it is. An enum without null rejects it whatever the type
// allows, in both versions of OpenAPI.
func (c *Document) Nullable(s map[string]any, is bool) map[string]any {
	if !is {
		return s
	}
	if only, ok := s["const"]; ok {
		s["enum"] = []any{only}
		delete(s, "const")
	}
	if list, ok := s["enum"].([]any); ok && !slices.Contains(list, nil) {
		s["enum"] = append(slices.Clip(list), nil)
	}
	switch t := s["type"].(type) {
	// Without a type, null is valid in 3.1; in 3.0, siblings of a reference are ignored.
	case nil:
		if c.Is30 && s["$ref"] == nil {
			s["nullable"] = true
		}
	case string:
		if c.Is30 {
			s["nullable"] = true
		} else {
			s["type"] = []any{t, "null"}
		}
	case []any:
		if !slices.Contains(t, any("null")) {
			s["type"] = append(slices.Clip(t), "null")
		}
	}
	return s
}

// TextsOf returns the texts that a property can have, by its schema.
func TextsOf(property any) []any {
	s := Map(property)
	if only, ok := s["const"]; ok {
		return []any{only}
	}
	return slices.Clone(List(s["enum"]))
}

// OrNull returns a schema that also accepts null.
func (c *Document) OrNull(s map[string]any) map[string]any {
	if c.Is30 { // where nothing stands beside a reference
		return map[string]any{"allOf": []any{s}, "nullable": true}
	}
	return map[string]any{c.unionWithNull(): []any{s, map[string]any{"type": "null"}}}
}

// unionWithNull is oneOf if this is how the document writes all its unions with null, or else anyOf.
func (c *Document) unionWithNull() string {
	if c.withNull != "" {
		return c.withNull
	}
	found := map[string]bool{}
	var find func(value any)
	find = func(value any) {
		switch value := value.(type) {
		case map[string]any:
			for key, member := range value {
				list := List(member)
				found[key] = found[key] || len(list) > 0 && len(c.WithoutNull(list)) < len(list)
				find(member)
			}
		case []any:
			for _, each := range value {
				find(each)
			}
		}
	}
	find(c.Root)
	if c.withNull = "anyOf"; found["oneOf"] && !found["anyOf"] {
		c.withNull = "oneOf"
	}
	return c.withNull
}

// Property is a property in the schema of an object, or a parameter.
type Property struct {
	Schema    any // nil: the object only requires it
	Required  bool
	Parameter map[string]any // that it was, nil for a property
}

// PropertiesOf returns the properties of the schema of an object.
func PropertiesOf(s map[string]any) map[string]*Property {
	all := map[string]*Property{}
	for name, schema := range Map(s["properties"]) {
		all[name] = &Property{Schema: schema}
	}
	for _, name := range List(s["required"]) {
		name := fmt.Sprint(name)
		all[name] = cmp.Or(all[name], new(Property))
		all[name].Required = true
	}
	return all
}

// Write writes the properties of an object into its schema.
func Write(s map[string]any, all map[string]*Property) {
	delete(s, "required")
	properties := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if p := all[name]; p.Schema != nil {
			properties[name] = p.Schema
		}
		if all[name].Required {
			s["required"] = append(List(s["required"]), name)
		}
	}
	if len(properties) > 0 || s["properties"] != nil {
		s["properties"] = properties
	}
}
