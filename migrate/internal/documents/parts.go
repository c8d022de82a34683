package documents

import (
	"maps"
	"reflect"
	"slices"

	"github.com/goverso/verso/migrate/internal/edits"
	"github.com/goverso/verso/migrate/internal/openapi"
	"github.com/goverso/verso/migrate/internal/shape"
)

// This file divides the edits of an object that a document describes in parts, by allOf. In come the schema and all
// edits of its type; out come those of each part, by the members that it describes, so that a named part keeps its
// name. Without such a division the parts become one object.

// A leaf is an object among the parts of an allOf, and of theirs: with properties, or in several forms without edits.
type leaf struct {
	schema map[string]any
	ref    string // of the component that it is in, or ""

	hasForms bool
}

// leave reports whether some edits of a type, and those of its members, leave the forms of a leaf as they are.
func (l *lowering) leave(s map[string]any, t reflect.Type, list []edits.Placed, depth int) bool {
	members := l.edits.MembersOf(t)
	for name := range openapi.PropertiesOf(s) {
		i := shape.Find(members, name)
		isEdited := func(p edits.Placed) bool { return slices.Contains(slices.Concat(p.Needs, p.Lacks), name) }
		if i >= 0 && l.changes(members[i].Typ) || slices.ContainsFunc(list, isEdited) {
			return false
		}
	}
	for _, keyword := range []string{"oneOf", "anyOf", "allOf"} {
		for _, form := range openapi.List(s[keyword]) {
			own := openapi.Map(l.Resolve(form))
			if own == nil || depth > 20 || !l.leave(own, t, list, depth+1) {
				return false
			}
		}
	}
	return s["patternProperties"] == nil && !slices.ContainsFunc(openapi.ConditionKeywords, func(keyword string) bool {
		return s[keyword] != nil
	})
}

// leavesOf returns the leaves of a schema, its parts before itself, or false if these cannot be followed.
func (l *lowering) leavesOf(s map[string]any, ref string, depth int) (leaves []leaf, ok bool) {
	keyword, parts := l.applied(s)
	has := func(other string) bool { return s[other] != nil && other != keyword }
	hasForms := has("oneOf") || has("anyOf")
	if has("$ref") || slices.ContainsFunc(openapi.ConditionKeywords, has) || hasForms && parts != nil || depth > 20 {
		return nil, false
	}
	for _, each := range l.WithoutNull(parts) {
		given, own := openapi.Map(each), openapi.Map(l.Resolve(each))
		of := ref
		if to, isRef := given["$ref"].(string); isRef {
			of = to
		}
		below, ok := l.leavesOf(own, of, depth+1)
		if own == nil || !ok || l.isBeside(given) {
			return nil, false
		}
		leaves = append(leaves, below...)
	}
	if parts == nil || len(openapi.PropertiesOf(s)) > 0 {
		leaves = append(leaves, leaf{s, ref, hasForms})
	}
	return leaves, true
}

// isBeside reports whether more than annotations stand beside a reference, or beside those that it leads to.
func (l *lowering) isBeside(s map[string]any) bool {
	seen := map[string]bool{}
	for ref, ok := s["$ref"].(string); ok && !seen[ref]; ref, ok = s["$ref"].(string) {
		if !openapi.IsAnnotated(s, "$ref") {
			return true
		}
		seen[ref], s = true, openapi.Map(l.Lookup(ref))
	}
	return false
}

// applied returns the parts of a schema that all apply, and their keyword: allOf, or another with a single form.
func (l *lowering) applied(s map[string]any) (keyword string, parts []any) {
	for _, keyword := range []string{"oneOf", "anyOf"} {
		if l.IsAlone(s, keyword) {
			return keyword, openapi.List(s[keyword])
		}
	}
	return "allOf", openapi.List(s["allOf"])
}

