package migrate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/goverso/verso/migrate/internal/jsontext"
)

// OneOf declares, beside the releases of [New], the structs whose values an interface holds, each
// with its text in the member by. Edits of these structs then apply wherever the interface is.
// A value of another text, or without one, is the same in all versions.
func OneOf[T any](by string, variants ...OfOne) Revision {
	return Revision{union: &union{typ: reflect.TypeFor[T](), by: by, variants: variants}}
}

// OfOne is a struct of [OneOf]: see [Variant]. The zero OfOne is not valid.
type OfOne struct {
	value string
	typ   reflect.Type
}

// Variant is the struct of values that have this text.
func Variant[T any](value string) OfOne { return OfOne{value, reflect.TypeFor[T]()} }

// union is a type whose values are several structs.
type union struct {
	typ      reflect.Type
	by       string
	variants []OfOne
}

// NewVariant declares that structs with a text of the discriminator are new. Older clients read
// instead, which is of a variant that they have, or null. Requests of older clients with the
// text are rejected. It is an edit of the interface.
func NewVariant(value string, instead any) Edit {
	raw, err := json.Marshal(instead)
	return Edit{text: fmt.Sprintf("%q is new; older clients read %s", value, raw), err: err, variant: &variantEdit{now: value, instead: raw}}
}

// RenamedVariant declares that a text of the discriminator has another one now.
func RenamedVariant(old, now string) Edit {
	return Edit{text: fmt.Sprintf("%q is now named %q", old, now), variant: &variantEdit{old: old, now: now}}
}

// variantEdit is an edit of a union.
type variantEdit struct {
	old, now string
	instead  []byte
}

// choice is what becomes of a value of a union with a text.
type choice struct {
	plan    *node  // nil: the value has no struct
	text    []byte // that the other version has, nil: the same
	instead []byte
	refused bool
}

// check returns what does not fit in a union.
func (u *union) check(all edits) (err error) {
	seen := map[string]bool{}
	for _, v := range u.variants {
		members := []member(nil)
		if v.typ.Kind() == reflect.Struct && !isOpaque(v.typ) {
			members = membersOf(v.typ)
		}
		i := find(members, u.by)
		switch {
		case u.typ.Kind() != reflect.Interface || !v.typ.Implements(u.typ) && !reflect.PointerTo(v.typ).Implements(u.typ):
			err = errors.Join(err, fmt.Errorf("migrate: OneOf[%s]: %s is none: give an interface, and structs that have its methods", nameOf(u.typ), nameOf(v.typ)))
		case i < 0 || jsonKind(members[i].typ) != "string" || members[i].optional:
			err = errors.Join(err, fmt.Errorf("migrate: OneOf[%s]: %s does not always have a text %q", nameOf(u.typ), nameOf(v.typ), u.by))
		case seen[v.value] || all.reshaped(v.typ) != nil:
			err = errors.Join(err, fmt.Errorf("migrate: OneOf[%s]: %q is there twice, or Reshaped", nameOf(u.typ), v.value))
		}
		seen[v.value] = true
		for _, p := range all.of(v.typ) {
			if slices.Contains(p.needs, u.by) || slices.Contains(p.lacks, u.by) {
				err = errors.Join(err, fmt.Errorf("migrate: %s: the member %q has the text of a variant: give its change to %s", p.text, u.by, nameOf(u.typ)))
			}
		}
	}
	known := map[string]bool{}
	for _, v := range u.variants {
		known[v.value] = true
	}
	for _, p := range all[u.typ] { // the newest first
		switch e := p.variant; {
		case p.union != nil:
		case e == nil:
			err = errors.Join(err, fmt.Errorf("migrate: %s: %s cannot have this edit", p.text, nameOf(u.typ)))
		case !known[e.now] || e.old != "" && known[e.old]:
			err = errors.Join(err, fmt.Errorf("migrate: %s: %s lacks this variant, or has the old name too", p.text, nameOf(u.typ)))
		default:
			delete(known, e.now)
			if e.old != "" {
				known[e.old] = true
			}
		}
	}
	return err
}

// olderText returns the text of a variant in the version at index, and the value instead if the
// version does not have the variant.
func (all edits) olderText(u *union, value string, index int) (text string, instead []byte) {
	for _, p := range all.after(u.typ, index) {
		if p.variant != nil && p.variant.now == value {
			if value = p.variant.old; value == "" {
				return "", p.variant.instead
			}
		}
	}
	return value, nil
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
func (c *compiler) union(n *node, u *union) {
	n.by, n.choices = u.by, map[string]*choice{}
	for _, v := range u.variants {
		text, instead := c.edits.olderText(u, v.value, c.index)
		plan := c.node(v.typ)
		switch {
		case c.direction == down && instead != nil:
			n.choices[v.value] = &choice{instead: instead}
		case c.direction == down:
			n.choices[v.value] = &choice{plan: plan, text: other(v.value, text)}
		case instead == nil:
			n.choices[text] = &choice{plan: plan, text: other(text, v.value)}
		}
	}
	if c.direction == down {
		return
	}
	for _, v := range u.variants { // texts that only newer versions have
		if n.choices[v.value] == nil {
			n.choices[v.value] = &choice{refused: true}
		}
	}
}

func other(text, other string) []byte {
	if text == other {
		return nil
	}
	return jsontext.Quote(other)
}

func (c *choice) isSame() bool {
	return c.text == nil && c.instead == nil && !c.refused && (c.plan == nil || c.plan.same)
}

// choose rewrites a value of a union. Its text may come last, so the value is held.
func (n *node) choose(raw []byte, m mode) ([]byte, error) {
	begin, end, text, err := discriminatorOf(raw, n.by, m.ours)
	c := n.choices[text]
	switch {
	case err != nil:
		return nil, err
	case end == 0 || c == nil:
		return raw, nil
	case c.refused:
		return nil, &valueError{"/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(n.by), errNewer}
	case c.instead != nil:
		return c.instead, nil
	case c.text != nil:
		raw = slices.Concat(raw[:begin], c.text, raw[end:])
	}
	if c.plan == nil || c.plan.same {
		return raw, nil
	}
	return rewrite(c.plan, raw, m)
}

// discriminatorOf returns where in an object the value of a member is, 0 if it is not a text, and the text.
func discriminatorOf(object []byte, by string, exact bool) (begin, end int, text string, err error) {
	var d jsontext.Decoder
	d.Reset(bytes.NewBuffer(object), jsontext.Lenient...)
	_, _ = d.ReadToken() // cannot fail: it was read before
	some := false
	for d.PeekKind() == '"' {
		key, _ := d.ReadToken()
		name := key.String()
		is := name == by || !exact && fold(name) == fold(by)
		value, _ := d.ReadValue()
		if !is {
			continue
		}
		if some && !exact {
			return 0, 0, "", errTwice
		}
		if some = true; value[0] == '"' {
			end = int(d.InputOffset())
			begin = end - len(value)
			unquoted, _ := jsontext.Unquote(value)
			text = string(unquoted)
		}
	}
	return begin, end, text, nil
}

// name describes the union in a version, for contracts.
func (u *union) name(s *schemas) string {
	var parts []string
	for _, v := range u.variants {
		if text, instead := s.edits.olderText(u, v.value, s.index); instead == nil {
			parts = append(parts, fmt.Sprintf("%s %q: %s", u.by, text, s.names[v.typ]))
		}
	}
	slices.Sort(parts)
	return "one of " + strings.Join(parts, ", ")
}
