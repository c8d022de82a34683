package migrate

import (
	"encoding/json"
	"reflect"
)

// Withheld declares that lists and streams have new elements: those of T for which isNew reports
// true, in the newest form. Older clients do not get them. What is not in a list, such as a body
// or a member, stays: older clients must not ask for it. A count beside the list stays too.
func Withheld[T any](isNew func(T) bool) Edit {
	return Edit{
		text: "lists have elements that older clients do not get", isAnswer: true,
		withheld: reflect.TypeFor[T](),
		isNew: func(raw []byte) (bool, error) {
			var value T
			if err := json.Unmarshal(raw, &value); err != nil {
				return false, &valueError{err: err}
			}
			return isNew(value), nil
		},
		document: func(*objectSchema) {},
	}
}

// isWithheld reports whether older clients do not get an element.
func (n *node) isWithheld(raw []byte) (bool, error) {
	for _, isNew := range n.withheld {
		if is, err := isNew(raw); is || err != nil {
			return is, err
		}
	}
	return false, nil
}

// mayWithhold reports whether a value is an element that may be left out: of a list, or of values
// in a row.
func (r *rewriter) mayWithhold(n *node) bool {
	if n == nil || n.withheld == nil {
		return false
	}
	if len(r.stack) == 0 {
		return r.lines
	}
	return r.stack[len(r.stack)-1].list
}
