package edits

import (
	"cmp"
	"reflect"

	"github.com/goverso/verso/migrate/internal/shape"
)

// Reshaped is an edit of a whole type. The functions are in terms of JSON, so that a plan needs
// no type parameters.
type Reshaped struct {
	Old       reflect.Type
	MediaType string
	Up, Down  func([][]byte) ([]byte, error) // up may be nil
}

// Reshaped returns the edit that reshapes a type, or nil.
func (all All) Reshaped(t reflect.Type) *Reshaped {
	for _, p := range all[t] {
		if p.Reshaped != nil {
			return p.Reshaped
		}
	}
	return nil
}

// Older returns the type that a type is made of in the version at index, and its media type, ""
// for the same. A type may have been reshaped several times, each time from another type.
func (all All) Older(t reflect.Type, index int) (older reflect.Type, mediaType string) {
	t = shape.Deref(t)
	for at := all[t]; len(at) == 1 && at[0].Index < index && at[0].Reshaped != nil; at = all[t] {
		t, mediaType = shape.Deref(at[0].Reshaped.Old), cmp.Or(at[0].Reshaped.MediaType, mediaType)
	}
	return t, mediaType
}

// isCircle reports whether the older types of a type come back to it.
// Plans would never end.
func (all All) isCircle(r *Reshaped) bool {
	// As many steps as there are types lead out of any chain, but not out of a circle.
	for range all {
		if r = all.Reshaped(shape.Deref(r.Old)); r == nil {
			return false
		}
	}
	return true
}
