package migrate

import (
	"reflect"
	"slices"
	"strings"

	"github.com/goverso/verso/migrate/internal/edits"
	"github.com/goverso/verso/migrate/internal/shape"
)

// Query declares the query parameters of a route: the fields of the struct T, by their tags
// query or form, which the binders of the frameworks read. [For] gives edits to it, as to a
// body: a parameter that no edit reads stays byte for byte, a repeated one is a list, and
// names are exact. [Nested] and [Reshaped] cannot be used. A struct without fields is for parameters that only
// older versions have.
func Query[T any]() Body { return func(b *bodies) { b.Query = reflect.TypeFor[T]() } }

// Headers declares header fields of the requests of a route: the fields of the struct T, by
// their tag header.
func Headers[T any]() Body { return func(b *bodies) { b.Header = reflect.TypeFor[T]() } }

// Form declares that the body of a request may be a form, urlencoded or multipart, of the
// fields of the struct T, by their tag form. Files are not held: edits only rename them.
// Documents describe a form as the JSON beside it, if both have one schema, or the form is allOf of it and of files,
// and the struct has exactly the edits of [Accepts] that change what older clients send. Members and values that these
// edits drop or refuse reach the handler in a form without them.
func Form[T any]() Body { return func(b *bodies) { b.Form = reflect.TypeFor[T]() } }

// checkParams notes what does not fit, in any of the versions, in a struct of parameters with certain tags.
func (b *bodies) checkParams(all edits.All, versions int, t reflect.Type, tags ...string) {
	if t == nil {
		return
	}
	if t.Kind() != reflect.Struct || t.NumField() > 0 && !shape.IsParams(t) {
		b.refuse("%s is not a struct of parameters: give its fields the tag %s, and none the tag json", t,
			strings.Join(tags, " or "))
		return
	}
	// These edits make or read objects.
	for _, p := range all.Of(t) {
		if p.BodyOnly {
			b.refuse("%s: %s: a parameter is a text, a number or a bool: use another edit", t, p.Text)
		}
	}
	for index := range versions {
		for _, m := range all.TakeBack(t, index, nil) {
			typ := shape.ParamType(m.Typ)
			switch k := typ.Kind(); {
			case all.ReformsValue(typ):
				b.refuse("%s.%s is %s, whose edits are of bodies: give the parameter another type, and its edits to %s", t, m.Name, typ, t)
			// A name in another place is another parameter, which the edits would take for this one.
			case m.Tags != nil && !slices.ContainsFunc(m.Tags,
				func(tag string) bool { return slices.Contains(tags, tag) }):
				b.refuse("%s.%s does not have this name in the tag %s: give these parameters a struct of their own", t,
					m.Name, tags[0])
			// Edits are functions of one value, and the binders fill nothing else from a text.
			case typ == shape.File && tags[0] == "form":
			case k == reflect.Map, k == reflect.Interface, k == reflect.Struct && !shape.IsOpaque(typ):
				b.refuse("%s.%s is %s: a parameter is a text, a number or a bool, or a list of these", t, m.Name,
					shape.Describe(m.Typ))
			}
		}
	}
}
