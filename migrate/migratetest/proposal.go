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
	list    []Proposal
}

// A Proposal has edits for a type, of which the author takes one.
type Proposal struct {
	Place   string   // what differs, such as "v1: Booking.guest is gone"
	Release string   // whose change takes the edit
	Type    string   // as the file has it
	Edits   []string // expressions of Go; one may be several edits
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
	p.list = append(p.list, Proposal{Release: p.release, Type: object, Edits: edits})
	return fmt.Sprintf("%s: write first in For[%s] of %s: %s", advice, object, p.release, strings.Join(edits, ", or "))
}

// difference is a member of an older version, with its form in the newer one.
type difference struct {
	name                    string
	old, now                string // the Go types; now is "" if the member is gone
	wasOptional, isOptional bool
	others                  []string // names that are new, of members of the same type
}

// isSame reports whether only null or the absence of the member differs.
func (d difference) isSame() bool {
	return strings.TrimPrefix(d.old, "*") == strings.TrimPrefix(d.now, "*")
}

// proposal is a kind of edit that restores a member.
type proposal struct {
	restores func(d difference) bool
	edits    func(d difference) []string
	isOne    bool // of several proposals, of which the author takes one; otherwise it is the last
}

// kinds are the edits that are proposed, in the order in which they are tried.
var kinds = []proposal{
	{ // Renamed
		restores: func(d difference) bool { return d.now == "" && d.others != nil },
		edits: func(d difference) (edits []string) {
			for _, other := range d.others {
				edits = append(edits, fmt.Sprintf("migrate.Renamed(%q, %q)", d.name, other))
			}
			return edits
		},
		isOne: true,
	},
	{ // Removed
		restores: func(d difference) bool { return d.now == "" && d.old != "" },
		edits: func(d difference) []string {
			switch {
			case d.old == "any" && d.wasOptional:
				return []string{fmt.Sprintf("migrate.Removed(%q)", d.name)}
			case d.wasOptional:
				return []string{fmt.Sprintf("migrate.Removed(%q, %s)", d.name+",omitempty", zeroOf(d.old))}
			}
			return []string{fmt.Sprintf("migrate.Removed(%q, %s)", d.name, zeroOf(d.old))}
		},
	},
	{ // Omitted: the constant is null only for a member with null before
		restores: func(d difference) bool { return d.old != "" && d.isSame() && d.isOptional && !d.wasOptional },
		edits: func(d difference) []string {
			return []string{fmt.Sprintf("migrate.Omitted(%q, %s)", d.name, zeroOf(d.old))}
		},
	},
	{ // NotNull
		restores: func(d difference) bool {
			return d.old != "" && d.now == "*"+d.old && !d.isOptional && !d.wasOptional
		},
		edits: func(d difference) []string {
			return []string{fmt.Sprintf("migrate.NotNull(%q, %s)", d.name, zeroOf(d.old))}
		},
	},
	{ // Mapped
		restores: func(d difference) bool { return d.old != "" && d.now != "" },
		edits:    mapped,
	},
}

// mapped returns functions that give what is empty, before the author writes them.
func mapped(d difference) []string {
	name, up, down := d.name, "return is, nil", "return was, nil"
	if d.wasOptional {
		name += ",omitempty"
	}
	if d.old == d.now {
		up, down = down, up
	}
	edit := fmt.Sprintf(
		"migrate.Mapped(%q, func(was %s) (is %s, err error) { %s }, func(is %[3]s) (was %[2]s, err error) { %[5]s })", name, d.old, d.now, up, down)
	if d.isOptional && !d.wasOptional {
		edit += fmt.Sprintf(", migrate.Omitted(%q, %s)", d.name, zeroOf(strings.TrimPrefix(d.now, "*")))
	}
	return []string{edit}
}

// edits returns the edits that restore a member.
func (d difference) edits() (edits []string) {
	for _, k := range kinds {
		if !k.restores(d) {
			continue
		}
		if edits = append(edits, k.edits(d)...); !k.isOne {
			break
		}
	}
	return edits
}

// gone returns the edits for a member that the object does not have any more.
func (p *proposals) gone(name, was string, object migrate.Object, frozen map[string]string) []string {
	d := difference{name: name}
	d.old, d.wasOptional = p.typeOf(was)
	for _, m := range object.Members {
		if _, known := frozen[m.Name]; !known && m.String() == was {
			d.others = append(d.others, m.Name)
		}
	}
	return d.edits()
}

// changed returns the edits for a member of another type.
func (p *proposals) changed(name, was, is string) []string {
	d := difference{name: name}
	d.old, d.wasOptional = p.typeOf(was)
	if d.now, d.isOptional = p.typeOf(is); d.now == "" {
		return nil
	}
	return d.edits()
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
