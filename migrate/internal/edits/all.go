package edits

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/goverso/verso/migrate/internal/shape"
)

// TakeBack returns the members that the type has in the version at index, without regard to a
// [Maker]. report, if it is not nil, gets what does not fit. An edit that does not fit is
// skipped, so that the ones before it are still checked.
func (all All) TakeBack(t reflect.Type, index int, report func(Placed, error)) []shape.Member {
	return all.Without(t, all.After(t, index), report)
}

// Without is TakeBack for a part of the edits of a type, the newest first.
func (all All) Without(t reflect.Type, list []Placed, report func(Placed, error)) []shape.Member {
	members := all.MembersOf(t)
	if u := all.Union(t); u != nil {
		members = all.newest(u)
	}
	var newer [][]shape.Member // of each edit
	for i, p := range list {
		newer = append(newer, members)
		older, err := all.stepBack(t, p, members)
		if err == nil {
			members = older
		} else if report != nil {
			report(p, fmt.Errorf("%w (it has %s)%s", err, shape.Names(members), all.placeFor(t, list, i, newer)))
		}
	}
	return members
}

// stepBack returns the members before an edit.
func (all All) stepBack(t reflect.Type, p Placed, members []shape.Member) ([]shape.Member, error) {
	for _, name := range p.Needs {
		// An edit of an embedded struct has nothing to edit in the JSON of the outer one.
		if i := shape.Find(members, name); p.of != nil && i >= 0 && !slices.Contains(members[i].Embedded, p.of) {
			return nil, fmt.Errorf(
				"%s is embedded, and its member %q is hidden by another one: give the embedded struct a name", shape.NameOf(p.of), name)
		}
	}
	u := all.Union(t)
	if u != nil && p.Variant == nil {
		return nil, fmt.Errorf("%s is an interface: give the edit to its structs", shape.NameOf(t))
	}
	if u == nil && p.Variant != nil {
		return nil, fmt.Errorf("%s is not an interface of OneOf: give the edit to the interface", shape.NameOf(t))
	}
	older, err := p.takeBack(slices.Clone(members), all)
	if err != nil {
		return nil, err
	}
	// What such an edit brings back is promoted, too.
	for i, m := range older {
		if p.of != nil && m.Embedded == nil && shape.Find(members, m.Name) < 0 {
			older[i].Embedded = []reflect.Type{p.of}
		}
		if m.Gone {
			older[i].Typ = u.TypeOf(m.Now)
		}
	}
	return older, nil
}

// placeFor returns advice where in its release an edit fits that does not fit where it is.
func (all All) placeFor(t reflect.Type, list []Placed, at int, newer [][]shape.Member) string {
	fit := func(members []shape.Member, order ...Placed) (err error) {
		for _, p := range order {
			if members, err = all.stepBack(t, p, members); err != nil {
				return err
			}
		}
		return nil
	}
	p := list[at]
	for i := at - 1; i >= 0 && list[i].Index == p.Index; i-- {
		if fit(newer[i], slices.Insert(slices.Clone(list[i:at]), 0, p)...) == nil {
			return ": list it after this edit: " + list[i].Text
		}
	}
	for i := at + 1; i < len(list) && list[i].Index == p.Index; i++ {
		if fit(newer[at], append(slices.Clone(list[at+1:i+1]), p)...) == nil {
			return ": list it before this edit: " + list[i].Text
		}
	}
	return ""
}

// After returns the edits of a type that the version at index lacks, the newest first.
func (all All) After(t reflect.Type, index int) []Placed {
	return slices.DeleteFunc(all.Of(t), func(p Placed) bool { return p.Index >= index })
}

// Of returns the edits of a type, the newest first, with those of the structs that it embeds:
// encoding/json promotes their members, so an edit of one is an edit of the outer object.
func (all All) Of(t reflect.Type) []Placed {
	list := slices.Clone(all[t])
	for _, from := range shape.EmbeddedIn(t) {
		for _, p := range all[from] {
			p.of = from
			list = append(list, p)
		}
	}
	slices.SortStableFunc(list, func(a, b Placed) int { return cmp.Compare(a.Place, b.Place) })
	return list
}

// Count returns how many edits a type has.
func (all All) Count(t reflect.Type) int { return len(all.After(t, Oldest)) }

// Walk calls visit for each type that the JSON of a type can contain, in any version. Types may
// contain themselves, so each is visited once.
func (all All) Walk(t reflect.Type, visit func(reflect.Type)) {
	all.walk(t, map[reflect.Type]bool{}, visit)
}

