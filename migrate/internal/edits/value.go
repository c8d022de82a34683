package edits

import (
	"reflect"
	"slices"

	"github.com/goverso/verso/migrate/internal/shape"
)

// MayBeValue reports whether edits may be of all values of a type: of a named text, number or bool.
func MayBeValue(t reflect.Type) bool {
	return t != nil && t.PkgPath() != "" && !shape.IsOpaque(t) &&
		(t.Kind() == reflect.String || t.Kind() >= reflect.Bool && t.Kind() <= reflect.Float64)
}

// IsValue reports whether a type has edits of its values.
func (all All) IsValue(t reflect.Type) bool { return MayBeValue(t) && len(all[t]) > 0 }

// ReformsValue reports whether a client notices an edit of all values of a type.
func (all All) ReformsValue(t reflect.Type) bool {
	return all.IsValue(t) && slices.ContainsFunc(all[t], func(p Placed) bool { return p.Keywords == nil })
}
