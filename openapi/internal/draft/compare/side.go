package compare

import (
	"reflect"
	"slices"
	"strings"

	"github.com/goverso/verso/openapi/internal/draft/document"
	"github.com/goverso/verso/openapi/internal/draft/gotype"
	"github.com/goverso/verso/openapi/internal/draft/own"
)

// side is a document, and how its schemas are Go types.
type side struct {
	Source
	set    *gotype.Set
	suffix string             // of the types that only this document has
	names  map[string]string  // a component or the hint of another schema, to its Go type
	raw    map[string]bool    // unions that are raw JSON
	newer  *side              // components of the same name have its types. It may be nil
	own    *own.Package       // the types of the service, or nil
	placed map[string]string  // a component or the hint of another schema, to the body that it is
	routes map[string]bool    // that the document has; nil before has
	here   map[uintptr]became // schemas without a component
}

func newSide(source Source, set *gotype.Set, raw map[string]bool, newest bool) *side {
	s := &side{Source: source, set: set, names: map[string]string{}, raw: raw, placed: map[string]string{}}
	if !newest {
		s.suffix = "Of" + gotype.Name(source.Version)
	}
	return s
}

// taken are names that the draft itself declares.
var taken = []string{"Any", "History", "Newest", "Routes", "Webhooks"}

// nameOf returns the Go type of a component, or of a schema without a name, at the place of hint.
func (s *side) nameOf(component, hint string) (name string, isNew bool) {
	key := component
	if component == "" {
		key = " " + hint // no component has this name
	}
	if name = s.names[key]; name != "" {
		return name, s.set.Get(name) == nil
	}
	name = gotype.Name(strings.TrimSpace(key))
	if component == "" || s.isNewer(component) || s.set.Free(name) != name {
		name += s.suffix
	}
	if slices.Contains(taken, name) {
		name += "Type"
	}
	name = s.set.Free(name)
	s.names[key] = name
	return name, true
}

// isNewer reports whether a newer document has a component, whose type has its name.
func (s *side) isNewer(component string) bool {
	return s.newer != nil && (s.newer.Schema(component) != nil || s.newer.isNewer(component))
}

// typ returns the Go type of a schema, and whether it is a struct.
func (s *side) typ(v any, hint string) (expression string, isStruct bool) {
	w := s.View(v)
	component := s.Component(v)
	if newer := s.here[identity(v)]; component == "" && newer.typ != "" {
		return newer.typ, s.set.Is(newer.typ, gotype.Struct)
	}
	switch w.Kind {
	case "object":
		if s.own != nil {
			return s.given(w, component, hint)
		}
		if s.newer != nil && component != "" && s.newer.isObject(component) {
			return s.newer.names[component], true
		}
		name, isNew := s.nameOf(component, hint)
		if isNew {
			t := &gotype.Type{Name: name, Doc: s.doc(component, hint)}
			if isJoined(w) {
				t.Doc += ", with the members of all its forms"
			}
			s.set.Add(t)
			s.fields(t, w)
		}
		if s.newer == nil { // also under another name of the member
			s.became(v, name)
		}
		return name, true
	case "union":
		return s.union(w, component, hint), false
	case "list":
		elem, _ := s.typ(w.Schema["items"], hint)
		return "[]" + elem, false
	case "map":
		if a := document.Obj(w.Schema["additionalProperties"]); len(a) > 0 {
			elem, _ := s.typ(a, hint)
			return "map[string]" + elem, false
		}
	case "string":
		return "string", false
	case "integer":
		return "int64", false
	case "number":
		return "float64", false
	case "boolean":
		return "bool", false
	}
	return s.any(), false
}

// became notes the type of the newer form of a schema, so that older documents are compared with this type.
func (s *side) became(v any, t string) {
	if s.here == nil {
		s.here = map[uintptr]became{}
	}
	if id := identity(v); id != 0 && s.here[id].typ == "" && s.Component(v) == "" {
		s.here[id] = became{t, v}
	}
}

// became is the type of the newer form of a schema. It holds the schema, so that no other one gets its identity.
type became struct {
	typ    string
	schema any
}

