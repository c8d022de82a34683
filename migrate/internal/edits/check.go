package edits

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/goverso/verso/migrate/internal/jsontext"
	"github.com/goverso/verso/migrate/internal/openapi"
	"github.com/goverso/verso/migrate/internal/shape"
)

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

// PlaceOf returns where an edit is declared: a history is long, and all its mistakes are reported at
// once.
func PlaceOf(version, change string, t reflect.Type) string {
	return fmt.Sprintf("migrate: %s: %q: %s", version, change, shape.NameOf(t))
}

// Check takes all edits back, from the newest version to the oldest.
// Each edit is checked against the form that the later ones leave, as it was when it was written: so a
// name may come back years later.
func (all All) Check(found *Mistakes) {
	seen := map[reflect.Type]bool{}
	for _, t := range shape.Sorted(all) {
		say := func(p Placed, err error) { found.Add("%s: %s: %w", PlaceOf(p.Version, p.Change, t), p.Text, err) }
		all.TakeBack(t, Oldest, say)
		if u := all.Union(t); u != nil {
			for _, err := range all.checkUnion(u, say) {
				found.Add("migrate: OneOf[%s]: %w", t, err)
			}
			continue
		}
		for i, p := range all[t] {
			if p.Override != nil {
				if err := all.checkAt(p.Override); err != nil {
					found.Add("migrate: At[%s, %s]: %w", t, p.Override.As, err)
				}
				continue
			}
			if p.Check != nil {
				if err := p.Check(all, t, slices.ContainsFunc(all[t][i+1:], isOfValues)); err != nil {
					say(p, err)
				}
			}
			for _, older := range all[t][i+1:] {
				if older.Index == p.Index && p.isLost(older) {
					say(p, fmt.Errorf(
						"documents of older versions do not show it: leave it out, or list it before this edit: %s", older.Text))
				}
			}
		}
		if err := all.checkUse(t, seen); err != nil {
			found.Add("migrate: %w", err)
		}
	}
}

// CheckUse checks in a type what New knows of its parts alone: the edits of embedded structs,
// where they are embedded, and unions of which older lists lack elements.
func (all All) CheckUse(t reflect.Type) error { return all.checkUse(t, map[reflect.Type]bool{}) }

// checkUse is CheckUse but for types that were seen.
func (all All) checkUse(t reflect.Type, seen map[reflect.Type]bool) error {
	var found Mistakes
	checkOut := func(what string, t reflect.Type) {
		if all.leavesOut(t) {
			found.Add("%s is %s, whose NewVariant is Absent for older clients: it may be in lists only", what, t)
		}
	}
	checkOut("a body", t)
	all.walk(t, seen, func(t reflect.Type) {
		switch t.Kind() {
		case reflect.Map:
			checkOut("the value of a map", t.Elem())
		case reflect.Struct:
			for _, m := range all.MembersOf(t) {
				checkOut(fmt.Sprintf("the member %q of %s", m.Name, shape.NameOf(t)), m.Typ)
			}
			for i := range t.NumField() {
				f := t.Field(i)
				if f.Anonymous && all.Union(shape.Deref(f.Type)) != nil && f.Tag.Get("json") == "" {
					found.Add("%s embeds %s: give the interface a name", t, f.Type)
				}
			}
		}
		for _, from := range shape.EmbeddedIn(t) {
			if len(all[from]) == 0 {
				continue
			}
			for _, p := range all[from] {
				if p.Apart != nil {
					found.Add("%s is embedded in %s: %w", from, t, p.Apart)
				}
			}
			all.TakeBack(t, Oldest, func(p Placed, mistake error) {
				found.Add("%s embeds %s, whose edits apply: %s: %w", t, from, p.Text, mistake)
			})
		}
	})
	return errors.Join(found...)
}

// isOfValues reports whether an edit changes values of its type, and does not only declare something about it.
func isOfValues(p Placed) bool { return p.Union == nil && p.Override == nil }

// keepsValues reports whether an edit describes a member by keywords that leave its values as they are.
func (p *Placed) keepsValues() bool {
	for keyword := range p.Keywords {
		if !slices.Contains([]string{"deprecated", "description", "format", "nullable", "readOnly", "title", "writeOnly"}, keyword) {
			return false
		}
	}
	return p.Keywords != nil
}

