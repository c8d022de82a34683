package openapi

import (
	"encoding/json"
	"maps"
	"reflect"
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
	components := object(s.decoded["components"])
	for _, kind := range kinds {
		visit("components/"+kind, object(components[kind]))
	}
	for path, item := range object(s.decoded["paths"]) {
		if parts := object(item); parts != nil && strings.HasPrefix(path, "/") {
			visit("paths/"+path, parts)
		}
	}
}

// load returns the document.
func (s *shared) load() (*openapi3.T, error) {
	fresh := s.fresh()
	rest, components, paths := maps.Clone(s.decoded), map[string]any{}, map[string]any{}
	maps.Copy(components, object(rest["components"]))
	maps.Copy(paths, object(rest["paths"]))
	rest["components"], rest["paths"] = components, paths
	s.each(func(place string, parts map[string]any) {
		folder, name, _ := strings.Cut(place, "/")
		switch {
		case folder == "paths" && !fresh[place]:
			delete(paths, name)
		case folder == "components" && parts != nil && name != "pathItems": // which no type of the given document has
			changed := maps.Clone(parts)
			maps.DeleteFunc(changed, func(name string, _ any) bool { return !fresh[place+"/"+name] })
			components[name] = changed
		}
	})
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
	for path, item := range s.given.Paths.Map() {
		if !fresh["paths/"+path] {
			whole := *item
			whole.Ref = "" // a path by reference has operations of its own
			made.Paths.Set(path, &whole)
		}
	}
	if s.given.Components == nil {
		return
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
			part(place, parts, reflect.DeepEqual(parts, s.before[place]))
			return
		}
		for name, value := range parts {
			part(place+"/"+name, value, reflect.DeepEqual(value, s.before[place][name]))
		}
	})
	for ; len(queue) > 0; queue = queue[1:] {
		for _, user := range users[queue[0]] {
			add(user)
		}
	}
	return fresh
}
