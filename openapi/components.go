package openapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// copied returns components to which others can be added.
func copied(given *openapi3.Components) *openapi3.Components {
	var made openapi3.Components
	if given != nil {
		made = *given
	}
	made.Schemas, made.Responses, made.Parameters = notNil(made.Schemas), notNil(made.Responses), notNil(made.Parameters)
	return &made
}

func notNil[M ~map[string]C, C any](components M) M {
	if components == nil {
		return make(M)
	}
	return maps.Clone(components)
}

// kinds are the kinds of components.
var kinds = []string{"schemas", "responses", "parameters", "examples", "requestBodies", "headers", "securitySchemes", "links", "callbacks"}

// withoutUnused returns a copy of a document without unused components. It fails if
// the document has a dangling reference.
func withoutUnused(document *openapi3.T) (*openapi3.T, error) {
	text, err := document.MarshalJSON()
	if err != nil {
		return nil, err
	}
	u := usage{used: make(map[string]bool)}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&u.document); err != nil {
		return nil, err
	}
	if err := u.find(); err != nil {
		return nil, err
	}
	u.removeOthers()
	if text, err = json.Marshal(u.document); err != nil {
		return nil, err
	}
	return openapi3.NewLoader().LoadFromData(text)
}

// usage finds the used components of a document.
type usage struct {
	document   map[string]any
	components map[string]any
	used       map[string]bool // by "schemas/Pet"
	queue      []any           // used values that were not visited yet
}

// find finds all components that the rest of the document refers to, directly or
// through other components.
func (u *usage) find() error {
	u.components, _ = u.document["components"].(map[string]any)
	rest, extensions := maps.Clone(u.document), maps.Clone(u.components)
	delete(rest, "components")
	maps.DeleteFunc(extensions, func(kind string, _ any) bool { return slices.Contains(kinds, kind) })
	u.queue = []any{rest, extensions}
	for len(u.queue) > 0 {
		next := u.queue
		u.queue = nil
		for _, value := range next {
			if err := u.visit(value); err != nil {
				return err
			}
		}
		if len(u.queue) == 0 {
			u.useSubtypes()
		}
	}
	return nil
}

// removeOthers removes the components that are not used.
func (u *usage) removeOthers() {
	for _, kind := range kinds {
		all := u.of(kind)
		maps.DeleteFunc(all, func(name string, _ any) bool { return !u.used[kind+"/"+name] })
		if len(all) == 0 {
			delete(u.components, kind)
		}
	}
	if len(u.components) == 0 {
		delete(u.document, "components")
	}
}

// of returns the components of a kind.
func (u *usage) of(kind string) map[string]any {
	all, _ := u.components[kind].(map[string]any)
	return all
}

// visit finds the references of a value: $ref, the mapping of a discriminator, and
// security requirements.
func (u *usage) visit(value any) error {
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			if err := u.visit(element); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			switch child := value[key].(type) {
			case string:
				if key == "$ref" || key == "$dynamicRef" {
					if err := u.refer(child); err != nil {
						return err
					}
				}
			case []any:
				if key == "security" {
					u.useSecurity(child)
				}
			case map[string]any:
				if key == "mapping" && value["propertyName"] != nil {
					u.useMapping(child)
				}
			}
			if err := u.visit(value[key]); err != nil {
				return err
			}
		}
	}
	return nil
}

// refer records a reference.
func (u *usage) refer(ref string) error {
	fragment, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return fmt.Errorf("%q refers to another document: call InternalizeRefs first", ref)
	}
	tokens := pointer(fragment)
	if len(tokens) > 2 && tokens[0] == "components" {
		u.use(tokens[1], tokens[2])
		return nil
	}
	var value any = u.document
	for _, token := range tokens {
		if value = child(value, token); value == nil {
			return fmt.Errorf("%q refers to a part of the document that this version does not have: move it to the components", ref)
		}
	}
	return nil
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

// pointer returns the tokens of a JSON pointer in a fragment (RFC 6901, section 6).
func pointer(fragment string) []string {
	if text, err := url.PathUnescape(fragment); err == nil {
		fragment = text
	}
	tokens := strings.Split(fragment, "/")[1:]
	for i, token := range tokens {
		tokens[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
	}
	return tokens
}

// use records that a component is used.
func (u *usage) use(kind, name string) {
	key := kind + "/" + name
	if component := u.of(kind)[name]; component != nil && !u.used[key] {
		u.used[key] = true
		u.queue = append(u.queue, component)
	}
}

func (u *usage) useSecurity(requirements []any) {
	for _, requirement := range requirements {
		schemes, _ := requirement.(map[string]any)
		for name := range schemes {
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

// useSubtypes records the schemas that a discriminator names without a mapping: those
// whose allOf contains its schema, directly or through other schemas.
func (u *usage) useSubtypes() {
	schemas, subtypes := u.of("schemas"), make(map[string][]string)
	for name, schema := range schemas {
		schema, _ := schema.(map[string]any)
		all, _ := schema["allOf"].([]any)
		for _, part := range all {
			part, _ := part.(map[string]any)
			ref, _ := part["$ref"].(string)
			if base, ok := strings.CutPrefix(ref, "#/components/schemas/"); ok {
				subtypes[base] = append(subtypes[base], name)
			}
		}
	}
	seen := make(map[string]bool)
	var use func(base string)
	use = func(base string) {
		for _, name := range subtypes[base] {
			if !seen[name] {
				seen[name] = true
				u.use("schemas", name)
				use(name)
			}
		}
	}
	for name, schema := range schemas {
		if schema, _ := schema.(map[string]any); u.used["schemas/"+name] && schema["discriminator"] != nil {
			use(name)
		}
	}
}
