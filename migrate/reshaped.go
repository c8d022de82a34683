package migrate

import (
	"errors"
	"reflect"

	"github.com/goverso/verso/migrate/internal/edits"
	"github.com/goverso/verso/migrate/internal/expr"
	"github.com/goverso/verso/migrate/internal/rewrite"
	"github.com/goverso/verso/migrate/internal/shape"
)

// Reshaped is for what other edits cannot express: the whole object was made of
// another Go type, and its JSON may have had another media type, "" for the same. up
// may be nil if no route accepts the type. It is the only edit of its type; the older
// type may have edits of its own.
func Reshaped[Old, New any](up func(Old) (New, error), down func(New) (Old, error), oldMediaType string) Edit {
	r := &edits.Reshaped{Old: reflect.TypeFor[Old](), MediaType: oldMediaType, Down: expr.Function(down, nil)}
	if up != nil {
		r.Up = expr.Function(up, nil)
	}
	e := edits.Edit{Text: "it was " + shape.Describe(r.Old), Reshaped: r, Err: expr.Given(down)}
	if oldMediaType != "" {
		e.Text += ", of type " + oldMediaType
	}
	return Edit{e}
}

// reshape returns the plan of a type that is reshaped.
// The older type may have edits of its own, of earlier versions.
func (c *compiler) reshape(r *edits.Reshaped) func(raw []byte) ([]byte, error) {
	// Its plan comes from the same table, so two types may share an older one.
	older := c.node(r.Old)
	return func(raw []byte) (made []byte, err error) {
		switch {
		case c.direction == down:
			if made, err = r.Down([][]byte{raw}); err == nil {
				return rewrite.Whole(older, made, rewrite.Mode{Ours: true})
			}
		case r.Up == nil:
			err = errors.New("the Reshaped of its type has no function for requests")
		default:
			if made, err = rewrite.Whole(older, raw, rewrite.Mode{}); err != nil {
				return nil, err
			}
			if made, err = r.Up([][]byte{made}); err == nil {
				return made, nil
			}
		}
		return nil, &rewrite.ValueError{Err: err}
	}
}