// isLost reports whether documents of older versions lack what an edit describes: it is about
// another form of the member.
func (p *Placed) isLost(older Placed) bool {
	if len(p.Needs) == 0 || !slices.Contains(older.Needs, p.Needs[0]) {
		return false
	}
	for keyword := range p.Keywords {
		isText := older.OfValue && slices.Contains(openapi.TextKeywords, keyword) // which describe newest values
		if isText && older.Keywords == nil || older.Forgets && !slices.Contains(openapi.MappedKeywords, keyword) {
			return true
		}
	}
	return false
}

// checkUnion returns what does not fit in a union, and reports what does not fit in its edits.
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
	add(len(u.Variants) == 0 && u.Err == nil,
		"it has no variant, so no edit of its structs would apply: list them, with Variant")
	for i, v := range u.Variants {
		isStruct, at := v.Typ.Kind() == reflect.Struct && !shape.IsOpaque(v.Typ),
			shape.Find(shape.MembersOf(v.Typ), u.By)
		kind := map[bool]string{false: "string", true: "integer"}[u.AreNumbers()]
		hasText := at < 0 && v.Name == "" || at >= 0 && shape.Kind(shape.MembersOf(v.Typ)[at].Typ) == kind
		isTwice := shape.Find(u.Variants[:i], v.Name) >= 0
		add(!isStruct || isInterface && !shape.Implements(v.Typ, u.Typ),
			"%s is none: give structs that have its methods", v.Typ)
		add(isStruct && !hasText, "%s does not have a text %q, or all variants an integer", v.Typ, u.By)
		add(u.isOdd(v.Name), "the text %q is not an integer, and %q is one", v.Name, u.By)
		add(isTwice, "the text %q is there twice", v.Name)
		for _, p := range all[v.Typ] {
			add(p.Apart != nil, "%s is a variant: %w", v.Typ, p.Apart)
		}
		for _, p := range all.Of(v.Typ) {
			if (slices.Contains(p.Needs, u.By) || slices.Contains(p.Lacks, u.By)) && !p.keepsValues() {
				say(p, fmt.Errorf("the member %q has the text of a variant: give its change to %s", u.By,
					shape.NameOf(u.Typ)))
			}
		}
	}
	for _, p := range all.After(u.Typ, Oldest) {
		err := p.Err
		if p.Variant != nil && (u.isOdd(p.Variant.Old) || u.isOdd(p.Variant.Now)) {
			err = cmp.Or(err, fmt.Errorf("%q is an integer: give texts such as \"2\"", u.By))
		}
		if err == nil && p.Variant != nil && !jsontext.IsNull(p.Variant.Instead) {
			err = all.checkInstead(u, p)
		}
		if err != nil {
			say(p, err)
		}
	}
	return found
}

// isOdd reports whether a text is not as JSON writes an integer, where it must be.
func (u *Union) isOdd(text string) bool {
	n, err := strconv.ParseInt(text, 10, 64)
	return text != "" && u.AreNumbers() && (err != nil || strconv.FormatInt(n, 10) != text)
}

// checkInstead checks that older clients have the variant that they read instead.
func (all All) checkInstead(u *Union, p Placed) error {
	raw := p.Variant.Instead
	text, _ := u.TextIn(raw)
	list := all.TakeBack(u.Typ, p.Index+1, nil)
	i := slices.IndexFunc(list, func(m shape.Member) bool { return m.Now == text && m.Typ != nil })
	if raw[0] != '{' || i < 0 {
		return errors.New(
			"older clients do not have the variant that they read instead: give null, or an older variant")
	}
	return json.Unmarshal(raw, reflect.New(list[i].Typ).Interface())
}

// leavesOut reports whether lists of an older version lack elements of the union.
func (all All) leavesOut(t reflect.Type) bool {
	return slices.ContainsFunc(all[shape.Deref(t)], func(p Placed) bool {
		return p.Variant != nil && p.Variant.Old == "" && p.Variant.Instead == nil
	})
}
