package edits

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/goverso/verso/migrate/internal/shape"
)

// MembersOf returns the members of a type in the newest version, each with the type whose edits it has.
func (all All) MembersOf(t reflect.Type) []shape.Member {
	if all.IsValue(t) {
		return []shape.Member{{Typ: t}} // without a name
	}
	members := shape.MembersOf(t)
	isOwn := false
	for i, m := range members {
		at := all.at(t, m.Name)
		for _, from := range m.Embedded {
			at = cmp.Or(at, all.at(from, m.Name))
		}
		if at == nil {
			continue
		}
		if !isOwn {
			members, isOwn = slices.Clone(members), true
		}
		members[i].Typ, _ = replaced(m.Typ, at.As)
	}
	return members
}

// at returns the override of a member, or nil.
func (all All) at(t reflect.Type, name string) *Override {
	for _, p := range all[t] {
		if p.Override != nil && slices.Contains(p.Override.Members, name) {
			return p.Override
		}
	}
	return nil
}

// replaced puts a type in place of the one in pointers, lists and maps of t. It returns the
// replaced type too, or nil if the types do not agree.
func replaced(t, as reflect.Type) (made, was reflect.Type) {
	if isLike(t, as, map[[2]reflect.Type]bool{}) == nil {
		return as, t
	}
	if shape.IsOpaque(t) {
		return t, nil
	}
	var inner reflect.Type
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		inner, was = replaced(t.Elem(), as)
	}
	switch {
	case was == nil:
		return t, nil
	case t.Kind() == reflect.Pointer:
		return reflect.PointerTo(inner), was
	case t.Kind() == reflect.Map:
		return reflect.MapOf(t.Key(), inner), was
	}
	return reflect.SliceOf(inner), was
}

// isLike returns nil if the JSON of a type has the form of another's in the newest version.
func isLike(t, as reflect.Type, seen map[[2]reflect.Type]bool) error {
	key := [2]reflect.Type{t, as}
	if t == as || seen[key] {
		return nil
	}
	seen[key] = true
	if shape.IsOpaque(t) || shape.IsOpaque(as) || t.Kind() != as.Kind() {
		return fmt.Errorf("%s is not %s", shape.NameOf(t), shape.NameOf(as))
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return isLike(t.Elem(), as.Elem(), seen)
	case reflect.Struct:
		was, is := shape.MembersOf(t), shape.MembersOf(as)
		for _, m := range was {
			i := shape.Find(is, m.Name)
			if i < 0 || is[i].Optional != m.Optional || is[i].Quoted != m.Quoted ||
				isLike(m.Typ, is[i].Typ, seen) != nil {
				return fmt.Errorf("its member %q differs from that in %s", m.Name, shape.NameOf(t))
			}
		}
		if len(was) < len(is) {
			return fmt.Errorf("it has %s, and %s has %s", shape.Names(is), shape.NameOf(t), shape.Names(was))
		}
		return nil
	case reflect.Interface:
		return fmt.Errorf("%s is an interface", shape.NameOf(t))
	}
	return nil
}

// Original returns the type whose place another one has by At, or nil.
func (all All) Original(as reflect.Type) reflect.Type {
	places := All{}
	for t, list := range all {
		if slices.ContainsFunc(list, func(p Placed) bool { return p.Override != nil && p.Override.As == as }) {
			places[t] = list
		}
	}
	for _, t := range shape.Sorted(places) {
		for _, p := range all[t] {
			if p.Override == nil || p.Override.As != as {
				continue
			}
			members := shape.MembersOf(t)
			for _, name := range p.Override.Members {
				if i := shape.Find(members, name); i >= 0 {
					if _, was := replaced(members[i].Typ, as); was != nil {
						return was
					}
				}
			}
		}
	}
	return nil
}

// checkAt checks a type that members have.
func (all All) checkAt(p *Override) error {
	var problems []error
	members := shape.MembersOf(p.Of)
	if len(p.Members) == 0 {
		problems = append(problems, errors.New("it has no member: give the names of those that have this type"))
	}
	for _, name := range p.Members {
		i := shape.Find(members, name)
		if i < 0 {
			problems = append(problems, fmt.Errorf("there is no member %q (it has %s)", name, shape.Names(members)))
			continue
		}
		if all.at(p.Of, name) != p {
			problems = append(problems, fmt.Errorf("%q is declared twice", name))
		}
		typ := members[i].Typ
		switch _, was := replaced(typ, p.As); was {
		case p.As:
			problems = append(problems, fmt.Errorf("%q has this type already: give its edits to For", name))
		case nil:
			err := isLike(shape.ElementOf(typ), p.As, map[[2]reflect.Type]bool{})
			problems = append(problems, fmt.Errorf("%q is %s, which %s is not: %w: give it the members of the newest version", name,
				shape.Describe(typ), shape.NameOf(p.As), err))
		}
	}
	return errors.Join(problems...)
}
