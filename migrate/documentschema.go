package migrate

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/goverso/verso/migrate/internal/jsontext"
	"github.com/goverso/verso/migrate/internal/shape"
)

// schema lowers the schema of a type. A component is lowered once for each of its types.
func (l *documentLowering) schema(given any, t reflect.Type, place string) any {
	t = shape.Deref(t)
	s := anyMap(given)
	if s == nil || l.err != nil || !l.changes(t) {
		return given
	}
	ref, ok := s["$ref"].(string)
	if !ok {
		return l.inline(s, t, place)
	}
	// In OpenAPI 3.1 a schema may stand beside a reference, and both apply. Lowering the target
	// alone would leave the newest form in the sibling.
	if !l.is30 && !isAnnotated(s, "$ref") {
		l.fail(place, "a schema stands beside a reference: give it one place")
	}
	made := l.copied(s, schemaKey{ref, t}, func() any {
		target := l.lookup(ref)
		if anyMap(target) == nil {
			l.fail(place, "%q does not lead to a schema", ref)
		}
		return l.schema(target, t, ref)
	})
	l.values(made, t, place)
	return made
}

// values lowers the values that a schema gives, with the code that lowers responses, so that a
// reader of the document sees real responses.
func (l *documentLowering) values(s map[string]any, t reflect.Type, place string) {
	mapValues(s, func(key string, value any) any { return l.value(value, t, place+"/"+key) })
}

// conditionKeywords are keywords that constrain members by name or by example, in ways that edits do not
// know. A document that still had them would contradict what the version sends.
var conditionKeywords = []string{"not", "if", "then", "else", "dependentSchemas", "dependentRequired", "propertyNames",
	"patternProperties", "unevaluatedProperties", "contains", "prefixItems", "$dynamicRef"}

// inline lowers a schema without a reference.
func (l *documentLowering) inline(s map[string]any, t reflect.Type, place string) map[string]any {
	made := maps.Clone(s)
	// Edits look for all properties in one place.
	if made["allOf"] != nil && t.Kind() == reflect.Struct && !l.isAlone(made, "allOf") {
		if parts := l.partsOf(made, t); parts != nil {
			l.lowerParts(made, parts, t, place)
			return made
		}
		var err error
		if made, err = l.flatten(made, place, map[string]bool{}); err != nil {
			l.err = cmp.Or(l.err, err)
			return s
		}
	}
	for _, keyword := range conditionKeywords {
		if _, ok := made[keyword]; ok {
			l.refuseSchema(t, place+"/"+keyword, "this keyword cannot be followed")
		}
	}
	l.values(made, t, place)
	for _, keyword := range []string{"oneOf", "anyOf", "allOf"} {
		parts, ok := made[keyword].([]any)
		if !ok {
			continue
		}
		if u := l.edits.union(t); u != nil {
			l.union(made, keyword, u, place)
			return made
		}
		// An edit cannot know which part a value has, so lowering any of them would be a guess.
		isAlone := l.isAlone(made, keyword)
		if keyword != "allOf" && !isAlone {
			l.refuseSchema(t, place+"/"+keyword, "several forms cannot be followed: describe it as one object")
		}
		parts = slices.Clone(parts)
		for i, part := range parts {
			if !l.isNull(part) {
				parts[i] = l.schema(part, t, fmt.Sprint(place, "/", keyword, "/", i))
			}
		}
		if made[keyword] = parts; isAlone {
			return made
		}
	}
	l.members(made, t, place)
	return made
}

// refuseSchema notes what edits of a type cannot lower in its schema.
func (l *documentLowering) refuseSchema(t reflect.Type, place, reason string) {
	l.fail(place, "the schema of %s has another form in %s, and %s", shape.NameOf(t), l.version, reason)
}

// members lowers what is in the schema of a list, a map or a struct.
func (l *documentLowering) members(s map[string]any, t reflect.Type, place string) {
	key, others := "", []string{"items"}
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		key, others = "items", []string{"properties", "additionalProperties"}
	case reflect.Map:
		key, others = "additionalProperties", []string{"properties", "items"}
	}
	for _, other := range others {
		if s[other] != nil {
			l.fail(place+"/"+other, "the schema of %s describes another kind: %w", shape.NameOf(t), errNotNewest)
		}
	}
	if key == "" {
		l.structure(s, t, l.edits.after(t, l.index), place)
	} else if inner, ok := s[key]; ok {
		s[key] = l.schema(inner, t.Elem(), place+"/"+key)
	}
}

// annotations are the keywords that constrain nothing, so they survive another type.
var annotations = []string{"title", "description", "summary", "deprecated", "readOnly", "writeOnly", "example",
	"examples", "default", "externalDocs", "xml", "$comment"}

