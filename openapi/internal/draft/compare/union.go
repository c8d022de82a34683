package compare

import (
	"fmt"
	"slices"

	"github.com/goverso/verso/openapi/internal/draft/document"
	"github.com/goverso/verso/openapi/internal/draft/gotype"
)

// union drafts the edits of a union, and of its variants.
func (d *drafter) union(name string, x, y document.View, roles document.Roles) {
	if d.done[name] {
		return
	}
	d.done[name] = true
	by, now := d.b.Texts(y)
	t := d.Set.Get(name)
	if by == "" || t == nil || t.Kind != gotype.Union {
		if document.Shape(x.Schema) != document.Shape(y.Schema) {
			d.note("%s: no text distinguishes the variants of this union, and it changed: no edit reaches them", name)
		}
		return
	}
	_, before := d.a.Texts(x)
	for i, texts := range now {
		for j, was := range before {
			if len(was) > 0 && slices.Contains(texts, was[0]) {
				d.place(x.Variants[j], y.Variants[i], "", roles)
			}
		}
	}
	if len(before) == 0 {
		d.note("%s: no text distinguished the variants of this union", name)
		return
	}
	for _, text := range slices.Concat(now...) {
		if !slices.Contains(slices.Concat(before...), text) {
			e := d.add(name, fmt.Sprintf("migrate.NewVariant(%q, migrate.Absent)", text), fmt.Sprintf("the variant %q is new: older clients read lists without it, and null where it is not in a list. Name what they read instead", text))
			e.Options = append(e.Options, fmt.Sprintf("migrate.NewVariant(%q, nil)", text))
		}
	}
	for i, texts := range before {
		for _, text := range texts {
			if slices.Contains(slices.Concat(now...), text) {
				continue
			}
			of, _ := d.a.typ(x.Variants[i], "")
			if in := d.Set.Get(of); !slices.Contains(in.Union, name) {
				in.Union = append(in.Union, name)
			}
			t.Variants = append(t.Variants, gotype.Variant{Type: of, Texts: []string{text}})
			d.add(name, fmt.Sprintf("migrate.RemovedVariant(%q)", text),
				fmt.Sprintf("the variant %q is gone: requests of older clients with it are 400", text))
		}
	}
}
