package migrate

import (
	"cmp"
	"errors"
	"reflect"

	"github.com/goverso/verso/migrate/internal/expr"
	"github.com/goverso/verso/migrate/internal/rewrite"
	"github.com/goverso/verso/migrate/internal/shape"
)

// Reshaped is for what other edits cannot express: the whole object was made of
// another Go type, and its JSON may have had another media type, "" for the same. up
// may be nil if no route accepts the type. It is the only edit of its type; the older
// type may have edits of its own.
func Reshaped[Old, New any](up func(Old) (New, error), down func(New) (Old, error), oldMediaType string) Edit {
	r := &reshaped{old: reflect.TypeFor[Old](), mediaType: oldMediaType, down: expr.Function(down, nil)}
	if up != nil {
		r.up = expr.Function(up, nil)
	}
	e := edit{text: "it was " + shape.Describe(r.old), reshaped: r, err: expr.Given(down)}
	if oldMediaType != "" {
		e.text += ", of type " + oldMediaType
	}
	return Edit{e}
}

// reshaped is an edit of a whole type. The functions are in terms of JSON, so that a plan needs
// no type parameters.
type reshaped struct {
	old       reflect.Type
	mediaType string
	up, down  func([][]byte) ([]byte, error) // up may be nil
}

// reshaped returns the edit that reshapes a type, or nil.
func (all edits) reshaped(t reflect.Type) *reshaped {
	for _, p := range all[t] {
		if p.reshaped != nil {
			return p.reshaped
		}
	}
	return nil
}

// older returns the type that a type is made of in the version at index, and its media type, ""
// for the same. A type may have been reshaped several times, each time from another type.
func (all edits) older(t reflect.Type, index int) (older reflect.Type, mediaType string) {
	t = shape.Deref(t)
	for at := all[t]; len(at) == 1 && at[0].index < index && at[0].reshaped != nil; at = all[t] {
		t, mediaType = shape.Deref(at[0].reshaped.old), cmp.Or(at[0].reshaped.mediaType, mediaType)
	}
	return t, mediaType
}

// isCircle reports whether the older types of a type come back to it.
// Plans would never end.
func (all edits) isCircle(r *reshaped) bool {
	// As many steps as there are types lead out of any chain, but not out of a circle.
	for range all {
		if r = all.reshaped(shape.Deref(r.old)); r == nil {
			return false
		}
	}
	return true
}

// reshape returns the plan of a type that is reshaped.
// The older type may have edits of its own, of earlier versions.
func (c *compiler) reshape(r *reshaped) func(raw []byte) ([]byte, error) {
	// Its plan comes from the same table, so two types may share an older one.
	older := c.node(r.old)
	return func(raw []byte) (made []byte, err error) {
		switch {
		case c.direction == down:
			if made, err = r.down([][]byte{raw}); err == nil {
				return rewrite.Whole(older, made, rewrite.Mode{Ours: true})
			}
		case r.up == nil:
			err = errors.New("the Reshaped of its type has no function for requests")
		default:
			if made, err = rewrite.Whole(older, raw, rewrite.Mode{}); err != nil {
				return nil, err
			}
			if made, err = r.up([][]byte{made}); err == nil {
				return made, nil
			}
		}
		return nil, &rewrite.ValueError{Err: err}
	}
}
