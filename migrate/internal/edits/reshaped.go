package edits

import (
	"errors"
	"reflect"

	"github.com/goverso/verso/migrate/internal/rewrite"
	"github.com/goverso/verso/migrate/internal/shape"
)

// Plan returns the plan of a value, given that of the older type, which may have edits of its own.
func (r *Reshaped) Plan(older *rewrite.Node, isDown bool) rewrite.Reshape {
	return func(raw []byte, m rewrite.Mode) (made []byte, err error) {
		m = m.Loose() // a function may return more than its type has
		switch m.Ours = isDown; {
		case m.Ours:
			if made, err = r.Down([][]byte{raw}); err == nil {
				return rewrite.Held(older, made, m, false)
			}
		case r.Up == nil:
			err = ErrNoRequests
		default:
			if made, err = rewrite.Held(older, raw, m, false); err != nil {
				return nil, err
			}
			if made, err = r.Up([][]byte{made}); err == nil {
				return made, nil
			}
		}
		return nil, &rewrite.ValueError{Err: err}
	}
}

// Check returns an error if the edit does not fit its type.
func (r *Reshaped) Check(all All, t reflect.Type, _ []Placed) error {
	switch {
	case len(all.After(t, Oldest)) > 1:
		return errors.New("a reshaped type can have no other edit: write them into the functions")
	case all.isCircle(r):
		return errors.New("the older type is made of this one again: give it a type of its own")
	}
	return nil
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

var (
	// ErrReshaped refuses a Reshaped of an object whose members are also members of another.
	ErrReshaped = errors.New("its Reshaped makes the whole object, which is impossible there")

	// ErrNoRequests refuses requests that have a value of the type.
	ErrNoRequests = errors.New("its Reshaped has no function for requests: give it one")
)
