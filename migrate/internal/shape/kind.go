package shape

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
)

// IsNil reports whether values of a type can be nil, which encoding/json writes as null.
func IsNil(t reflect.Type) bool {
	return slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface}, t.Kind())
}

// Kind returns the kind of the JSON of a type: "string", "integer", "number", "boolean", "list", "map",
// "object", "any", or "other" for what the type marshals itself to.
func Kind(t reflect.Type) string {
	switch {
	// What it writes is not known, so only its name can be compared.
	case Implements(t, jsonMarshaler) && t.Kind() != reflect.Interface:
		return "other"
	case t == reflect.TypeFor[json.Number]():
		return "number"
	// A text marshaler writes a string, whatever it holds, and bytes are base64.
	case IsOpaque(t), t.Kind() == reflect.String, t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8 &&
		!IsOpaque(t.Elem()):
		return "string"
	}
	switch t.Kind() {
	case reflect.Bool:
		return "boolean"
	case reflect.Float32, reflect.Float64:
		return "number"
	case reflect.Slice, reflect.Array:
		return "list"
	case reflect.Map:
		return "map"
	case reflect.Struct:
		return "object"
	case reflect.Interface:
		return "any"
	}
	return "integer"
}

// Describe names a type for the changelog.
func Describe(t reflect.Type) string {
	t = Deref(t)
	switch kind := Kind(t); kind {
	case "list":
		return "[]" + Describe(t.Elem())
	case "map":
		return "map[string]" + Describe(t.Elem())
	case "object":
		return cmp.Or(ShortName(t), "struct")
	case "other":
		return t.String()
	default:
		return kind
	}
}

// Holds reports whether the member can have a value.
// A constant that the type cannot hold would fail in the handler of each request.
func (m Member) Holds(raw []byte) error {
	if m.Quoted {
		return nil
	}
	if err := json.Unmarshal(raw, reflect.New(m.Typ).Interface()); err != nil {
		return fmt.Errorf("%q is %s, which %s is not", m.Name, Describe(m.Typ), raw)
	}
	return nil
}

// Is reports whether the JSON of the member may be that of a type.
func (m Member) Is(t reflect.Type) error {
	// Kinds of JSON are compared, and not Go types: a service may read an int64 where its struct
	// has an int.
	has, wants := m.Kind(), kindOf(t)
	if has == wants || has == "" || wants == "" || wants == "number" && has == "integer" {
		return nil
	}
	return fmt.Errorf("%q is %s, and the edit reads %s", m.Name, Describe(m.Typ), Describe(t))
}

// Kind is the kind of the JSON of the member, "" if it is not known.
func (m Member) Kind() string {
	if m.Quoted {
		return "string"
	}
	return kindOf(m.Typ)
}

// kindOf is the kind of the JSON of a type, "" if it is not known.
func kindOf(t reflect.Type) string {
	t = Deref(t)
	if IsOpaque(t) {
		return ""
	}
	switch kind := Kind(t); kind {
	// Nothing is known of its JSON, so no mistake can be shown: it passes the check.
	case "any", "other":
		return ""
	case "map":
		return "object"
	default:
		return kind
	}
}

// HoldsAny reports whether values of a type can be any JSON: it is an interface, or makes
// objects by itself.
// A type that marshals itself as a text cannot have an edited object in it, and neither can a
// kind of number, bool or text.
func HoldsAny(t reflect.Type) bool {
	if k := t.Kind(); k == reflect.String || k >= reflect.Bool && k <= reflect.Float64 {
		return false
	}
	return t.Kind() == reflect.Interface || Implements(t, jsonMarshaler) && !Implements(t, textMarshaler)
}

// ElementOf returns the type of what is in lists and maps of a type. A list of interfaces hides
// its elements as well as an interface does.
func ElementOf(t reflect.Type) reflect.Type {
	for t = Deref(t); !IsOpaque(t) && (t.Kind() == reflect.Slice || t.Kind() == reflect.Array ||
		t.Kind() == reflect.Map); t = Deref(t) {
		t = t.Elem()
	}
	return t
}