// identity distinguishes equal schemas of a document.
func identity(v any) uintptr {
	if o := document.Obj(v); o != nil {
		return reflect.ValueOf(o).Pointer()
	}
	return 0
}

// any returns the type of what no edit reaches.
func (s *side) any() string {
	s.set.Add(&gotype.Type{Name: "Any", Doc: "is a value of any type, which no edit reaches", Kind: gotype.Raw})
	return "Any"
}

// doc is the rest of the sentence about a type.
func (s *side) doc(component, hint string) string {
	what := "is the schema " + component
	if component == "" {
		what = "is the schema of " + strings.TrimSpace(hint)
	}
	if s.suffix != "" {
		what += " of " + s.Version
	}
	return what
}

// isObject reports whether a component is a struct among the types.
func (s *side) isObject(component string) bool {
	return s.Schema(component) != nil && s.set.Is(s.names[component], gotype.Struct) &&
		s.View(document.Ref(component)).Kind == "object"
}

func (s *side) union(w document.View, component, hint string) string {
	if s.own != nil {
		return s.any() // its OneOf is the author's
	}
	name, isNew := s.nameOf(component, hint)
	if !isNew {
		return name
	}
	by, texts := s.Texts(w)
	if by == "" || s.raw[name] {
		s.set.Add(&gotype.Type{Name: name, Doc: s.doc(component, hint) + ", which no edit reaches", Kind: gotype.Raw})
		return name
	}
	t := &gotype.Type{Name: name, Doc: s.doc(component, hint), Kind: gotype.Union, By: by}
	s.set.Add(t)
	for i, variant := range w.Variants {
		of, _ := s.typ(variant, variantHint(name, texts[i]))
		t.Variants = append(t.Variants, gotype.Variant{Type: of, Texts: texts[i]})
		if in := s.set.Get(of); !slices.Contains(in.Union, name) {
			in.Union = append(in.Union, name)
		}
	}
	return name
}

func (s *side) fields(t *gotype.Type, w document.View) {
	for _, p := range document.Names(w.Props) {
		if !validTag(p) {
			continue
		}
		f := gotype.Field{Key: "json", Member: p}
		var isStruct bool
		f.Type, isStruct = s.typ(w.Props[p], t.Name+" "+p)
		nullable := s.View(w.Props[p]).Nullable && !strings.HasPrefix(f.Type, "[]") &&
			!strings.HasPrefix(f.Type, "map[") && !s.set.Is(f.Type, gotype.Union)
		f.Pointer = isStruct || nullable || !w.Required[p] && s.set.Is(f.Type, gotype.Raw)
		if !w.Required[p] {
			f.Options = ",omitempty"
		} else if p == "-" {
			f.Options = ","
		}
		t.NewField(f)
	}
}

// validTag reports whether encoding/json takes a name from a tag.
func validTag(member string) bool {
	return member != "" && !strings.ContainsAny(member, "\",\\`'")
}

// given returns the type of the service for an object, or raw JSON that no edit reaches.
func (s *side) given(w document.View, component, hint string) (name string, isStruct bool) {
	key, schema := component, component
	if component == "" {
		key, schema = " "+hint, hint
	}
	if name, ok := s.names[key]; ok {
		return name, s.set.Is(name, gotype.Struct)
	}
	place := s.placed[schema]
	if place == "" {
		place = hint
	}
	t := s.own.Match(schema, place, gotype.Name(schema), document.Names(w.Props))
	if t == nil {
		s.names[key] = s.any()
		return s.names[key], false
	}
	s.names[key] = t.Name
	if s.set.Get(t.Name) == nil {
		copied := *t
		copied.Fields = slices.Clone(t.Fields)
		s.set.Add(&copied)
	}
	for _, p := range document.Names(w.Props) {
		s.typ(w.Props[p], t.Name+" "+p)
	}
	return t.Name, true
}

// variantHint names a variant without a component, by its union and its texts.
func variantHint(union string, texts []string) string { return union + " " + texts[0] }
