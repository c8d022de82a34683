package migrate

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	verso "github.com/goverso/verso/core"
)

// schema lowers the schema of a type.
func (l *documentLowering) schema(value any, t reflect.Type, place string) error {
	t = deref(t)
	s, place := l.resolve(value, place)
	if s == nil {
		return nil
	}
	// Edits belong to structs. A schema of anything else stays, but it is noted: if a lowered type
	// uses it too, it would silently be wrong for either.
	if isOpaque(t) || t.Kind() != reflect.Struct && t.Kind() != reflect.Slice && t.Kind() != reflect.Array && t.Kind() != reflect.Map {
		l.others = append(l.others, other{place, s})
		return nil
	}
	// In OpenAPI 3.1 a schema may stand beside a reference, and both apply. Lowering the target
	// alone would leave the newest form in the sibling.
	if given := anyMap(value); given["$ref"] != nil && l.changes(t) && !isAnnotated(given) {
		return fmt.Errorf("%s: a schema stands beside a reference: give it one place", place)
	}
	// Operations share components. Each is lowered once, since lowering twice would take edits
	// back that are gone already.
	if was := l.types[l.identity(s)]; was != nil {
		if was != t && (l.changes(t) || l.changes(was)) {
			return fmt.Errorf("%s is the schema of %s and of %s: give each a schema of its own", place, nameOf(was), nameOf(t))
		}
		return nil
	}
	l.types[l.identity(s)] = t
	if !l.changes(t) {
		return nil
	}
	// These keywords constrain members by name or by example, in ways that edits do not know. A
	// document that still had them would contradict what the version sends.
	for _, keyword := range []string{"not", "if", "dependentSchemas", "dependentRequired", "propertyNames", "patternProperties", "unevaluatedProperties", "contains", "prefixItems", "$dynamicRef"} {
		if _, ok := s[keyword]; ok {
			return fmt.Errorf("%s/%s: the schema of %s has another form in %s, and this keyword cannot be followed", place, keyword, nameOf(t), l.v)
		}
	}
	// The values go first: the schema of a reshaped type is replaced below. They go through the
	// code that lowers responses, so that a reader of the document sees real responses.
	if err := mapValues(s, func(key string, value any) (any, error) { return l.value(value, t, place+"/"+key) }); err != nil {
		return err
	}
	if whole, err := l.unwrap(s, t, place); whole || err != nil {
		return err
	}
	// The place follows the keywords, so an error leads to the part of the document.
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		return l.schema(s["items"], t.Elem(), place+"/items")
	case reflect.Map:
		return l.schema(s["additionalProperties"], t.Elem(), place+"/additionalProperties")
	}
	return l.structure(s, t, place)
}

// isAnnotated reports whether only annotations stand beside a reference. Generators put a
// description beside a reference, which changes no form.
func isAnnotated(s map[string]any) bool {
	for key := range s {
		if !slices.Contains([]string{"$ref", "title", "description", "summary", "deprecated", "readOnly", "writeOnly", "nullable"}, key) {
			return false
		}
	}
	return true
}

// unwrap lowers the one schema that a union with null, or an allOf with annotations, has.
func (l *documentLowering) unwrap(s map[string]any, t reflect.Type, place string) (whole bool, err error) {
	for _, keyword := range []string{"oneOf", "anyOf", "allOf"} {
		list, ok := s[keyword].([]any)
		if !ok {
			continue
		}
		// A nullable struct is a union with null to many generators, and one form to an edit.
		parts := l.withoutNull(list)
		switch {
		case len(parts) == 1 && s["properties"] == nil:
			return true, l.schema(parts[0], t, place+"/"+keyword+"/0")
		// An edit cannot know which part a value has, so lowering any of them would be a guess.
		case keyword != "allOf":
			return true, fmt.Errorf("%s/%s: the schema of %s has another form in %s, and several forms cannot be followed: describe it as one object", place, keyword, nameOf(t), l.v)
		}
	}
	return false, nil
}

