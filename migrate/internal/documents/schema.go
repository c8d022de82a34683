package documents

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/goverso/verso/migrate/internal/edits"
	"github.com/goverso/verso/migrate/internal/jsontext"
	"github.com/goverso/verso/migrate/internal/openapi"
	"github.com/goverso/verso/migrate/internal/shape"
)

// This file lowers a schema. In come the schema of the newest document and the Go type that it describes; out comes a
// copy as the version has it, or the given one where no edit applies. Both are walked together, since a document
// knows no Go types. A component is copied once for each of its types, which also ends the walk of a type in itself.

// schema lowers the schema of a type. A component is lowered once for each of its types.
func (l *lowering) schema(given any, t reflect.Type, place string) any {
	t = shape.Deref(t)
	if list := l.edits.Wholes(t); len(list) > 0 && openapi.Map(given) != nil {
		return l.whole(openapi.Map(given), t, list, place)
	}
	return l.bare(given, t, place)
}

// bare lowers the schema of a type without the objects around its values.
func (l *lowering) bare(given any, t reflect.Type, place string) any {
	return l.listed(given, t, l.edits.Lacked(t), place)
}

// listed is bare for some edits of the type.
func (l *lowering) listed(given any, t reflect.Type, list []edits.Placed, place string) any {
	s := openapi.Map(given)
	original := l.edits.Original(t)
	if s == nil || !l.changes(t) && !l.changes(original) {
		return given
	}
	ref, ok := s["$ref"].(string)
	if !ok && !l.changes(t) {
		return given
	}
	if !ok {
		return l.inline(s, t, list, place)
	}
	// In OpenAPI 3.1 a schema may stand beside a reference, and both apply.
	if !l.Is30 && !openapi.IsAnnotated(s, "$ref") {
		beside := maps.Clone(s)
		delete(beside, "$ref")
		return l.inline(map[string]any{"allOf": []any{map[string]any{"$ref": ref}, beside}}, t, list, place)
	}
	key := openapi.Key{Ref: ref, Type: t}
	if original != nil || l.named[ref] && !isNamed(ref, t) { // the version has the component of another type here
		key.Name = shape.ShortName(t)
	}
	made := l.Copied(s, key, func() any {
		target := l.Lookup(ref)
		if openapi.Map(target) == nil {
			l.fail(place, "%q does not lead to a schema", ref)
		}
		return l.listed(target, t, list, ref)
	})
	l.values(made, t, place)
	return made
}

// values lowers the values that a schema gives, with the code that lowers responses, so that a
// reader of the document sees real responses.
func (l *lowering) values(s map[string]any, t reflect.Type, place string) {
	openapi.MapValues(s, func(key string, value any) any {
		return l.outside(l.value(value, t, place+"/"+key), t)
	})
}

// inline lowers a schema without a reference, by some edits of its type.
func (l *lowering) inline(s map[string]any, t reflect.Type, list []edits.Placed, place string) map[string]any {
	made := maps.Clone(s)
	if l.edits.IsValue(t) {
		o := l.object(nil, false)
		o.Properties[""] = &openapi.Property{Schema: made}
		l.takeBack(o, list, t, "value", place)
		made = maps.Clone(openapi.Map(o.Properties[""].Schema))
		made["x-changes"] = changesOf(list)
		return made
	}
	// Edits look for all properties in one place.
	if made["allOf"] != nil && t.Kind() == reflect.Struct && !l.IsAlone(made, "allOf") {
		if parts := l.partsOf(made, t, list); parts != nil {
			l.lowerParts(made, parts, t, place)
			return made
		}
		return l.joined(made, t, list, place)
	}
	l.inOne(made, t, list, place)
	return made
}

