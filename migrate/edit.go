package migrate

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/goverso/verso/migrate/internal/edits"
	"github.com/goverso/verso/migrate/internal/expr"
	"github.com/goverso/verso/migrate/internal/jsontext"
	"github.com/goverso/verso/migrate/internal/openapi"
	"github.com/goverso/verso/migrate/internal/shape"
)

// Edit is one edit of a JSON object. It makes a response older and a request newer. Old
// is the version before the [Release]'s own. [New] refuses the zero Edit.
type Edit struct{ edit edits.Edit }

// Renamed renames the member old to name.
func Renamed(old, name string) Edit {
	return Edit{edits.Edit{
		Text: fmt.Sprintf("%q is now named %q", old, name), Needs: []string{name}, Lacks: []string{old},
		Back: func(m []shape.Member, _ edits.Others) ([]shape.Member, error) {
			m[shape.Find(m, name)].Name = old
			return m, nil
		},
		Down:     func(v *expr.Values) { v.Put(old, v.Take(name)) },
		Up:       func(v *expr.Values) { v.Put(name, v.Take(old)) },
		Document: func(o *openapi.Object) { o.Properties[old] = o.Take(name) },
	}}
}

// absent is a type of its own, so that no value of a service can be taken for it. A nil would
// be taken for null, which is a value.
type absent struct{}

// Absent is the value of an absent member: see [Added] and [Removed].
var Absent absent

// notAllowed is a type of its own, for the reason that absent is.
type notAllowed struct{}

// Refused is the value of a member that older clients may not send: see [Added].
var Refused notAllowed

// only returns the one value that an edit has, or nil, and whether it is nothing: none is given,
// or [Absent].
func only(value []any) (given any, isNothing bool, err error) {
	if len(value) > 1 {
		err = errors.New("give one value, or none")
	}
	if len(value) > 0 && value[0] != Absent {
		given = value[0]
	}
	return given, len(value) == 0 || value[0] == Absent, err
}

// Added declares a new member. Older clients do not read it, and a value that they send
// under its name is dropped. The newest handler gets value instead, or nothing without one, or with
// [Absent]. A PATCH gets nothing, and so does a PUT unless its route [Replaces]: an
// older client that puts its copy back does not reset what it cannot see. If value is
// [Refused], a request of an older client with the member, other than null, is rejected.
func Added(name string, value ...any) Edit {
	given, isNothing, err := only(value)
	raw, marshalErr := json.Marshal(given)
	e := edits.Edit{
		Text: fmt.Sprintf("%q is new; for older clients it is %s", name, raw), Harmless: true, Needs: []string{name},
		Err: cmp.Or(err, marshalErr),
		Back: func(m []shape.Member, _ edits.Others) ([]shape.Member, error) {
			i := shape.Find(m, name)
			// What the handler would get must fit its own type.
			if err := m[i].Holds(raw); err != nil && !isNothing && given != Refused {
				return m, err
			}
			return slices.Delete(m, i, i+1), nil
		},
		Down: func(v *expr.Values) { v.Take(name) },
		Up: func(v *expr.Values) {
			if v.Fills {
				v.Put(name, &expr.Expr{Constant: raw})
			}
		},
		Document: func(o *openapi.Object) { o.Take(name) }, Forgets: true,
	}
	switch {
	// The default would be null, which is not the same as nothing.
	case isNothing:
		e.Text, e.Up = fmt.Sprintf("%q is new", name), nil
	case given == Refused:
		e.Text, e.Up = fmt.Sprintf("%q is new, and older clients may not send it", name),
			func(v *expr.Values) { v.Put(name, expr.NotYet) }
	}
	return Edit{e}
}

// Additive declares a new member that all clients may read and send.
func Additive(name string) Edit {
	return Edit{edits.Edit{
		Text: fmt.Sprintf("%q is new, in all versions", name), Harmless: true, Needs: []string{name},
		Back: func(m []shape.Member, _ edits.Others) ([]shape.Member, error) {
			m[shape.Find(m, name)].Additive = true
			return m, nil
		},
	}}
}

