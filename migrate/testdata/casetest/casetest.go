// Package casetest builds the histories of the cases in testdata/cases, for the tests of package migrate and for those of
// services.
package casetest

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

// Node is the recursive type of the cases.
type Node struct {
	Value    string          `json:"value"`
	Left     *Node           `json:"left"`
	Children []Node          `json:"children"`
	ByName   map[string]Node `json:"by_name"`
}

// Case is a line of testdata/cases/*.jsonl.
type Case struct {
	ID, Group string
	Types     map[string]struct {
		Go     string
		Fields []struct{ Name, Type, Tag, Embedded string }
	}
	Unions map[string]struct {
		By    string
		Types map[string]string
	}
	At []struct {
		Of, As  string
		Members []string
	}
	Root     string
	Versions []struct {
		Name    string
		Changes []struct {
			Text, Type string
			Edits      []Row
		}
	}
	Version, Direction, In, Want, Error string
	Verbatim                            []string
	Partial, Replace                    bool

	API *verso.Versioning // of the history
}

// History returns the history of the case, and the type of its body.
func (c *Case) History() (*migrate.History, reflect.Type, error) {
	made := map[string]reflect.Type{}
	root := c.goType(c.Root, made)
	var versions []string
	var revisions []migrate.Revision
	for _, v := range c.Versions {
		var changes []*migrate.Change
		for _, change := range v.Changes {
			var edits []migrate.Edit
			for _, e := range change.Edits {
				edits = append(edits, e.Edit())
			}
			changes = append(changes, migrate.Changed(change.Text, migrate.ForType(c.goType(change.Type, made), edits...)))
		}
		if !slices.Contains(versions, v.Name) {
			versions = append(versions, v.Name)
		}
		revisions = append(revisions, migrate.Release(v.Name, changes...))
	}
	for _, name := range slices.Sorted(maps.Keys(c.Unions)) {
		var variants []migrate.OfOne
		for text, of := range c.Unions[name].Types {
			variants = append(variants, migrate.VariantType(c.goType(of, made), text))
		}
		revisions = append(revisions, migrate.OneOfType(c.goType("union:"+name, made), c.Unions[name].By, variants...))
	}
	for _, at := range c.At {
		revisions = append(revisions, migrate.AtType(c.goType(at.Of, made), c.goType(at.As, made), at.Members...))
	}
	c.API = APIOf(versions...)
	h, err := migrate.New(c.API, revisions...)
	return h, root, err
}

// Method is the method of the case's request.
func (c *Case) Method() string {
	switch {
	case c.Partial:
		return "PATCH"
	case c.Replace:
		return "PUT"
	}
	return "POST"
}

// Bodies are the declarations of a route for the type of the body, nil if it is of no case in the group kinds.
func (c *Case) Bodies() []migrate.Body {
	both := map[string][]migrate.Body{
		"Thing": {migrate.Accepts[Thing](), migrate.Returns[Thing]()}, "Outer": {migrate.Accepts[Outer](), migrate.Returns[Outer]()},
		"Deep": {migrate.Accepts[Deep](), migrate.Returns[Deep]()}, "Page": {migrate.Accepts[Page](), migrate.Returns[Page]()},
		"Inner": {migrate.Accepts[Inner](), migrate.Returns[Inner]()},
		"Hides": {migrate.Accepts[Hides](), migrate.Returns[Hides]()}, "[]Thing": {migrate.Accepts[[]Thing](), migrate.Returns[[]Thing]()},
		"map[string]Thing": {migrate.Accepts[map[string]Thing](), migrate.Returns[map[string]Thing]()},
	}
	return both[c.Root]
}

// APIOf returns an API with the versions, the newest first.
func APIOf(versions ...string) *verso.Versioning {
	versions = slices.Clone(versions)
	slices.Reverse(versions)
	return verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: versions})
}

// Basic are the types that edits fit.
var Basic = map[string]reflect.Type{
	"string": reflect.TypeFor[any](), "int": reflect.TypeFor[any](), "float": reflect.TypeFor[any](),
	"bool": reflect.TypeFor[any](), "any": reflect.TypeFor[any](), // edits of the cases do not fit the types of scalars
}

// interfaces are the types of unions: every struct has their methods.
var interfaces = []reflect.Type{reflect.TypeFor[interface1](), reflect.TypeFor[interface2]()}

type (
	interface1 any
	interface2 any
)

// Thing, Inner and the types that embed them belong to the cases in the group kinds.
type Thing struct {
	ID    int     `json:"id"`
	A     string  `json:"a,omitempty"`
	B     string  `json:"b,omitempty"`
	N     int     `json:"n,omitempty"`
	Inner *Inner  `json:"inner,omitempty"`
	List  []Inner `json:"list,omitempty"`
}

type Inner struct {
	X string `json:"x,omitempty"`
	Y int    `json:"y,omitempty"`
}

// InThing is the Inner of a Thing, by At.
type InThing Inner

