package migrate

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/goverso/verso/migrate/internal/jsontext"
	"github.com/goverso/verso/migrate/internal/rewrite"
	"github.com/goverso/verso/migrate/internal/shape"
)

// OneOf declares, beside the releases of [New], the structs whose values an interface holds, by
// the text of their member by. Edits of these structs then apply wherever the interface is.
// A value of another text, or without one, is the same in all versions, with one log line for a
// route that writes it, unless the union is [Closed].
func OneOf[T any](by string, list ...OfOne) Revision {
	return OneOfType(reflect.TypeFor[T](), by, list...)
}

// OneOfType is [OneOf] for a type that the compiler does not know.
func OneOfType(t reflect.Type, by string, list ...OfOne) Revision {
	u := &union{typ: t, by: by}
	for i, of := range list {
		if of == nil {
			u.err = errors.Join(u.err, fmt.Errorf("part %d is nil: remove it", i+1))
			continue
		}
		of(u)
	}
	return Revision{union: u}
}

// OfOne is a part of [OneOf].
type OfOne func(*union)

// Variant names the struct of values, or of pointers, with any of these texts, "" for objects
// without the member.
func Variant[T any](texts ...string) OfOne { return VariantType(reflect.TypeFor[T](), texts...) }

// VariantType is [Variant] for a type that the compiler does not know.
func VariantType(t reflect.Type, texts ...string) OfOne {
	return func(u *union) {
		for _, text := range texts {
			u.variants = append(u.variants, shape.Member{Name: text, Now: text, Typ: shape.Deref(t), Optional: true})
		}
		if texts == nil {
			u.err = errors.Join(u.err, fmt.Errorf("%s has no text: give those of %q", shape.NameOf(t), u.by))
		}
	}
}

// Closed refuses values of another text, or without one, in versions with edits of the union:
// requests are rejected, and responses are answered with status 500.
func Closed() OfOne { return func(u *union) { u.closed = true } }

// union is a type whose values are several structs.
type union struct {
	typ      reflect.Type
	by       string
	variants []shape.Member // also those that only older versions have
	closed   bool
	err      error
}

// variantEdit is an edit of a union: of a new variant without old, of a removed one without now.
type variantEdit struct {
	old, now string
	instead  []byte // of a new one; nil: lists leave it out
}

// variantOf returns an edit of the interface.
func variantOf(e *variantEdit, err error, text string, args ...any) Edit {
	return Edit{edit{text: fmt.Sprintf(text, args...), err: err, variant: e, back: e.back}}
}

// back returns the variants of the older version.
func (e *variantEdit) back(m []shape.Member, _ edits) ([]shape.Member, error) {
	now := shape.Find(m, e.now)
	switch {
	case e.old == "" && e.now == "", e.now != "" && now < 0:
		return m, fmt.Errorf("there is no variant %q", e.now)
	case e.old != "" && shape.Find(m, e.old) >= 0:
		return m, fmt.Errorf("there is a variant %q already", e.old)
	case e.old == "":
		return slices.Delete(m, now, now+1), nil
	case e.now != "":
		m[now].Name = e.old
		return m, nil
	}
	return append(m, shape.Member{Name: e.old, Now: e.old, Gone: true, Optional: true}), nil
}

// NewVariant declares that structs with a text of the discriminator are new. Older clients read
// instead: null, or a value of the newest Go types, of a variant that they have, removed or not.
// With [Absent] their lists lack the element; the variant may then be in lists only. Requests of
// older clients with the text are rejected. It is an edit of the interface.
func NewVariant(text string, instead any) Edit {
	if instead == Absent {
		return variantOf(&variantEdit{now: text}, nil, "%q is new; older clients do not get it", text)
	}
	raw, err := json.Marshal(instead)
	return variantOf(&variantEdit{now: text, instead: raw}, err, "%q is new; older clients read %s", text, raw)
}

// RenamedVariant declares that a text of the discriminator has another one now.
func RenamedVariant(old, now string) Edit {
	return variantOf(&variantEdit{old: old, now: now}, nil, "%q is now named %q", old, now)
}

// RemovedVariant declares that the structs with a text are gone. Requests of older clients with
// it are rejected. Keep the older Go type as a [Variant]: contracts and documents need it.
func RemovedVariant(text string) Edit {
	return variantOf(&variantEdit{old: text}, nil, "%q is removed", text)
}

// newest returns the variants of the newest version: all whose newest edit does not remove them.
func (all edits) newest(u *union) []shape.Member {
	return slices.DeleteFunc(slices.Clone(u.variants), func(m shape.Member) bool {
		i := slices.IndexFunc(all[u.typ], func(p placed) bool {
			return p.variant != nil && (p.variant.old == m.Name || p.variant.now == m.Name)
		})
		return m.Name != "" && i >= 0 && all[u.typ][i].variant.now == ""
	})
}

// lacks returns the edits of the newest variants that the version at index does not have, by their
// texts.
func (all edits) lacks(u *union, index int) map[string]*variantEdit {
	lacks := map[string]*variantEdit{}
	for _, m := range all.newest(u) {
		for _, p := range all.after(u.typ, index) {
			if e := p.variant; e != nil && e.now != "" && e.now == m.Name {
				if m.Name = e.old; e.old == "" {
					lacks[m.Now] = e
					break
				}
			}
		}
	}
	return lacks
}

