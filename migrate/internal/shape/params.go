package shape

import (
	"mime/multipart"
	"reflect"
	"strings"
)

// paramTags are the tags that name a parameter, of the frameworks' binders.
var paramTags = []string{"query", "form", "header"}

// File is the type of a file in a form, of which only the name is known.
var File = reflect.TypeFor[multipart.FileHeader]()

// IsParams reports whether a struct has parameters: a field has a tag of theirs, and no field has the tag json.
// A struct with both could be a body as well, and its edits would mean two things.
func IsParams(t reflect.Type) bool {
	some := false
	for i := range t.NumField() {
		f := t.Field(i)
		if _, isJSON := f.Tag.Lookup("json"); isJSON {
			return false
		}
		_, tags := ParamName(f)
		some = some || tags != nil || f.Anonymous && f.Type.Kind() == reflect.Struct && IsParams(f.Type)
	}
	return some
}

// ParamName returns the name of a field of parameters, and the tags that give it, or "". A field
// without a tag belongs to no request, whatever its Go name is: binders differ in how they would
// spell it.
func ParamName(f reflect.StructField) (name string, tags []string) {
	for _, tag := range paramTags {
		if text, _, _ := strings.Cut(f.Tag.Get(tag), ","); text != "" && text != "-" && (name == "" || name == text) {
			name, tags = text, append(tags, tag)
		}
	}
	return name, tags
}

// ParamType returns the type of one value, also for a list: edits read each value of it.
func ParamType(t reflect.Type) reflect.Type {
	if t = Deref(t); IsList(t) {
		return Deref(t.Elem())
	}
	return t
}

// IsList reports whether a parameter has several values: []byte and types with an own marshaler are one value, not a list.
func IsList(t reflect.Type) bool { return Kind(Deref(t)) == "list" }
