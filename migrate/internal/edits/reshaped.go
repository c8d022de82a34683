package edits

import (
	"errors"
	"reflect"

	"github.com/goverso/verso/migrate/internal/rewrite"
	"github.com/goverso/verso/migrate/internal/shape"
)

// Reshaped is an edit of a whole type. The functions are in terms of JSON, so that a plan needs
// no type parameters.
type Reshaped struct {
	Old       reflect.Type
	MediaType string
	Up, Down  func([][]byte) ([]byte, error) // up may be nil
}

// Older implements [Maker].
func (r *Reshaped) Older() (older reflect.Type, mediaType string) { return r.Old, r.MediaType }

// Plan implements [Maker].
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
func (r *Reshaped) Check(all Others, t reflect.Type, _ bool) error {
	if all.Count(t) > 1 {
		return errors.New("a reshaped type can have no other edit: write them into the functions")
	}
	seen := map[reflect.Type]bool{}
	for maker := all.Maker(t); maker != nil; maker = all.Maker(t) {
		if seen[t] { // plans would never end
			return errors.New("the older type is made of this one again: give it a type of its own")
		}
		seen[t] = true
		older, _ := maker.Older()
		t = shape.Deref(older)
	}
	return nil
}

var (
	// ErrReshaped refuses a Reshaped of an object whose members are also members of another.
	ErrReshaped = errors.New("its Reshaped makes the whole object, which is impossible there")

	// ErrNoRequests refuses requests that have a value of the type.
	ErrNoRequests = errors.New("its Reshaped has no function for requests: give it one")
)
