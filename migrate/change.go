package migrate

import (
	"fmt"
	"reflect"
	"sync/atomic"

	verso "github.com/goverso/verso/core"
)

// Change is one difference between a version and the one before it. Its versions are known when
// New has placed it in a release: until then, asking for it is a mistake. [Changed] returns one;
// [New] refuses the zero Change.
type Change struct {
	text     string
	behaves  bool        // no body shows it
	declared atomic.Bool // a route declares an edit of its answers or document
	types    []TypeEdits
	inactive atomic.Pointer[map[verso.Version]bool]
}

// Changed describes a change of bodies. text is a sentence for the changelog. One
// without types, of which no route declares anything either, has the finding change_without_edits.
func Changed(text string, types ...TypeEdits) *Change { return &Change{text: text, types: types} }

// Behaves describes a change that no body shows, such as another order of a list. The
// handler asks whether it is [Change.Active]:
//
//	var byName = migrate.Behaves("Bookings are ordered by name.")
//	...
//	if byName.Active(versogin.Version(c)) {
func Behaves(text string) *Change { return &Change{text: text, behaves: true} }

// Active reports whether the version has the change: the version that made it and
// those after it, and a request without a version. It panics if the change is in no
// [History].
func (c *Change) Active(v verso.Version) bool {
	// A service may declare the change as a global, which tests give to several histories one
	// after the other.
	older := c.inactive.Load()
	if older == nil {
		panic(fmt.Errorf("migrate: the change %q is in no history: give it to a Release", c.text))
	}
	return !(*older)[v]
}

// TypeEdits are the edits of the JSON object made of a Go type: see [For]. [New] refuses
// the zero TypeEdits.
type TypeEdits struct {
	typ   reflect.Type
	edits []Edit
}

// For gives edits to the struct T, as the newest version has it. They apply wherever
// a T is: in a body, a member, a list, a map, another T. A named text, number or bool can have
// edits too, of the name "": [Values], [Mapped] and [Documented], for all bodies with a T.
func For[T any](first Edit, more ...Edit) TypeEdits {
	return ForType(reflect.TypeFor[T](), append([]Edit{first}, more...)...)
}

// ForType is [For] for a type that the compiler does not know. It is for generated code and for
// tests, which find types by reflection.
func ForType(t reflect.Type, edits ...Edit) TypeEdits { return TypeEdits{t, edits} }