// Removed declares that a member was removed. Older clients read a constant, whose Go type is
// the member's, and their values are dropped. If the name ends as a json tag, and the
// constant is empty, they read nothing: "priority,omitempty" and "". So they do without a
// constant, or with [Absent], and the type of the member is then any. [New] cannot know that the
// member was required: Frozen of package migratetest fails, and proposes the edit.
func Removed(name string, constant ...any) Edit {
	name, isEmpty, tagErr := expr.CutOptions(name)
	given, isNothing, err := only(constant)
	if isNothing {
		isEmpty = expr.IsEmpty
	}
	raw, marshalErr := json.Marshal(given)
	// null has no Go type, so older clients read a member of any.
	typ, value := cmp.Or(reflect.TypeOf(given), reflect.TypeFor[any]()), jsontext.Decoded(raw)
	isLeftOut := isEmpty != nil && isEmpty(reflect.ValueOf(given))
	e := edits.Edit{
		Text: fmt.Sprintf("%q is removed; older clients read %s", name, raw), Lacks: []string{name}, Narrows: true,
		Err: cmp.Or(tagErr, err, marshalErr),
		Back: func(m []shape.Member, edited edits.Others) ([]shape.Member, error) {
			m = append(m, shape.Member{Name: name, Typ: typ, Optional: isEmpty != nil})
			if isLeftOut { // no value of the type is sent, in any form
				return m, nil
			}
			return m, edited.Refuse(typ)
		},
		Down: func(v *expr.Values) { v.Put(name, &expr.Expr{Constant: raw}) },
		Up:   func(v *expr.Values) { v.Take(name) },
		// The newest document lacks the member, so its schema comes from the Go type. What requests
		// have of it is dropped, so it is not required in one. Responses have no other value than the
		// example.
		Document: func(o *openapi.Object) {
			s := o.SchemaOf(typ, !isLeftOut)
			if !isLeftOut {
				keyword, example := "examples", any([]any{value})
				if o.Is30 {
					keyword, example = "example", value
				}
				if s = o.Nullable(s, value == nil); s["$ref"] != nil {
					s = openapi.Annotated(s, keyword, example)
				}
				s[keyword] = example // in the schema itself, which may not be done yet
			}
			o.Properties[name] = &openapi.Property{Schema: s, Required: o.IsRead && isEmpty == nil}
		},
	}
	if isLeftOut {
		e.Text, e.Down = fmt.Sprintf("%q is removed", name), nil
	}
	return Edit{e}
}

// RemovedFrom declares that a member was removed. Older clients read what value returns for the
// member from: nothing if it is absent, null if it is null. What they send is dropped. If from is
// "", From is a struct, and value reads the members that have the names of its fields. If structs
// in a member that is read have edits, a function would read several forms: From must be
// [json.RawMessage], or a list of it, and its form differs by version. If the name ends as a json
// tag, such as "image,omitempty", older clients read nothing where the value is empty. For raw JSON in itself,
// see the bound of [Reshaped].
func RemovedFrom[From, Value any](name, from string, value func(From) (Value, error)) Edit {
	name, isEmpty, err := expr.CutOptions(name)
	read := []shape.Member{{Name: from}}
	if t := reflect.TypeFor[From](); from == "" && t.Kind() == reflect.Struct && !shape.IsOpaque(t) {
		read = shape.MembersOf(t)
	}
	var needs []string
	for _, m := range read {
		needs = append(needs, m.Name)
	}
	return Edit{edits.Edit{
		Err:   cmp.Or(err, expr.Given(value)),
		Text:  fmt.Sprintf("%q is removed; older clients read one made of %q", name, strings.Join(needs, ", ")),
		Needs: needs, Lacks: []string{name},
		Back: func(m []shape.Member, edited edits.Others) ([]shape.Member, error) {
			// A function of an edited Go type, or of a part of it, would read several forms.
			isRaw := shape.ElementOf(reflect.TypeFor[From]()) == reflect.TypeFor[json.RawMessage]()
			err := cmp.Or(edited.Refuse(reflect.TypeFor[Value]()), edited.Refuse(reflect.TypeFor[From]()))
			optional := true
			for _, each := range read {
				at := m[shape.Find(m, each.Name)]
				if optional = optional && at.Optional; each.Typ != nil {
					err = cmp.Or(err, at.Is(each.Typ))
				}
				if !isRaw {
					err = cmp.Or(err, edited.Refuse(at.Typ))
				}
			}
			return append(
					m, shape.Member{Name: name, Typ: reflect.TypeFor[Value](), Optional: optional || isEmpty != nil}),
				err
		},
		Down: func(v *expr.Values) {
			x := v.Of[from]
			if from == "" { // an object of the members that are there
				x = expr.Object(needs, needs, func(name string) *expr.Expr { return v.Of[name] })
			}
			v.Put(name, expr.Applied(expr.Function(value, isEmpty), x))
		},
		Up: func(v *expr.Values) { v.Take(name) },
		// It is null where the member from is: a function never sees null.
		Document: func(o *openapi.Object) {
			isNull := isEmpty == nil // null is left out otherwise
			s, isThere := o.SchemaOf(reflect.TypeFor[Value](), isNull), false
			for _, each := range needs {
				isThere = isThere || o.Properties[each].Required
				if from != "" {
					_, nullable, _ := o.Owned(o.Properties[each].Schema) // raw JSON has all forms
					s = o.Nullable(s, nullable && isNull)
				}
			}
			o.Properties[name] = &openapi.Property{Schema: s, Required: isThere && o.IsRead && isNull}
		},
	}}
}