type Outer struct {
	Thing
	Extra string `json:"extra"`
}

type Deep struct {
	*Outer
	More string `json:"more"`
}

type Hides struct {
	Thing
	A int `json:"a"`
}

type Page struct {
	Items []Outer          `json:"items"`
	By    map[string]Outer `json:"by"`
}

var kindTypes = map[string]reflect.Type{
	"Thing": reflect.TypeFor[Thing](), "Inner": reflect.TypeFor[Inner](), "InThing": reflect.TypeFor[InThing](), "Outer": reflect.TypeFor[Outer](), "Deep": reflect.TypeFor[Deep](),
	"Hides": reflect.TypeFor[Hides](), "Page": reflect.TypeFor[Page](),
}

func (c *Case) goType(text string, made map[string]reflect.Type) reflect.Type {
	if rest, ok := strings.CutPrefix(text, "*"); ok {
		return reflect.PointerTo(c.goType(rest, made))
	}
	if rest, ok := strings.CutPrefix(text, "[]"); ok {
		return reflect.SliceOf(c.goType(rest, made))
	}
	if rest, ok := strings.CutPrefix(text, "map[string]"); ok {
		return reflect.MapOf(reflect.TypeFor[string](), c.goType(rest, made))
	}
	if known := Basic[text]; known != nil {
		return known
	}
	if name, ok := strings.CutPrefix(text, "union:"); ok {
		return interfaces[slices.Index(slices.Sorted(maps.Keys(c.Unions)), name)]
	}
	if known := kindTypes[text]; known != nil && c.Group == "kinds" {
		return known
	}
	if made[text] == nil {
		declared, ok := c.Types[text]
		if !ok {
			panic("no type " + text)
		}
		if declared.Go == "Node" {
			made[text] = reflect.TypeFor[Node]()
			return made[text]
		}
		var fields []reflect.StructField
		for i, f := range declared.Fields {
			if f.Tag != "" {
				f.Name += "," + f.Tag
			}
			tag := "json:" + strconv.Quote(f.Name)
			if i == 0 {
				tag += fmt.Sprintf(" name:%q", text) // types of the same fields are not the same
			}
			typ := c.goType(f.Type, made)
			for _, u := range c.Unions {
				if f.Name == u.By && slices.Contains(slices.Collect(maps.Values(u.Types)), text) {
					typ = reflect.TypeFor[string]()
				}
			}
			fields = append(fields, reflect.StructField{Name: "F" + strconv.Itoa(i), Type: typ, Tag: reflect.StructTag(tag)})
		}
		made[text] = reflect.StructOf(fields)
	}
	return made[text]
}

// flattened finds the older Go type by the names inside.
func flattened(old string, members map[string]string) migrate.Edit {
	switch strings.Join(slices.Sorted(maps.Keys(members)), " ") {
	case "a i":
		return migrate.Flattened[struct {
			A string `json:"a,omitempty"`
			I *Inner `json:"i,omitempty"`
		}](old, members)
	case "one":
		return migrate.Flattened[struct {
			One string `json:"one,omitempty"`
		}](old, members)
	case "one two":
		return migrate.Flattened[*struct {
			One string `json:"one,omitempty"`
			Two string `json:"two,omitempty"`
		}](old, members)
	case "in l":
		return migrate.Flattened[struct {
			In *Inner  `json:"in,omitempty"`
			L  []Inner `json:"l,omitempty"`
		}](old, members)
	case "need":
		return migrate.Flattened[struct {
			Need string `json:"need"`
		}](old, members)
	case "old":
		return migrate.Flattened[struct {
			Old *struct {
				Z string `json:"z"`
			} `json:"old,omitempty"`
		}](old, members)
	case "p q":
		return migrate.Flattened[struct {
			P any `json:"p,omitempty"`
			Q any `json:"q,omitempty"`
		}](old, members)
	case "q":
		return migrate.Flattened[struct {
			Q string `json:"q,omitempty"`
		}](old, members)
	}
	panic(members)
}

type Money struct {
	Amount   int64  `json:"amount"`
	Currency string `json:"currency"`
}

func ToCents(euros int64) (int64, error) {
	if euros > 1e16 || euros < -1e16 {
		return 0, ErrValue
	}
	return euros * 100, nil
}

func ToEuros(cents int64) (int64, error) {
	if cents%100 != 0 {
		return 0, ErrValue
	}
	return cents / 100, nil
}

func canonicalInt(s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err == nil && (strconv.FormatInt(n, 10) != s || len(strings.TrimPrefix(s, "-")) > 18) {
		err = ErrValue
	}
	return n, err
}

func SplitSpace(s string) (a, b string, err error) {
	if s == "" {
		return "", "", ErrValue
	}
	a, b, _ = strings.Cut(s, " ")
	return a, b, nil
}

func JoinSpace(a, b string) (string, error) { return strings.Trim(a+" "+b, " "), nil }

func must(err error) {
	if err != nil {
		panic(err)
	}
}
