package openapi

import (
	"cmp"
	"strings"
)

// uses counts what leads to the components of a document. Components have numbers: a document has
// hundreds of operations, each of which may lead to hundreds of components.
type uses struct {
	*shared
	numbers map[string]int // by place, such as "components/schemas/Tag"
	parts   []component
}

// component is what leads to a component, and where it leads.
type component struct {
	value                  any
	to                     []int // the components of its references, once an operation leads to it
	last                   int   // the last counted operation
	operations, references int
}

// uses counts from each operation, and from each other part of the document.
func (s *shared) uses() *uses {
	u, operation := &uses{s, map[string]int{}, nil}, 0
	count := func(value any) {
		operation++
		for queue := u.from(value); len(queue) > 0; queue = queue[1:] {
			part := &u.parts[queue[0]]
			if part.last == operation {
				continue
			}
			if part.last == 0 {
				to := u.from(part.value) // may move the parts
				part = &u.parts[queue[0]]
				part.to = to
			}
			part.last = operation
			part.operations++
			queue = append(queue, part.to...)
		}
	}
	for key, part := range s.decoded {
		parts, ok := part.(map[string]any)
		switch {
		case key == "components":
		case key == "paths":
			for _, item := range parts {
				for name, each := range object(item) {
					count(map[string]any{name: each})
				}
			}
		case ok: // such as webhooks
			for name, each := range parts {
				count(map[string]any{name: each})
			}
		default:
			count(part)
		}
	}
	return u
}

// from counts the references of a value, and returns the components that they are to.
func (u *uses) from(value any) (to []int) {
	eachText(value, "", func(key, text string) {
		target, ok := strings.CutPrefix(text, "#/components/")
		tokens := strings.Split(target, "/")
		if !ok || key != "$ref" || len(tokens) < 2 {
			return
		}
		name := pointer("/" + tokens[1])[0]
		place := "components/" + tokens[0] + "/" + name
		number, known := u.numbers[place]
		if !known {
			number = len(u.parts)
			u.numbers[place] = number
			u.parts = append(u.parts, component{value: object(object(u.decoded["components"])[tokens[0]])[name]})
		}
		u.parts[number].references++
		to = append(to, number)
	})
	return to
}

// compare compares two components by the operations that lead to them, and by the references to
// them, where as many operations do.
func (u *uses) compare(a, b string) int {
	of := func(place string) (of component) {
		if number, ok := u.numbers[place]; ok {
			of = u.parts[number]
		}
		return of
	}
	x, y := of(a), of(b)
	return cmp.Or(cmp.Compare(x.operations, y.operations), cmp.Compare(x.references, y.references))
}