// Default declares that a request without the member now means another value: older
// clients that leave it out mean old. A PATCH without it changes nothing. null is not
// absent.
func Default(name string, old any) Edit {
	raw, err := json.Marshal(old)
	return Edit{edits.Edit{
		Text: fmt.Sprintf("%q has another default; for older clients it is %s", name, raw), Needs: []string{name},
		Err: err,
		Back: func(m []shape.Member, _ edits.Others) ([]shape.Member, error) {
			return m, m[shape.Find(m, name)].Holds(raw)
		},
		// In a PATCH an absent member means no change, in each version.
		Up: func(v *expr.Values) {
			if !v.Partial {
				v.Put(name, v.Take(name).Or(raw))
			}
		},
		// Requests may leave the member out.
		Document: func(o *openapi.Object) {
			p := o.Properties[name]
			p.Schema, p.Required = openapi.Annotated(p.Schema, "default", jsontext.Decoded(raw)), false
		},
	}}
}

// Mapped maps the values of a member, perhaps to another type. null stays null. An
// error of up is the client's: its version does not have the value. If the name ends as a json
// tag, such as "port,omitzero", an empty value is left out of responses, and of the requests that
// have all members: a POST, and a PUT whose route [Replaces].
func Mapped[Old, New any](name string, up func(Old) (New, error), down func(New) (Old, error)) Edit {
	name, isEmpty, err := expr.CutOptions(name)
	m := mapping{name: name, fresh: reflect.TypeFor[New](), old: reflect.TypeFor[Old](), omits: isEmpty != nil,
		up: expr.Function(up, nil), down: expr.Function(down, isEmpty)}
	e := m.edit(fmt.Sprintf("%q was %s", name, shape.Describe(m.old)))
	e.Mapped, e.Err = name, cmp.Or(err, expr.Given(up, down))
	if m.omits {
		e.Text += ", or absent"
		// In a PUT and a PATCH an absent member means no change, and an empty one clears it.
		omitted := expr.Function(up, isEmpty)
		e.Up = func(v *expr.Values) {
			fn := m.up
			if v.Fills {
				fn = omitted
			}
			v.Put(name, expr.Applied(fn, v.Take(name)))
		}
	}
	return Edit{e}
}

