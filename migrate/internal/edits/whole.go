package edits

import (
	"reflect"
	"slices"

	"github.com/goverso/verso/migrate/internal/rewrite"
)

// Whole is an edit of all values of a type, whatever is in them. Its methods are all that plans, contracts, documents and
// guards ask of it, so a new kind is known in the file of its type alone.
type Whole interface {
	// Form returns the type of values of the older version, given the edited type. With a key it is the type of an object
	// that has the edited value as this member.
	Form(all All, t reflect.Type) (older reflect.Type, key string)

	// Plan sets the plan of a value, and returns the plan of the edited type in it.
	Plan(n *rewrite.Node, isDown bool) (inner *rewrite.Node)

	// Part returns what the older version has of a schema of the newest version, and the name of this property. It is asked
	// without a key of Form.
	Part(own map[string]any) (name string, part any)
}

// Wholes returns the edits of whole values that the version at index lacks, the innermost first: what came is within
// what went.
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
