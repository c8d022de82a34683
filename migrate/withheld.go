package migrate

import (
	"encoding/json"
	"reflect"

	"github.com/goverso/verso/migrate/internal/edits"
	"github.com/goverso/verso/migrate/internal/expr"
	"github.com/goverso/verso/migrate/internal/rewrite"
)

// Withheld declares that lists and streams have new elements: those of T for which isNew reports
// true, in the newest form. Older clients do not get them. A count, a cursor or the size of a
// page beside the list stays, and is then wrong for them: filter the query of the handler
// instead. What is not in a list, such as a body or a member, stays too.
func Withheld[T any](isNew func(T) bool) Edit {
	return Edit{edits.Edit{
		Text: "lists have elements that older clients do not get", BodyOnly: true,
		Withheld: reflect.TypeFor[T](), Err: expr.Given(isNew),
		IsNew: func(raw []byte) (bool, error) {
			var value T
			if err := json.Unmarshal(raw, &value); err != nil {
				return false, &rewrite.ValueError{Err: err}
			}
			return isNew(value), nil
		},
	}}
}
