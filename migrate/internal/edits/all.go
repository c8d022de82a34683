package edits

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/goverso/verso/migrate/internal/openapi"
	"github.com/goverso/verso/migrate/internal/shape"
)

// All are all edits of a history by the Go types of its objects, the newest first.
type All map[reflect.Type][]Placed

// Placed is an edit, and where it is declared. Without its change and its release, an edit
// could not be named in a message.
type Placed struct {
	Edit
	Index   int          // of the release
	Version string       // that the release makes
	Change  string       // its text
	Place   int          // among all edits, the newest first
	of      reflect.Type // the embedded struct that it is an edit of; nil: the type itself
}

// At returns where an edit is declared: a history is long, and all its mistakes are reported at
// once.
func At(version, change string, t reflect.Type) string {
	return fmt.Sprintf("migrate: %s: %q: %s", version, change, shape.NameOf(t))
}

// isLost reports whether documents of older versions lack what an edit describes: it is about
// another form of the member.
func (p *Placed) isLost(older Placed) bool {
	for keyword := range p.Keywords {
		if older.Forgets && slices.Contains(older.Needs, p.Needs[0]) && !slices.Contains(openapi.MappedKeywords, keyword) {
			return true
		}
	}
	return false
}

// Mistakes collects the mistakes of a declaration: a team would otherwise mend one a run.
type Mistakes []error

// Add notes a mistake, once. It names types as all messages do.
func (m *Mistakes) Add(format string, args ...any) {
	for i, arg := range args {
		if t, ok := arg.(reflect.Type); ok {
			args[i] = shape.NameOf(t)
		}
	}
	mistake := fmt.Errorf(format, args...)
	if !slices.ContainsFunc(*m, func(other error) bool { return other.Error() == mistake.Error() }) {
		*m = append(*m, mistake)
	}
}

// Check takes all edits back, from the newest version to the oldest.
// Each edit is checked against the form that the later ones leave, as it was when it was written: so a
// name may come back years later.
func (all All) Check(found *Mistakes) {
	for _, t := range shape.Sorted(all) {
		say := func(p Placed, err error) { found.Add("%s: %s: %w", At(p.Version, p.Change, t), p.Text, err) }
		all.TakeBack(t, Oldest, say)
		if u := all.Union(t); u != nil {
			for _, err := range all.checkUnion(u, say) {
				found.Add("migrate: OneOf[%s]: %w", t, err)
			}
			continue
		}
		for i, p := range all[t] {
			for _, older := range all[t][i+1:] {
				if older.Index == p.Index && p.isLost(older) {
					say(p, fmt.Errorf("documents of older versions do not show it: leave it out, or list it before this edit: %s", older.Text))
				}
			}
			switch {
			case p.Reshaped != nil && len(all.Of(t)) > 1:
				say(p, errors.New("a reshaped type can have no other edit: write them into the functions"))
			case p.Reshaped != nil && all.isCircle(p.Reshaped):
				say(p, errors.New("the older type is made of this one again: give it a type of its own"))
			}
		}
		if err := all.CheckUse(t); err != nil {
			found.Add("migrate: %w", err)
		}
	}
}

// TakeBack returns the members that the type has in the version at index, without regard to
// [github.com/goverso/verso/migrate.Reshaped]. say, if it is not nil, gets what does not fit. An edit that does not fit is
// skipped, so that the ones before it are still checked.
func (all All) TakeBack(t reflect.Type, index int, say func(Placed, error)) []shape.Member {
	return all.Without(t, all.After(t, index), say)
}

// Without is takeBack for a part of the edits of a type, the newest first.
func (all All) Without(t reflect.Type, list []Placed, say func(Placed, error)) []shape.Member {
	members := shape.MembersOf(t)
	if u := all.Union(t); u != nil {
		members = all.newest(u)
	}
	var newer [][]shape.Member // of each edit
	for i, p := range list {
		newer = append(newer, members)
		older, err := all.stepBack(t, p, members)
		if err == nil {
			members = older
		} else if say != nil {
			say(p, fmt.Errorf("%w (it has %s)%s", err, shape.Names(members), all.placeFor(t, list, i, newer)))
		}
	}
	return members
}

