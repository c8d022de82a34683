package edits

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/goverso/verso/migrate/internal/jsontext"
	"github.com/goverso/verso/migrate/internal/shape"
)

// Union is a type whose values are several structs.
type Union struct {
	Typ      reflect.Type
	By       string
	Variants []shape.Member // also those that only older versions have
	Closed   bool
	Err      error
}

// Variant is an edit of a union: of a new variant without old, of a removed one without now.
type Variant struct {
	Old, Now string
	Instead  []byte // of a new one; nil: lists leave it out
}

// Back returns the variants of the older version.
func (e *Variant) Back(m []shape.Member, _ All) ([]shape.Member, error) {
	now := shape.Find(m, e.Now)
	switch {
	case e.Old == "" && e.Now == "", e.Now != "" && now < 0:
		return m, fmt.Errorf("there is no variant %q", e.Now)
	case e.Old != "" && shape.Find(m, e.Old) >= 0:
		return m, fmt.Errorf("there is a variant %q already", e.Old)
	case e.Old == "":
		return slices.Delete(m, now, now+1), nil
	case e.Now != "":
		m[now].Name = e.Old
		return m, nil
	}
	return append(m, shape.Member{Name: e.Old, Now: e.Old, Gone: true, Optional: true}), nil
}

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

// TypeOf returns the struct of a text, or nil.
func (u *Union) TypeOf(text string) reflect.Type {
	if i := shape.Find(u.Variants, text); i >= 0 {
		return u.Variants[i].Typ
	}
	return nil
}

// checkUnion returns what does not fit in a union. say gets what does not fit in its edits.
func (all All) checkUnion(u *Union, say func(Placed, error)) (found Mistakes) {
	add := func(is bool, format string, args ...any) {
		if is {
			found.Add(format, args...)
		}
	}
	isInterface := u.Typ != nil && u.Typ.Kind() == reflect.Interface
	isTwice := slices.ContainsFunc(all[u.Typ], func(p Placed) bool { return p.Union != nil && p.Union != u })
	add(u.Err != nil, "%w", u.Err)
	add(!isInterface, "this is not an interface")
	add(isTwice, "it is declared twice")
	for i, v := range u.Variants {
		isStruct, at := v.Typ.Kind() == reflect.Struct && !shape.IsOpaque(v.Typ), shape.Find(shape.MembersOf(v.Typ), u.By)
		hasText := at < 0 && v.Name == "" || at >= 0 && shape.Kind(shape.MembersOf(v.Typ)[at].Typ) == "string"
		isTwice := shape.Find(u.Variants[:i], v.Name) >= 0
		add(!isStruct || isInterface && !shape.Implements(v.Typ, u.Typ), "%s is none: give structs that have its methods", v.Typ)
		add(isStruct && !hasText, "%s does not have a text %q", v.Typ, u.By)
		add(isTwice, "the text %q is there twice", v.Name)
		add(all.Reshaped(v.Typ) != nil, "%s is Reshaped, which a variant cannot be", v.Typ)
		for _, p := range all.Of(v.Typ) {
			if slices.Contains(p.Needs, u.By) || slices.Contains(p.Lacks, u.By) {
				say(p, fmt.Errorf("the member %q has the text of a variant: give its change to %s", u.By, shape.NameOf(u.Typ)))
			}
		}
	}
	for _, p := range all.After(u.Typ, Oldest) {
		err := p.Err
		if err == nil && p.Variant != nil && !jsontext.IsNull(p.Variant.Instead) {
			err = all.checkInstead(u, p)
		}
		if err != nil {
			say(p, err)
		}
	}
	return found
}

// checkInstead checks that older clients have the variant that they read instead.
func (all All) checkInstead(u *Union, p Placed) error {
	raw := p.Variant.Instead
	_, _, text, _ := jsontext.TextOf(raw, u.By, true)
	list := all.TakeBack(u.Typ, p.Index+1, nil)
	i := slices.IndexFunc(list, func(m shape.Member) bool { return m.Now == text && m.Typ != nil })
	if raw[0] != '{' || i < 0 {
		return errors.New("older clients do not have the variant that they read instead: give null, or an older variant")
	}
	return json.Unmarshal(raw, reflect.New(list[i].Typ).Interface())
}

// leavesOut reports whether lists of an older version lack elements of the union.
func (all All) leavesOut(t reflect.Type) bool {
	return slices.ContainsFunc(all[shape.Deref(t)], func(p Placed) bool {
		return p.Variant != nil && p.Variant.Old == "" && p.Variant.Instead == nil
	})
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
