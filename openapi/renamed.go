package openapi

import (
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// notInNames are the characters that names of components do not have.
var notInNames = regexp.MustCompile(`[^A-Za-z0-9._-]`)

// aside is the end of the names of components that keep the newest form beside a lowered one.
const aside = "_newest"

// setAside gives lowered components the names that clients of the version know, and sets the newest ones aside,
// unless these have more uses. A lowering makes Tag_v1 beside a Tag that stays, since another lowering may need that
// Tag; here all are done.
func (s *shared) setAside(version string) {
	renamed, suffix := map[string]string{}, "_"+notInNames.ReplaceAllString(version, "-")
	implied, uses := s.implied(), s.uses()
	s.each(func(place string, parts map[string]any) {
		if !strings.HasPrefix(place, "components/") {
			return
		}
		for _, lowered := range slices.Sorted(maps.Keys(parts)) {
			name, isLowered := strings.CutSuffix(lowered, suffix)
			newest, isNewest := s.before[place][name]
			if !isLowered || s.before[place][lowered] != nil || !isNewest || !reflect.DeepEqual(parts[name], newest) ||
				parts[name+aside] != nil || implied[name] || implied[lowered] ||
				uses.compare(place+"/"+name, place+"/"+lowered) > 0 {
				continue
			}
			renamed["#/"+place+"/"+name], renamed["#/"+place+"/"+lowered] = name+aside, name
			parts[name], parts[name+aside] = parts[lowered], parts[name]
			delete(parts, lowered)
		}
	})
	if len(renamed) == 0 {
		return
	}
	for key, value := range s.decoded {
		if key != "components" && key != "paths" {
			s.decoded[key] = withNames(value, key, renamed)
		}
	}
	paths := object(s.decoded["paths"])
	for path, item := range paths {
		paths[path] = withNames(item, "", renamed)
	}
	s.each(func(place string, parts map[string]any) {
		for name, part := range parts {
			if strings.HasPrefix(place, "components/") {
				parts[name] = withNames(part, "", renamed)
			}
		}
	})
}

// implied returns the schemas whose names may be texts of a discriminator without a mapping: they keep them.
func (s *shared) implied() map[string]bool {
	found := map[string]bool{}
	var visit func(value any)
	visit = func(value any) {
		for _, each := range elements(value) {
			visit(each)
		}
		m := object(value)
		for _, each := range m {
			visit(each)
		}
		if by := object(m["discriminator"]); by != nil && len(object(by["mapping"])) == 0 {
			for _, part := range slices.Concat(elements(m["oneOf"]), elements(m["anyOf"])) {
				found[target(part)] = true
			}
		}
	}
	visit(s.decoded)
	schemas := object(object(s.decoded["components"])["schemas"])
	var bases []string
	for name, schema := range schemas {
		if by := object(object(schema)["discriminator"]); by != nil && len(object(by["mapping"])) == 0 {
			bases = append(bases, name)
		}
	}
	eachSubtype(schemas, bases, func(name string) { found[name] = true })
	return found
}

// target returns the name of the component that a schema refers to, or "".
func target(schema any) string {
	ref, _ := object(schema)["$ref"].(string)
	return ref[strings.LastIndexByte(ref, '/')+1:]
}

// elements returns the elements of a list, none if it is something else.
func elements(value any) []any {
	list, _ := value.([]any)
	return list
}

// withNames returns a value whose references lead to renamed components. The given value stays as it is, since a
// document may have it at several places.
func withNames(value any, key string, renamed map[string]string) any {
	switch value := value.(type) {
	case []any:
		made := value
		for i, each := range value {
			if to := withNames(each, "", renamed); !isSame(to, each) {
				if isSame(made, value) {
					made = slices.Clone(value)
				}
				made[i] = to
			}
		}
		return made
	case map[string]any:
		made := value
		for name, each := range value {
			var to any
			if text, ok := each.(string); ok && (name == "$ref" || key == "mapping") {
				to = withName(text, renamed)
			} else {
				to = withNames(each, name, renamed)
			}
			if !isSame(to, each) {
				if isSame(made, value) {
					made = maps.Clone(value)
				}
				made[name] = to
			}
		}
		return made
	}
	return value
}

// withName returns a reference to a renamed component, or into it. The mapping of a discriminator may have its name.
func withName(ref string, renamed map[string]string) string {
	if !strings.Contains(ref, "/") {
		if to, ok := renamed["#/components/schemas/"+ref]; ok {
			return to
		}
		return ref
	}
	parts := strings.SplitN(ref, "/", 5)
	if len(parts) > 3 {
		if to, ok := renamed[strings.Join(parts[:4], "/")]; ok {
			parts[3] = to
		}
	}
	return strings.Join(parts, "/")
}

// isSame reports whether two values are the same text, list or object: not whether they are equal.
func isSame(a, b any) bool {
	if text, ok := a.(string); ok {
		return text == b
	}
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	if k := x.Kind(); k != reflect.Map && k != reflect.Slice || k != y.Kind() {
		return true // no part of these changes
	}
	return x.Pointer() == y.Pointer()
}