// Omitted declares that responses may lack a member that they always had. Older clients read a
// constant where it is absent: what encoding/json wrote before the tag got omitempty. Requests
// stay: a client that puts back what it has read sends the constant.
func Omitted(name string, constant any) Edit {
	raw, err := json.Marshal(constant)
	return Edit{edits.Edit{
		Text: fmt.Sprintf("%q may be absent; older clients then read %s", name, raw), Needs: []string{name}, Err: err,
		BodyOnly: true,
		Back: func(m []shape.Member, edited edits.Others) ([]shape.Member, error) {
			at := &m[shape.Find(m, name)]
			if !at.Optional {
				return m, fmt.Errorf("%q is always there: give its tag omitempty", name)
			}
			at.Optional = false
			// Older clients read null where the constant is null, and a pointer was left out if nil.
			switch isPointer := at.Typ.Kind() == reflect.Pointer; {
			case isPointer && !jsontext.IsNull(raw):
				at.Typ = at.Typ.Elem()
			case jsontext.IsNull(raw) && !shape.IsNil(at.Typ):
				at.Typ = reflect.PointerTo(at.Typ)
			}
			err := at.Holds(raw)
			if len(raw) > len("{}") && !jsontext.IsNull(raw) { // older clients would read its newest form
				err = cmp.Or(err, edited.Refuse(reflect.TypeOf(constant)))
			}
			return m, err
		},
		Down: func(v *expr.Values) { v.Put(name, v.Take(name).Or(raw)) },
		Document: func(o *openapi.Object) {
			p := o.Properties[name]
			p.Schema, p.Required = o.Allowing(p.Schema, jsontext.Decoded(raw)), p.Required || o.IsRead
		},
	}}
}

// NotNull declares that responses may have null for a member that never was null. Older clients
// read a constant instead, or nothing with [Absent]. A value is held while it is read. Requests stay.
func NotNull(name string, constant any) Edit {
	given, isNothing, err := only([]any{constant})
	raw, marshalErr := json.Marshal(given)
	e := edits.Edit{
		Text: fmt.Sprintf("%q may be null; older clients then read %s", name, raw), Needs: []string{name},
		Err: cmp.Or(err, marshalErr), BodyOnly: true,
		Back: func(m []shape.Member, edited edits.Others) ([]shape.Member, error) {
			at := &m[shape.Find(m, name)]
			switch isOpaque := shape.IsOpaque(at.Typ); {
			case !isOpaque && !shape.IsNil(at.Typ):
				return m, fmt.Errorf("%q is never null: its type is %s", name, shape.Describe(at.Typ))
			case !isOpaque && at.Typ.Kind() == reflect.Pointer:
				at.Typ = at.Typ.Elem()
			}
			if isNothing {
				at.Optional = true
				return m, nil
			}
			if jsontext.IsNull(raw) {
				return m, errors.New("the constant is null: give another one, or Absent")
			}
			err := at.Holds(raw)
			if len(raw) > len("{}") { // older clients would read its newest form
				err = cmp.Or(err, edited.Refuse(reflect.TypeOf(constant)))
			}
			return m, err
		},
		Down: func(v *expr.Values) {
			if isNothing {
				v.Put(name, expr.NotNull(v.Take(name), nil))
			} else {
				v.Put(name, expr.NotNull(v.Take(name), raw))
			}
		},
		Document: func(o *openapi.Object) {
			p := o.Properties[name]
			if p.Schema = o.Real(p.Schema); isNothing {
				p.Required = false
				return
			}
			p.Schema = o.Allowing(p.Schema, jsontext.Decoded(raw))
		},
	}
	if isNothing {
		e.Text = fmt.Sprintf("%q may be null; older clients then read nothing", name)
	}
	return Edit{e}
}

// Documented declares how documents of older versions describe a member, by keywords such as
// {"maxLength": 1024}, merged into its schema (RFC 7396): null takes one away, and a $ref, or a
// type with properties or items, replaces it all. The keyword nullable is for documents of OpenAPI 3.1, too. Bodies stay. The newer version has the member: to describe a member of the
// older version, list Documented before the edit that brings it back. The name "" is the object
// itself: {"required": ["id"], "additionalProperties": false}; its required members are all that
// the older version requires, and {"properties": null} is a map of its additionalProperties.
func Documented(name, keywords string) Edit {
	var old map[string]json.RawMessage // numbers stay as they are written
	err := json.Unmarshal([]byte(keywords), &old)
	switch {
	case err != nil:
		err = fmt.Errorf("the keywords are not a JSON object: %w", err)
	case len(old) == 0:
		err = errors.New("there are no keywords: write those of the older version, or remove the edit")
	}
	text, _ := json.Marshal(old)
	if name == "" {
		return Edit{documentedObject(old, text, err)}
	}
	return Edit{edits.Edit{
		Text: fmt.Sprintf("%q was described by %s", name, text), Needs: []string{name}, Err: err, Harmless: true,
		Keywords: old,
		Document: func(o *openapi.Object) {
			p := o.Properties[name]
			p.Schema = o.Described(p.Schema, openapi.Map(jsontext.Decoded(text)))
		},
	}}
}

