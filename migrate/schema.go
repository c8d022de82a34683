package migrate

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate/internal/edits"
	"github.com/goverso/verso/migrate/internal/shape"
)

// Schema is the form of the bodies in a version: of the types that have edits, of those that
// routes read and write and that webhooks send, and of all below them. The contract of a version
// is frozen from it, and tests compare responses with it.
type Schema struct {
	Version string
	Objects []Object // by name
}

// Object is a JSON object that is made of a struct.
type Object struct {
	Name      string   // of the Go type that it is made of in this version
	MediaType string   // that an edit gives it, "" for the route's own
	Members   []Member // in their order
}

// Member is a member of an object.
type Member struct {
	Name     string
	Type     Type
	Optional bool // it may be absent
	Nullable bool // it may be null
	Additive bool // it is younger than the version: see [Additive]
}

// Type is the type of a JSON value. Kind is "string", "integer", "number", "boolean",
// "list", "map" (an object with names of any text), "object", "any", or "other" for what
// a Go type marshals itself to.
type Type struct {
	Kind string
	Name string // of an object, one of [Schema], Objects; of another, the Go type
	Elem *Type  // of a list and a map
}

// String returns "string", "[]Booking", "map[string]integer", "time.Time".
func (t Type) String() string {
	switch t.Kind {
	case "list":
		return "[]" + t.Elem.String()
	case "map":
		return "map[string]" + t.Elem.String()
	case "object", "other":
		return t.Name
	}
	return t.Kind
}

// String returns the type, and "optional" and "nullable" if it is.
func (m Member) String() string {
	text := m.Type.String()
	if m.Optional {
		text += ", optional"
	}
	if m.Nullable {
		text += ", nullable"
	}
	return text
}

// Schema returns the form of the bodies in a version. It is derived by taking the
// edits back from the Go types of the newest version. It fails if the history does not
// have the version.
func (h *History) Schema(v verso.Version) (*Schema, error) {
	s := h.schemas(v)
	if s == nil {
		return nil, fmt.Errorf("migrate: the history does not have version %q", v)
	}
	for _, t := range h.roots() {
		s.typeOf(t, "")
	}
	slices.SortFunc(s.objects, func(a, b *Object) int { return cmp.Compare(a.Name, b.Name) })
	schema := &Schema{Version: v.String()}
	for _, o := range s.objects {
		schema.Objects = append(schema.Objects, *o)
	}
	return schema, nil
}

// roots returns the types that bodies are made of in the newest version, by name.
// The older type of a maker is in older versions only, in which the newest one leads to it.
func (h *history) roots() []reflect.Type {
	roots := map[reflect.Type]bool{}
	// A type with edits counts although nothing declares it: Lower and Lift use it.
	for t := range h.edits {
		roots[t] = true
	}
	for t := range h.edits {
		if maker := h.edits.Maker(t); maker != nil {
			older, _ := maker.Older()
			delete(roots, shape.Deref(older))
		}
	}
	h.mu.Lock()
	for _, t := range h.bodies {
		roots[t] = true
	}
	h.mu.Unlock()
	return shape.Sorted(roots)
}

// schemas are the objects of a version. It is made for one use, in tests or at start, and is
// not safe for concurrent use.
type schemas struct {
	edits   edits.Version
	names   map[reflect.Type]string // by the types of the newest version
	objects []*Object
}

// schemas returns the objects of a version, without any yet, or nil if the history does not
// have it.
func (h *history) schemas(v verso.Version) *schemas {
	index, ok := h.index[v]
	if !ok {
		return nil
	}
	return &schemas{edits: edits.Version{All: h.edits, Index: index}, names: map[reflect.Type]string{}}
}

// typeOf describes a type in the version, and adds the objects that it contains: named, and not
// repeated, so that a type may contain itself. place names a struct without a name. The newest types
// are the keys, since two of them may share an older type.
func (s *schemas) typeOf(t reflect.Type, place string) Type {
	newest := shape.Deref(t)
	// In a version in which the edits of a place make no difference, it has the type of all other places.
	if was := s.edits.Original(newest); was != nil && !s.edits.Changes(newest) && !s.edits.Changes(was) {
		newest = shape.Deref(was)
	}
	return s.whole(newest, s.edits.Wholes(newest), place)
}

// whole describes a type with edits of whole values, the outermost last.
func (s *schemas) whole(newest reflect.Type, list []edits.Whole, place string) Type {
	if len(list) == 0 {
		return s.bare(newest, place)
	}
	last := len(list) - 1
	old, key := list[last].Form(s.edits.All, newest)
	if key == "" {
		return s.typeOf(old, place)
	}
	if s.names[old] == "" {
		o := s.newObject(old, old, place)
		inner := s.whole(newest, list[:last], o.Name+"."+key)
		o.Members = []Member{{Name: key, Type: inner, Nullable: newest.Kind() != reflect.Struct}}
	}
	return Type{Kind: "object", Name: s.names[old]}
}

// newObject adds an object of a type under the name of another one.
func (s *schemas) newObject(newest, t reflect.Type, place string) *Object {
	o := &Object{Name: cmp.Or(shape.ShortName(t), place, "struct")}
	// Packages may have types with the same name, or type arguments may: contracts need all.
	for _, other := range []string{path.Base(t.PkgPath()) + "." + o.Name, t.PkgPath() + "." + t.Name()} {
		if t.PkgPath() != "" && slices.Contains(slices.Collect(maps.Values(s.names)), o.Name) {
			o.Name = other
		}
	}
	s.names[newest], s.objects = o.Name, append(s.objects, o)
	return o
}

// bare describes a type without the objects around its values.
func (s *schemas) bare(newest reflect.Type, place string) Type {
	t, mediaType := s.edits.Form(newest)
	if s.edits.IsValue(t) {
		t = s.edits.Members(t)[0].Typ
	}
	if u := s.edits.Union(t); u != nil {
		return Type{Kind: "other", Name: s.union(u, place)}
	}
	switch kind := shape.Kind(t); kind {
	case "object":
	case "list", "map":
		elem := s.typeOf(t.Elem(), place)
		return Type{Kind: kind, Elem: &elem}
	case "other":
		return Type{Kind: kind, Name: t.String()}
	default:
		return Type{Kind: kind}
	}
	if s.names[newest] == "" {
		o := s.newObject(newest, t, place)
		o.MediaType = mediaType
		for _, m := range s.edits.Members(t) {
			// A pointer, a list or a map may be null unless it is left out when it is empty.
			nullable := shape.IsNil(m.Typ) && !m.Optional
			made := Member{m.Name, s.typeOf(m.Typ, o.Name+"."+m.Name), m.Optional, nullable, m.Additive}
			if m.Quoted { // the option ,string makes a text of a number
				made.Type = Type{Kind: "string"}
			}
			o.Members = append(o.Members, made)
		}
	}
	return Type{Kind: "object", Name: s.names[newest]}
}

// union describes a union in a version, for contracts.
func (s *schemas) union(u *edits.Union, place string) string {
	var parts []string
	for _, m := range s.edits.Members(u.Typ) {
		name, text := "unknown", fmt.Sprintf("%s %q", u.By, m.Name)
		if u.AreNumbers() {
			text = u.By + " " + m.Name
		}
		if m.Typ != nil {
			name = s.typeOf(m.Typ, place).Name
		}
		if m.Name == "" {
			text = "no " + u.By
		}
		parts = append(parts, text+": "+name)
	}
	slices.Sort(parts)
	if u.Closed {
		parts = append(parts, "no other")
	}
	return "one of " + strings.Join(parts, ", ")
}
