package openapi

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goverso/verso/migrate/internal/jsontext"
)

// Object is the schema of an object while its edits are taken back. The edits come from
// the newest to the oldest, so each finds what the edit before it left.
type Object struct {
	*Document
	SchemaOf   func(t reflect.Type, isNull bool) map[string]any // of a Go type
	Properties map[string]*Property
	Keywords   []map[string]any // merge patches of its own, beside those of its properties

	IsParameters bool  // of a list, an edit changes each parameter
	IsRead       bool  // no request has the object
	Err          error // of the edits
}

// Take removes a property and returns it.
func (o *Object) Take(name string) *Property {
	p := o.Properties[name]
	delete(o.Properties, name)
	return p
}

// Own returns a copy of a schema that an edit can change, and whether it can be null. It has
// no reference, and is not a union with null.
func (o *Object) Own(schema any) (s map[string]any, nullable bool) {
	s, nullable, err := o.Owned(schema)
	o.Err = cmp.Or(o.Err, err)
	return s, nullable
}

// Annotated returns a schema with an annotation. In OpenAPI 3.0 nothing stands beside a reference, and
// an object may not be done yet.
func Annotated(schema any, keyword string, value any) map[string]any {
	s := Merged(Map(schema), nil)
	if s["$ref"] != nil || s["properties"] != nil {
		s = map[string]any{"allOf": []any{schema}}
	}
	s[keyword] = value
	return s
}

// Allowing returns a schema with a constant that the newest version may not send: null, an empty
// text, or a text outside an enum.
func (o *Object) Allowing(schema, value any) any {
	s, nullable, err := o.Owned(schema)
	values := TextsOf(s)
	isOther := values != nil && !slices.ContainsFunc(values,
		func(other any) bool { return fmt.Sprint(other) == fmt.Sprint(value) })
	switch {
	case value == nil && nullable, err != nil && value != nil, value != nil && value != "" && !isOther:
		return schema
	case value == nil && (err != nil || s["properties"] != nil || Map(schema)["$ref"] != nil): // it may not be done yet
		return o.OrNull(Map(schema))
	case value == nil:
		return o.Nullable(s, true)
	}
	if delete(s, "const"); isOther {
		s["enum"] = append(values, value)
	}
	if value == "" {
		for _, keyword := range []string{"minLength", "pattern", "format"} {
			delete(s, keyword)
		}
	}
	return o.Nullable(s, nullable)
}

// Described merges keywords into a schema. The keyword nullable is written as the document writes it.
func (o *Object) Described(schema any, keywords map[string]any) any {
	if null, ok := keywords["nullable"]; ok && !o.Is30 {
		keywords = maps.Clone(keywords)
		delete(keywords, "nullable")
		made := schema
		if null != true {
			made = o.Real(schema)
		}
		if len(keywords) > 0 {
			made = o.Described(made, keywords)
		}
		if null == true && o.Err == nil {
			made = o.Allowing(made, nil)
		}
		return made
	}
	s, nullable, err := o.Owned(schema)
	switch {
	// What it leads to is described whole, and must be in the document.
	case keywords["$ref"] != nil:
		if _, _, err := o.Owned(keywords); !errors.Is(err, errForms) {
			o.Err = err
		}
		return keywords
	case keywords["type"] != nil && (keywords["properties"] != nil || keywords["items"] != nil): // the whole schema
		return Merged(nil, keywords)
	case Map(schema)["$ref"] == nil && Map(schema)["allOf"] == nil &&
		(errors.Is(err, errForms) || Map(schema)["discriminator"] != nil): // its keywords are here
		return Merged(Map(schema), keywords)
	// An object stays what it is, and may not be done yet.
	case errors.Is(err, errForms) || s["properties"] != nil:
		return Merged(map[string]any{"allOf": []any{schema}}, keywords)
	}
	o.Err = err
	if _, ok := keywords["nullable"]; ok {
		nullable = false // they have it
	}
	return o.Nullable(Merged(s, keywords), nullable)
}

// Merged applies a merge patch (RFC 7396) to a copy of an object.
func Merged(object, patch map[string]any) map[string]any {
	if object = maps.Clone(object); object == nil {
		object = map[string]any{}
	}
	for key, value := range patch {
		switch value := value.(type) {
		case nil:
			delete(object, key)
		case map[string]any:
			object[key] = Merged(Map(object[key]), value)
		default:
			object[key] = value
		}
	}
	return object
}

// Computed returns what a function of an edit makes of values of the document.
func (o *Object) Computed(fn func([][]byte) ([]byte, error), values ...any) any {
	if o.Err != nil {
		return nil
	}
	var in [][]byte
	for _, value := range values {
		raw, _ := json.Marshal(value) // it was decoded
		in = append(in, raw)
	}
	raw, err := fn(in)
	o.Err = err
	return jsontext.Decoded(raw)
}