// documentedObject describes the object, and not a member.
func documentedObject(keywords map[string]json.RawMessage, text []byte, err error) edits.Edit {
	var required []string
	raw, isRequired := keywords["required"]
	if isRequired {
		err = cmp.Or(err, json.Unmarshal(raw, &required))
	}
	_, wasMap := keywords["properties"]
	for _, keyword := range []string{"properties", "allOf", "oneOf", "anyOf", "$ref"} {
		if raw, ok := keywords[keyword]; ok && (keyword != "properties" || string(raw) != "null") {
			err = cmp.Or(err, fmt.Errorf("the keyword %s is for edits of members: declare these", keyword))
		}
	}
	return edits.Edit{
		Text: fmt.Sprintf("it was described by %s", text), Err: err, Harmless: !wasMap, Keywords: keywords, BodyOnly: true,
		OfValue: true,
		Back: func(m []shape.Member, _ edits.Others) ([]shape.Member, error) {
			for _, name := range required {
				if shape.Find(m, name) < 0 {
					return m, fmt.Errorf("there is no member %q", name)
				}
			}
			return m, nil
		},
		Document: func(o *openapi.Object) {
			if p := o.Properties[""]; p != nil { // a value, and not an object
				p.Schema = o.Described(p.Schema, openapi.Map(jsontext.Decoded(text)))
				return
			}
			patch := openapi.Map(jsontext.Decoded(text))
			if delete(patch, "required"); isRequired {
				for name, p := range o.Properties {
					p.Required = slices.Contains(required, name)
				}
			}
			o.Keywords = append(o.Keywords, patch)
		},
	}
}

// mapping is an edit of the values of a member.
type mapping struct {
	name       string
	fresh, old reflect.Type // that it reads, and of the older version, nil for the same
	omits      bool         // the older version may lack it
	values     []string     // of the older version, if they are known
	gone       []string     // that only the older version has, and documents list
	up, down   func(in [][]byte) ([]byte, error)
}

func (e mapping) edit(text string) edits.Edit {
	return edits.Edit{
		Text: text, Needs: []string{e.name}, Forgets: e.old != nil, OfValue: true,
		Back: func(m []shape.Member, edited edits.Others) ([]shape.Member, error) {
			at := &m[shape.Find(m, e.name)]
			each := *at
			switch {
			case at.Tags != nil: // edits of parameters see each value of a list
				each.Typ = shape.ParamType(at.Typ)
			case e.old == nil && shape.IsList(at.Typ): // and so do those of values
				each.Typ = shape.Deref(at.Typ).Elem()
			}
			// The functions would read and write older forms of that struct, which their Go types
			// do not have.
			err := cmp.Or(edited.Refuse(e.old), each.Is(e.fresh))
			switch {
			case e.name != "":
				err = cmp.Or(edited.Refuse(at.Typ), err)
			case e.omits:
				err = cmp.Or(err, errors.New("a value is always there: leave out what stands after the comma"))
			}
			if err != nil {
				return m, err
			}
			at.Optional, at.Values = at.Optional || e.omits, e.values
			switch {
			case e.old == nil:
				return m, nil
			case at.Tags != nil && shape.IsList(e.old):
				return m, fmt.Errorf("%q is a parameter, whose values are mapped one by one: map each of them", e.name)
			}
			if at.Quoted = false; at.Tags != nil && shape.IsList(at.Typ) {
				at.Typ = reflect.SliceOf(e.old)
			} else {
				at.Typ = e.old
			}
			return m, nil
		},
		Down: func(v *expr.Values) { v.Put(e.name, expr.Applied(e.down, v.Take(e.name))) },
		Up:   func(v *expr.Values) { v.Put(e.name, expr.Applied(e.up, v.Take(e.name))) },
		Document: func(o *openapi.Object) {
			p := o.Properties[e.name]
			p.Schema, p.Required = o.Listing(o.Mapped(p.Schema, e.old, e.down), e.gone), p.Required && !e.omits
		},
	}
}
