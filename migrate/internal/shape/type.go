package shape

import (
	"cmp"
	"encoding"
	"encoding/json"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
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

var (
	jsonMarshaler = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
)

// Implements reports whether a type or its pointer has the methods: encoding/json finds both where it
// can take an address.
func Implements(t, method reflect.Type) bool {
	return t.Implements(method) || reflect.PointerTo(t).Implements(method)
}

// IsOpaque reports whether the JSON of a type is made by the type itself. The value in an
// interface may be of any type, whatever its methods.
func IsOpaque(t reflect.Type) bool {
	return t.Kind() != reflect.Interface && (Implements(t, jsonMarshaler) || Implements(t, textMarshaler))
}

// Deref returns the type behind pointers, which JSON does not show.
func Deref(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer && !IsOpaque(t) {
		t = t.Elem()
	}
	return t
}

// Pointee returns the type behind all pointers, also behind a pointer that marshals itself.
func Pointee(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

// packagePath is the part of a type argument that [ShortName] leaves out: moving a package does not
// change a contract.
var packagePath = regexp.MustCompile(`([\w.~-]+/)*[\w~-]+\.`)

// ShortName is the name of a type, with type arguments without their packages.
func ShortName(t reflect.Type) string {
	if name := t.Name(); !strings.Contains(name, "[") {
		return name
	}
	return packagePath.ReplaceAllString(t.Name(), "")
}

// Sorted returns types by their names. Errors and contracts are then the same in each run.
func Sorted[V any](types map[reflect.Type]V) []reflect.Type {
	names := make(map[reflect.Type]string, len(types)) // a name costs more than a comparison
	for t := range types {
		names[t] = NameOf(t)
	}
	return slices.SortedFunc(maps.Keys(types), func(a, b reflect.Type) int {
		return cmp.Or(cmp.Compare(names[a], names[b]), cmp.Compare(a.PkgPath(), b.PkgPath()))
	})
}

// NameOf names a type in messages.
func NameOf(t reflect.Type) string {
	if t == nil {
		return "nil"
	}
	return cmp.Or(ShortName(t), strings.ReplaceAll(t.String(), "interface {}", "any"))
}