// walk is Walk but for types that were seen.
func (all All) walk(t reflect.Type, seen map[reflect.Type]bool, visit func(reflect.Type)) {
	t = shape.Deref(t)
	if seen[t] || shape.IsOpaque(t) {
		return
	}
	seen[t] = true
	visit(t)
	if maker := all.Maker(t); maker != nil {
		older, _ := maker.Older()
		all.walk(older, seen, visit)
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map:
		all.walk(t.Elem(), seen, visit)
	case reflect.Struct:
		for _, m := range all.MembersOf(t) {
			all.walk(m.Typ, seen, visit)
		}
	case reflect.Interface:
		if u := all.Union(t); u != nil {
			for _, v := range u.Variants {
				all.walk(v.Typ, seen, visit)
			}
		}
	}
}

// Maps reports whether an edit maps the member of a type.
func (all All) Maps(t reflect.Type, name string) bool {
	return slices.ContainsFunc(all.Of(t), func(p Placed) bool { return p.Mapped == name })
}

// Version is the edits as a version sees them.
type Version struct {
	All
	Index int // of the version, 0 for the newest
}

// Members returns the members that a type has in the version.
func (v Version) Members(t reflect.Type) []shape.Member { return v.TakeBack(t, v.Index, nil) }

// Form is [All.Older] of the version.
func (v Version) Form(t reflect.Type) (older reflect.Type, mediaType string) {
	return v.Older(t, v.Index)
}

// Lacked returns the edits of a type that the version lacks, the newest first.
func (v Version) Lacked(t reflect.Type) []Placed { return v.After(t, v.Index) }

// Changes reports whether a type, or one below it, has edits that the version lacks.
func (v Version) Changes(t reflect.Type) (found bool) {
	v.Walk(t, func(t reflect.Type) { found = found || len(v.Lacked(t)) > 0 })
	return found
}

// Refuse returns an error if a type, or one below it, has edits: a function of Go values would read
// an older form of it, or write the newest one, depending on the version. Descriptions change neither.
func (all All) Refuse(t reflect.Type) (err error) {
	if t != nil {
		all.Walk(t, func(t reflect.Type) {
			for _, p := range all.After(t, Oldest) {
				if p.Keywords == nil {
					err = errOtherType
				}
			}
		})
	}
	return err
}

// Two edits of one value would each have to know the form that the other left.
var errOtherType = errors.New(
	"the member is of a struct that has edits: give the edit to that struct, or use Reshaped for it")

// newest returns the variants of the newest version: all whose newest edit does not remove them.
func (all All) newest(u *Union) []shape.Member {
	return slices.DeleteFunc(slices.Clone(u.Variants), func(m shape.Member) bool {
		i := slices.IndexFunc(all[u.Typ], func(p Placed) bool {
			return p.Variant != nil && (p.Variant.Old == m.Name || p.Variant.Now == m.Name)
		})
		return m.Name != "" && i >= 0 && all[u.Typ][i].Variant.Now == ""
	})
}

// Lacks returns the edits of the newest variants that the version at index does not have, by their
// texts.
func (all All) Lacks(u *Union, index int) map[string]*Variant {
	lacks := map[string]*Variant{}
	for _, m := range all.newest(u) {
		for _, p := range all.After(u.Typ, index) {
			if e := p.Variant; e != nil && e.Now != "" && e.Now == m.Name {
				if m.Name = e.Old; e.Old == "" {
					lacks[m.Now] = e
					break
				}
			}
		}
	}
	return lacks
}

// Union returns the union that a type is, or nil.
func (all All) Union(t reflect.Type) *Union {
	for _, p := range all[t] {
		if p.Union != nil {
			return p.Union
		}
	}
	return nil
}

// Maker returns the edit that makes the values of a type, or nil.
func (all All) Maker(t reflect.Type) Maker {
	for _, p := range all[t] {
		if p.Maker != nil {
			return p.Maker
		}
	}
	return nil
}

// Older returns the type that a type is made of in the version at index, and its media type, ""
// for the same. A type may have been made several times, each time of another type.
func (all All) Older(t reflect.Type, index int) (older reflect.Type, mediaType string) {
	t = shape.Deref(t)
	for at := all[t]; len(at) == 1 && at[0].Index < index && at[0].Maker != nil; at = all[t] {
		made, own := at[0].Maker.Older()
		t, mediaType = shape.Deref(made), cmp.Or(own, mediaType)
	}
	return t, mediaType
}
