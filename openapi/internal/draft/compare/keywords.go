package compare

import (
	"fmt"
	"maps"
	"slices"

	"github.com/goverso/verso/openapi/internal/draft/document"
)

// keywords documents how the older version described a member, by keywords that differ, or whole. Null is
// among them, but for null that NotNull takes away: it left no trace in x and y then.
func (m *members) keywords(p string, x, y document.Object, v, w document.View) {
	doc := document.Object{}
	if v.Kind != "object" && v.Kind != "union" {
		doc = keywordsOf(x, y, false)
		m.scalarForms(doc, x, y)
	} else if isSo := isDeprecated(x) && !isDeprecated(v.Schema); isSo != (isDeprecated(y) && !isDeprecated(w.Schema)) {
		if doc["deprecated"] = nil; isSo { // at the place, and not the component
			doc["deprecated"] = true
		}
	}
	notNull := !v.Nullable && w.Nullable && m.roles.Response && !isParameters(m.name)
	if delete(doc, "nullable"); v.Nullable != w.Nullable && !notNull {
		if doc["nullable"] = nil; v.Nullable {
			doc["nullable"] = true
		}
	}
	todo := m.ofMap(p, doc, v, w)
	if elements := m.elements(v, w); elements != nil {
		doc["type"], doc["items"] = "array", elements
		for _, k := range keywords { // the whole is written
			if value := x[k]; value != nil && k != "nullable" {
				doc[k] = value
			}
		}
		if v.Nullable {
			doc["nullable"] = true
		}
	}
	if len(doc) == 0 {
		return
	}
	e := m.documents(p, doc, todo...)
	if v.Nullable && !w.Nullable && m.roles.Request && !isParameters(m.name) {
		e.Todos = append(e.Todos, fmt.Sprintf("%q is never null now, and older clients may send null: it is passed on "+
			"as it is. If the service refuses it, use Mapped", p))
	}
}

func isDeprecated(schema document.Object) bool { return schema["deprecated"] == true }

// ofMap adds the older schemas of the names and of the values of a map, or of maps in a list, which no edit reaches.
func (m *members) ofMap(p string, doc document.Object, v, w document.View) (todo []string) {
	if v.Kind == "list" {
		return m.valuesOf(p, doc, "items", v, w)
	}
	if v.Kind != "map" {
		return nil
	}
	const names = "propertyNames"
	if x := v.Schema[names]; document.Shape(m.a.Follow(x)) != document.Shape(m.b.Follow(w.Schema[names])) {
		doc[names] = inPlaceOf(w.Schema[names], m.inlined(x))
		todo = append(todo, fmt.Sprintf("the names in %q changed: older clients get new ones, and those that they send "+
			"stay", p))
	}
	return append(todo, m.valuesOf(p, doc, "additionalProperties", v, w)...)
}

// valuesOf adds the older schema of the values of a map or a list, if no edit reaches it. Those of lists alone are edited.
func (m *members) valuesOf(p string, doc document.Object, has string, v, w document.View) (todo []string) {
	was, now := v.Schema[has], w.Schema[has]
	x, y, inMap := m.innermost(was, now, has != "items")
	isReached := !inMap || x.Kind == y.Kind && (x.Kind == "object" || x.Kind == "union")
	isAny := func(v any) bool { return v == nil || v == true || document.Shape(v) == "{}" }
	isSame := document.Shape(was) == document.Shape(now) || isAny(was) && isAny(now)
	if isReached || isSame || !m.stays(was) {
		return nil
	}
	m.carry(was)
	if doc[has] = inPlaceOf(now, was); x.Kind != y.Kind {
		todo = append(todo, fmt.Sprintf("the values of %q were %s and are %s: the JSON stays as it is. If one version "+
			"does not read the other's, use Mapped", p, x.Kind, y.Kind))
	}
	return todo
}

// inPlaceOf returns the merge patch that makes an older schema of a newer one.
func inPlaceOf(newer, older any) any {
	made := document.Shaped(older)
	now, isObject := document.Shaped(newer).(document.Object)
	if m := document.Obj(made); m != nil && isObject {
		for k, of := range now {
			m[k] = inPlaceOf(of, m[k])
		}
	}
	return made
}

// inPlace documents listed values that stay, and are in forms in one document alone.
func (m *members) inPlace(p string, y document.View, v document.View) {
	hasForms := func(v any) bool {
		s := document.Obj(v)
		return s["allOf"] != nil || s["oneOf"] != nil || s["anyOf"] != nil
	}
	was, is := hasForms(m.a.Follow(m.x.Props[p])), hasForms(m.b.Follow(y.Props[p]))
	doc := document.Object{"type": v.Kind} // any keyword makes one schema of the forms
	if was {
		doc = m.wholeScalar(m.x.Props[p], v)
	}
	if v.IsScalar() && len(v.Enum()) > 0 && was != is && doc != nil {
		m.documents(p, doc)
	}
}

// scalarForms adds the forms of an older scalar with several, and lists no values in them.
func (m *members) scalarForms(doc, x, y document.Object) {
	for _, k := range []string{"oneOf", "anyOf"} {
		if len(document.View{Schema: x}.Enum())+len(document.View{Schema: y}.Enum()) == 0 &&
			document.Shape(x[k]) != document.Shape(y[k]) && m.stays(x[k]) {
			m.carry(x[k])
			doc[k] = document.Shaped(x[k])
		}
	}
}

