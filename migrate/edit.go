package migrate

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// Edit is one edit of a JSON object. It makes a response older and a request newer. Old
// is the version before that of the [Release].
type Edit struct {
	text     string   // for the changelog
	needs    []string // members of the newer version
	lacks    []string // names that only the older version has
	err      error
	back     func(m []member, edited editedTypes) ([]member, error) // nil: the older version has the same members
	down, up func(v *values)                                        // nil: nothing
	mapped   string                                                 // the member that a [Mapped] maps, "" for other edits
	document func(*objectSchema)                                    // makes the schema of the older version
	harmless bool                                                   // clients that move to the newer version need not change
	nested   bool                                                   // it is a [Nested]
	reshaped *reshaped                                              // nil: it is no [Reshaped]
}

// takeBack returns the members of the older version. It may change those of the newer. All
// mistakes of an edit are reported together, so that it is mended once. The members of an older
// version are found by taking edits back from those of the Go type, one release after the
// other.
func (e *Edit) takeBack(m []member, edited editedTypes) ([]member, error) {
	problems := []error{e.err}
	for _, name := range e.needs {
		if find(m, name) < 0 {
			problems = append(problems, fmt.Errorf("there is no member %q", name))
		}
	}
	for _, name := range e.lacks {
		if find(m, name) >= 0 {
			problems = append(problems, fmt.Errorf("there is a member %q already", name))
		}
	}
	if err := errors.Join(problems...); err != nil || e.back == nil {
		return m, err
	}
	return e.back(m, edited)
}

// editedTypes reports whether a type has edits.
type editedTypes func(reflect.Type) bool

// refuse returns an error if a type, or one below it, has edits: a function of Go values would read
// an older form of it, or write the newest one, depending on the version.
func (edited editedTypes) refuse(t reflect.Type) (err error) {
	if t != nil {
		walk(t, func(t reflect.Type) {
			if edited(t) {
				err = errOtherType
			}
		})
	}
	return err
}

// Two edits of one value would each have to know the form that the other left.
var errOtherType = errors.New("the member is of a struct that has edits: give the edit to that struct, or use Reshaped for it")

// Renamed renames the member old to name.
func Renamed(old, name string) Edit {
	return Edit{
		text: fmt.Sprintf("%q is now named %q", old, name), needs: []string{name}, lacks: []string{old},
		back: func(m []member, _ editedTypes) ([]member, error) {
			m[find(m, name)].name = old
			return m, nil
		},
		down: func(v *values) { v.put(old, v.take(name)) },
		up:   func(v *values) { v.put(name, v.take(old)) },
		document: func(o *objectSchema) {
			property := o.properties[name]
			o.put(old, property, o.remove(name))
		},
	}
}

// absent is a type of its own, so that no value of a service can be taken for it. A nil would
// be taken for null, which is a value.
type absent struct{}

// Absent is the value of a member that older clients cannot send: see [Added].
var Absent absent

// Added declares a new member. Older clients do not read it, and what they send under
// its name is dropped. The newest handler gets value instead, or nothing if it is
// [Absent]. A PATCH gets nothing, and so does a PUT unless its route [Replaces]: an
// older client that puts back what it read does not reset what it cannot see.
func Added(name string, value any) Edit {
	raw, err := json.Marshal(value)
	e := Edit{
		text: fmt.Sprintf("%q is new; for older clients it is %s", name, raw), harmless: true, needs: []string{name}, err: err,
		back: func(m []member, _ editedTypes) ([]member, error) {
			i := find(m, name)
			// What the handler would get must fit its own type.
			if err := m[i].holds(raw); err != nil && value != Absent {
				return m, err
			}
			return slices.Delete(m, i, i+1), nil
		},
		down: func(v *values) { v.take(name) },
		up: func(v *values) {
			if v.fills {
				v.put(name, &expr{constant: raw})
			}
		},
		document: func(o *objectSchema) { o.remove(name) },
	}
	// The default would be null, which is not the same as nothing.
	if value == Absent {
		e.text, e.up = fmt.Sprintf("%q is new", name), nil
	}
	return e
}

// Additive declares a new member that all clients may read and send.
func Additive(name string) Edit {
	return Edit{
		text: fmt.Sprintf("%q is new, in all versions", name), harmless: true, needs: []string{name},
		back: func(m []member, _ editedTypes) ([]member, error) {
			m[find(m, name)].additive = true
			return m, nil
		},
		document: func(*objectSchema) {},
	}
}

// Removed declares that a member was removed. Older clients read a constant, and
// what they send is dropped.
func Removed(name string, constant any) Edit {
	raw, err := json.Marshal(constant)
	// null has no Go type, so older clients read a member of any.
	typ, value := cmp.Or(reflect.TypeOf(constant), reflect.TypeFor[any]()), decoded(raw)
	return Edit{
		text: fmt.Sprintf("%q is removed; older clients read %s", name, raw), lacks: []string{name}, err: err,
		back: func(m []member, edited editedTypes) ([]member, error) {
			return append(m, member{name: name, typ: typ}), edited.refuse(typ)
		},
		down: func(v *values) { v.put(name, &expr{constant: raw}) },
		up:   func(v *values) { v.take(name) },
		// The newest document lacks the member, so its schema comes from the Go type. What requests
		// have of it is dropped, so it is not required. Responses have no other value than the
		// example.
		document: func(o *objectSchema) {
			s := o.lowering.nullable(o.lowering.schemaOf(typ, nil), value == nil)
			if s["example"] = value; !o.lowering.isVersion30() {
				delete(s, "example")
				s["examples"] = []any{value}
			}
			o.put(name, s, false)
		},
	}
}

