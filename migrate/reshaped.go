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
// A function is called with all that is in its value. Where such values are in each other, what is read
// grows with their depth: functions read at most 16 MB and 32 times the body. A longer request is 413, and a
// longer response is 500.
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