// elements returns the older schema of the elements of a list, if they are scalars and keywords cannot
// describe them beside a reference or a union with null.
func (m *members) elements(v, w document.View) any {
	if v.Kind != "list" || w.Kind != "list" {
		return nil
	}
	i, j := document.Obj(v.Schema["items"]), document.Obj(w.Schema["items"])
	x, y := m.a.View(i), m.b.View(j)
	isPlain := func(s document.Object) bool {
		_, several := s["type"].([]any)
		return s["$ref"] == nil && s["oneOf"] == nil && s["anyOf"] == nil && s["allOf"] == nil && !several
	}
	switch {
	case x.Kind != y.Kind, !x.IsScalar(),
		isPlain(i) && isPlain(j) && x.Nullable == y.Nullable, len(x.Enum()) > 0 && len(y.Enum()) > 0,
		x.Nullable == y.Nullable && len(keywordsOf(x.Schema, y.Schema, false)) == 0:
		return nil
	}
	if m.stays(i) {
		m.carry(i)
		return document.Shaped(i)
	}
	return document.Shaped(x.Schema)
}

// stays reports whether the components of an older schema are the same in the newest document, or
// only in the older one.
func (d *drafter) stays(v any) bool {
	switch v := v.(type) {
	case document.Object:
		if c := d.a.Component(v); v["$ref"] != nil && (c == "" || d.b.Schema(c) != nil &&
			document.Shape(d.b.Schema(c)) != document.Shape(d.a.Schema(c))) {
			return false
		}
		for _, member := range v {
			if !d.stays(member) {
				return false
			}
		}
	case []any:
		return !slices.ContainsFunc(v, func(each any) bool { return !d.stays(each) })
	}
	return true
}

// staysBelow is stays for all components that an older schema leads to.
func (d *drafter) staysBelow(v any, seen map[string]bool) bool {
	switch v := v.(type) {
	case document.Object:
		if c := d.a.Component(v); v["$ref"] != nil && !seen[c] {
			seen[c] = true
			return d.stays(v) && d.staysBelow(d.a.Schema(c), seen)
		}
		for _, member := range v {
			if !d.staysBelow(member, seen) {
				return false
			}
		}
	case []any:
		return !slices.ContainsFunc(v, func(each any) bool { return !d.staysBelow(each, seen) })
	}
	return true
}

// inlined returns an older schema without references to components whose form changed.
func (d *drafter) inlined(v any, within ...string) any {
	switch v := v.(type) {
	case document.Object:
		if c := d.a.Component(v); v["$ref"] != nil && c != "" && !d.stays(v) && !slices.Contains(within, c) {
			return d.inlined(d.a.Schema(c), append(slices.Clone(within), c)...)
		}
		m := document.Object{}
		for k, member := range v {
			m[k] = d.inlined(member, within...)
		}
		return m
	case []any:
		l := slices.Clone(v)
		for i := range l {
			l[i] = d.inlined(l[i], within...)
		}
		return l
	}
	return v
}

// beside returns a schema with the keywords that stand beside the reference to it.
func beside(schema document.Object, own any) document.Object {
	if len(document.List(document.Obj(own)["allOf"])) == 1 || document.Obj(own)["$ref"] != nil {
		schema = maps.Clone(schema)
		for _, k := range keywords {
			if value, ok := document.Obj(own)[k]; ok && k != "nullable" {
				schema[k] = value
			}
		}
	}
	if document.Obj(own)["deprecated"] == true && schema["deprecated"] != true {
		schema = maps.Clone(schema)
		schema["deprecated"] = true
	}
	return schema
}

var keywords = []string{
	"format", "deprecated", "default", "maxLength", "minLength", "pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems",
	"uniqueItems", "multipleOf", "maxProperties", "minProperties", "nullable", "readOnly", "writeOnly",
}

// withoutConstant takes the constant of a newer schema out, which would exclude the values that keywords list.
func withoutConstant(keywords, newer document.Object) {
	if _, ok := newer["const"]; ok {
		keywords["const"] = nil
	}
}

// keywordsOf returns the keywords of an older schema x that a newer one does not have, and null for those
// that only y has. brought means that an edit brings the member back, with its Go type alone.
func keywordsOf(x, y document.Object, brought bool) document.Object {
	m := document.Object{}
	for _, k := range keywords {
		a, b := x[k], y[k]
		if k == "deprecated" || k == "nullable" || k == "uniqueItems" || k == "readOnly" || k == "writeOnly" {
			if a == false {
				a = nil
			}
			if b == false {
				b = nil
			}
		}
		if document.Compact(a) != document.Compact(b) {
			m[k] = a
		}
	}
	if x["discriminator"] == nil && y["discriminator"] != nil {
		m["discriminator"] = nil
	}
	listed := document.View{Schema: x}.Enum() // also a constant
	if brought && x["enum"] != nil || len(listed) == 0 != (len(document.View{Schema: y}.Enum()) == 0) {
		if m["enum"] = x["enum"]; x["enum"] == nil && len(listed) > 0 {
			m["enum"] = listed
		}
		withoutConstant(m, y)
	}
	i, j := document.Obj(x["items"]), document.Obj(y["items"])
	if i != nil && i["$ref"] == nil && (j != nil || brought) && j["$ref"] == nil {
		if in := keywordsOf(i, j, brought); len(in) > 0 {
			m["items"] = in
		}
	}
	return m
}

// wholeScalar returns the whole older schema of a scalar of a component or with several forms, or nil. In the newest
// document its components are the same, or lacking.
func (d *drafter) wholeScalar(v any, w document.View) document.Object {
	s := document.Obj(v)
	if !w.IsScalar() || s["$ref"] == nil && s["oneOf"] == nil && s["anyOf"] == nil && s["allOf"] == nil || !d.stays(v) {
		return nil
	}
	d.carry(v)
	whole := maps.Clone(document.Obj(document.Shaped(v)))
	if whole["$ref"] == nil {
		whole["type"] = s["type"]
	}
	return whole
}