// RemovedFrom declares that a member was removed. Older clients read what value
// returns for the member from, in the form that it has in their version: nothing if
// it is absent, null if it is null. What they send is dropped.
func RemovedFrom[From, Value any](name, from string, value func(From) (Value, error)) Edit {
	return Edit{
		text:  fmt.Sprintf("%q is removed; older clients read one made of %q", name, from),
		needs: []string{from}, lacks: []string{name},
		back: func(m []member, edited editedTypes) ([]member, error) {
			typ := reflect.TypeFor[Value]()
			return append(m, member{name: name, typ: typ, optional: m[find(m, from)].optional}), edited.refuse(typ)
		},
		down: func(v *values) { v.put(name, applied(function(value), v.of[from])) },
		up:   func(v *values) { v.take(name) },
		// It is null where the member from is: a function never sees null.
		document: func(o *objectSchema) {
			_, nullable := o.own(from)
			o.put(name, o.lowering.nullable(o.lowering.schemaOf(reflect.TypeFor[Value](), nil), nullable), false)
		},
	}
}

// Default declares that a request without the member now means another value: older
// clients that leave it out mean old. A PATCH without it changes nothing. null is not
// absent.
func Default(name string, old any) Edit {
	raw, err := json.Marshal(old)
	return Edit{
		text: fmt.Sprintf("%q has another default; for older clients it is %s", name, raw), needs: []string{name}, err: err,
		back: func(m []member, _ editedTypes) ([]member, error) { return m, m[find(m, name)].holds(raw) },
		// In a PATCH an absent member means no change, in each version.
		up: func(v *values) {
			if v.partial {
				return
			}
			// A member of newer versions only is never in the request of an older client.
			from := cmp.Or(v.take(name), never)
			v.put(name, &expr{in: []*expr{from}, orElse: raw, fn: func(in [][]byte) ([]byte, error) { return in[0], nil }})
		},
		// Requests may leave the member out.
		document: func(o *objectSchema) {
			s := maps.Clone(anyMap(o.properties[name]))
			// In OpenAPI 3.0 nothing stands beside a reference, and an object may not be done yet.
			if s["$ref"] != nil || s["properties"] != nil {
				s = map[string]any{"allOf": []any{o.properties[name]}}
			}
			s["default"] = decoded(raw)
			o.put(name, s, false)
		},
	}
}

// Mapped maps the values of a member, perhaps to another type. null stays null. An
// error of up is the client's: its version does not have the value.
func Mapped[Old, New any](name string, up func(Old) (New, error), down func(New) (Old, error)) Edit {
	old := reflect.TypeFor[Old]()
	e := mapped(name, fmt.Sprintf("%q was %s", name, describe(old)), reflect.TypeFor[New](), old, function(up), function(down))
	e.mapped = name
	return e
}

// mapped is an edit of values. fresh is the type that it reads, and old is their type in
// the older version, nil for the same.
func mapped(name, text string, fresh, old reflect.Type, up, down func([][]byte) ([]byte, error)) Edit {
	return Edit{
		text: text, needs: []string{name},
		back: func(m []member, edited editedTypes) ([]member, error) {
			at := &m[find(m, name)]
			// The functions would read and write older forms of that struct, which their Go types
			// do not have.
			if err := edited.refuse(at.typ); err != nil {
				return nil, err
			}
			if err := edited.refuse(old); err != nil {
				return nil, err
			}
			if err := at.each().is(fresh); err != nil {
				return m, err
			}
			if old != nil {
				older := old
				switch {
				case at.tags == nil:
				case isList(old):
					return m, fmt.Errorf("%q is a parameter, whose values are mapped one by one: map each of them", name)
				case isList(at.typ):
					older = reflect.SliceOf(old)
				}
				at.typ, at.quoted = older, false
			}
			return m, nil
		},
		down: func(v *values) { v.put(name, applied(down, v.take(name))) },
		up:   func(v *values) { v.put(name, applied(up, v.take(name))) },
		document: func(o *objectSchema) {
			var schema map[string]any
			if old != nil {
				schema = o.lowering.schemaOf(old, nil)
			}
			o.replace(name, schema, down)
		},
	}
}

// holds reports whether the member can have a value.
// A constant that the type cannot hold would fail in the handler of each request.
func (m member) holds(raw []byte) error {
	if m.quoted {
		return nil
	}
	if err := json.Unmarshal(raw, reflect.New(m.typ).Interface()); err != nil {
		return fmt.Errorf("%q is %s, which %s is not", m.name, describe(m.typ), raw)
	}
	return nil
}

// is reports whether the JSON of the member may be that of a type.
func (m member) is(t reflect.Type) error {
	// Kinds of JSON are compared, and not Go types: a service may read an int64 where its struct
	// has an int.
	has, wants := kindOf(m.typ), kindOf(t)
	if m.quoted {
		has = "string"
	}
	if has == wants || has == "" || wants == "" || wants == "number" && has == "integer" {
		return nil
	}
	return fmt.Errorf("%q is %s, and the edit reads %s", m.name, describe(m.typ), describe(t))
}

// kindOf is the kind of the JSON of a type, "" if it is not known.
func kindOf(t reflect.Type) string {
	t = deref(t)
	if isOpaque(t) {
		return ""
	}
	switch kind := jsonKind(t); kind {
	// Nothing is known of its JSON, so no mistake can be shown: it passes the check.
	case "any", "other":
		return ""
	case "map":
		return "object"
	default:
		return kind
	}
}
