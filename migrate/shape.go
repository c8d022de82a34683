package migrate

import (
	"cmp"
	"encoding"
	"encoding/json"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// member is a member of the JSON object that encoding/json makes of a struct. Edits work on
// members, and not on fields: a field can have another name, or none, and embedded structs add
// theirs.
type member struct {
	name     string
	typ      reflect.Type
	optional bool     // it can be absent
	quoted   bool     // a number or a bool, in a string
	additive bool     // of a newer version, for all versions
	rank     int      // of equal names, the lowest wins
	tags     []string // of a parameter, which name it; nil: it is not one
	field    reflect.StructField
	values   []string       // of a text, if an edit lists them
	embedded []reflect.Type // the embedded structs that it comes from, the outermost first

	now  string // of a variant of a union, whose name is its text: the text in the newest version
	gone bool   // the newest version does not have the variant
}

var (
	jsonMarshaler = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
)

// implements reports whether a type or its pointer has the methods: encoding/json finds both where it
// can take an address.
func implements(t, method reflect.Type) bool {
	return t.Implements(method) || reflect.PointerTo(t).Implements(method)
}

// isOpaque reports whether the JSON of a type is made by the type itself. The value in an
// interface may be of any type, whatever its methods.
func isOpaque(t reflect.Type) bool {
	return t.Kind() != reflect.Interface && (implements(t, jsonMarshaler) || implements(t, textMarshaler))
}

// deref returns the type behind pointers, which JSON does not show.
func deref(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer && !isOpaque(t) {
		t = t.Elem()
	}
	return t
}

// pointee returns the type behind all pointers, also behind a pointer that marshals itself.
func pointee(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

// membersOf returns the members of a struct in their order, by the rules of
// encoding/json: of equal names the least embedded one wins, then the one with a tag,
// and none if that leaves several.
func membersOf(t reflect.Type) []member { return slices.Clone(sharedMembers(t)) } // edits change them

func sharedMembers(t reflect.Type) []member {
	if known, ok := memberLists.Load(t); ok {
		return known.([]member)
	}
	var all []member // another field of its name may win
	if t.Kind() != reflect.Struct {
		return nil
	}
	gather(t, isParams(t), member{}, &all)
	var members []member
	// All are compared: the order of the fields decides nothing.
	for i, c := range all {
		beaten := false
		for j, other := range all {
			beaten = beaten || i != j && other.name == c.name && other.rank <= c.rank
		}
		if !beaten {
			members = append(members, c)
		}
	}
	memberLists.Store(t, members)
	return members
}

// memberLists are the results of sharedMembers: a start asks for each type many times.
var memberLists sync.Map

// embeddedIn returns the structs that a struct embeds, and whose members it has.
func embeddedIn(t reflect.Type) (list []reflect.Type) {
	if t == nil || isOpaque(t) {
		return nil
	}
	for _, m := range sharedMembers(t) {
		for _, from := range m.embedded {
			if !slices.Contains(list, from) {
				list = append(list, from)
			}
		}
	}
	return list
}

// gather adds the fields of a struct, with those that it embeds. encoding/json has no function for its
// rules, and every edit depends on them.
func gather(t reflect.Type, isParams bool, outer member, all *[]member) {
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		inner := f.Type
		if inner.Name() == "" && inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		isStruct := f.Anonymous && inner.Kind() == reflect.Struct
		var tags []string
		if isParams {
			if name, tags = paramName(f); name == "" && !isStruct {
				continue
			}
		}
		// An embedded struct gives its exported fields to the outer one, also if it is unexported.
		if f.Tag.Get("json") == "-" || !f.IsExported() && !isStruct {
			continue
		}
		has := func(option string) bool { return slices.Contains(strings.Split(options, ","), option) }
		c := member{name: name, rank: 2 * len(outer.embedded), typ: f.Type, field: f, embedded: outer.embedded,
			optional: outer.optional || has("omitempty") || has("omitzero")}
		// The outer object has its members. With a name of its own it is a member, as any struct.
		if isStruct && name == "" {
			if slices.Contains(outer.embedded, inner) {
				continue // of a type that embeds itself
			}
			c.embedded = append(slices.Clip(outer.embedded), inner)
			c.optional = outer.optional || f.Type.Kind() == reflect.Pointer
			gather(inner, isParams, c, all)
			continue
		}
		if !f.IsExported() {
			continue
		}
		if name == "" {
			c.name, c.rank = f.Name, c.rank+1
		}
		isScalar := inner.Kind() == reflect.String || inner.Kind() >= reflect.Bool && inner.Kind() <= reflect.Float64
		c.quoted, c.tags = isScalar && has("string"), tags
		*all = append(*all, c)
	}
}

// walk calls visit for each type that the JSON of a type can contain, in any version. Types may
// contain themselves, so each is visited once.
func (all edits) walk(t reflect.Type, visit func(reflect.Type)) {
	seen := map[reflect.Type]bool{}
	var step func(t reflect.Type)
	step = func(t reflect.Type) {
		t = deref(t)
		if seen[t] || isOpaque(t) {
			return
		}
		seen[t] = true
		if visit(t); all.reshaped(t) != nil {
			step(all.reshaped(t).old)
		}
		switch t.Kind() {
		case reflect.Slice, reflect.Array, reflect.Map:
			step(t.Elem())
		case reflect.Struct:
			for _, m := range membersOf(t) {
				step(m.typ)
			}
		case reflect.Interface:
			if u := all.union(t); u != nil {
				for _, v := range u.variants {
					step(v.typ)
				}
			}
		}
	}
	step(t)
}

// find returns the position of a member, or -1.
func find(members []member, name string) int {
	return slices.IndexFunc(members, func(m member) bool { return m.name == name })
}

func names(members []member) string {
	var list []string
	for _, m := range members {
		list = append(list, m.name)
	}
	return strings.Join(list, ", ")
}

// packagePath is the part of a type argument that [shortName] leaves out: moving a package does not
// change a contract.
var packagePath = regexp.MustCompile(`([\w.~-]+/)*[\w~-]+\.`)

// shortName is the name of a type, with type arguments without their packages.
func shortName(t reflect.Type) string {
	if name := t.Name(); !strings.Contains(name, "[") {
		return name
	}
	return packagePath.ReplaceAllString(t.Name(), "")
}

// sorted returns types by their names. Errors and contracts are then the same in each run.
func sorted[V any](types map[reflect.Type]V) []reflect.Type {
	return slices.SortedFunc(maps.Keys(types), func(a, b reflect.Type) int {
		return cmp.Or(cmp.Compare(nameOf(a), nameOf(b)), cmp.Compare(a.PkgPath(), b.PkgPath()))
	})
}

// nameOf names a type in messages.
func nameOf(t reflect.Type) string {
	if t == nil {
		return "nil"
	}
	return cmp.Or(shortName(t), strings.ReplaceAll(t.String(), "interface {}", "any"))
}