// joined lowers a schema as one, without its parts. A reference to a component ends here, so a schema that contains
// itself gets a component of its own.
func (l *lowering) joined(s map[string]any, t reflect.Type, list []edits.Placed, place string) map[string]any {
	for _, outer := range l.joining {
		if outer.typ != t || outer.edits != len(list) || !reflect.DeepEqual(outer.of, s) {
			continue
		}
		if outer.copy == nil {
			ref := cmp.Or(l.components[t], openapi.Reference("components", "schemas", shape.ShortName(t)))
			outer.copy = l.CopyOf("schemas", ref, outer.made)
		}
		return maps.Clone(openapi.Map(outer.copy))
	}
	made, err := l.Flatten(s, place, map[string]bool{})
	if err != nil {
		l.note(err)
		return s
	}
	own := &joining{of: s, typ: t, edits: len(list), made: made}
	l.joining = append(l.joining, own)
	l.inOne(made, t, list, place)
	if own.copy != nil {
		return maps.Clone(openapi.Map(own.copy))
	}
	l.joining = slices.DeleteFunc(l.joining, func(each *joining) bool { return each == own })
	return made
}

// inOne lowers a schema whose properties are in one place.
func (l *lowering) inOne(s map[string]any, t reflect.Type, list []edits.Placed, place string) {
	for _, keyword := range openapi.ConditionKeywords {
		isOfNames := keyword == "propertyNames" && t.Kind() == reflect.Map // edits leave the names of a map
		if _, ok := s[keyword]; ok && !isOfNames {
			l.refuseSchema(t, place+"/"+keyword, "this keyword cannot be followed")
		}
	}
	l.values(s, t, place)
	for _, keyword := range []string{"oneOf", "anyOf", "allOf"} {
		parts, ok := s[keyword].([]any)
		if !ok {
			continue
		}
		if u := l.edits.Union(t); u != nil {
			l.union(s, keyword, u, place)
			return
		}
		// An edit cannot know which part a value has, so lowering any of them would be a guess.
		isAlone := l.IsAlone(s, keyword)
		if !isAlone && l.forms(s, keyword, t, list, place) {
			return
		}
		if keyword != "allOf" && !isAlone {
			l.refuseSchema(t, place+"/"+keyword, "several forms cannot be followed: describe it as one object")
		}
		parts = slices.Clone(parts)
		for i, part := range parts {
			if !l.IsNull(part) {
				parts[i] = l.listed(part, t, list, fmt.Sprint(place, "/", keyword, "/", i))
			}
		}
		if s[keyword] = parts; isAlone {
			return
		}
	}
	l.members(s, t, list, place)
}

// refuseSchema notes what edits of a type cannot lower in its schema.
func (l *lowering) refuseSchema(t reflect.Type, place, reason string) {
	l.fail(place, "the schema of %s has another form in %s, and %s", shape.NameOf(t), l.version, reason)
}

// members lowers what is in the schema of a list, a map or a struct.
func (l *lowering) members(s map[string]any, t reflect.Type, list []edits.Placed, place string) {
	key, others := "", []string{"items"}
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		key, others = "items", []string{"properties", "additionalProperties"}
	case reflect.Map:
		key, others = "additionalProperties", []string{"properties", "items"}
	}
	for _, other := range others {
		if s[other] != nil {
			l.fail(place+"/"+other, "the schema of %s describes another kind: %w", shape.NameOf(t),
				openapi.ErrNotNewest)
		}
	}
	if key == "" {
		l.structure(s, t, list, place)
	} else if inner, ok := s[key]; ok {
		s[key] = l.schema(inner, t.Elem(), place+"/"+key)
	}
}

