package openapi

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// shared loads a decoded document of which some parts were changed in place. Parts that are as
// before, with all that they refer to, stay the given document's: loading takes most of
// the time of a version, and versions differ in a few parts.
type shared struct {
	given   *openapi3.T
	decoded map[string]any
	before  map[string]map[string]any // components by kind, and path items
}

// newShared notes how a decoded document is before it is changed.
func newShared(given *openapi3.T, decoded map[string]any) *shared {
	s := &shared{given, decoded, map[string]map[string]any{}}
	s.each(func(place string, parts map[string]any) { s.before[place] = maps.Clone(parts) })
	return s
}

// each visits the components of each kind, and the path items.
func (s *shared) each(visit func(place string, parts map[string]any)) {
	components, _ := s.decoded["components"].(map[string]any)
	for _, kind := range kinds {
		parts, _ := components[kind].(map[string]any)
		visit("components/"+kind, parts)
	}
	paths, _ := s.decoded["paths"].(map[string]any)
	for path, item := range paths {
		if parts, ok := item.(map[string]any); ok && strings.HasPrefix(path, "/") {
			visit("paths/"+path, parts)
		}
	}
}

// load returns the document.
func (s *shared) load() (*openapi3.T, error) {
	fresh := s.fresh()
	rest, components, paths := maps.Clone(s.decoded), map[string]any{}, map[string]any{}
	s.each(func(place string, parts map[string]any) {
		path, isPath := strings.CutPrefix(place, "paths/")
		switch {
		case isPath && fresh[place]:
			paths[path] = parts
		case !isPath && len(parts) > 0:
			changed := maps.Clone(parts)
			maps.DeleteFunc(changed, func(name string, _ any) bool {
				return !fresh[place+"/"+name] && place != "components/pathItems" // which no type of the given document has
			})
			components[strings.TrimPrefix(place, "components/")] = changed
		}
	})
	for of, to := range map[string]map[string]any{"components": components, "paths": paths} {
		all, _ := s.decoded[of].(map[string]any)
		for name, part := range all {
			if strings.HasPrefix(name, "x-") {
				to[name] = part
			}
		}
		rest[of] = to
	}
	text, err := json.Marshal(rest)
	made := new(openapi3.T)
	if err == nil {
		err = json.Unmarshal(text, made)
	}
	if err != nil {
		return nil, err
	}
	s.fill(made, fresh)
	return made, openapi3.NewLoader().ResolveRefsIn(made, nil)
}

// fill adds the parts of the given document.
func (s *shared) fill(made *openapi3.T, fresh map[string]bool) {
	if made.Paths == nil {
		made.Paths = openapi3.NewPaths()
	}
	s.each(func(place string, _ map[string]any) {
		if path, ok := strings.CutPrefix(place, "paths/"); ok && !fresh[place] {
			item := *s.given.Paths.Value(path)
			item.Ref = "" // a path by reference has operations of its own
			made.Paths.Set(path, &item)
		}
	})
	if s.given.Components == nil {
		return
	}
	if made.Components == nil {
		made.Components = new(openapi3.Components)
	}
	to, from := mapsOf(made.Components), *s.given.Components
	for kind, given := range mapsOf(&from) {
		for name, component := range given.Seq2() {
			if !fresh["components/"+kind+"/"+name.String()] {
				to[kind].SetMapIndex(name, component)
			}
		}
	}
}

// fresh returns the changed parts by place, with the parts that refer to them.
func (s *shared) fresh() map[string]bool {
	fresh, users := map[string]bool{}, map[string][]string{}
	var queue []string
	add := func(place string) {
		if !fresh[place] {
			fresh[place] = true
			queue = append(queue, place)
		}
	}
	part := func(place string, value any, isSame bool) {
		if !isSame {
			add(place)
		}
		eachText(value, "", func(key, text string) {
			target, ok := strings.CutPrefix(text, "#/")
			switch tokens := strings.SplitN(target, "/", 4); {
			case ok && len(tokens) > 2 && tokens[0] == "components":
				target = "components/" + tokens[1] + "/" + strings.Join(pointer("/"+tokens[2]), "")
				users[target] = append(users[target], place)
			case ok && key == "$ref": // to a place in another part
				add(place)
			}
		})
	}
	s.each(func(place string, parts map[string]any) {
		if strings.HasPrefix(place, "paths/") {
			part(place, parts, maps.EqualFunc(parts, s.before[place], isSame))
			return
		}
		for name, value := range parts {
			part(place+"/"+name, value, isSame(value, s.before[place][name]))
		}
	})
	for ; len(queue) > 0; queue = queue[1:] {
		for _, user := range users[queue[0]] {
			add(user)
		}
	}
	return fresh
}

// eachText visits the texts in a value, with their keys.
func eachText(value any, key string, visit func(key, text string)) {
	switch value := value.(type) {
	case string:
		visit(key, value)
	case []any:
		for _, each := range value {
			eachText(each, "", visit)
		}
	case map[string]any:
		for key, each := range value {
			eachText(each, key, visit)
		}
	}
}

// isSame reports whether two values are one: nothing in it was changed then.
func isSame(a, b any) bool {
	if v, w := reflect.ValueOf(a), reflect.ValueOf(b); a != nil && b != nil &&
		slices.Contains([]reflect.Kind{reflect.Map, reflect.Slice}, v.Kind()) {
		return v.Kind() == w.Kind() && v.Pointer() == w.Pointer() && v.Len() == w.Len()
	}
	return a == b
}
