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

	"github.com/goverso/verso/migrate/internal/jsontext"
)

// documentCopies are what is lowered of a document, beside it: nothing of the document changes
// until all of it is known, since parts that stay may refer to what is lowered.
type documentCopies struct {
	document   map[string]any
	operations map[string]map[string]any // by JSON pointer
	list       []*documentCopy
	byType     map[schemaKey]*documentCopy // schemas
	is30       bool                        // OpenAPI 3.0: null is a keyword, and references stand alone
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

// toCopies begins the references to copies, until these have names.
const toCopies = "#copies/"

// isReference reports whether a text may refer to a part of the document, or to a copy.
func isReference(text string) bool {
	return strings.HasPrefix(text, "#/") || strings.HasPrefix(text, toCopies)
}

// lookup returns what a reference leads to, or nil. References to other files lead nowhere.
func (c *documentCopies) lookup(ref string) any {
	if copied := c.copyAt(ref); copied != nil {
		return copied.value
	}
	if !isReference(ref) {
		return nil
	}
	return c.part(pointerOf(ref))
}

// copyAt returns the copy that a reference leads to, or nil.
func (c *documentCopies) copyAt(ref string) *documentCopy {
	number, isCopy := strings.CutPrefix(ref, toCopies)
	if i, err := strconv.Atoi(number); isCopy && err == nil && 0 <= i && i < len(c.list) {
		return c.list[i]
	}
	return nil
}

// part returns what a JSON pointer leads to, or nil.
func (c *documentCopies) part(pointer string) (value any) {
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
		all[i] = jsontext.UnescapePointer.Replace(token)
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

// newCopy adds a copy of a component, or of a copy.
func (c *documentCopies) newCopy(kind, ref string, value any) *documentCopy {
	if of := c.copyAt(ref); of != nil {
		ref = of.ref
	}
	made := &documentCopy{kind, ref, fmt.Sprint(toCopies, len(c.list)), value}
	c.list = append(c.list, made)
	return made
}

// copied returns a schema that leads to the copy of its component for a key, which lower makes once.
func (c *documentCopies) copied(s map[string]any, key schemaKey, lower func() any) map[string]any {
	made := maps.Clone(s)
	if c.byType[key] == nil {
		c.byType[key] = c.newCopy("schemas", fmt.Sprint(s["$ref"]), nil) // before its members, which may refer to it
		c.byType[key].value = lower()
	}
	made["$ref"] = c.byType[key].temporary
	return made
}

// copyOf returns a reference to a copy. Copies with the same content are one.
func (c *documentCopies) copyOf(kind, ref string, value any) any {
	for _, other := range c.list {
		if other.kind == kind && other.ref == ref && reflect.DeepEqual(other.value, value) {
			return map[string]any{"$ref": other.temporary}
		}
	}
	return map[string]any{"$ref": c.newCopy(kind, ref, value).temporary}
}

// finish writes what is lowered into the document, for the operations at pointers. A copy has the
// name of its component, unless an operation refers to that as well.
func (c *documentCopies) finish(pointers []string, version string) error {
	reached, places, err := c.reach(pointers)
	if err != nil {
		return err
	}
	names := map[string]string{}
	for _, each := range c.list {
		if !reached[each.temporary] {
			continue
		}
		all := tokens(pointerOf(each.ref))
		name := notInNames.ReplaceAllString(all[len(all)-1], "-")
		to, suffixed := reference("components", each.kind, name), name+"_"+notInNames.ReplaceAllString(version, "-")
		components := within(within(c.document, "components"), each.kind)
		isTaken := to != reference(all...) || reached[to]
		for number := 1; isTaken; number++ {
			if name = suffixed; number > 1 {
				name += fmt.Sprint("_", number)
			}
			to, isTaken = reference("components", each.kind, name), components[name] != nil
		}
		components[name], names[each.temporary], reached[to] = each.value, to, true
	}
	for _, p := range places {
		p.object[p.key] = names[p.temporary]
	}
	for pointer, operation := range c.operations {
		path, method := cutLast(pointer)
		anyMap(c.part(path))[method] = operation
	}
	return nil
}

// within returns the object at a key, which it adds where there is none.
func within(object map[string]any, key string) map[string]any {
	if anyMap(object[key]) == nil {
		object[key] = map[string]any{}
	}
	return anyMap(object[key])
}

// place is where a reference to a copy is.
type place struct {
	object         map[string]any
	key, temporary string
}

// reach returns the references that operations lead to, in extensions too, and where those to copies
// are. A discriminator may name schemas without a reference.
func (c *documentCopies) reach(pointers []string) (reached map[string]bool, places []place, err error) {
	reached = map[string]bool{}
	var subtypes []any // that a discriminator may mean without a mapping
	var visit func(key string, value any)
	follow := func(ref string) {
		if !isReference(ref) || reached[ref] {
			return
		}
		reached[ref] = true
		// The whole component, or operation, that it leads into.
		if all := tokens(pointerOf(ref)); len(all) > 2 {
			whole := reference(all[:3]...)
			if reached[whole] = true; c.operations[whole[1:]] != nil && err == nil {
				err = fmt.Errorf("%s: another part of the document refers to %s: move what both have to the components", whole[1:], ref)
			}
		}
		visit("", c.lookup(ref))
	}
	visit = func(key string, value any) {
		for _, each := range anyList(value) {
			visit("", each)
		}
		object := anyMap(value)
		for _, name := range slices.Sorted(maps.Keys(object)) {
			switch ref, ok := object[name].(string); {
			case ok && key == "mapping" && !isReference(ref):
				follow(reference("components", "schemas", ref))
			case ok && (name == "$ref" || key == "mapping"):
				if follow(ref); strings.HasPrefix(ref, toCopies) {
					places = append(places, place{object, name, ref})
				}
			default:
				visit(name, object[name])
			}
		}
		if object["discriminator"] != nil {
			visit("", subtypes)
		}
	}
	for name, each := range anyMap(c.part("/components/schemas")) {
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
		visit("", c.part(path+"/parameters"))
		if operation := c.operations[pointer]; operation != nil {
			visit("", operation)
		} else {
			visit("", c.part(pointer))
		}
	}
	return reached, places, err
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
		text.WriteString("/" + jsontext.EscapePointer.Replace(token))
	}
	return text.String()
}
