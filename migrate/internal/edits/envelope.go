package edits

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/goverso/verso/migrate/internal/jsontext"
	"github.com/goverso/verso/migrate/internal/openapi"
	"github.com/goverso/verso/migrate/internal/rewrite"
	"github.com/goverso/verso/migrate/internal/shape"
)

// Unwrapped is an edit by which an object around all values of a type went. The other edits of the type are of
// what is inside.
type Unwrapped struct {
	Key string       // of the object's member with the value
	Old reflect.Type // the object
}

// Form implements [Whole].
func (e *Unwrapped) Form(Others, reflect.Type) (older reflect.Type, key string) {
	return shape.Deref(e.Old), e.Key
}

// Plan implements [Whole].
func (e *Unwrapped) Plan(n *rewrite.Node, isDown bool) *rewrite.Node {
	return enclosed(n, e.Key, isDown, false)
}

// Part implements [Whole].
func (e *Unwrapped) Part(map[string]any) (name string, part any) { return "", nil }

// Check returns an error if the edit does not fit its type.
func (e *Unwrapped) Check(all Others, t reflect.Type, _ bool) error {
	old := shape.Deref(e.Old)
	members := shape.MembersOf(old)
	at := shape.Find(members, e.Key)
	switch {
	case old.Kind() != reflect.Struct || shape.IsOpaque(old) || at < 0:
		return fmt.Errorf("%s does not have a member %q: give the Go type of the object that older clients read",
			shape.NameOf(old), e.Key)
	case all.Count(old) > 0:
		return fmt.Errorf("%s has edits of its own, which would not apply: give them to %s", shape.NameOf(old),
			shape.NameOf(t))
	}
	inner := members[at].Typ
	if kind := shape.Kind(shape.Deref(inner)); kind != "any" && kind != shape.Kind(t) {
		return fmt.Errorf("%s.%s is %s, and %s is %s", shape.NameOf(old), e.Key, shape.Describe(inner), shape.NameOf(t),
			shape.Kind(t))
	}
	for i, m := range members {
		if i != at && !m.Optional {
			return fmt.Errorf("%s has %q, which nothing gives a value: leave it out, or give its tag omitempty",
				shape.NameOf(old), m.Name)
		}
	}
	return nil
}

// Wrapped is an edit by which the values of a type became objects. Older versions have a member of them alone.
type Wrapped struct{ Key string }

// Form implements [Whole].
func (e *Wrapped) Form(all Others, t reflect.Type) (older reflect.Type, key string) {
	members := all.MembersOf(t)
	if i := shape.Find(members, e.Key); i >= 0 {
		return members[i].Typ, ""
	}
	return nil, ""
}

// Plan implements [Whole].
func (e *Wrapped) Plan(n *rewrite.Node, isDown bool) *rewrite.Node {
	return enclosed(n, e.Key, !isDown, true)
}

// Part implements [Whole].
func (e *Wrapped) Part(own map[string]any) (name string, part any) {
	return e.Key, openapi.Map(own["properties"])[e.Key]
}

// Back checks the edit against the members of its type.
func (e *Wrapped) Back(m []shape.Member, _ Others) ([]shape.Member, error) {
	if i := shape.Find(m, e.Key); m[i].Optional {
		return m, fmt.Errorf(
			"%q may be absent, and older clients always read a value: leave omitempty out of its tag", e.Key)
	}
	return m, nil
}

// Check returns an error if the edit does not fit its type.
func (e *Wrapped) Check(all Others, t reflect.Type, hasOlder bool) error {
	inside, _ := e.Form(all, t)
	switch {
	case hasOlder:
		return fmt.Errorf(
			"older versions have the value of %q alone: give the edits before this one to its type", e.Key)
	case inside == nil:
		return fmt.Errorf(
			"%q has another name in the newest version: give its value a type of its own, and the object too", e.Key)
	case shape.Deref(inside) == t:
		return fmt.Errorf("the value of %q is the object again: give it a type of its own", e.Key)
	}
	return nil
}

// enclosed plans a value in an object of the older version, or of the newer one.
func enclosed(n *rewrite.Node, key string, isWritten, isOfObject bool) *rewrite.Node {
	made := &rewrite.Envelope{
		Name: key, Key: jsontext.Key(key), Written: isWritten, OfObject: isOfObject,
		Inner: &rewrite.Node{Same: true, Typ: n.Typ},
	}
	n.Taken = made
	return made.Inner
}

// ErrEnvelope refuses an envelope where the object must be of its type.
var ErrEnvelope = errors.New("an object came or went around its values, which is impossible there")
