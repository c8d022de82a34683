package migrate

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
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
		// A list or a map has all parts, and each is its schema. Those of an object are joined.
		case keyword == "allOf" && t.Kind() != reflect.Struct:
			for i, part := range parts {
				if err := l.schema(part, t, fmt.Sprint(place, "/allOf/", i)); err != nil {
					return true, err
				}
			}
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
					// Both parts apply to the property, such as a list of objects, and then of a type.
					if there, ok := properties[name]; ok && !reflect.DeepEqual(there, property) {
						property = map[string]any{"allOf": []any{there, property}}
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

// owned returns a copy of a schema that an edit can change, and whether it can be null. The schema of a component belongs to all that refer
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

// nullable lets a schema accept null, if it is. An enum without null rejects it whatever the type
// allows, in both versions of OpenAPI.
func (l *documentLowering) nullable(s map[string]any, is bool) map[string]any {
	if !is {
		return s
	}
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

// schemaOf returns the schema of a Go type that only older versions have. The document cannot
// describe such a type, since it has the newest version only: the type itself does, in the form
// of the version, with the edits of its members taken back.
func (l *documentLowering) schemaOf(t reflect.Type, within []reflect.Type) map[string]any {
	canBeNull := slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Slice, reflect.Map}, t.Kind())
	t, _ = l.edits.older(t, l.index)
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
	return l.nullable(s, canBeNull)
}
