package migrate

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/goverso/verso/migrate/internal/edits"
	"github.com/goverso/verso/migrate/internal/expr"
	"github.com/goverso/verso/migrate/internal/openapi"
	"github.com/goverso/verso/migrate/internal/shape"
)

// Split replaces the text old by the two texts a and b. null is two nulls; of a and
// b, one that is null or absent is "".
func Split(old, a, b string, up func(old string) (a, b string, err error),
	down func(a, b string) (old string, err error)) Edit {
	text := reflect.TypeFor[string]()
	return Edit{edits.Edit{
		Text: fmt.Sprintf("%q is now %q and %q", old, a, b), Needs: []string{a, b}, Lacks: []string{old},
		Forgets: true, Err: expr.Given(up, down),
		Back: func(m []shape.Member, _ edits.Others) ([]shape.Member, error) {
			i, j := shape.Find(m, a), shape.Find(m, b)
			if err := errors.Join(m[i].Is(text), m[j].Is(text)); err != nil {
				return m, err
			}
			// The old text was written if a part of it was.
			m[i] = shape.Member{Name: old, Typ: text, Optional: m[i].Optional && m[j].Optional}
			return slices.Delete(m, j, j+1), nil
		},
		Down: func(v *expr.Values) { v.Join(a, b, old, expr.Joining(down)) },
		Up:   func(v *expr.Values) { v.Split(old, a, b, up) },
		// The text is there if a part is. It can be null only if no part is sure to have text.
		Document: func(o *openapi.Object) {
			first, second := o.Take(a), o.Take(b)
			one, oneNullable := o.Own(first.Schema)
			other, otherNullable := o.Own(second.Schema)
			s := map[string]any{"type": "string"}
			if one["example"] != nil && other["example"] != nil {
				s["example"] = o.Computed(expr.Joining(down), one["example"], other["example"])
			}
			s = o.Nullable(s, oneNullable && (otherNullable || !second.Required) || otherNullable && !first.Required)
			o.Properties[old] = &openapi.Property{Schema: s, Required: first.Required || second.Required}
		},
	}}
}

// Joined replaces the two texts a and b by the text name: it is the reverse of [Split]. null
// is two nulls; of a and b, one that is null or absent is "". A PATCH with only one of them
// is an error, since the other one is not known.
func Joined(a, b, name string, up func(a, b string) (string, error), down func(string) (a, b string, err error)) Edit {
	text := reflect.TypeFor[string]()
	return Edit{edits.Edit{
		Text: fmt.Sprintf("%q and %q are now %q", a, b, name), Needs: []string{name}, Lacks: []string{a, b},
		Forgets: true, Err: expr.Given(up, down),
		Back: func(m []shape.Member, _ edits.Others) ([]shape.Member, error) {
			i := shape.Find(m, name)
			if err := m[i].Is(text); err != nil {
				return m, err
			}
			optional := m[i].Optional
			m[i] = shape.Member{Name: a, Typ: text, Optional: optional}
			return slices.Insert(m, i+1, shape.Member{Name: b, Typ: text, Optional: optional}), nil
		},
		Down: func(v *expr.Values) { v.Split(name, a, b, down) },
		Up: func(v *expr.Values) {
			join := expr.Joining(up)
			// One part alone would overwrite the other with an empty text.
			if v.Partial {
				join = func(in [][]byte) ([]byte, error) {
					if (in[0] == nil) != (in[1] == nil) {
						return nil, fmt.Errorf("%q and %q are one member now: send both", a, b)
					}
					return expr.Joining(up)(in)
				}
			}
			v.Join(a, b, name, join)
		},
		// Both parts come from one text, so both are as required and as nullable as the text.
		Document: func(o *openapi.Object) {
			whole := o.Take(name)
			own, nullable := o.Own(whole.Schema)
			first, second := expr.Parted(down)
			for old, part := range map[string]func([][]byte) ([]byte, error){a: first, b: second} {
				s := map[string]any{"type": "string"}
				if example, ok := own["example"]; ok {
					s["example"] = o.Computed(part, example)
				}
				o.Properties[old] = &openapi.Property{Schema: o.Nullable(s, nullable), Required: whole.Required}
			}
		},
	}}
}