// withoutNull returns the parts of a union that are not null.
func (l *documentLowering) withoutNull(list []any) []any {
	return slices.DeleteFunc(slices.Clone(list), func(each any) bool {
		part, _ := l.resolve(each, "")
		return part["type"] == "null"
	})
}

// structure lowers the schema of a struct. A type without edits of its own is walked all the
// same: members further down may have some.
func (l *documentLowering) structure(s map[string]any, t reflect.Type, place string) error {
	edits := l.edits.after(t, l.index)
	if r := l.edits.reshaped(t); r != nil && len(edits) > 0 {
		// A function reshapes the object, so only the old Go type shows its form.
		older, description := l.schemaOf(r.old, nil), s["description"]
		for _, key := range []string{"example", "examples", "default", "deprecated"} { // they are lowered
			if value, ok := s[key]; ok {
				older[key] = value
			}
		}
		clear(s)
		maps.Copy(s, older)
		if description != nil {
			s["description"] = description
		}
		s["x-changes"] = l.changesOf(edits)
		return nil
	}
	if err := l.flatten(s, place); err != nil {
		return err
	}
	o := &objectSchema{lowering: l, required: map[string]bool{}}
	if o.properties = anyMap(s["properties"]); o.properties == nil {
		return nil // any object is valid
	}
	// The members come before the object's own edits, because a rename would hide under which
	// name a member's type is found. The order is fixed, so that errors are the same each time.
	members := membersOf(t)
	for _, name := range slices.Sorted(maps.Keys(o.properties)) {
		place := place + "/properties/" + name
		// The Go type lacks the property, so its values come from elsewhere, and stay in the
		// newest form.
		if i := find(members, name); i < 0 {
			l.others = append(l.others, other{place, o.properties[name]})
		} else if err := l.schema(o.properties[name], members[i].typ, place); err != nil {
			return err
		}
	}
	if len(edits) == 0 {
		return nil
	}
	// A discriminator names a property and its values, both of which an edit may change.
	if d, ok := s["discriminator"]; ok {
		return fmt.Errorf("%s/discriminator: the schema of %s has another form in %s, and a discriminator cannot be followed: %v", place, nameOf(t), l.v, d)
	}
	// As a set, since edits move names in and out of it.
	for _, name := range anyList(s["required"]) {
		o.required[fmt.Sprint(name)] = true
	}
	if err := o.takeBack(edits, t, "property", place); err != nil {
		return err
	}
	o.writeTo(s)
	s["x-changes"] = l.changesOf(edits)
	return nil
}

func (l *documentLowering) isVersion30() bool { return l.is30 }

// changesOf returns what a version lacks, for people. Readers of a generated document see why
// it differs from the newest one, in the author's words.
func (l *documentLowering) changesOf(edits []placed) (list []any) {
	for _, p := range edits {
		list = append(list, map[string]any{"version": l.names[p.index], "text": p.change.text, "edit": p.text})
	}
	return list
}

// flatten makes one object of a schema with allOf. Edits look for all properties in one place.
func (l *documentLowering) flatten(s map[string]any, place string) error {
	all, ok := s["allOf"].([]any)
	if !ok {
		return nil
	}
	delete(s, "allOf")
	properties := anyMap(s["properties"])
	if properties == nil {
		properties = map[string]any{}
	}
	required := anyList(s["required"])
	for i, each := range all {
		given, place := resolve(l.newest, each, fmt.Sprint(place, "/allOf/", i)) // the part may be lowered already
		part := anyMap(cloned(given))
		if err := l.flatten(part, place); err != nil {
			return err
		}
		for key, value := range part {
			switch own, ok := s[key]; {
			case key == "properties":
				for name, property := range value.(map[string]any) {
					// Both parts apply to the property. If either contains the other, it is enough.
					if there, ok := properties[name]; ok {
						if property = l.refined(there, property); property == nil {
							return fmt.Errorf("%s: the property %q is there twice, and neither schema refines the other: describe it once", place, name)
						}
					}
					properties[name] = property
				}
				// Another schema may share the list, so it must not grow in place.
			case key == "required":
				required = append(slices.Clip(required), value.([]any)...)
				// Texts constrain nothing: the outermost one describes the object best.
			case slices.Contains([]string{"title", "description", "example", "examples"}, key):
				if !ok {
					s[key] = value
				}
			case ok && !reflect.DeepEqual(own, value), slices.Contains([]string{"oneOf", "anyOf", "not", "if"}, key):
				return fmt.Errorf("%s: a part of allOf has %q, which cannot be followed: describe one object", place, key)
			default:
				s[key] = value
			}
		}
	}
	s["properties"] = properties
	if required != nil {
		s["required"] = required
	}
	return nil
}

