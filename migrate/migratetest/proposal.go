package migratetest

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/goverso/verso/migrate"
)

// proposals are edits to paste into a history. Each restores a member of an older version.
type proposals struct {
	release string          // that takes them, "" for those of the newest version
	edited  map[string]bool // the types with edits, which no constant or function can have
	objects map[string]bool // the objects of the version
	made    map[string]bool // of newer versions: an edit of a release is for all versions before it
}

// add returns advice with edits, of which the author takes one.
func (p *proposals) add(object, advice string, edits []string) string {
	key := object + strings.Join(edits, "")
	if p.release == "" || len(edits) == 0 || p.made[key] {
		return advice
	}
	p.made[key] = true
	if p.isUnnamed(object) {
		return advice + ": its struct has no name: give it one in Go, and in the file"
	}
	return fmt.Sprintf("%s: write first in For[%s] of %s: %s", advice, object, p.release, strings.Join(edits, ", or "))
}

// gone returns the edits for a member that the object does not have any more.
func (p *proposals) gone(name, was string, object migrate.Object, frozen map[string]string) (edits []string) {
	for _, m := range object.Members {
		if _, known := frozen[m.Name]; !known && m.String() == was {
			edits = append(edits, fmt.Sprintf("migrate.Renamed(%q, %q)", name, m.Name))
		}
	}
	typ, optional := p.typeOf(was)
	switch {
	case typ == "any" && optional:
		return append(edits, fmt.Sprintf("migrate.Removed(%q)", name))
	case typ == "":
		return edits
	case optional:
		name += ",omitempty"
	}
	return append(edits, fmt.Sprintf("migrate.Removed(%q, %s)", name, zeroOf(typ)))
}

// changed returns the edits for a member of another type.
func (p *proposals) changed(name, was, is string) []string {
	old, wasOptional := p.typeOf(was)
	now, isOptional := p.typeOf(is)
	// What was never null is not to be null where it is absent now.
	isSame, constant := strings.TrimPrefix(old, "*") == strings.TrimPrefix(now, "*"), strings.TrimPrefix(now, "*")
	if isSame {
		constant = old
	}
	mapped, omitted := name, fmt.Sprintf("migrate.Omitted(%q, %s)", name, zeroOf(constant))
	up, down := "return is, nil", "return was, nil"
	switch {
	case old == "" || now == "":
		return nil
	case isSame && isOptional && !wasOptional:
		return []string{omitted}
	case wasOptional:
		mapped += ",omitempty"
	}
	// Before the author writes them, the functions of two types give what is empty.
	if old == now {
		up, down = down, up
	}
	edit := fmt.Sprintf(
		"migrate.Mapped(%q, func(was %s) (is %s, err error) { %s }, func(is %[3]s) (was %[2]s, err error) { %[5]s })", mapped, old, now, up, down)
	if isOptional && !wasOptional {
		edit += ", " + omitted
	}
	return []string{edit}
}

// typeOf returns a type of a contract as Go has it, "" if an edit cannot bring it back.
func (p *proposals) typeOf(text string) (typ string, optional bool) {
	text, optional = strings.CutSuffix(text, ", optional")
	text, nullable := strings.CutSuffix(text, ", nullable")
	elem := strings.TrimPrefix(strings.TrimPrefix(text, "[]"), "map[string]")
	if p.edited[elem] || p.isUnnamed(elem) || strings.Contains(elem, "one of ") {
		return "", optional
	}
	typ = goType(text)
	if isStruct := elem == text && zeros[typ] == ""; nullable && typ != "any" && elem == text || optional && isStruct {
		typ = "*" + typ
	}
	return typ, optional
}

// isUnnamed reports whether the struct of an object has no name: the object is called by its place
// in another one.
func (p *proposals) isUnnamed(object string) bool {
	outer, _, isInner := strings.Cut(object, ".")
	return isInner && p.objects[outer]
}

// zeroOf returns the empty value of a Go type.
func zeroOf(typ string) string { return cmp.Or(zeros[typ], "*new("+typ+")") }

var zeros = map[string]string{"string": `""`, "int": "0", "float64": "0.0", "bool": "false", "any": "nil"}

// editedIn returns the types that a history edits.
func editedIn(h *migrate.History) map[string]bool {
	edited := map[string]bool{}
	for _, v := range h.Changelog(nil).Versions {
		for _, change := range v.Changes {
			for _, e := range change.Edits {
				edited[e.Type] = true
			}
		}
	}
	return edited
}