// stepBack returns the members before an edit.
func (all All) stepBack(t reflect.Type, p Placed, members []shape.Member) ([]shape.Member, error) {
	for _, name := range p.Needs {
		// An edit of an embedded struct has nothing to edit in the JSON of the outer one.
		if i := shape.Find(members, name); p.of != nil && i >= 0 && !slices.Contains(members[i].Embedded, p.of) {
			return nil, fmt.Errorf("%s is embedded, and its member %q is hidden by another one: give the embedded struct a name", shape.NameOf(p.of), name)
		}
	}
	u := all.Union(t)
	if u != nil && p.Variant == nil {
		return nil, fmt.Errorf("%s is an interface: give the edit to its structs", shape.NameOf(t))
	}
	if u == nil && p.Variant != nil {
		return nil, fmt.Errorf("%s is not an interface of OneOf: give the edit to the interface", shape.NameOf(t))
	}
	if of := cmp.Or(p.of, t); p.Withheld != nil && p.Withheld != of {
		return nil, fmt.Errorf("the function reads %s: let it read %s", shape.NameOf(p.Withheld), shape.NameOf(of))
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

// Has reports whether a type has edits.
func (all All) Has(t reflect.Type) bool { return len(all.After(t, Oldest)) > 0 }

// CheckUse checks in a type what New knows of its parts alone: the edits of embedded structs,
// where they are embedded, and unions of which older lists lack elements.
func (all All) CheckUse(t reflect.Type) error {
	var found Mistakes
	checkOut := func(what string, t reflect.Type) {
		if all.leavesOut(t) {
			found.Add("%s is %s, whose NewVariant is Absent for older clients: it may be in lists only", what, t)
		}
	}
	checkOut("a body", t)
	all.Walk(t, func(t reflect.Type) {
		switch t.Kind() {
		case reflect.Map:
			checkOut("the value of a map", t.Elem())
		case reflect.Struct:
			for _, m := range shape.MembersOf(t) {
				checkOut(fmt.Sprintf("the member %q of %s", m.Name, shape.NameOf(t)), m.Typ)
			}
			for f := range t.Fields() {
				if f.Anonymous && all.Union(shape.Deref(f.Type)) != nil && f.Tag.Get("json") == "" {
					found.Add("%s embeds %s: give the interface a name", t, f.Type)
				}
			}
		}
		for _, from := range shape.EmbeddedIn(t) {
			if len(all[from]) == 0 {
				continue
			}
			if all.Reshaped(from) != nil {
				found.Add("%s is embedded in %s, whose members it has: it cannot be Reshaped there", from, t)
			}
			all.TakeBack(t, Oldest, func(p Placed, mistake error) {
				found.Add("%s embeds %s, whose edits apply: %s: %w", t, from, p.Text, mistake)
			})
		}
	})
	return errors.Join(found...)
}

// Oldest is beyond the oldest version.
const Oldest = 1 << 30

// Walk calls visit for each type that the JSON of a type can contain, in any version. Types may
// contain themselves, so each is visited once.
func (all All) Walk(t reflect.Type, visit func(reflect.Type)) {
	seen := map[reflect.Type]bool{}
	var step func(t reflect.Type)
	step = func(t reflect.Type) {
		t = shape.Deref(t)
		if seen[t] || shape.IsOpaque(t) {
			return
		}
		seen[t] = true
		if visit(t); all.Reshaped(t) != nil {
			step(all.Reshaped(t).Old)
		}
		switch t.Kind() {
		case reflect.Slice, reflect.Array, reflect.Map:
			step(t.Elem())
		case reflect.Struct:
			for _, m := range shape.MembersOf(t) {
				step(m.Typ)
			}
		case reflect.Interface:
			if u := all.Union(t); u != nil {
				for _, v := range u.Variants {
					step(v.Typ)
				}
			}
		}
	}
	step(t)
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

// Form returns the type that a type is made of in the version: see [All.Older].
func (v Version) Form(t reflect.Type) (older reflect.Type, mediaType string) {
	return v.Older(t, v.Index)
}

// Lacked returns the edits of a type that the version lacks, the newest first.
func (v Version) Lacked(t reflect.Type) []Placed { return v.After(t, v.Index) }
