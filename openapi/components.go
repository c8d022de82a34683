package openapi

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// kinds are the kinds of components.
var kinds = []string{"schemas", "responses", "parameters", "examples", "requestBodies", "headers", "securitySchemes",
	"links", "callbacks", "pathItems"}

// removeUnused removes unused components from a document. It fails if the document has a dangling
// reference.
func removeUnused(document *openapi3.T, components map[string]reflect.Value) error {
	decoded, err := decoded(document)
	if err != nil {
		return err
	}
	u := usage{document: decoded, used: make(map[string]bool)}
	if err := u.find(); err != nil {
		return err
	}
	extensions := document.Components.Extensions
	if extra, ok := extensions["pathItems"].(map[string]any); ok { // which kin-openapi does not know
		components["pathItems"] = reflect.ValueOf(extra)
	}
	for kind, all := range components {
		for name := range all.Seq2() {
			if !u.used[kind+"/"+name.String()] {
				all.SetMapIndex(name, reflect.Value{}) // removes it
			}
		}
		switch {
		case all.Len() > 0:
		case kind == "pathItems":
			delete(extensions, kind)
		default:
			all.SetZero()
		}
	}
	if len(u.used)+len(extensions) == 0 {
		document.Components = nil
	}
	return nil
}

// mapsOf returns the maps of components by their kinds, and makes those that are nil.
func mapsOf(c *openapi3.Components) map[string]reflect.Value {
	all := make(map[string]reflect.Value)
	of := reflect.ValueOf(c).Elem()
	for i := range of.NumField() {
		field, components := of.Type().Field(i), of.Field(i)
		if kind, _, _ := strings.Cut(field.Tag.Get("json"), ","); slices.Contains(kinds, kind) {
			if all[kind] = components; components.IsNil() {
				components.Set(reflect.MakeMap(components.Type()))
			}
		}
	}
	return all
}

// usage finds the used components of a document.
type usage struct {
	document   map[string]any
	components map[string]any
	used       map[string]bool     // by "schemas/Pet"
	anchored   map[string][]string // schemas by the anchors in them, nil until one is needed
	queue      []part              // used parts that were not visited yet
	place      []string            // of the value that is being visited, in a JSON pointer
}

// part is a part of a document.
type part struct {
	place []string // from the root, "#"
	value any
}

// find finds all components that the rest of the document refers to, directly or
// through other components.
func (u *usage) find() error {
	u.components = object(u.document["components"])
	rest, extensions := maps.Clone(u.document), maps.Clone(u.components)
	maps.DeleteFunc(extensions, func(kind string, _ any) bool { return slices.Contains(kinds, kind) })
	rest["components"] = extensions
	u.queue = []part{{[]string{"#"}, rest}}
	for len(u.queue) > 0 {
		next := u.queue
		u.queue = nil
		for _, part := range next {
			last := len(part.place) - 1
			u.place = part.place[:last]
			if err := u.visit(part.place[last], part.value, keywords); err != nil {
				return fmt.Errorf("%s: %w", strings.Join(u.place, "/"), err)
			}
		}
		if len(u.queue) == 0 {
			u.useSubtypes()
		}
	}
	return nil
}

// reading is what the members of an object are.
type reading int

const (
	keywords reading = iota // of OpenAPI or JSON Schema
	names                   // of the author's choice, each of a value with keywords
	data                    // such as an example, where $ref may mean anything, also a component
)

// named are the keywords whose members are names.
var named = append([]string{
	"properties", "patternProperties", "dependentSchemas", "$defs", "content", "encoding", "webhooks", "variables",
}, kinds...)

// values are the keywords whose values are data.
var values = []string{"example", "default", "enum", "const", "value"}

// of returns how to read the member of an object.
func (r reading) of(key string, value any, isLink bool) reading {
	isMap := object(value) != nil
	switch {
	case r == names:
		return keywords
	case r == data, strings.HasPrefix(key, "x-"), slices.Contains(values, key), key == "examples" && !isMap,
		isLink && (key == "parameters" || key == "requestBody"):
		return data
	case isMap && slices.Contains(named, key):
		return names
	}
	return keywords
}

// maxDepth bounds how deep a document is nested: kin-openapi needs seconds from here on.
const maxDepth = 500

// visit finds the references of a value: $ref, the mapping of a discriminator, and
// security requirements. If it fails, it leaves the place of the mistake.
func (u *usage) visit(key string, value any, as reading) error {
	u.place = append(u.place, escape.Replace(key))
	if len(u.place) > maxDepth {
		u.place = append(u.place[:11], "...")
		return fmt.Errorf("the document is nested more than %d levels deep: move inner parts to the components",
			maxDepth)
	}
	switch value := value.(type) {
	case []any:
		for index, element := range value {
			if err := u.visit(strconv.Itoa(index), element, as); err != nil {
				return err
			}
		}
	case map[string]any:
		isLink := len(u.place) > 2 && u.place[len(u.place)-2] == "links"
		for _, key := range slices.Sorted(maps.Keys(value)) {
			if as != names {
				if err := u.follow(value, key, as); err != nil {
					return err
				}
			}
			if err := u.visit(key, value[key], as.of(key, value[key], isLink)); err != nil {
				return err
			}
		}
	}
	u.place = u.place[:len(u.place)-1]
	return nil
}

