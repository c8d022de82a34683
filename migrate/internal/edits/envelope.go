package edits

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/goverso/verso/migrate/internal/shape"
)

// Back checks the edit against the members of its type.
func (e *Envelope) Back(m []shape.Member, _ Others) ([]shape.Member, error) {
	if e.Old != nil {
		return m, nil
	}
	if i := shape.Find(m, e.Key); m[i].Optional {
		return m, fmt.Errorf("%q may be absent, and older clients always read a value: leave omitempty out of its tag", e.Key)
	}
	return m, nil
}

// Envelopes returns those that the version at index has in another form, the innermost first: an
// object that came is within those that went.
func (all All) Envelopes(t reflect.Type, index int) (list []*Envelope) {
	for _, p := range all[t] {
		switch e := p.Envelope; {
		case p.Index >= index || e == nil:
		case e.Old == nil:
			list = slices.Insert(list, 0, e)
		default:
			list = append(list, e)
		}
	}
	return list
}

// Envelopes returns those that the version has in another form, the innermost first.
func (v Version) Envelopes(t reflect.Type) []*Envelope { return v.All.Envelopes(t, v.Index) }

// Inside returns the type of the values in an object of a type that had none.
func (all All) Inside(t reflect.Type, e *Envelope) reflect.Type {
	members := all.MembersOf(t)
	if i := shape.Find(members, e.Key); i >= 0 {
		return members[i].Typ
	}
	return nil
}

// Check returns an error if the edit does not fit its type. older are the edits before it.
func (e *Envelope) Check(all All, t reflect.Type, older []Placed) error {
	if e.Old == nil {
		isOther := func(p Placed) bool { return p.Union == nil && p.Override == nil }
		switch {
		case slices.ContainsFunc(older, isOther):
			return fmt.Errorf("older versions have the value of %q alone: give the edits before this one to its type", e.Key)
		case all.Inside(t, e) == nil:
			return fmt.Errorf("%q has another name in the newest version: give its value a type of its own, and the object too", e.Key)
		case shape.Deref(all.Inside(t, e)) == t:
			return fmt.Errorf("the value of %q is the object again: give it a type of its own", e.Key)
		}
		return nil
	}
	old := shape.Deref(e.Old)
	members := shape.MembersOf(old)
	at := shape.Find(members, e.Key)
	switch {
	case old.Kind() != reflect.Struct || shape.IsOpaque(old) || at < 0:
		return fmt.Errorf("%s does not have a member %q: give the Go type of the object that older clients read",
			shape.NameOf(old), e.Key)
	case all.Has(old):
		return fmt.Errorf("%s has edits of its own, which would not apply: give them to %s", shape.NameOf(old), shape.NameOf(t))
	}
	if inner, kind := members[at], shape.Kind(shape.Deref(members[at].Typ)); kind != "any" && kind != shape.Kind(t) {
		return fmt.Errorf("%s.%s is %s, and %s is %s", shape.NameOf(old), e.Key, shape.Describe(inner.Typ), shape.NameOf(t),
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

// ErrEnvelope refuses an envelope where the object must be of its type.
var ErrEnvelope = errors.New("an object came or went around its values, which is impossible there")