// typeOf returns the struct of a text, or nil.
func (u *union) typeOf(text string) reflect.Type {
	if i := shape.Find(u.variants, text); i >= 0 {
		return u.variants[i].Typ
	}
	return nil
}

// checkUnion returns what does not fit in a union. say gets what does not fit in its edits.
func (all edits) checkUnion(u *union, say func(placed, error)) (found mistakes) {
	add := func(is bool, format string, args ...any) {
		if is {
			found.add(format, args...)
		}
	}
	isInterface := u.typ != nil && u.typ.Kind() == reflect.Interface
	isTwice := slices.ContainsFunc(all[u.typ], func(p placed) bool { return p.union != nil && p.union != u })
	add(u.err != nil, "%w", u.err)
	add(!isInterface, "this is not an interface")
	add(isTwice, "it is declared twice")
	for i, v := range u.variants {
		isStruct, at := v.Typ.Kind() == reflect.Struct && !shape.IsOpaque(v.Typ), shape.Find(shape.MembersOf(v.Typ), u.by)
		hasText := at < 0 && v.Name == "" || at >= 0 && shape.Kind(shape.MembersOf(v.Typ)[at].Typ) == "string"
		isTwice := shape.Find(u.variants[:i], v.Name) >= 0
		add(!isStruct || isInterface && !shape.Implements(v.Typ, u.typ), "%s is none: give structs that have its methods", v.Typ)
		add(isStruct && !hasText, "%s does not have a text %q", v.Typ, u.by)
		add(isTwice, "the text %q is there twice", v.Name)
		add(all.reshaped(v.Typ) != nil, "%s is Reshaped, which a variant cannot be", v.Typ)
		for _, p := range all.of(v.Typ) {
			if slices.Contains(p.needs, u.by) || slices.Contains(p.lacks, u.by) {
				say(p, fmt.Errorf("the member %q has the text of a variant: give its change to %s", u.by, shape.NameOf(u.typ)))
			}
		}
	}
	for _, p := range all.after(u.typ, maxIndex) {
		err := p.err
		if err == nil && p.variant != nil && !jsontext.IsNull(p.variant.instead) {
			err = all.checkInstead(u, p)
		}
		if err != nil {
			say(p, err)
		}
	}
	return found
}

// checkInstead checks that older clients have the variant that they read instead.
func (all edits) checkInstead(u *union, p placed) error {
	raw := p.variant.instead
	_, _, text, _ := jsontext.TextOf(raw, u.by, true)
	list := all.takeBack(u.typ, p.index+1, nil)
	i := slices.IndexFunc(list, func(m shape.Member) bool { return m.Now == text && m.Typ != nil })
	if raw[0] != '{' || i < 0 {
		return errors.New("older clients do not have the variant that they read instead: give null, or an older variant")
	}
	return json.Unmarshal(raw, reflect.New(list[i].Typ).Interface())
}

// leavesOut reports whether lists of an older version lack elements of the union.
func (all edits) leavesOut(t reflect.Type) bool {
	return slices.ContainsFunc(all[shape.Deref(t)], func(p placed) bool {
		return p.variant != nil && p.variant.old == "" && p.variant.instead == nil
	})
}

// union returns the union that a type is, or nil.
func (all edits) union(t reflect.Type) *union {
	for _, p := range all[t] {
		if p.union != nil {
			return p.union
		}
	}
	return nil
}

// union plans a value of several structs.
func (c *compiler) union(n *rewrite.Node, u *union) {
	n.By, n.Closed, n.Choices = u.by, u.closed, map[string]*rewrite.Choice{}
	for _, m := range c.edits.takeBack(u.typ, c.index, nil) {
		from, to := m.Name, m.Now
		if c.direction == down {
			from, to = to, from
		}
		made := &rewrite.Choice{Refused: m.Gone && c.direction != down}
		if from != to {
			made.Text = jsontext.Quote(to)
		}
		if m.Typ != nil {
			made.Plan = c.node(m.Typ)
		}
		if made.Plan != nil || made.Refused {
			n.Choices[from] = made
		}
	}
	if c.direction == down {
		for text, e := range c.edits.lacks(u, c.index) {
			n.Choices[text] = &rewrite.Choice{Lacks: true, Instead: e.instead}
		}
		return
	}
	for _, p := range c.edits.after(u.typ, c.index) {
		if e := p.variant; e != nil && e.now != "" && n.Choices[e.now] == nil {
			n.Choices[e.now] = &rewrite.Choice{Refused: true}
		}
	}
}

// union describes a union in a version, for contracts.
func (s *schemas) union(u *union, place string) string {
	var parts []string
	for _, m := range s.edits.takeBack(u.typ, s.index, nil) {
		name, text := "unknown", fmt.Sprintf("%s %q", u.by, m.Name)
		if m.Typ != nil {
			name = s.typeOf(m.Typ, place).Name
		}
		if m.Name == "" {
			text = "no " + u.by
		}
		parts = append(parts, text+": "+name)
	}
	slices.Sort(parts)
	if u.closed {
		parts = append(parts, "no other")
	}
	return "one of " + strings.Join(parts, ", ")
}