// partsOf returns some edits of an object by the leaves of its allOf that have their members, or
// nil if the parts must become one: if an edit of several members has them in two, or a part is not an object.
func (l *lowering) partsOf(s map[string]any, t reflect.Type, list []edits.Placed) [][]edits.Placed {
	leaves, ok := l.leavesOf(s, "", 0)
	beside := maps.Clone(s)
	for _, keyword := range []string{"properties", "required", "additionalProperties"} {
		delete(beside, keyword)
	}
	changes := func(each leaf) bool { return each.hasForms && !l.leave(each.schema, t, list, 0) }
	if !ok || !openapi.IsAnnotated(beside, "allOf") || l.edits.Maker(t) != nil || slices.ContainsFunc(leaves, changes) {
		return nil
	}
	where, all := map[string]int{}, map[string][]int{} // the leaf of a property, -1: several, and all of them
	last := 0                                          // the last leaf without a reference, which gets the members that edits bring back
	for i, each := range leaves {
		for name := range openapi.PropertiesOf(each.schema) {
			if _, ok := where[name]; ok {
				where[name] = -1
			} else {
				where[name] = i
			}
			all[name] = append(all[name], i)
		}
		if each.ref == "" && !each.hasForms {
			last = i
		}
	}
	made := make([][]edits.Placed, len(leaves))
	for _, p := range list {
		switch {
		case p.Keywords == nil:
		case len(p.Needs) > 0 && where[p.Needs[0]] < 0:
			at := l.describing(leaves, p)
			made[at] = append(made[at], p)
			continue
		case len(p.Needs) > 0:
		case len(p.Keywords) == 1 && p.Keywords["required"] != nil: // each leaf requires its own members
			for i := range made {
				made[i] = append(made[i], p)
			}
			continue
		default:
			at := ofWhole(leaves, p, last)
			if at < 0 {
				return nil
			}
			made[at] = append(made[at], p)
			continue
		}
		if len(p.Needs) == 1 && where[p.Needs[0]] < 0 { // each leaf describes the member
			for _, i := range l.listing(leaves, all[p.Needs[0]], p) {
				if openapi.Map(leaves[i].schema["properties"])[p.Needs[0]] == nil {
					return nil // it only requires it
				}
				made[i] = append(made[i], p)
			}
			for _, name := range p.Lacks {
				where[name], all[name] = -1, all[p.Needs[0]]
			}
			continue
		}
		at := last
		if len(p.Needs) == 0 {
			at = l.lacking(leaves, p, t, last)
		}
		for i, name := range p.Needs {
			is, ok := where[name]
			if !ok || is < 0 || i > 0 && is != at {
				return nil
			}
			at = is
		}
		for _, name := range p.Lacks {
			where[name], all[name] = at, []int{at}
		}
		made[at] = append(made[at], p)
	}
	return made
}

// lacking returns the leaf of a component that another type has, if the same edit brings the member back there,
// or the last leaf.
func (l *lowering) lacking(leaves []leaf, p edits.Placed, t reflect.Type, last int) int {
	for i, each := range leaves {
		if each.ref == "" {
			continue
		}
		for other, ref := range l.components {
			if ref == each.ref && other != t && slices.ContainsFunc(l.edits.Lacked(other), func(q edits.Placed) bool {
				return q.Text == p.Text && slices.Equal(q.Lacks, p.Lacks)
			}) {
				return i
			}
		}
	}
	return last
}

// ofWhole returns the leaf with keywords of the whole object, or the last one if none has. It returns -1 if
// several have them, or if they are about the properties of other leaves.
func ofWhole(leaves []leaf, p edits.Placed, last int) int {
	at := -1
	for keyword := range p.Keywords {
		if slices.Contains([]string{"additionalProperties", "patternProperties", "unevaluatedProperties", "required"}, keyword) {
			return -1
		}
		for i, each := range leaves {
			if each.schema[keyword] == nil || at == i {
				continue
			}
			if at >= 0 {
				return -1
			}
			at = i
		}
	}
	if at < 0 {
		return last
	}
	return at
}

// listing returns the leaves among all whose member an edit changes. An edit of texts leaves a leaf alone if it only
// requires the member, or lists none and takes all of them: a component keeps its name.
func (l *lowering) listing(leaves []leaf, all []int, p edits.Placed) []int {
	list := slices.DeleteFunc(slices.Clone(all), func(i int) bool {
		given := openapi.Map(leaves[i].schema["properties"])[p.Needs[0]]
		s, _, err := l.Owned(given)
		return given == nil || err == nil && s["type"] == "string" && openapi.TextsOf(s) == nil && openapi.TakesTexts(s, p.OldTexts)
	})
	if p.OldTexts == nil || len(list) == 0 {
		return all
	}
	return list
}

// describing returns the leaf with keywords of a member which several leaves describe, or the last
// that describes it.
func (l *lowering) describing(leaves []leaf, p edits.Placed) (at int) {
	for i, each := range leaves {
		schema := openapi.Map(each.schema["properties"])[p.Needs[0]]
		if schema == nil {
			continue
		}
		at = i
		own, _, _ := l.Owned(schema)
		for keyword := range p.Keywords {
			if own[keyword] != nil {
				return i
			}
		}
	}
	return at
}