// structure lowers the schema of a struct by edits of it. Without any it is walked all the same:
// members further down may have some.
func (l *lowering) structure(s map[string]any, t reflect.Type, list []edits.Placed, place string) {
	if maker := l.edits.Maker(t); maker != nil && len(list) > 0 {
		// A function reshapes the object, so only the old Go type shows its form.
		_, nullable, err := l.Owned(s)
		if err != nil {
			l.fail(place, "%w", err)
		}
		from, _ := maker.Older()
		older := l.Nullable(l.schemaOf(from, true), nullable)
		// The document of the version has them lowered.
		for _, key := range []string{"description", "example", "examples", "default", "deprecated"} {
			if value, ok := s[key]; ok {
				older[key] = value
			}
		}
		clear(s)
		maps.Copy(s, older)
		s["x-changes"] = changesOf(list)
		return
	}
	properties := maps.Clone(openapi.Map(s["properties"]))
	switch {
	// A discriminator names a property and its values, both of which an edit may change.
	case s["discriminator"] != nil && slices.ContainsFunc(list, func(p edits.Placed) bool {
		by := fmt.Sprint(openapi.Map(s["discriminator"])["propertyName"])
		return p.Keywords == nil && slices.Contains(slices.Concat(p.Needs, p.Lacks), by)
	}):
		l.refuseSchema(t, place+"/discriminator", "a discriminator cannot be followed")
		return
	case properties == nil && (len(openapi.List(s["required"])) == 0 || len(list) == 0):
		return // any object is valid, or any with these members
	}
	isBare := properties == nil // it only requires members
	if isBare {
		properties = map[string]any{}
	}
	s["properties"] = properties
	if len(list) > 0 {
		l.later = append(l.later, func() {
			o := l.object(s, shape.IsParams(t))
			o.IsRead = !l.accepted[t]
			l.takeBack(o, list, t, "property", place)
			openapi.Write(s, o.Properties)
			if isBare && len(openapi.Map(s["properties"])) == 0 {
				delete(s, "properties")
			}
			if slices.ContainsFunc(list, isCounted) {
				delete(s, "minProperties")
				delete(s, "maxProperties")
			}
			for _, patch := range o.Keywords {
				merged := openapi.Merged(s, patch)
				clear(s)
				maps.Copy(s, merged)
			}
			s["x-changes"] = changesOf(list)
		})
	}
	// The members come before the object's own edits, because a rename would hide under which
	// name a member's type is found. The order is fixed, so that errors are the same each time.
	members := l.edits.MembersOf(t)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		// The values of a property that the Go type lacks come from elsewhere, and stay.
		if i := shape.Find(members, name); i >= 0 {
			place := place + "/properties/" + jsontext.EscapePointer.Replace(name)
			properties[name] = l.schema(properties[name], members[i].Typ, place)
		}
	}
}

// takeBack takes the edits of a type back in its schema. Errors call a property what.
func (l *lowering) takeBack(o *openapi.Object, edits []edits.Placed, t reflect.Type, what, place string) {
	for _, p := range edits {
		// An edit of a property that the document lacks would make a schema of an older version
		// in which it is missing too, and a client generated from it would drop the member.
		for _, name := range p.Needs {
			if p := o.Properties[name]; p == nil || p.Schema == nil {
				l.fail(place, "there is no %s %q, which %s has: %w", what, name, shape.NameOf(t), openapi.ErrNotNewest)
				return
			}
		}
		if p.Document != nil { // nil: the schema stays
			p.Document(o)
		}
		if o.Err != nil {
			l.fail(place, "%s: %w", p.Text, o.Err)
			return
		}
	}
}

// takeAllBack takes the edits of schemas back. A type may be in itself, so they come when all is there that they read.
func (l *lowering) takeAllBack() {
	for ; len(l.later) > 0; l.later = l.later[1:] {
		l.later[0]()
	}
}

// changesOf returns what a version lacks, for people. Readers of a generated document see why
// it differs from the newest one, in the author's words.
func changesOf(edits []edits.Placed) (list []any) {
	for _, p := range edits {
		list = append(list, changeOf(p.Version, p.Change, p.Text))
	}
	return list
}

func changeOf(version, text, edit string) any {
	return map[string]any{"version": version, "text": text, "edit": edit}
}

