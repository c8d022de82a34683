package migrate

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/goverso/verso/migrate/internal/jsontext"
)

// Flattened takes members out of the object old, which is gone: it is the reverse of [Nested].
// The map has their names inside, and their names now. Older clients read an object of those
// that are there, or none; what else they send in theirs is dropped, and null adds none.
func Flattened(old string, insideToName map[string]string) Edit {
	insides := slices.Sorted(maps.Keys(insideToName))
	var parts, names []string
	var err error
	for _, inside := range insides {
		name := insideToName[inside]
		parts = append(parts, fmt.Sprintf("%q was %q", name, old+"."+inside))
		if err = cmp.Or(err, refuseOptions(inside)); slices.Contains(names, name) {
			err = cmp.Or(err, fmt.Errorf("%q is given twice", name))
		}
		names = append(names, name)
	}
	return Edit{
		nested: true, err: err,
		text: strings.Join(parts, "; "), needs: names, lacks: []string{old},
		// The object takes the place of the first member.
		back: func(m []member, _ editedTypes) ([]member, error) {
			var fields []reflect.StructField
			object := member{name: old, optional: true}
			for i, inside := range insides {
				each := m[find(m, names[i])]
				tag := inside
				if object.optional = object.optional && each.optional; each.optional {
					tag += ",omitempty"
				}
				if each.quoted {
					tag += ",string"
				}
				fields = append(fields, reflect.StructField{Name: fmt.Sprint("F", i), Type: each.typ, Tag: reflect.StructTag(fmt.Sprintf("json:%q", tag))})
			}
			object.typ = reflect.StructOf(fields)
			at := slices.IndexFunc(m, func(each member) bool { return slices.Contains(names, each.name) })
			m = slices.Insert(m, at, object)
			return slices.DeleteFunc(m, func(each member) bool { return slices.Contains(names, each.name) }), nil
		},
		down: func(v *values) {
			object := &expr{}
			var keys [][]byte
			for i, inside := range insides {
				if x := v.take(names[i]); x != nil {
					object.in, keys = append(object.in, x), append(keys, keyOf(inside))
				}
			}
			if len(keys) > 0 {
				object.fn = func(in [][]byte) ([]byte, error) { return objectOf(keys, in), nil }
				v.put(old, object)
			}
		},
		up: func(v *values) {
			object := v.take(old)
			for i, inside := range insides {
				v.put(names[i], applied(func(in [][]byte) ([]byte, error) { return foldedMemberOf(in[0], inside) }, object))
			}
		},
		document: func(o *objectSchema) {
			properties, required := map[string]any{}, []any{}
			for i, inside := range insides {
				properties[inside] = o.properties[names[i]]
				if o.remove(names[i]) {
					required = append(required, inside)
				}
			}
			s := map[string]any{"type": "object", "properties": properties}
			if len(required) > 0 {
				s["required"] = required
			}
			o.put(old, s, len(required) > 0)
		},
	}
}

// foldedMemberOf is memberOf for an object of a client, whose names may be spelled in another
// way.
func foldedMemberOf(object []byte, name string) (value []byte, err error) {
	if isNull(object) {
		return nil, nil
	}
	var d jsontext.Decoder
	d.Reset(bytes.NewBuffer(object), jsontext.Lenient...)
	if begin, err := d.ReadToken(); err != nil || begin.Kind() != '{' {
		return nil, errors.New("the value is not an object")
	}
	for d.PeekKind() != '}' {
		key, _ := d.ReadToken() // cannot fail: it was read before
		here := fold(key.String()) == fold(name)
		each, _ := d.ReadValue()
		if here && value != nil {
			return nil, errTwice
		}
		if here {
			value = bytes.Clone(each)
		}
	}
	return value, nil
}
