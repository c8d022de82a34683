package openapi

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// This file writes a lowered document. In comes a component copied once for each type and name that
// its uses lowered it to; out go as few components as differ. Copies refer to each other, also in
// circles, so one text alone does not decide on equality: copies begin in classes by their texts
// without references, and a class is divided by the classes that its members refer to, until no
// class divides any more.

// merged returns, for each reached copy, the reference to a component with the same content: the component that it is a
// copy of, if an operation refers to that too, or the first equal copy.
func (c *Document) merged(reached map[string]bool) map[string]string {
	found, named := map[string]content{}, map[string]string{} // by reference
	var order []string
	for _, each := range c.list {
		if !reached[each.temporary] {
			continue
		}
		found[each.temporary] = contentOf(each.kind+" "+each.ref, each.value)
		named[each.temporary] = each.name
		order = append(order, each.temporary)
		if reached[each.ref] && each.name == "" && found[each.ref].text == "" {
			found[each.ref] = contentOf(each.kind+" "+each.ref, c.Lookup(each.ref))
		}
	}
	class := map[string]string{}
	for ref, content := range found {
		if of := c.copyAt(ref); of != nil && content.changes != "" {
			// The newest component has no changes of its copy.
			if newest, ok := found[of.ref]; ok && newest.changes != content.changes {
				content.text += " changed"
				found[ref] = content
			}
		}
		class[ref] = content.text
	}
	for count := 0; ; { // what refers to what differs, differs
		classes := map[string]int{}
		next := make(map[string]string, len(class))
		for _, ref := range slices.Sorted(maps.Keys(found)) {
			var b strings.Builder
			b.WriteString(found[ref].text)
			for _, to := range found[ref].refs {
				if in, ok := class[to]; ok {
					to = in
				}
				b.WriteString("\n" + to)
			}
			if _, ok := classes[b.String()]; !ok {
				classes[b.String()] = len(classes)
			}
			next[ref] = fmt.Sprint("class ", classes[b.String()])
		}
		class = next
		if len(classes) == count {
			break
		}
		count = len(classes)
	}
	same, first := map[string]string{}, map[string]string{}
	slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(named[a], named[b]) })
	for _, ref := range append(slices.DeleteFunc(slices.Sorted(maps.Keys(found)), func(ref string) bool { return strings.HasPrefix(ref, toCopies) }), order...) {
		in := class[ref]
		if to, ok := first[in]; ok && named[to] != "" && named[to] != named[ref] {
			in += " " + named[ref] // none has the component's own name
		}
		if _, ok := first[in]; !ok {
			first[in] = ref
		}
		same[ref] = first[in]
	}
	return same
}

// content is a component without examples and changes: the sum of its text without references, these, and the changes.
type content struct {
	text    string
	refs    []string
	changes string
}

func contentOf(name string, value any) content {
	var made content
	var bare func(key string, value any, named bool) any
	bare = func(key string, value any, named bool) any {
		switch value := value.(type) {
		case map[string]any:
			m := make(map[string]any, len(value))
			for _, k := range slices.Sorted(maps.Keys(value)) {
				switch {
				case named || k != "example" && k != "examples" && k != "x-changes":
					m[k] = bare(k, value[k], k == "properties" && !named)
				case k == "x-changes":
					made.changes += fmt.Sprintln(value[k])
				}
			}
			if ref, ok := value["$ref"].(string); ok {
				made.refs, m["$ref"] = append(made.refs, ref), ""
			}
			if key == "mapping" {
				for _, k := range slices.Sorted(maps.Keys(value)) {
					if ref, ok := value[k].(string); ok {
						made.refs, m[k] = append(made.refs, ref), ""
					}
				}
			}
			return m
		case []any:
			l := make([]any, len(value))
			for i := range value {
				l[i] = bare("", value[i], false)
			}
			return l
		}
		return value
	}
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(bare("", value, false)); err != nil {
		fmt.Fprintf(&b, "%p", &made) // like no other
	}
	made.text = fmt.Sprintf("%s %x", name, sha256.Sum256(b.Bytes()))
	return made
}

// Finish writes what is lowered into the document, for the operations at pointers. A copy has the
// name of its component, unless an operation refers to that as well. Copies with the same content are one.
func (c *Document) Finish(pointers []string, version string) error {
	reached, places, err := c.reach(pointers)
	if err != nil {
		return err
	}
	names := map[string]string{}
	same := c.merged(reached)
	for _, each := range c.list {
		if !reached[each.temporary] {
			continue
		}
		if same[each.temporary] != each.temporary {
			continue
		}
		all := tokens(pointerOf(each.ref))
		components := within(within(c.Root, "components"), each.kind)
		if own := notInNames.ReplaceAllString(each.name, "-"); own != "" && components[own] == nil {
			all = []string{"components", each.kind, own}
		}
		name := notInNames.ReplaceAllString(all[len(all)-1], "-")
		to, suffixed := Reference("components", each.kind, name), name+"_"+notInNames.ReplaceAllString(version, "-")
		isTaken := to != Reference(all...) || reached[to]
		for number := 1; isTaken; number++ {
			if name = suffixed; number > 1 {
				name += fmt.Sprint("_", number)
			}
			to, isTaken = Reference("components", each.kind, name), components[name] != nil
		}
		components[name], names[each.temporary], reached[to] = each.value, to, true
	}
	for _, p := range places {
		to := same[p.temporary]
		if strings.HasPrefix(to, toCopies) {
			to = names[to]
		}
		p.object[p.key] = to
	}
	for pointer, operation := range c.Operations {
		path, method := CutLast(pointer)
		Map(c.Part(path))[method] = operation
	}
	return nil
}
