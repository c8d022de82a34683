// Package shape knows the JSON that encoding/json makes of Go types: the members of structs, the kinds
// of values, and the names of parameters. It uses no other package of migrate.
package shape

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// Member is a member of the JSON object that encoding/json makes of a struct. Edits work on
// members, and not on fields: a field can have another name, or none, and embedded structs add
// theirs.
type Member struct {
	Name     string
	Typ      reflect.Type
	Optional bool     // it can be absent
	Quoted   bool     // a number or a bool, in a string
	Additive bool     // of a newer version, for all versions
	rank     int      // of equal names, the lowest wins
	Tags     []string // of a parameter, which name it; nil: it is not one
	Field    reflect.StructField
	Index    []int          // of the field, for [reflect.Value.FieldByIndexErr]
	Values   []string       // of a text, if an edit lists them
	Embedded []reflect.Type // the embedded structs that it comes from, the outermost first

	Now  string // of a variant of a union, whose name is its text: the text in the newest version
	Gone bool   // the newest version does not have the variant
}

// MembersOf returns the members of a struct in their order, by the rules of
// encoding/json: of equal names the least embedded one wins, then the one with a tag,
// and none if that leaves several. All callers share them: who changes one clones them.
func MembersOf(t reflect.Type) []Member {
	if known, ok := memberLists.Load(t); ok {
		return known.([]Member)
	}
	var all []Member // another field of its name may win
	if t.Kind() != reflect.Struct {
		return nil
	}
	gather(t, IsParams(t), Member{}, &all)
	var members []Member
	// All are compared: the order of the fields decides nothing.
	for i, c := range all {
		beaten := false
		for j, other := range all {
			beaten = beaten || i != j && other.Name == c.Name && other.rank <= c.rank
		}
		if !beaten {
			members = append(members, c)
		}
	}
	members = slices.Clip(members)
	memberLists.Store(t, members)
	return members
}

// memberLists are the results of MembersOf: a start asks for each type many times.
var memberLists sync.Map

// EmbeddedIn returns the structs that a struct embeds, and whose members it has.
func EmbeddedIn(t reflect.Type) (list []reflect.Type) {
	if t == nil || IsOpaque(t) {
		return nil
	}
	for _, m := range MembersOf(t) {
		for _, from := range m.Embedded {
			if !slices.Contains(list, from) {
				list = append(list, from)
			}
		}
	}
	return list
}

// gather adds the fields of a struct, with those that it embeds. encoding/json has no function for its
// rules, and every edit depends on them.
func gather(t reflect.Type, isParams bool, outer Member, all *[]Member) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		inner := f.Type
		if inner.Name() == "" && inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		isStruct := f.Anonymous && inner.Kind() == reflect.Struct
		var tags []string
		if isParams {
			if name, tags = ParamName(f); name == "" && !isStruct {
				continue
			}
		}
		// An embedded struct gives its exported fields to the outer one, also if it is unexported.
		if f.Tag.Get("json") == "-" || !f.IsExported() && !isStruct {
			continue
		}
		has := func(option string) bool { return slices.Contains(strings.Split(options, ","), option) }
		c := Member{Name: name, rank: 2 * len(outer.Embedded), Typ: f.Type, Field: f,
			Index: append(slices.Clip(outer.Index), i), Embedded: outer.Embedded,
			Optional: outer.Optional || has("omitempty") || has("omitzero")}
		// The outer object has its members. With a name of its own it is a member, as any struct.
		if isStruct && name == "" {
			if slices.Contains(outer.Embedded, inner) {
				continue // of a type that embeds itself
			}
			c.Embedded = append(slices.Clip(outer.Embedded), inner)
			c.Optional = outer.Optional || f.Type.Kind() == reflect.Pointer
			gather(inner, isParams, c, all)
			continue
		}
		if !f.IsExported() {
			continue
		}
		if name == "" {
			c.Name, c.rank = f.Name, c.rank+1
		}
		isScalar := inner.Kind() == reflect.String || inner.Kind() >= reflect.Bool && inner.Kind() <= reflect.Float64
		c.Quoted, c.Tags = isScalar && has("string"), tags
		*all = append(*all, c)
	}
}

// Find returns the position of a member, or -1.
func Find(members []Member, name string) int {
	return slices.IndexFunc(members, func(m Member) bool { return m.Name == name })
}

// Names lists the names of members.
func Names(members []Member) string {
	var list []string
	for _, m := range members {
		list = append(list, m.Name)
	}
	return strings.Join(list, ", ")
}

// Holds reports whether the member can have a value.
// A constant that the type cannot hold would fail in the handler of each request.
func (m Member) Holds(raw []byte) error {
	if m.Quoted {
		return nil
	}
	if err := json.Unmarshal(raw, reflect.New(m.Typ).Interface()); err != nil {
		return fmt.Errorf("%q is %s, which %s is not", m.Name, Describe(m.Typ), raw)
	}
	return nil
}

// Is reports whether the member and a type may have the same JSON.
func (m Member) Is(t reflect.Type) error {
	// Kinds of JSON are compared, and not Go types: a service may read an int64 where its struct
	// has an int.
	has, wants := m.Kind(), kindOf(t)
	if has == wants || has == "" || wants == "" || wants == "number" && has == "integer" {
		return nil
	}
	return fmt.Errorf("%q is %s, and the edit reads %s", m.Name, Describe(m.Typ), Describe(t))
}

// Kind is the kind of the JSON of the member, "" if it is not known.
func (m Member) Kind() string {
	if m.Quoted {
		return "string"
	}
	return kindOf(m.Typ)
}
