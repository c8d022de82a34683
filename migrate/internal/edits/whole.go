package edits

import (
	"reflect"
	"slices"
)

// Wholes returns the edits of whole values that the version at index lacks, the innermost first: an object
// that came is within those that went.
func (all All) Wholes(t reflect.Type, index int) (list []Whole) {
	for _, p := range all[t] {
		if p.Whole == nil || p.Index >= index {
			continue
		}
		if _, key := p.Whole.Form(all, t); key == "" {
			list = slices.Insert(list, 0, p.Whole)
		} else {
			list = append(list, p.Whole)
		}
	}
	return list
}

// Wholes returns the edits of whole values that the version lacks, the innermost first.
func (v Version) Wholes(t reflect.Type) []Whole { return v.All.Wholes(t, v.Index) }
