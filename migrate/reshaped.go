package migrate

import (
	"reflect"

	"github.com/goverso/verso/migrate/internal/edits"
	"github.com/goverso/verso/migrate/internal/expr"
	"github.com/goverso/verso/migrate/internal/shape"
)

// Reshaped is for what other edits cannot express: the whole object was made of
// another Go type, and its JSON may have had another media type, "" for the same. up
// may be nil if no route accepts the type. It is the only edit of its type; the older
// type may have edits of its own.
//
// A function gets its value whole, with the values inside. Functions read at most 16 MB plus 32 times the
// body, which values in each other can exceed: such a request gets 413, and such a response becomes 500.
func Reshaped[Old, New any](up func(Old) (New, error), down func(New) (Old, error), oldMediaType string) Edit {
	r := &edits.Reshaped{Old: reflect.TypeFor[Old](), MediaType: oldMediaType, Down: expr.Function(down, nil)}
	if up != nil {
		r.Up = expr.Function(up, nil)
	}
	e := edits.Edit{
		Text: "it was " + shape.Describe(r.Old), Maker: r, Err: expr.Given(down), BodyOnly: true,
		Check: r.Check, Apart: edits.ErrReshaped,
	}
	if up == nil {
		e.NoRequests = edits.ErrNoRequests
	}
	if oldMediaType != "" {
		e.Text += ", of type " + oldMediaType
	}
	return Edit{e}
}
