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
// members that it has. The rest of the edits apply beside the forms. It reports false where an edit may be of any form.
func (l *lowering) forms(s map[string]any, keyword string, t reflect.Type, list []edits.Placed, place string) bool {
	parts, own := slices.Clone(openapi.List(s[keyword])), openapi.PropertiesOf(s)
	beside := maps.Clone(s)
	for _, ofObject := range []string{"properties", "required", "additionalProperties"} {
		delete(beside, ofObject)
	}
	if keyword == "allOf" || t.Kind() != reflect.Struct || !openapi.IsAnnotated(beside, keyword) ||
		len(own) == 0 && s["additionalProperties"] != nil {
		return false
	}
	mine, list := besideForms(own, list)
	of, found := make([][]edits.Placed, len(parts)), make([]bool, len(list))
	for i, part := range parts {
		if l.IsNull(part) {
			continue
		}
		whole, err := l.Flatten(openapi.Map(l.Resolve(part)), place, map[string]bool{})
		names := openapi.PropertiesOf(whole)
		if err != nil || len(names)+len(own) == 0 || reforms(mine, names) || reforms(list, own) ||
			!l.ofForm(names, list, found, &of[i]) {
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
	if len(own) > 0 {
		l.structure(s, t, mine, place)
	}
	return true
}

// reforms reports whether edits change a member of a form, and not only how it is described.
func reforms(list []edits.Placed, form map[string]*openapi.Property) bool {
	has := func(name string) bool { return form[name] != nil }
	return slices.ContainsFunc(list, func(p edits.Placed) bool {
		return p.Keywords == nil && slices.ContainsFunc(slices.Concat(p.Needs, p.Lacks), has)
	})
}

// besideForms divides edits: mine are about the members beside several forms, or about none, and rest about the forms.
func besideForms(own map[string]*openapi.Property, list []edits.Placed) (mine, rest []edits.Placed) {
	if len(own) == 0 {
		return nil, list
	}
	has := map[string]bool{}
	for name, p := range own {
		has[name] = p.Schema != nil
	}
	for _, p := range list {
		if slices.ContainsFunc(p.Needs, func(name string) bool { return !has[name] }) {
			rest = append(rest, p)
			continue
		}
		mine = append(mine, p)
		for _, name := range p.Lacks {
			has[name] = true
		}
	}
	return mine, rest
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