// follow records the components that a keyword refers to.
func (u *usage) follow(members map[string]any, key string, as reading) error {
	switch value := members[key].(type) {
	case string:
		if key != "$ref" && key != "$dynamicRef" {
			return nil
		}
		if err := u.refer(value); as != data {
			return err
		}
	case []any:
		if key == "security" {
			u.useSecurity(value)
		}
	case map[string]any:
		if key == "mapping" && members["propertyName"] != nil {
			u.useMapping(value)
		}
	}
	return nil
}

// maxAliases bounds how many references in a row refer to another one.
const maxAliases = 100

// refer records a reference, and those that follow where it refers to another one.
func (u *usage) refer(ref string) error {
	next := ref
	for range maxAliases {
		value, err := u.resolve(next)
		if err != nil {
			return err
		}
		target, isRef := object(value)["$ref"].(string)
		if !isRef {
			return nil
		}
		next = target
	}
	return fmt.Errorf("%q leads to references only, and to no value", ref)
}

// resolve returns what a reference refers to, nil for an anchor. It records components.
func (u *usage) resolve(ref string) (any, error) {
	fragment, ok := strings.CutPrefix(ref, "#")
	switch {
	case !ok:
		return nil, fmt.Errorf("%q refers to another document: bundle the files first, for example with redocly bundle",
			ref)
	case fragment == "":
		return nil, fmt.Errorf("%q refers to the whole document: refer to a component", ref)
	case fragment[0] != '/':
		u.useAnchor(fragment)
		return nil, nil
	}
	tokens := pointer(fragment)
	if len(tokens) > 2 && tokens[0] == "components" {
		tokens = tokens[:3] // what is within may be behind another reference
		u.use(tokens[1], tokens[2])
	}
	var value any = u.document
	for _, token := range tokens {
		if value = child(value, token); value == nil {
			return nil, fmt.Errorf("%q refers to a part of the document that this version does not have: move it "+
				"to the components", ref)
		}
	}
	return value, nil
}

// child returns a member or an element of a value, or nil.
func child(value any, token string) any {
	switch value := value.(type) {
	case map[string]any:
		return value[token]
	case []any:
		if index, err := strconv.Atoi(token); err == nil && 0 <= index && index < len(value) {
			return value[index]
		}
	}
	return nil
}

// use records that a component is used.
func (u *usage) use(kind, name string) {
	key := kind + "/" + name
	if component := object(u.components[kind])[name]; component != nil && !u.used[key] {
		u.used[key] = true
		u.queue = append(u.queue, part{[]string{"#", "components", kind, name}, component})
	}
}

// useAnchor records the schemas with an anchor. A dynamic one may be in several.
func (u *usage) useAnchor(name string) {
	if u.anchored == nil {
		u.anchored = make(map[string][]string)
		for schema, value := range object(u.components["schemas"]) {
			eachText(value, "", func(key, text string) {
				if key == "$anchor" || key == "$dynamicAnchor" {
					u.anchored[text] = append(u.anchored[text], schema)
				}
			})
		}
	}
	for _, schema := range u.anchored[name] {
		u.use("schemas", schema)
	}
}

func (u *usage) useSecurity(requirements []any) {
	for _, requirement := range requirements {
		for name := range object(requirement) {
			u.use("securitySchemes", name)
		}
	}
}

// useMapping records the schemas in the mapping of a discriminator: names or
// references.
func (u *usage) useMapping(mapping map[string]any) {
	for _, target := range mapping {
		text, _ := target.(string)
		if tokens := pointer(strings.TrimPrefix(text, "#")); len(tokens) == 3 {
			text = tokens[2]
		}
		u.use("schemas", text)
	}
}

// useSubtypes records the schemas that a discriminator names without a mapping.
func (u *usage) useSubtypes() {
	schemas := object(u.components["schemas"])
	var bases []string
	for name, schema := range schemas {
		if u.used["schemas/"+name] && object(schema)["discriminator"] != nil {
			bases = append(bases, name)
		}
	}
	eachSubtype(schemas, bases, func(name string) { u.use("schemas", name) })
}

// eachSubtype visits the schemas whose allOf contains a base, directly or through other schemas.
func eachSubtype(schemas map[string]any, bases []string, visit func(name string)) {
	subtypes := make(map[string][]string)
	for name, schema := range schemas {
		for _, part := range elements(object(schema)["allOf"]) {
			ref, _ := object(part)["$ref"].(string)
			if base, ok := strings.CutPrefix(ref, "#/components/schemas/"); ok {
				subtypes[base] = append(subtypes[base], name)
			}
		}
	}
	for len(bases) > 0 {
		base := bases[0]
		bases = append(bases[1:], subtypes[base]...)
		for _, name := range subtypes[base] {
			visit(name)
		}
		delete(subtypes, base) // once
	}
}
