package migrate

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/goverso/verso/migrate/internal/jsontext"
	"github.com/goverso/verso/migrate/internal/shape"
)

// Split replaces the text old by the two texts a and b. null is two nulls; of a and
// b, one that is null or absent is "".
func Split(old, a, b string, up func(old string) (a, b string, err error),
	down func(a, b string) (old string, err error)) Edit {
	text := reflect.TypeFor[string]()
	return Edit{
		text: fmt.Sprintf("%q is now %q and %q", old, a, b), needs: []string{a, b}, lacks: []string{old},
		forgets: true, err: given(up, down),
		back: func(m []shape.Member, _ others) ([]shape.Member, error) {
			i, j := shape.Find(m, a), shape.Find(m, b)
			if err := errors.Join(m[i].Is(text), m[j].Is(text)); err != nil {
				return m, err
			}
			// The old text was written if a part of it was.
			m[i] = shape.Member{Name: old, Typ: text, Optional: m[i].Optional && m[j].Optional}
			return slices.Delete(m, j, j+1), nil
		},
		down: func(v *values) { v.join(a, b, old, joining(down)) },
		up:   func(v *values) { v.split(old, a, b, up) },
		// The text is there if a part is. It can be null only if no part is sure to have text.
		document: func(o *objectSchema) {
			first, second := o.take(a), o.take(b)
			one, oneNullable := o.own(first.schema)
			other, otherNullable := o.own(second.schema)
			s := map[string]any{"type": "string"}
			if one["example"] != nil && other["example"] != nil {
				s["example"] = o.computed(joining(down), one["example"], other["example"])
			}
			s = o.nullable(s, oneNullable && (otherNullable || !second.required) || otherNullable && !first.required)
			o.properties[old] = &property{schema: s, required: first.required || second.required}
		},
	}
}

// Joined replaces the two texts a and b by the text name: it is the reverse of [Split]. null
// is two nulls; of a and b, one that is null or absent is "". A PATCH with only one of them
// is an error, since the other one is not known.
func Joined(a, b, name string, up func(a, b string) (string, error), down func(string) (a, b string, err error)) Edit {
	text := reflect.TypeFor[string]()
	return Edit{
		text: fmt.Sprintf("%q and %q are now %q", a, b, name), needs: []string{name}, lacks: []string{a, b},
		forgets: true, err: given(up, down),
		back: func(m []shape.Member, _ others) ([]shape.Member, error) {
			i := shape.Find(m, name)
			if err := m[i].Is(text); err != nil {
				return m, err
			}
			optional := m[i].Optional
			m[i] = shape.Member{Name: a, Typ: text, Optional: optional}
			return slices.Insert(m, i+1, shape.Member{Name: b, Typ: text, Optional: optional}), nil
		},
		down: func(v *values) { v.split(name, a, b, down) },
		up: func(v *values) {
			join := joining(up)
			// One part alone would overwrite the other with an empty text.
			if v.partial {
				join = func(in [][]byte) ([]byte, error) {
					if (in[0] == nil) != (in[1] == nil) {
						return nil, fmt.Errorf("%q and %q are one member now: send both", a, b)
					}
					return joining(up)(in)
				}
			}
			v.join(a, b, name, join)
		},
		// Both parts come from one text, so both are as required and as nullable as the text.
		document: func(o *objectSchema) {
			whole := o.take(name)
			own, nullable := o.own(whole.schema)
			first, second := parted(down)
			for old, part := range map[string]func([][]byte) ([]byte, error){a: first, b: second} {
				s := map[string]any{"type": "string"}
				if example, ok := own["example"]; ok {
					s["example"] = o.computed(part, example)
				}
				o.properties[old] = &property{schema: o.nullable(s, nullable), required: whole.required}
			}
		},
	}
}

// joining makes JSON of two texts by a function of them. Functions of a service get text, never
// null: a part that is null or absent is empty to them.
func joining(join func(a, b string) (string, error)) func([][]byte) ([]byte, error) {
	return func(in [][]byte) ([]byte, error) {
		a, err := read[string](in[0])
		b, errB := read[string](in[1])
		if err = cmp.Or(err, errB); err != nil {
			return nil, err
		}
		if jsontext.IsNull(in[0]) && jsontext.IsNull(in[1]) {
			return jsontext.Null, nil
		}
		return written(join(a, b))
	}
}

// parted makes the JSON of each of two texts by a function of one. Each is computed for itself,
// so that a rewriter may need only one. The function runs twice then.
func parted(split func(string) (a, b string, err error)) (first, second func([][]byte) ([]byte, error)) {
	first = function(func(text string) (string, error) { a, _, err := split(text); return a, err }, nil)
	second = function(func(text string) (string, error) { _, b, err := split(text); return b, err }, nil)
	return first, second
}

// join puts a function of a and b in their place, under another name. If the version has
// neither part, there is nothing to join.
func (v *values) join(a, b, name string, fn func([][]byte) ([]byte, error)) {
	first, second := cmp.Or(v.take(a), never), cmp.Or(v.take(b), never)
	if first != never || second != never {
		v.put(name, &expr{in: []*expr{first, second}, fn: fn, refused: slices.Concat(first.refused, second.refused)})
	}
}

// split puts the parts of a member in its place, as a and b.
func (v *values) split(name, a, b string, fn func(string) (a, b string, err error)) {
	whole := v.take(name)
	first, second := parted(fn)
	v.put(a, applied(first, whole))
	v.put(b, applied(second, whole))
}
