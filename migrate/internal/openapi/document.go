// Package openapi holds an OpenAPI document while it is lowered: references, copies beside what stays,
// and the schema of an object whose edits are taken back. It knows no edit and no version. It is above
// jsontext, and below edits.
package openapi

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goverso/verso/migrate/internal/jsontext"
)

// Document are what is lowered of a document, beside it: nothing of the document changes
// until all of it is known, since parts that stay may refer to what is lowered.
type Document struct {
	Root       map[string]any
	Operations map[string]map[string]any // by JSON pointer
	list       []*component
	byType     map[Key]*component // schemas
	Is30       bool               // OpenAPI 3.0: null is a keyword, and references stand alone
	withNull   string             // the keyword of unions with null in 3.1, "" if it is not known yet
}

// New returns a document of which nothing is lowered yet.
func New(document map[string]any) Document {
	return Document{Root: document, Operations: map[string]map[string]any{},
		byType: map[Key]*component{}, Is30: strings.HasPrefix(fmt.Sprint(document["openapi"]), "3.0")}
}

// component is the lowered copy of a component.
type component struct {
	kind, ref string // of what it is a copy
	temporary string // the reference to it until finish
	value     any
	name      string // that it has if it is free, "" for the name of the component
}

// Key is a schema by the type that it is lowered for: each pair is lowered once.
type Key struct {
	Ref  string
	Type reflect.Type
	Name string // of the copy, if it is another component in the version
}

// toCopies begins the references to copies, until these have names.
const toCopies = "#copies/"

// IsReference reports whether a text may refer to a part of the document, or to a copy.
func IsReference(text string) bool {
	return strings.HasPrefix(text, "#/") || strings.HasPrefix(text, toCopies)
}

// Lookup returns what a reference leads to, or nil. References to other files lead nowhere.
func (c *Document) Lookup(ref string) any {
	if copied := c.copyAt(ref); copied != nil {
		return copied.value
	}
	if !IsReference(ref) {
		return nil
	}
	return c.Part(pointerOf(ref))
}

// copyAt returns the copy that a reference leads to, or nil.
func (c *Document) copyAt(ref string) *component {
	number, isCopy := strings.CutPrefix(ref, toCopies)
	if i, err := strconv.Atoi(number); isCopy && err == nil && 0 <= i && i < len(c.list) {
		return c.list[i]
	}
	return nil
}

// Part returns what a JSON pointer leads to, or nil.
func (c *Document) Part(pointer string) (value any) {
	value = c.Root
	for _, token := range tokens(pointer) {
		list := List(value)
		if i, err := strconv.Atoi(token); err == nil && 0 <= i && i < len(list) {
			value = list[i]
		} else {
			value = Map(value)[token]
		}
	}
	return value
}

// pointerOf returns the JSON pointer in a reference, a fragment (RFC 6901, section 6).
func pointerOf(ref string) string {
	if text, err := url.PathUnescape(ref); err == nil {
		ref = text
	}
	return strings.TrimPrefix(ref, "#")
}

// tokens returns the tokens of a JSON pointer.
func tokens(pointer string) []string {
	all := strings.Split(pointer, "/")[1:]
	for i, token := range all {
		all[i] = jsontext.UnescapePointer.Replace(token)
	}
	return all
}

// maxReferences bounds how many references in a row lead to another one. A document that refers
// to itself in a circle ends here.
const maxReferences = 100

// Resolve follows references.
func (c *Document) Resolve(value any) any {
	for range maxReferences {
		ref, ok := Map(value)["$ref"].(string)
		if !ok {
			break
		}
		value = c.Lookup(ref)
	}
	return value
}

// newCopy adds a copy of a component, or of a copy.
func (c *Document) newCopy(kind, ref string, value any) *component {
	if of := c.copyAt(ref); of != nil {
		ref = of.ref
	}
	made := &component{kind: kind, ref: ref, temporary: fmt.Sprint(toCopies, len(c.list)), value: value}
	c.list = append(c.list, made)
	return made
}

// Copied returns a schema that leads to the copy of its component for a key, which lower makes once.
func (c *Document) Copied(s map[string]any, key Key, lower func() any) map[string]any {
	made := maps.Clone(s)
	if c.byType[key] == nil {
		c.byType[key] = c.newCopy("schemas", fmt.Sprint(s["$ref"]), nil) // before its members, which may refer to it
		c.byType[key].name = key.Name
		c.byType[key].value = lower()
	}
	made["$ref"] = c.byType[key].temporary
	return made
}

// CopyOf returns a reference to a copy. [Document.Finish] joins copies with the same content.
func (c *Document) CopyOf(kind, ref string, value any) any {
	return map[string]any{"$ref": c.newCopy(kind, ref, value).temporary}
}

// within returns the object at a key, which it adds where there is none.
func within(object map[string]any, key string) map[string]any {
	if Map(object[key]) == nil {
		object[key] = map[string]any{}
	}
	return Map(object[key])
}