func isAnnotation(key string) bool {
	return slices.Contains(annotations, key) || strings.HasPrefix(key, "x-")
}

// isAnnotated reports whether only annotations stand beside a keyword.
func isAnnotated(s map[string]any, keyword string) bool {
	for key := range s {
		if key != keyword && key != "type" && key != "nullable" && !isAnnotation(key) {
			return false
		}
	}
	return true
}

// isAlone reports whether a keyword has a single schema and nothing beside it constrains more: a
// nullable struct is written so, and a reference with a description.
func (c *documentCopies) isAlone(s map[string]any, keyword string) bool {
	return len(c.withoutNull(anyList(s[keyword]))) == 1 && isAnnotated(s, keyword)
}

// withoutNull returns the parts of a union that are not null.
func (c *documentCopies) withoutNull(list []any) []any {
	return slices.DeleteFunc(slices.Clone(list), c.isNull)
}

func (c *documentCopies) isNull(part any) bool { return anyMap(c.resolve(part))["type"] == "null" }

// structure lowers the schema of a struct by edits of it. Without any it is walked all the same:
// members further down may have some.
func (l *documentLowering) structure(s map[string]any, t reflect.Type, edits []placed, place string) {
	if r := l.edits.reshaped(t); r != nil && len(edits) > 0 {
		// A function reshapes the object, so only the old Go type shows its form.
		_, nullable, err := l.owned(s)
		if err != nil {
			l.fail(place, "%w", err)
		}
		older := l.nullable(l.schemaOf(r.old, true), nullable)
		// The document of the version has them lowered.
		for _, key := range []string{"description", "example", "examples", "default", "deprecated"} {
			if value, ok := s[key]; ok {
				older[key] = value
			}
		}
		clear(s)
		maps.Copy(s, older)
		s["x-changes"] = l.changesOf(edits)
		return
	}
	properties := maps.Clone(anyMap(s["properties"]))
	switch {
	// A discriminator names a property and its values, both of which an edit may change.
	case s["discriminator"] != nil:
		l.refuseSchema(t, place+"/discriminator", "a discriminator cannot be followed")
		return
	case properties == nil && len(anyList(s["required"])) == 0:
		return // any object is valid
	case properties == nil:
		properties = map[string]any{}
	}
	s["properties"] = properties
	if len(edits) > 0 {
		l.later = append(l.later, func() {
			o := l.object(s, shape.IsParams(t))
			o.isRead = !l.accepted[t]
			l.takeBack(o, edits, t, "property", place)
			write(s, o.properties)
			delete(s, "minProperties") // the version has another number of members
			delete(s, "maxProperties")
			s["x-changes"] = l.changesOf(edits)
		})
	}
	// The members come before the object's own edits, because a rename would hide under which
	// name a member's type is found. The order is fixed, so that errors are the same each time.
	members := shape.MembersOf(t)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		// The values of a property that the Go type lacks come from elsewhere, and stay.
		if i := shape.Find(members, name); i >= 0 {
			place := place + "/properties/" + jsontext.EscapePointer.Replace(name)
			properties[name] = l.schema(properties[name], members[i].Typ, place)
		}
	}
}

// takeBack takes the edits of a type back in its schema. Errors call a property what.
func (l *documentLowering) takeBack(o *objectSchema, edits []placed, t reflect.Type, what, place string) {
	for _, p := range edits {
		// An edit of a property that the document lacks would make a schema of an older version
		// in which it is missing too, and a client generated from it would drop the member.
		for _, name := range p.needs {
			if p := o.properties[name]; p == nil || p.schema == nil {
				l.fail(place, "there is no %s %q, which %s has: %w", what, name, shape.NameOf(t), errNotNewest)
				return
			}
		}
		if p.document != nil { // nil: the schema stays
			p.document(o)
		}
		if o.err != nil {
			l.fail(place, "%s: %w", p.text, o.err)
			return
		}
	}
}

// changesOf returns what a version lacks, for people. Readers of a generated document see why
// it differs from the newest one, in the author's words.
func (l *documentLowering) changesOf(edits []placed) (list []any) {
	for _, p := range edits {
		list = append(list, l.change(p.index, p.change, p.text))
	}
	return list
}

func (l *documentLowering) change(index int, c *Change, edit string) any {
	return map[string]any{"version": l.revisions[index].name, "text": c.text, "edit": edit}
}

