// Package gotype holds the Go types of a draft until they are printed.
package gotype

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// A Set has the declared types by name.
type Set struct {
	types    map[string]*Type
	reserved map[string]bool
}

// A Type is a struct, an interface that its variants implement, or a struct of raw JSON.
type Type struct {
	Name   string
	Doc    string // a sentence without its first word, the name
	Kind   Kind
	Fields []Field  // of a Struct
	Union  []string // the interfaces that it implements
	Given  bool     // it is declared elsewhere
	Alias  string   // a given type that it has the members of
	// By is the member that distinguishes the variants of a Union.
	By       string
	Variants []Variant
}

// A Variant is a struct of a Union, with its texts.
type Variant struct {
	Type  string
	Texts []string
}

// Kind is the kind of a Type.
type Kind int

// The kinds of types.
const (
	Struct Kind = iota
	Union
	Raw
)

// A Field is a field of a struct.
type Field struct {
	Name, Type string
	Pointer    bool
	Key        string // of the tag: json, query, header or form
	Member     string
	Options    string // of the tag, such as ",omitempty"
}

// NewSet returns an empty Set.
func NewSet() *Set { return &Set{types: map[string]*Type{}, reserved: map[string]bool{}} }

// Reserve keeps names free, which something else has.
func (s *Set) Reserve(names ...string) {
	for _, name := range names {
		s.reserved[name] = true
	}
}

// Get returns a type, or nil.
func (s *Set) Get(name string) *Type { return s.types[name] }

// Add adds a type, or replaces the type of its name.
func (s *Set) Add(t *Type) { s.types[t.Name] = t }

// Delete removes a type.
func (s *Set) Delete(name string) { delete(s.types, name) }

// Names returns the names of all types, sorted.
func (s *Set) Names() []string { return slices.Sorted(maps.Keys(s.types)) }

// Is reports whether a name is a type of a kind.
func (s *Set) Is(name string, kind Kind) bool {
	t := s.types[name]
	return t != nil && t.Kind == kind
}

// Copy adds a struct with the fields of another one.
func (s *Set) Copy(from, name string) {
	t := *s.types[from]
	if t.Given {
		t.Given, t.Alias = false, from
	}
	t.Name, t.Fields, t.Union = name, slices.Clone(t.Fields), nil
	s.types[name] = &t
}

// Free returns name, or the first of name2, name3 and so on that no type has.
func (s *Set) Free(name string) string {
	free := name
	for i := 2; s.types[free] != nil || s.reserved[free]; i++ {
		free = fmt.Sprint(name, i)
	}
	return free
}

// Field returns the field of a member, or nil.
func (t *Type) Field(member string) *Field {
	for i := range t.Fields {
		if t.Fields[i].Member == member {
			return &t.Fields[i]
		}
	}
	return nil
}

// Element returns the type of the elements of a list or a map, or a type.
func Element(expression string) string {
	for _, of := range []string{"[]", "map[string]", "*"} {
		expression = strings.TrimPrefix(expression, of)
	}
	return expression
}

// NewField adds the field of a member, with a name that no other field has.
func (t *Type) NewField(f Field) {
	f.Name = Name(f.Member)
	for i := 2; slices.ContainsFunc(t.Fields, func(other Field) bool { return other.Name == f.Name }); i++ {
		f.Name = fmt.Sprint(Name(f.Member), i)
	}
	t.Fields = append(t.Fields, f)
}

// Reached returns the names of the types that the given ones need, sorted.
func (s *Set) Reached(from []string) []string {
	seen := map[string]bool{}
	var visit func(expression string)
	visit = func(expression string) {
		for _, name := range identifier.FindAllString(expression, -1) {
			t := s.types[name]
			if t == nil || seen[name] {
				continue
			}
			seen[name] = true
			for _, f := range t.Fields {
				visit(f.Type)
			}
			for _, v := range t.Variants {
				visit(v.Type)
			}
		}
	}
	for _, name := range from {
		visit(name)
	}
	return slices.Sorted(maps.Keys(seen))
}

var identifier = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)

// Print returns the declarations of the types of these names, not yet formatted.
func (s *Set) Print(names []string) string {
	var b strings.Builder
	for _, name := range names {
		t := s.types[name]
		if t.Given {
			continue
		}
		if t.Doc != "" {
			fmt.Fprintf(&b, "// %s %s.\n", name, t.Doc)
		}
		switch t.Kind {
		case Struct:
			if t.Alias != "" {
				fmt.Fprintf(&b, "type %s %s\n\n", name, t.Alias)
				continue
			}
			fmt.Fprintf(&b, "type %s struct {\n", name)
			for _, f := range t.Fields {
				pointer := ""
				if f.Pointer {
					pointer = "*"
				}
				fmt.Fprintf(&b, "\t%s %s%s `%s:%q`\n", f.Name, pointer, f.Type, f.Key, f.Member+f.Options)
			}
			b.WriteString("}\n\n")
		case Union:
			fmt.Fprintf(&b, "type %s interface{ is%s() }\n\n", name, name)
		case Raw:
			fmt.Fprintf(&b, "type %s struct{ json.RawMessage }\n\n", name)
		}
		for _, union := range slices.Compact(slices.Sorted(slices.Values(t.Union))) {
			if s.Is(union, Union) {
				fmt.Fprintf(&b, "func (%s) is%s() {}\n\n", name, union)
			}
		}
	}
	return b.String()
}

var notWord = regexp.MustCompile(`[^A-Za-z0-9]+`)

// initialisms are the words that Go writes in capitals.
var initialisms = map[string]string{
	"Api": "API", "Html": "HTML", "Http": "HTTP", "Https": "HTTPS", "Id": "ID", "Ids": "IDs", "Ip": "IP", "Json": "JSON", "Sql": "SQL", "Uri": "URI", "Url": "URL", "Urls": "URLs", "Uuid": "UUID", "Xml": "XML",
}

// Name returns the exported Go name of a name in a document.
func Name(text string) string {
	var b strings.Builder
	for word := range strings.FieldsSeq(notWord.ReplaceAllString(text, " ")) {
		word = strings.ToUpper(word[:1]) + word[1:]
		if all, ok := initialisms[word]; ok {
			word = all
		}
		b.WriteString(word)
	}
	name := b.String()
	for short, all := range initialisms { // the last word of bookingId
		if strings.HasSuffix(name, short) && len(name) > len(short) &&
			unicode.IsLower(rune(name[len(name)-len(short)-1])) {
			return strings.TrimSuffix(name, short) + all
		}
	}
	if name == "" || unicode.IsDigit(rune(name[0])) {
		name = "N" + name
	}
	return name
}

// Norm returns a name in lower case, without what separates its words.
func Norm(text string) string { return strings.ToLower(notWord.ReplaceAllString(text, "")) }

// Local returns the unexported form of a Go name.
func Local(name string) string {
	n := 1
	for n < len(name) && unicode.IsUpper(rune(name[n])) && (n+1 == len(name) || !unicode.IsLower(rune(name[n+1]))) {
		n++
	}
	return strings.ToLower(name[:n]) + name[n:]
}