// place is where a reference to a copy is.
type place struct {
	object         map[string]any
	key, temporary string
}

// reach returns the references that operations lead to, in extensions too, and where those to copies
// are. A discriminator may name schemas without a reference.
func (c *Document) reach(pointers []string) (reached map[string]bool, places []place, err error) {
	reached = map[string]bool{}
	subtypes, component := c.subtypes(), "" // the visited component
	var visit func(key string, value any)
	follow := func(ref string) {
		if !IsReference(ref) || reached[ref] {
			return
		}
		reached[ref] = true
		// The whole component, or operation, that it leads into.
		if all := tokens(pointerOf(ref)); len(all) > 2 {
			whole := Reference(all[:3]...)
			if reached[whole] = true; c.Operations[whole[1:]] != nil && err == nil {
				err = fmt.Errorf("%s: another part of the document refers to %s: move what both have to the components",
					whole[1:], ref)
			}
		}
		outer := component
		if component = ref; c.copyAt(ref) != nil {
			component = c.copyAt(ref).ref
		}
		visit("", c.Lookup(ref))
		component = outer
	}
	visit = func(key string, value any) {
		for _, each := range List(value) {
			visit("", each)
		}
		object := Map(value)
		for _, name := range slices.Sorted(maps.Keys(object)) {
			switch ref, ok := object[name].(string); {
			case ok && key == "mapping" && !IsReference(ref):
				follow(Reference("components", "schemas", ref))
			case ok && (name == "$ref" || key == "mapping"):
				if follow(ref); strings.HasPrefix(ref, toCopies) {
					places = append(places, place{object, name, ref})
				}
			default:
				visit(name, object[name])
			}
		}
		if object["discriminator"] != nil {
			for _, ref := range subtypes[component] {
				follow(ref)
			}
		}
	}
	c.visitWebhooks(visit)
	paths := Map(c.Root["paths"])
	for i, object := range slices.AppendSeq([]any{c.Root, paths}, maps.Values(paths)) {
		for key, each := range Map(object) {
			if strings.HasPrefix(key, "x-") && (i > 0 || key != "x-webhooks") {
				visit("", each)
			}
		}
	}
	for _, pointer := range pointers {
		path, _ := CutLast(pointer)
		visit("", c.Part(path+"/parameters"))
		if operation := c.Operations[pointer]; operation != nil {
			visit("", operation)
		} else {
			visit("", c.Part(pointer))
		}
	}
	return reached, places, err
}

// subtypes returns the components whose allOf leads to a component: its discriminator may mean them without a mapping.
func (c *Document) subtypes() map[string][]string {
	found := map[string][]string{}
	schemas := Map(c.Part("/components/schemas"))
	for _, name := range slices.Sorted(maps.Keys(schemas)) {
		own, seen := Reference("components", "schemas", name), map[string]bool{}
		var lead func(schema any)
		lead = func(schema any) {
			for _, part := range List(Map(schema)["allOf"]) {
				if ref, ok := Map(part)["$ref"].(string); ok && !seen[ref] {
					seen[ref], found[ref] = true, append(found[ref], own)
					lead(c.Lookup(ref))
				}
				lead(part)
			}
		}
		lead(schemas[name])
	}
	return found
}

// CutLast cuts the last token of a JSON pointer.
func CutLast(pointer string) (before, last string) {
	i := strings.LastIndexByte(pointer, '/')
	return pointer[:i], pointer[i+1:]
}

// notInNames are the characters that names of components do not have.
var notInNames = regexp.MustCompile(`[^A-Za-z0-9._-]`)

// Reference returns the reference of tokens.
func Reference(tokens ...string) string {
	var text strings.Builder
	text.WriteByte('#')
	for _, token := range tokens {
		text.WriteString("/" + jsontext.EscapePointer.Replace(token))
	}
	return text.String()
}

// WebhookKeys are where documents have webhooks: of OpenAPI 3.1, and of 3.0 as Redoc has it.
var WebhookKeys = []string{"webhooks", "x-webhooks"}

// visitWebhooks visits the operations of webhooks that have the newest form.
func (c *Document) visitWebhooks(visit func(key string, value any)) {
	for _, key := range WebhookKeys {
		for name, item := range Map(c.Root[key]) {
			for method, each := range Map(item) {
				if c.Operations["/"+key+"/"+jsontext.EscapePointer.Replace(name)+"/"+method] == nil {
					visit(method, each)
				}
			}
		}
	}
}

// Map returns an object of the document, nil if it is something else.
func Map(value any) map[string]any {
	object, _ := value.(map[string]any)
	return object
}

// List returns a list of the document, nil if it is something else.
func List(value any) []any {
	list, _ := value.([]any)
	return list
}

// ErrNotNewest is the error of a document that lacks what an edit needs.
var ErrNotNewest = errors.New("the document is not the newest one")