// MappedKeywords are the keywords that stay, or are mapped, when values have another type.
var MappedKeywords = slices.Concat([]string{"enum", "const"}, annotations)

// TextKeywords describe the texts of the newest version: they do not stay when these have other values.
var TextKeywords = []string{"pattern", "minLength", "maxLength", "format"}

// TakesTexts reports whether the keywords of a schema surely take texts.
func TakesTexts(s map[string]any, texts []string) bool {
	limit := func(keyword string, otherwise float64) float64 {
		if n, err := strconv.ParseFloat(fmt.Sprint(s[keyword]), 64); err == nil {
			return n
		}
		return otherwise
	}
	for _, text := range texts {
		n := float64(utf8.RuneCountInString(text))
		if s["pattern"] != nil || s["format"] != nil || n < limit("minLength", 0) || n > limit("maxLength", n) {
			return false
		}
	}
	return true
}

// Mapped returns the schema of a Go type, with the texts and the mapped values of another schema.
// Without a type only the values are mapped.
func (o *Object) Mapped(schema any, old reflect.Type, fn func([][]byte) ([]byte, error)) any {
	was, nullable := o.Own(schema)
	for _, keyword := range ConditionKeywords {
		if _, ok := was[keyword]; ok {
			o.Err = fmt.Errorf("the keyword %s of a property cannot be followed", keyword)
		}
	}
	made := was
	compute := func(value any) any { return o.Computed(fn, value) }
	switch items := Map(was["items"]); {
	// In a query, a list is a parameter with several values, and an edit maps each of them; in a
	// body, an edit with another type maps the list.
	case items != nil && (o.IsParameters || old == nil):
		was["items"] = o.Mapped(items, old, fn)
		compute = func(value any) any {
			list := slices.Clone(List(value))
			for i := range list {
				list[i] = o.Computed(fn, list[i])
			}
			return list
		}
	case old == nil:
		// The function may return any text, and these describe the newest one.
		maps.DeleteFunc(was, func(key string, _ any) bool {
			return slices.Contains(TextKeywords, key) ||
				strings.HasPrefix(key, "x-enum")
		})
	default:
		made = o.SchemaOf(old, true)
		for _, key := range MappedKeywords {
			if value, ok := was[key]; ok {
				made[key] = value
			}
		}
	}
	MapValues(made, func(key string, value any) any {
		// Functions of an edit never see null, neither here nor in bodies.
		if value == nil || o.Err != nil {
			return nil
		}
		lowered := compute(value)
		if o.Err != nil {
			o.Err = fmt.Errorf("%s: %w", key, o.Err)
		}
		return lowered
	})
	return o.Nullable(made, nullable)
}

// Listing adds texts to the enum of a schema, or of its elements.
func (o *Object) Listing(schema any, texts []string) any {
	s := Map(schema)
	if len(texts) == 0 {
		return s
	}
	if items := Map(s["items"]); items != nil {
		s["items"] = o.Listing(items, texts)
	}
	if values := TextsOf(s); values != nil {
		for _, text := range texts {
			if !slices.Contains(values, any(text)) {
				values = append(values, text)
			}
		}
		delete(s, "const")
		s["enum"] = values
	}
	return s
}

// MapValues maps the values that a schema gives. New values that older clients read as the same
// old one make it appear twice, and an enum must not repeat itself: two that become the same are
// one.
func MapValues(s map[string]any, lower func(key string, value any) any) {
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

// Real returns a schema without null. What it refers to stays, as it may not be done yet.
func (o *Object) Real(schema any) any {
	own, nullable, err := o.Owned(schema)
	if !nullable {
		return schema
	}
	s := maps.Clone(Map(schema))
	delete(s, "nullable")
	if list, ok := s["type"].([]any); ok {
		if list = slices.DeleteFunc(slices.Clone(list), func(t any) bool { return t == "null" }); len(list) == 1 {
			s["type"] = list[0]
		} else {
			s["type"] = list
		}
	}
	for _, keyword := range []string{"oneOf", "anyOf", "allOf"} {
		parts := o.WithoutNull(List(s[keyword]))
		switch {
		case s[keyword] == nil:
		case len(parts) == 1 && len(s) == 1:
			return o.Real(parts[0])
		default:
			s[keyword] = parts
		}
	}
	switch _, still, _ := o.Owned(s); {
	case !still:
	case err != nil || own["properties"] != nil:
		o.Err = errors.New("what it refers to may be null: describe null beside the reference")
	default:
		s = own
	}
	if list, ok := s["enum"].([]any); ok {
		s["enum"] = slices.DeleteFunc(slices.Clone(list), func(value any) bool { return value == nil })
	}
	return s
}
