package migrate

import (
	"fmt"
	"reflect"

	"github.com/goverso/verso/migrate/internal/edits"
	"github.com/goverso/verso/migrate/internal/expr"
	"github.com/goverso/verso/migrate/internal/jsontext"
	"github.com/goverso/verso/migrate/internal/rewrite"
	"github.com/goverso/verso/migrate/internal/shape"
)

// Withheld declares that lists and streams have new elements: those of T for which isNew reports
// true, in the newest form. Older clients do not get them. A count, a cursor or the size of a
// page beside the list stays, and is then wrong for them: filter the query of the handler
// instead. What is not in a list, such as a body or a member, stays too.
func Withheld[T any](isNew func(T) bool) Edit {
	return Edit{edits.Edit{
		Text: "lists have elements that older clients do not get", BodyOnly: true,
		Err: expr.Given(isNew),
		Check: func(_ edits.Others, t reflect.Type, _ bool) error {
			if reads := reflect.TypeFor[T](); reads != t {
				return fmt.Errorf("the function reads %s: let it read %s", shape.NameOf(reads), shape.NameOf(t))
			}
			return nil
		},
		IsNew: &rewrite.Withheld{
			Judge: func(text *jsontext.Outline, p jsontext.Place) (func(at int) (isNew, isKnown bool), error) {
				inside, err := expr.Inside[T](text, p)
				return func(at int) (bool, bool) {
					value, isKnown := inside(at)
					return isKnown && isNew(value), isKnown
				}, err
			},
		},
	}}
}
