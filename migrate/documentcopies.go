package migrate

import (
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// documentCopies are what is lowered of a document, beside it: nothing of the document changes
// until all of it is known, since parts that stay may refer to what is lowered.
type documentCopies struct {
	document   map[string]any
	operations map[string]map[string]any // by JSON pointer
	list       []*documentCopy
	schemas    map[schemaKey]*documentCopy
	is30       bool // OpenAPI 3.0, in which nothing stands beside a reference, and null is a keyword
}

// documentCopy is the lowered copy of a component.
type documentCopy struct {
	kind, ref string // of what it is a copy
	temporary string // the reference to it until finish
	value     any
}

// schemaKey is a schema by the type that it is lowered for: each pair is lowered once.
type schemaKey struct {
	ref string
	t   reflect.Type
}

// The escapes in a JSON pointer (RFC 6901, section 3).
var escapePointer, unescapePointer = strings.NewReplacer("~", "~0", "/", "~1"),
	strings.NewReplacer("~1", "/", "~0", "~")

// isReference reports whether a text may refer to a part of the document, or to a copy.
func isReference(text string) bool {
	return strings.HasPrefix(text, "#/") || strings.HasPrefix(text, "#copies/")
}

// lookup returns what a reference leads to, or nil. References to other files lead nowhere.
func (c *documentCopies) lookup(ref string) any {
	number, isCopy := strings.CutPrefix(ref, "#copies/")
	if i, err := strconv.Atoi(number); isCopy && err == nil && 0 <= i && i < len(c.list) {
		return c.list[i].value
	}
	if !isReference(ref) {
		return nil
	}
	return c.at(pointerOf(ref))
}

// at returns what a JSON pointer leads to, or nil.
func (c *documentCopies) at(pointer string) (value any) {
	value = c.document
	for _, token := range tokens(pointer) {
		list := anyList(value)
		if i, err := strconv.Atoi(token); err == nil && 0 <= i && i < len(list) {
			value = list[i]
		} else {
			value = anyMap(value)[token]
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
		all[i] = unescapePointer.Replace(token)
	}
	return all
}

// maxReferences bounds how many references in a row lead to another one. A document that refers
// to itself in a circle ends here.
const maxReferences = 100

// resolve follows references.
func (c *documentCopies) resolve(value any) any {
	for range maxReferences {
		ref, ok := anyMap(value)["$ref"].(string)
		if !ok {
			break
		}
		value = c.lookup(ref)
	}
	return value
}

// newCopy adds a copy of a component.
func (c *documentCopies) newCopy(kind, ref string, value any) *documentCopy {
	made := &documentCopy{kind, ref, fmt.Sprint("#copies/", len(c.list)), value}
	c.list = append(c.list, made)
	return made
}

// copyOf returns a reference to a copy. Copies with the same content are one.
func (c *documentCopies) copyOf(kind, ref string, value any) any {
	i := slices.IndexFunc(c.list, func(other *documentCopy) bool {
		return other.kind == kind && other.ref == ref && reflect.DeepEqual(other.value, value)
	})
	if i < 0 {
		i = len(c.list)
		c.newCopy(kind, ref, value)
	}
	return map[string]any{"$ref": c.list[i].temporary}
}

// finish writes what is lowered into the document, for the operations at pointers. A copy has the
// name of its component, unless an operation refers to that as well.
func (c *documentCopies) finish(pointers []string, version string) error {
	reached, err := c.reach(pointers)
	if err != nil {
		return err
	}
	names, made := map[string]string{}, map[string]any{}
	for _, each := range c.list {
		if !reached[each.temporary] {
			continue
		}
		all := tokens(pointerOf(each.ref))
		base := notInNames.ReplaceAllString(all[len(all)-1], "-")
		name := reference("components", each.kind, base)
		isTaken := name != reference(all...) || reached[name] || made[name] != nil
		for number := 1; isTaken; number++ {
			name = reference("components", each.kind, base+"_"+notInNames.ReplaceAllString(version, "-"))
			if number > 1 {
				name += fmt.Sprint("_", number)
			}
			isTaken = c.lookup(name) != nil || made[name] != nil
		}
		names[each.temporary], made[name] = name, each.value
	}
	for name, value := range made {
		rename(value, names)
		parent, last := c.document, tokens(pointerOf(name))
		for _, token := range last[:len(last)-1] {
			if parent[token] == nil {
				parent[token] = map[string]any{}
			}
			parent = anyMap(parent[token])
		}
		parent[last[len(last)-1]] = value
	}
	for pointer, operation := range c.operations {
		rename(operation, names)
		path, method := cutLast(pointer)
		anyMap(c.at(path))[method] = operation
	}
	return nil
}

// reach returns the references that operations lead to, in extensions too. A discriminator may
// name schemas without a reference.
func (c *documentCopies) reach(pointers []string) (reached map[string]bool, err error) {
	reached = map[string]bool{}
	var subtypes []any // that a discriminator may mean without a mapping
	var visit func(key string, value any)
	visit = func(key string, value any) {
		switch value := value.(type) {
		case []any:
			for _, each := range value {
				visit("", each)
			}
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(value)) {
				each := value[name]
				if text, ok := each.(string); ok && key == "mapping" {
					if name = "$ref"; !isReference(text) {
						each = reference("components", "schemas", text)
					}
				}
				visit(name, each)
			}
			if value["discriminator"] != nil {
				visit("", subtypes)
			}
		case string:
			if key != "$ref" || !isReference(value) || reached[value] {
				return
			}
			reached[value] = true
			// The whole component, or operation, that it leads into.
			if all := tokens(pointerOf(value)); len(all) > 2 {
				whole := reference(all[:3]...)
				if reached[whole] = true; c.operations[whole[1:]] != nil && err == nil {
					err = fmt.Errorf("%s: another part of the document refers to %s: move what both have to the components", whole[1:], value)
				}
			}
			visit("", c.lookup(value))
		}
	}
	for name, each := range anyMap(c.at("/components/schemas")) {
		if anyMap(each)["allOf"] != nil {
			subtypes = append(subtypes, map[string]any{"$ref": reference("components", "schemas", name)})
		}
	}
	c.visitWebhooks(visit)
	paths := anyMap(c.document["paths"])
	for i, object := range slices.AppendSeq([]any{c.document, paths}, maps.Values(paths)) {
		for key, each := range anyMap(object) {
			if strings.HasPrefix(key, "x-") && (i > 0 || key != "x-webhooks") {
				visit("", each)
			}
		}
	}
	for _, pointer := range pointers {
		path, _ := cutLast(pointer)
		visit("", c.at(path+"/parameters"))
		if operation := c.operations[pointer]; operation != nil {
			visit("", operation)
		} else {
			visit("", c.at(pointer))
		}
	}
	return reached, err
}

// rename gives references to copies their names.
func rename(value any, names map[string]string) {
	switch value := value.(type) {
	case []any:
		for _, each := range value {
			rename(each, names)
		}
	case map[string]any:
		if ref, ok := value["$ref"].(string); ok && names[ref] != "" {
			value["$ref"] = names[ref]
		}
		for text, ref := range anyMap(value["mapping"]) {
			if to := names[fmt.Sprint(ref)]; to != "" {
				anyMap(value["mapping"])[text] = to
			}
		}
		for _, each := range value {
			rename(each, names)
		}
	}
}

// cutLast cuts the last token of a JSON pointer.
func cutLast(pointer string) (before, last string) {
	i := strings.LastIndexByte(pointer, '/')
	return pointer[:i], pointer[i+1:]
}

// notInNames are the characters that names of components do not have.
var notInNames = regexp.MustCompile(`[^A-Za-z0-9._-]`)

// reference returns the reference of tokens.
func reference(tokens ...string) string {
	var text strings.Builder
	text.WriteByte('#')
	for _, token := range tokens {
		text.WriteString("/" + escapePointer.Replace(token))
	}
	return text.String()
}
