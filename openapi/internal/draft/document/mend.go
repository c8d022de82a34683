package document

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// mend empties other values in the place of a schema, and notes it. as is "schema", "schemas" for an object of
// schemas by name, or "".
func (d *Document) mend(v any, place, as string) any {
	m, isObject := v.(Object)
	if as == "schema" && !isObject {
		if _, isBool := v.(bool); !isBool {
			d.note(place, "this is not a schema, and read as an empty one")
		}
		return Object{}
	}
	switch ref := Str(m["$ref"]); {
	case as == "schema" && !isInside(ref) && strings.HasPrefix(ref, "#/") && !strings.HasPrefix(ref, SchemaRef) &&
		!strings.HasPrefix(ref, "#/components/x-"):
		d.note(place, "%s is not a schema, and read as an empty one", ref)
		return Object{}
	case as == "schema" && isInside(ref) && d.at(ref) != nil:
		return d.lifted(m, place)
	}
	for _, k := range Names(m) {
		if !skipped(k, as) {
			d.mendMember(m, k, place+"/"+escape.Replace(k), as)
		}
	}
	for i, x := range List(v) {
		d.mend(x, fmt.Sprint(place, "/", i), "")
	}
	if ref := Str(m["$ref"]); strings.HasPrefix(ref, "#/") && d.at(ref) == nil {
		d.emptyTarget(ref, place)
		if d.at(ref) == nil { // no component
			delete(m, "$ref")
		}
	}
	return v
}

// isInside reports whether a reference leads elsewhere in the document than to a whole component: into one or an
// operation, or to #/definitions/X.
func isInside(ref string) bool {
	return strings.HasPrefix(ref, "#/") && (strings.Count(ref, "/") > 3 || !strings.HasPrefix(ref, "#/components/"))
}

// lifted returns the scalar to which a reference into another schema leads, or a reference to a component with a copy of
// its target.
func (d *Document) lifted(m Object, place string) Object {
	ref := Str(m["$ref"])
	if made := d.names[ref]; made != "" {
		return withOwn(Object{"$ref": made}, m)
	}
	target := Obj(Copied(d.at(ref)))
	if target == nil { // such as true
		target = Object{}
	}
	if d.View(m).IsScalar() {
		if slices.Contains(d.lifting, ref) {
			d.note(place, "%s leads to itself, and is read as empty", ref)
			return Object{}
		}
		d.lifting = append(d.lifting, ref)
		made := Obj(d.mend(target, place, "schema"))
		d.lifting = d.lifting[:len(d.lifting)-1]
		return withOwn(made, m)
	}
	tokens := strings.Split(ref, "/")
	name := notInName.ReplaceAllString(unescape.Replace(tokens[min(3, len(tokens)-2)]+"_"+tokens[len(tokens)-1]), "")
	all, name := d.addComponent(ref, "schemas", name)
	all[name] = target
	all[name] = d.mend(target, "#/components/schemas/"+name, "schema")
	return withOwn(Ref(name), m)
}

var notInName = regexp.MustCompile(`[^A-Za-z0-9._-]`)

// withOwn returns a schema with the annotations that stand beside a reference to it.
func withOwn(made, m Object) Object {
	for _, k := range append(slices.Clip(texts), "default", "deprecated") {
		if v := m[k]; v != nil {
			made[k] = v
		}
	}
	return made
}

// skipped reports whether a member holds values, which do not belong to the document's structure.
func skipped(k, as string) bool {
	return as != "schemas" && (strings.HasPrefix(k, "x-") && k != "x-webhooks" ||
		slices.Contains([]string{"example", "examples", "default", "enum", "const"}, k))
}

func (d *Document) mendMember(m Object, k, place, as string) {
	t := inSchema[k]
	if as != "schema" || t == nil {
		t = reflect.TypeFor[any]()
	} else if boolOr[t] == schemaType && Obj(m[k]) != nil {
		t = schemaType
	}
	is := ""
	switch {
	case as == "schemas" || k == "schema" || valueOf(t) == schemaType:
		is = "schema"
	case t.Kind() == reflect.Map && valueOf(t.Elem()) == schemaType, as == "schema" && k == "definitions",
		k == "schemas" && place == "#/components/schemas":
		is = "schemas"
	case t.Kind() == reflect.Slice && valueOf(t.Elem()) == schemaType:
		l := List(m[k])
		for i := range l {
			l[i] = d.mend(l[i], fmt.Sprint(place, "/", i), "schema")
		}
		if k == "allOf" {
			m[k] = withoutTexts(m, l)
		}
		return
	}
	m[k] = d.mend(m[k], place, is)
}

// withoutTexts returns the parts of the allOf of a schema without those that have texts alone, which the schema gets.
func withoutTexts(m Object, parts []any) []any {
	isText := func(part any) bool {
		return !slices.ContainsFunc(Names(Obj(part)), func(k string) bool { return !slices.Contains(texts, k) })
	}
	left := slices.DeleteFunc(slices.Clone(parts), isText)
	if len(left) == 0 {
		return parts
	}
	for _, part := range parts {
		for k, v := range Obj(part) {
			if isText(part) && m[k] == nil {
				m[k] = v
			}
		}
	}
	return left
}

// emptyTarget makes the component that a reference leads to, if there is none.
func (d *Document) emptyTarget(ref, place string) {
	tokens := strings.Split(ref, "/")
	if len(tokens) != 4 || tokens[1] != "components" {
		d.note(place, "%s leads nowhere", ref)
		return
	}
	d.note(place, "%s leads nowhere, and is read as empty", ref)
	components := Obj(d.Root["components"])
	if Obj(components[tokens[2]]) == nil {
		components[tokens[2]] = Object{}
	}
	empty := Object{}
	if tokens[2] == "responses" {
		empty["description"] = ""
	}
	Obj(components[tokens[2]])[unescape.Replace(tokens[3])] = empty
}
