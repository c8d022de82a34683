package migrate

import (
	"reflect"

	"github.com/goverso/verso/migrate/internal/shape"
)

// walk calls visit for each type that the JSON of a type can contain, in any version. Types may
// contain themselves, so each is visited once.
func (all edits) walk(t reflect.Type, visit func(reflect.Type)) {
	seen := map[reflect.Type]bool{}
	var step func(t reflect.Type)
	step = func(t reflect.Type) {
		t = shape.Deref(t)
		if seen[t] || shape.IsOpaque(t) {
			return
		}
		seen[t] = true
		if visit(t); all.reshaped(t) != nil {
			step(all.reshaped(t).old)
		}
		switch t.Kind() {
		case reflect.Slice, reflect.Array, reflect.Map:
			step(t.Elem())
		case reflect.Struct:
			for _, m := range shape.MembersOf(t) {
				step(m.Typ)
			}
		case reflect.Interface:
			if u := all.union(t); u != nil {
				for _, v := range u.variants {
					step(v.Typ)
				}
			}
		}
	}
	step(t)
}