// flatten joins the parts of allOf. A part that comes again adds nothing.
func (c *documentCopies) flatten(given map[string]any, place string, seen map[string]bool) (map[string]any, error) {
	s := maps.Clone(given)
	delete(s, "allOf")
	properties := propertiesOf(s)
	parts := anyList(given["allOf"])
	for i, each := range parts {
		part, place := anyMap(each), fmt.Sprint(place, "/allOf/", i)
		if ref, ok := part["$ref"].(string); ok {
			if seen[ref] {
				continue
			}
			seen[ref], place = true, ref
			target := c.lookup(ref)
			if target == nil {
				return nil, fmt.Errorf("%q does not lead to a schema: bundle its files first", ref)
			}
			beside := maps.Clone(part)
			if delete(beside, "$ref"); c.is30 { // where it is ignored
				beside = map[string]any{}
			}
			beside["allOf"] = append([]any{target}, anyList(beside["allOf"])...)
			part = beside
		}
		part, err := c.flatten(part, place, seen)
		if err != nil {
			return nil, err
		}
		for name, p := range propertiesOf(part) {
			there := properties[name]
			properties[name] = p
			if there == nil {
				continue
			}
			p.required = p.required || there.required
			// Both parts apply to the property, such as a list of objects, and then of a type.
			if p.schema == nil {
				p.schema = there.schema
			} else if there.schema != nil && !reflect.DeepEqual(there.schema, p.schema) {
				p.schema = map[string]any{"allOf": []any{there.schema, p.schema}}
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
			case !isAnnotation(key) && !reflect.DeepEqual(own, value):
				return nil, fmt.Errorf("%s: a part of allOf has another %q, which cannot be followed: describe one object", place, key)
			}
		}
	}
	write(s, properties)
	return s, nil
}

var errForms = errors.New("a property with several forms")

// owned returns a copy of a schema that an edit can change, and whether it can be null. It has no
// reference, and null is taken out, so that an edit sees the same in OpenAPI 3.0, where it is a
// keyword, and in 3.1, where it is a type or a part of a union.
func (c *documentCopies) owned(value any) (s map[string]any, nullable bool, err error) {
	if s, err = c.flatten(map[string]any{"allOf": []any{value}}, "", map[string]bool{}); err != nil {
		return map[string]any{}, false, err
	}
	nullable = s["nullable"] == true
	delete(s, "nullable")
	for _, keyword := range []string{"oneOf", "anyOf"} {
		list, ok := s[keyword].([]any)
		if !ok {
			continue
		}
		parts := c.withoutNull(list)
		if len(parts) != 1 {
			return map[string]any{}, nullable || len(parts) < len(list),
				fmt.Errorf("%w (%s) cannot be followed", errForms, keyword)
		}
		delete(s, keyword)
		inner, innerNullable, err := c.owned(map[string]any{"allOf": []any{s, parts[0]}})
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

// nullable lets a schema accept null, if it is. An enum without null rejects it whatever the type
// allows, in both versions of OpenAPI.
func (c *documentCopies) nullable(s map[string]any, is bool) map[string]any {
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
		if c.is30 && s["$ref"] == nil {
			s["nullable"] = true
		}
	case string:
		if c.is30 {
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
// of the version, with the edits of its members taken back. It accepts null if the type does, and
// isNull is set.
func (l *documentLowering) schemaOf(t reflect.Type, isNull bool) map[string]any {
	isNull = isNull && shape.IsNil(t) && t.Kind() != reflect.Interface
	t, _ = l.edits.older(t, l.index)
	s := map[string]any{}
	switch kind := shape.Kind(t); kind {
	case "string", "integer", "number", "boolean":
		s["type"] = kind
	case "list":
		s["type"], s["items"] = "array", l.schemaOf(t.Elem(), true)
	case "map":
		s["type"], s["additionalProperties"] = "object", l.schemaOf(t.Elem(), true)
	case "object":
		if component := l.component(t, isNull); component != nil {
			return component
		}
		s["type"] = "object"
		if slices.Contains(l.within, t) {
			// A reference would need a component, and the document has no name for this type.
			break // it is in itself: any object is valid
		}
		l.within = append(l.within, t)
		properties := map[string]*property{}
		for _, m := range l.edits.takeBack(t, l.index, nil) {
			made := &property{schema: l.schemaOf(m.Typ, true), required: !m.Optional}
			// The tag option ,string of encoding/json writes a number as text.
			if m.Quoted {
				made.schema = l.nullable(map[string]any{"type": "string"}, m.Typ.Kind() == reflect.Pointer)
			}
			properties[m.Name] = made
		}
		write(s, properties)
		l.within = l.within[:len(l.within)-1]
	}
	if t.PkgPath() == "time" && t.Name() == "Time" {
		s = map[string]any{"type": "string", "format": "date-time"}
	}
	return l.nullable(s, isNull)
}
