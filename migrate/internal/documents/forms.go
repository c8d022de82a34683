package documents

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/goverso/verso/migrate/internal/edits"
	"github.com/goverso/verso/migrate/internal/openapi"
	"github.com/goverso/verso/migrate/internal/shape"
)

// forms lowers an object of one struct that a document describes in several forms: each form with the edits of the
// members that it has. It reports false where an edit may be of any form.
func (l *lowering) forms(s map[string]any, keyword string, t reflect.Type, list []edits.Placed, place string) bool {
	parts := slices.Clone(openapi.List(s[keyword]))
	if keyword == "allOf" || t.Kind() != reflect.Struct || !openapi.IsAnnotated(s, keyword) {
		return false
	}
	of, found := make([][]edits.Placed, len(parts)), make([]bool, len(list))
	for i, part := range parts {
		if l.IsNull(part) {
			continue
		}
		whole, err := l.Flatten(openapi.Map(l.Resolve(part)), place, map[string]bool{})
		if names := openapi.PropertiesOf(whole); err != nil || len(names) == 0 || !l.ofForm(names, list, found, &of[i]) {
			return false
		}
	}
	for i, p := range list {
		if !found[i] {
			l.fail(place, "no form has a property %q, which %s has: %w", p.Needs[0], shape.NameOf(t), openapi.ErrNotNewest)
			return true
		}
	}
	for i, part := range parts {
		if !l.IsNull(part) {
			parts[i] = l.listed(part, t, of[i], fmt.Sprint(place, "/", keyword, "/", i))
		}
	}
	s[keyword] = parts
	return true
}

// ofForm adds the edits of a list that are of the members of a form, and notes them as found. It reports false for an
// edit of no member, or of some that the form lacks.
func (l *lowering) ofForm(form map[string]*openapi.Property, list []edits.Placed, found []bool, of *[]edits.Placed) bool {
	form = maps.Clone(form)
	for i, p := range list {
		lacks := func(name string) bool { return form[name] == nil }
		switch isLacking := slices.ContainsFunc(p.Needs, lacks); {
		case len(p.Needs) == 0:
			return false
		case !isLacking:
			*of, found[i] = append(*of, p), true
			for _, name := range p.Lacks {
				form[name] = form[p.Needs[0]]
			}
		case len(p.Needs) > 1:
			return false
		}
	}
	return true
}