// schemaOf returns the schema of a Go type that only older versions have. The document cannot
// describe such a type, since it has the newest version only: the type itself does, in the form
// of the version, with the edits of its members taken back. It accepts null if the type does, and
// isNull is set.
func (l *lowering) schemaOf(t reflect.Type, isNull bool) map[string]any {
	isNull = isNull && shape.IsNil(t) && t.Kind() != reflect.Interface
	if list := l.edits.Wholes(shape.Deref(t)); len(list) > 0 {
		return l.wholeType(shape.Deref(t), list, isNull)
	}
	return l.bareSchemaOf(t, isNull)
}

// bareSchemaOf is schemaOf without the objects around values of the type.
func (l *lowering) bareSchemaOf(t reflect.Type, isNull bool) map[string]any {
	t, _ = l.edits.Form(t)
	if l.edits.IsValue(t) {
		t = l.edits.Members(t)[0].Typ
	}
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
		properties := map[string]*openapi.Property{}
		for _, m := range l.edits.Members(t) {
			made := &openapi.Property{Schema: l.schemaOf(m.Typ, true), Required: !m.Optional}
			// The tag option ,string of encoding/json writes a number as text.
			if m.Quoted {
				made.Schema = l.Nullable(map[string]any{"type": "string"}, m.Typ.Kind() == reflect.Pointer)
			}
			properties[m.Name] = made
		}
		openapi.Write(s, properties)
		l.within = l.within[:len(l.within)-1]
	}
	if t.PkgPath() == "time" && t.Name() == "Time" {
		s = map[string]any{"type": "string", "format": "date-time"}
	}
	return l.Nullable(s, isNull)
}

// object returns the schema of an object for edits.
func (l *lowering) object(s map[string]any, isParameters bool) *openapi.Object {
	return &openapi.Object{Document: &l.Document, SchemaOf: l.schemaOf, Properties: openapi.PropertiesOf(s),
		IsParameters: isParameters}
}

// component returns a reference to the component that describes a type, in the form of the
// version, or nil.
func (l *lowering) component(t reflect.Type, isNull bool) map[string]any {
	if l.components[t] == "" {
		return nil
	}
	s := openapi.Map(l.bare(map[string]any{"$ref": l.components[t]}, t, l.components[t]))
	if isNull {
		return l.OrNull(s)
	}
	return s
}

// lowerParts lowers each leaf of an object for itself.
func (l *lowering) lowerParts(s map[string]any, edits [][]edits.Placed, t reflect.Type, place string) {
	l.lowerLeaves(s, &edits, t, place)
	l.values(s, t, place)
}

// lowerLeaves lowers the leaves of a schema, and takes their edits.
func (l *lowering) lowerLeaves(s map[string]any, edits *[][]edits.Placed, t reflect.Type, place string) {
	keyword, parts := l.applied(s)
	made := slices.Clone(parts)
	isLeaf := made == nil || len(openapi.PropertiesOf(s)) > 0
	for i, each := range made {
		if l.IsNull(each) {
			continue
		}
		target := openapi.Map(l.Resolve(each))
		lower := func() any {
			own := maps.Clone(target)
			// The examples of one part lack the members of the next, so no edit can lower them.
			maps.DeleteFunc(own, func(key string, _ any) bool {
				return slices.Contains([]string{"example", "examples", "default"}, key)
			})
			l.lowerLeaves(own, edits, t, fmt.Sprint(place, "/", keyword, "/", i))
			return own
		}
		if _, ok := openapi.Map(each)["$ref"].(string); !ok {
			made[i] = lower()
			continue
		}
		before := len(*edits)
		key := openapi.Key{Ref: openapi.Map(each)["$ref"].(string), Type: t}
		if made[i] = l.Copied(openapi.Map(each), key, lower); len(*edits) == before { // it was lowered before
			below, _ := l.leavesOf(target, "", 0)
			*edits = (*edits)[len(below):]
		}
	}
	if made != nil {
		s[keyword] = made
	}
	if isLeaf {
		own := (*edits)[0]
		if *edits = (*edits)[1:]; s["properties"] != nil || len(own) > 0 {
			l.structure(s, t, own, place)
		}
	}
}
