package migrate

import (
	"reflect"

	"github.com/goverso/verso/migrate/internal/edits"
)

// At declares, beside the releases of [New], that members of T have edits of their own: those of As,
// in place of those of their type. As has the members of that type, and no other: declare it as
// type As Pet, or as struct{ Pet } to have the edits of Pet too. A member may also hold a list or a
// map of them. So older versions have another component there than elsewhere, whose name in
// contracts and documents is As. For a whole body no declaration is needed: give As to [Returns].
func At[T, As any](members ...string) Revision {
	return AtType(reflect.TypeFor[T](), reflect.TypeFor[As](), members...)
}

// AtType is [At] for types that the compiler does not know.
func AtType(t, as reflect.Type, members ...string) Revision {
	return Revision{at: &edits.Override{Of: t, As: as, Members: members}}
}
