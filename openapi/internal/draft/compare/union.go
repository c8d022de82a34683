package compare

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

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
	wasBy, before := d.a.Texts(x)
	olds, news, renamed := slices.Concat(before...), slices.Concat(now...), map[string]bool{}
	for i, texts := range now {
		for j, was := range before {
			if len(was) > 0 && slices.Contains(texts, was[0]) {
				d.place(x.Variants[j], y.Variants[i], variantHint(name, texts), roles)
			}
			of := d.b.Component(y.Variants[i])
			if of == "" || of != d.a.Component(x.Variants[j]) || by != wasBy || len(texts) != 1 || len(was) != 1 ||
				slices.Contains(olds, texts[0]) || slices.Contains(news, was[0]) {
				continue
			}
			renamed[texts[0]], renamed[was[0]] = true, true
			d.add(name, "RenamedVariant", was[0], strconv.Quote(texts[0]), fmt.Sprintf("the variant %q is %q now, since "+
				"both are of the component %s. If not, use RemovedVariant and NewVariant. Bodies of it alone keep the new text: give them "+
				"another Go type", was[0], texts[0], of))
			// The struct's edits leave out the discriminator.
			made := d.place(x.Variants[j], y.Variants[i], variantHint(name, texts), roles)
			d.edits[made] = slices.DeleteFunc(d.edits[made], func(e *Edit) bool { return e.Member == by })
		}
	}
	if len(before) == 0 {
		d.note("%s: no text distinguished the variants of this union", name)
		return
	}
	for _, text := range news {
		if !slices.Contains(olds, text) && !renamed[text] {
			todo := fmt.Sprintf("the variant %q is new: older clients read lists without it, and null where it is not in "+
				"a list. Name what they read instead", text)
			d.forms(name, "NewVariant", text, "", []string{todo}, fmt.Sprintf("%q, %s", text, absent), fmt.Sprintf("%q, nil", text))
		}
	}
	for i, texts := range before {
		for _, text := range texts {
			if slices.Contains(news, text) || renamed[text] {
				continue
			}
			of, _ := d.a.typ(x.Variants[i], variantHint(name, texts))
			if in := d.Set.Get(of); !slices.Contains(in.Union, name) {
				in.Union = append(in.Union, name)
			}
			t.Variants = append(t.Variants, gotype.Variant{Type: of, Texts: []string{text}})
			d.add(name, "RemovedVariant", text, "",
				fmt.Sprintf("the variant %q is gone: requests of older clients with it are 400", text))
		}
	}
}

const absent = "migrate.Absent"

// inMembers lets older clients read null for new variants of the unions that are a member, or the value of a map in
// one, somewhere: they cannot be left out there.
func (d *drafter) inMembers() {
	for _, name := range d.Set.Names() {
		for _, f := range d.Set.Get(name).Fields {
			if elem := strings.LastIndexByte(f.Type, ']') + 1; !strings.HasSuffix(f.Type[:elem], "[]") {
				d.notAbsent(f.Type[elem:])
			}
		}
	}
}

// notAbsent lets older clients read null for new variants of a union, which cannot be left out.
func (d *drafter) notAbsent(name string) {
	for _, e := range d.edits[name] {
		if e.Kind == "NewVariant" && len(e.Options) > 1 {
			e.Options = e.Options[1:]
			e.Todos = []string{fmt.Sprintf("the variant %q is new: older clients read null for it, also in lists. Name "+
				"what they read instead", e.Member)}
		}
	}
}