// refined returns the schema of a property that two parts of allOf describe, if one of them has
// what the other one has, as a page that lists objects, and then those of a type. It returns nil
// if that cannot be followed.
func (l *documentLowering) refined(one, two any) any {
	// The order of the parts is free, so both are tried as the general one.
	refine := func(general, own map[string]any) any {
		made := maps.Clone(own)
		for key, value := range general {
			there, ok := own[key]
			target, _ := l.resolve(own, "")
			switch {
			case slices.Contains(annotationKeys, key), key == "xml", ok && reflect.DeepEqual(there, value), own["$ref"] != nil && target[key] == value:
			case ok && key == "items":
				if made[key] = l.refined(value, there); made[key] == nil {
					return nil
				}
			case !ok && own["$ref"] == nil:
				made[key] = value
			default:
				return nil
			}
		}
		return made
	}
	first, second := anyMap(one), anyMap(two)
	if made := refine(first, second); made != nil || first == nil || second == nil {
		return made
	}
	return refine(second, first)
}

// Numbers and texts are immutable, so the copy shares them.
func cloned(value any) any {
	switch value := value.(type) {
	case map[string]any:
		made := make(map[string]any, len(value))
		for key, each := range value {
			made[key] = cloned(each)
		}
		return made
	case []any:
		made := make([]any, len(value))
		for i, each := range value {
			made[i] = cloned(each)
		}
		return made
	}
	return value
}

// objectSchema is the schema of an object while its edits are taken back. The edits come from
// the newest to the oldest, so each finds what the edit before it left.
type objectSchema struct {
	lowering   schemaMaker
	properties map[string]any
	required   map[string]bool

	isParameters bool // of a list, an edit changes each parameter
}

// schemaMaker makes the schemas of members for edits. It is an interface since bodies and lists
// of parameters share the edits, not the way to follow references.
type schemaMaker interface {
	schemaOf(t reflect.Type, within []reflect.Type) map[string]any
	owned(value any) (s map[string]any, nullable bool, err error)
	nullable(s map[string]any) map[string]any
	isVersion30() bool // of OpenAPI
}

// takeBack takes the edits of a type back. Errors call a property what.
func (o *objectSchema) takeBack(edits []placed, t reflect.Type, what, place string) error {
	for _, p := range edits {
		// An edit of a property that the document lacks would make a schema of an older version
		// in which it is missing too, and a client generated from it would drop the member.
		for _, name := range p.needs {
			if _, ok := o.properties[name]; !ok {
				return fmt.Errorf("%s: there is no %s %q, which %s has: %w", place, what, name, nameOf(t), errNotNewest)
			}
		}
		// A Reshaped is made elsewhere. An edit without a function would leave the newest form in
		// silence.
		if p.document == nil {
			return fmt.Errorf("%s: %s: a schema cannot follow this edit", place, p.text)
		}
		if err := p.document(o); err != nil {
			return fmt.Errorf("%s: %s: %w", place, p.text, err)
		}
	}
	return nil
}

func (o *objectSchema) writeTo(s map[string]any) {
	var list []any
	for _, name := range slices.Sorted(maps.Keys(o.required)) {
		list = append(list, name)
	}
	delete(s, "required")
	if len(list) > 0 {
		s["required"] = list
	}
	// They count members, and the version has another number of them.
	delete(s, "minProperties")
	delete(s, "maxProperties")
	s["properties"] = o.properties
}

