package migrate

import (
	"fmt"
	"reflect"

	"github.com/goverso/verso/migrate/internal/edits"
)

// Unwrapped takes all values of a type out of an object, in which older versions have them as the
// member key: {"payload": value}. Old is the Go type of that object, which contracts name. It is an
// edit of a struct, or of a named list or map, such as type Bookings []Booking, which [Returns] or
// [At] has; other edits of the type are of what is inside. null stays null. Other members of the
// object that older clients send are dropped. The value is held, at most 1 MB.
func Unwrapped[Old any](key string) Edit {
	e := &edits.Unwrapped{Key: key, Old: reflect.TypeFor[Old]()}
	return Edit{edits.Edit{
		Text: fmt.Sprintf("it was in an object, as %q", key), Err: edits.RefuseOptions(key), BodyOnly: true, Whole: e,
		Check: e.Check, Apart: edits.ErrEnvelope, OfList: true,
	}}
}

// Wrapped is the reverse of [Unwrapped]: a struct has the value as its member key now, and older
// versions have the value alone. The other members of the struct are new. null stays null.
func Wrapped(key string) Edit {
	e := &edits.Wrapped{Key: key}
	return Edit{edits.Edit{
		Text: fmt.Sprintf("it is an object now, with the value as %q", key), Needs: []string{key}, BodyOnly: true, Whole: e,
		Back: e.Back, Check: e.Check, Apart: edits.ErrEnvelope,
	}}
}