// take removes a property. It may be absent: requests lack members of responses.
func (o *objectSchema) take(name string) (property any, required bool) {
	property, required = o.properties[name], o.required[name]
	delete(o.properties, name)
	delete(o.required, name)
	return property, required
}

// put adds a property. Whether it is required is in the set alone.
func (o *objectSchema) put(name string, property any, required bool) {
	o.properties[name] = property
	if required {
		o.required[name] = true
	}
}

// own returns a copy of a property that an edit can change, and whether it can be null. It has
// no reference, and is not a union with null.
func (o *objectSchema) own(name string) (s map[string]any, nullable bool, err error) {
	return o.lowering.owned(o.properties[name])
}

// owned is the copy for [objectSchema.own]. The schema of a component belongs to all that refer
// to it, so an edit of one member may only change a copy. What stands beside the reference
// applies to the copy, and null is taken out, so that an edit sees the same in OpenAPI 3.0,
// where it is a keyword, and in 3.1, where it is a type or a part of a union.
func (l *documentLowering) owned(value any) (s map[string]any, nullable bool, err error) {
	given := anyMap(value)
	target, _ := l.resolve(value, "")
	if s = anyMap(cloned(target)); s == nil {
		s = map[string]any{}
	}
	if given["$ref"] != nil {
		for key, value := range given {
			if key != "$ref" {
				s[key] = cloned(value)
			}
		}
	}
	nullable = s["nullable"] == true
	delete(s, "nullable")
	for _, keyword := range []string{"oneOf", "anyOf", "allOf"} {
		list, ok := s[keyword].([]any)
		if !ok {
			continue
		}
		parts := l.withoutNull(list)
		if len(parts) != 1 {
			return nil, false, fmt.Errorf("a property with several forms (%s) cannot be followed", keyword)
		}
		delete(s, keyword)
		inner, innerNullable, err := l.owned(parts[0])
		if err != nil {
			return nil, false, err
		}
		nullable = nullable || innerNullable || keyword != "allOf" && len(parts) < len(list)
		for key, value := range inner {
			if _, ok := s[key]; !ok {
				s[key] = value
			}
		}
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

// nullable lets a schema accept null, too. An enum without null rejects it whatever the type
// allows, in both versions of OpenAPI.
func (l *documentLowering) nullable(s map[string]any) map[string]any {
	if list, ok := s["enum"].([]any); ok && !slices.Contains(list, nil) {
		s["enum"] = append(slices.Clip(list), nil)
	}
	switch t := s["type"].(type) {
	// Without a type, null is valid in 3.1; in 3.0, siblings of a reference are ignored.
	case nil:
		if l.is30 && s["$ref"] == nil {
			s["nullable"] = true
		}
	case string:
		if l.is30 {
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

// annotationKeys are the keywords that constrain nothing, so they survive another type.
var annotationKeys = []string{"title", "description", "deprecated", "readOnly", "writeOnly", "example", "examples", "default", parameterKey}

// replace gives a property another schema, with the texts and the mapped values of before. A
// schema of nil only maps the values.
func (o *objectSchema) replace(name string, schema map[string]any, fn func([][]byte) ([]byte, error)) error {
	was, nullable, err := o.own(name)
	if err != nil {
		return err
	}
	// In a query, a list is a parameter with several values, and an edit maps each of them; in a
	// body, an edit of a list maps the list.
	if items, ok := was["items"].(map[string]any); ok && o.isParameters {
		each := &objectSchema{lowering: o.lowering, properties: map[string]any{name: items}}
		err := each.replace(name, schema, fn)
		was["items"], o.properties[name] = each.properties[name], was
		return err
	}
	if schema == nil {
		schema = was
		// The function may return any text, and these describe the newest one.
		for _, key := range []string{"pattern", "minLength", "maxLength", "format"} {
			delete(schema, key)
		}
	} else {
		for _, key := range append([]string{"enum", "const"}, annotationKeys...) {
			if value, ok := was[key]; ok {
				schema[key] = value
			}
		}
	}
	if err := mapValues(schema, func(key string, value any) (any, error) {
		raw, err := json.Marshal(value)
		// Functions of an edit never see null, neither here nor in bodies.
		if err == nil && value != nil {
			raw, err = fn([][]byte{raw})
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		return decoded(raw), nil
	}); err != nil {
		return err
	}
	if nullable {
		schema = o.lowering.nullable(schema)
	}
	o.properties[name] = schema
	return nil
}

// mapValues maps the values that a schema gives. New values that older clients read as the same
// old one make it appear twice, and an enum must not repeat itself: two that become the same are
// one.
func mapValues(s map[string]any, lower func(key string, value any) (any, error)) error {
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
			mapped, err := lower(key, value)
			if err != nil {
				return err
			}
			if !slices.ContainsFunc(made, func(other any) bool { return reflect.DeepEqual(other, mapped) }) {
				made = append(made, mapped)
			}
		}
		if s[key] = any(made); !isList {
			s[key] = made[0]
		}
	}
	return nil
}

// schemaOf returns the schema of a Go type that only older versions have. The document cannot
// describe such a type, since it has the newest version only: the type itself does, in the form
// of the version, with the edits of its members taken back.
func (l *documentLowering) schemaOf(t reflect.Type, within []reflect.Type) map[string]any {
	canBeNull := slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Slice, reflect.Map}, t.Kind())
	t, _ = (&schemas{edits: l.edits, index: l.index}).older(deref(t))
	s := map[string]any{}
	if t.PkgPath() == "time" && t.Name() == "Time" {
		s = map[string]any{"type": "string", "format": "date-time"}
	} else {
		switch of := typeOf(t, func(reflect.Type) Type { return Type{} }); of.Kind {
		case "string", "integer", "number", "boolean":
			s["type"] = of.Kind
		case "list":
			s["type"], s["items"] = "array", l.schemaOf(t.Elem(), within)
		case "map":
			s["type"], s["additionalProperties"] = "object", l.schemaOf(t.Elem(), within)
		case "object":
			s["type"] = "object"
			if slices.Contains(within, t) {
				// A reference would need a component, and the document has no name for this type.
				break // it is in itself: any object is valid
			}
			o := &objectSchema{lowering: l, properties: map[string]any{}, required: map[string]bool{}}
			for _, m := range l.edits.takeBack(t, l.index, nil) {
				property := l.schemaOf(m.typ, append(slices.Clip(within), t))
				// The tag option ,string of encoding/json writes a number as text.
				if m.quoted {
					property = map[string]any{"type": "string"}
				}
				o.put(m.name, property, !m.optional)
			}
			o.writeTo(s)
		}
	}
	if canBeNull {
		s = l.nullable(s)
	}
	return s
}

// The schemas that edits make. Each one is called with the schema of the newer version.

// A property keeps its schema, and a required one stays required under the old name.
func renamedSchema(old, name string) func(*objectSchema) error {
	return func(o *objectSchema) error {
		property, required := o.take(name)
		o.put(old, property, required)
		return nil
	}
}

// Older versions do not have it, and drop the name from requests: it is in neither schema.
func addedSchema(name string) func(*objectSchema) error {
	return func(o *objectSchema) error {
		o.take(name)
		return nil
	}
}

// An additive member is in every version, so documents keep it.
func unchangedSchema(*objectSchema) error { return nil }

// The newest document lacks the member, so its schema comes from the Go type. It is not
// required: requests may leave it out. The constant is the example, since responses have no
// other value.
func removedSchema(name string, t reflect.Type, constant []byte) func(*objectSchema) error {
	return func(o *objectSchema) error {
		s := o.lowering.schemaOf(t, nil)
		if string(constant) == "null" {
			s = o.lowering.nullable(s)
		}
		s["example"] = decoded(constant)
		if !o.lowering.isVersion30() {
			delete(s, "example")
			s["examples"] = []any{decoded(constant)}
		}
		o.put(name, s, false) // what requests have of it is dropped
		return nil
	}
}

// If the member from which it is made can be null, so can it: a function never sees null.
func removedFromSchema(name, from string, t reflect.Type) func(*objectSchema) error {
	return func(o *objectSchema) error {
		_, nullable, err := o.own(from)
		s := o.lowering.schemaOf(t, nil)
		if nullable {
			s = o.lowering.nullable(s)
		}
		o.put(name, s, false)
		return err
	}
}

// Older clients may leave the member out of requests, which then means the old default.
func defaultSchema(name string, old []byte) func(*objectSchema) error {
	return func(o *objectSchema) error {
		s, nullable, err := o.own(name)
		if err != nil {
			return err
		}
		if s["default"] = decoded(old); nullable {
			s = o.lowering.nullable(s)
		}
		o.take(name)
		o.put(name, s, false)
		return nil
	}
}

// Without an old type, the values change and the type stays.
func mappedSchema(name string, old reflect.Type, down func([][]byte) ([]byte, error)) func(*objectSchema) error {
	return func(o *objectSchema) error {
		var schema map[string]any
		if old != nil {
			schema = o.lowering.schemaOf(old, nil)
		}
		return o.replace(name, schema, down)
	}
}

// The joined text exists if a part does. It can be null only if no part is sure to have text.
func splitSchema(old, a, b string, join func([][]byte) ([]byte, error)) func(*objectSchema) error {
	return func(o *objectSchema) error {
		first, firstNullable, err := o.own(a)
		second, secondNullable, errSecond := o.own(b)
		if err := errors.Join(err, errSecond); err != nil {
			return err
		}
		_, firstRequired := o.take(a)
		_, secondRequired := o.take(b)
		s := map[string]any{"type": "string"}
		if example, ok := first["example"]; ok && second["example"] != nil {
			joined, err := join([][]byte{verso.Must(json.Marshal(example)), verso.Must(json.Marshal(second["example"]))})
			if err != nil {
				return err
			}
			s["example"] = decoded(joined)
		}
		if firstNullable && (secondNullable || !secondRequired) || secondNullable && !firstRequired {
			s = o.lowering.nullable(s)
		}
		o.put(old, s, firstRequired || secondRequired)
		return nil
	}
}

// Both parts come from one text, so both are as required and as nullable as the text.
func joinedSchema(a, b, name string, split func(string) (a, b string, err error)) func(*objectSchema) error {
	return func(o *objectSchema) error {
		whole, nullable, err := o.own(name)
		if err != nil {
			return err
		}
		_, required := o.take(name)
		first, second := parted(split)
		for old, part := range map[string]func([][]byte) ([]byte, error){a: first, b: second} {
			s := map[string]any{"type": "string"}
			if example, ok := whole["example"]; ok {
				raw, err := part([][]byte{verso.Must(json.Marshal(example))})
				if err != nil {
					return err
				}
				s["example"] = decoded(raw)
			}
			if nullable {
				s = o.lowering.nullable(s)
			}
			o.put(old, s, required)
		}
		return nil
	}
}

// A member that comes out of an object is required only if the object is always there and always
// has it.
func nestedSchema(name string, oldToInside map[string]string) func(*objectSchema) error {
	return func(o *objectSchema) error {
		object, nullable, err := o.own(name)
		if err != nil {
			return err
		}
		properties, inside := anyMap(object["properties"]), anyList(object["required"])
		_, required := o.take(name)
		for old, inner := range oldToInside {
			property, ok := properties[inner]
			switch {
			case properties == nil:
				property = map[string]any{}
			case !ok:
				return fmt.Errorf("there is no property %q in %q: %w", inner, name, errNotNewest)
			}
			o.put(old, property, required && !nullable && slices.Contains(inside, any(inner)))
		}
		return nil
	}
}
