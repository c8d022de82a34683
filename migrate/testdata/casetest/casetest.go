// Package casetest builds the histories of the cases in testdata/cases, for the tests of package migrate and for those of
// services.
package casetest

import (
	"encoding/json"
	"errors"
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
	Root     string
	Versions []struct {
		Name    string
		Changes []struct {
			Text, Type string
			Edits      []map[string]json.RawMessage
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
				edits = append(edits, editOf(e))
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
	"Thing": reflect.TypeFor[Thing](), "Inner": reflect.TypeFor[Inner](), "Outer": reflect.TypeFor[Outer](), "Deep": reflect.TypeFor[Deep](),
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

func constantOf(e map[string]json.RawMessage) (value any) {
	must(json.Unmarshal(e["constant"], &value))
	return value
}

var ErrValue = errors.New("no such value")

func editOf(e map[string]json.RawMessage) migrate.Edit {
	text := func(key string) (s string) {
		if e[key] != nil {
			must(json.Unmarshal(e[key], &s))
		}
		return s
	}
	texts := func(key string) (m map[string]string) {
		if e[key] != nil {
			must(json.Unmarshal(e[key], &m))
		}
		return m
	}
	name := text("name")
	if tag := text("tag"); tag != "" {
		name += "," + tag
	}
	switch op := text("op") + " " + text("fn"); op {
	case "renamed ":
		return migrate.Renamed(text("old"), text("new"))
	case "added ":
		switch {
		case e["refused"] != nil:
			return migrate.Added(name, migrate.Refused)
		case e["default"] == nil:
			return migrate.Added(name)
		}
		return migrate.Added(name, e["default"])
	case "removed ":
		switch {
		case e["constant"] == nil:
			return migrate.Removed(name)
		case e["tag"] == nil:
			return migrate.Removed(name, e["constant"])
		}
		return migrate.Removed(name, constantOf(e))
	case "withheld a_is_new":
		return migrate.Withheld(func(x Thing) bool { return x.A == "new" })
	case "joined ":
		return migrate.Joined(text("a"), text("b"), name, JoinSpace, SplitSpace)
	case "not_null ":
		return migrate.NotNull(name, constantOf(e))
	case "omitted ":
		return migrate.Omitted(name, constantOf(e))
	case "flattened ":
		return flattened(text("old"), texts("members"))
	case "documented ":
		return migrate.Documented(name, string(e["keywords"]))
	case "removed_from n_and_a":
		return migrate.RemovedFrom(name, "", func(in struct {
			N int    `json:"n"`
			A string `json:"a"`
		}) (string, error) {
			return strconv.Itoa(in.N) + in.A, nil
		})
	case "removed_from unless_x":
		return migrate.RemovedFrom(name, text("from"), func(text string) (string, error) { return strings.TrimPrefix(text, "x"), nil })
	case "removed_from inner_x":
		return migrate.RemovedFrom(name, text("from"), func(in Inner) (string, error) { return in.X, nil })
	case "mapped plain_text":
		return migrate.Mapped(name, func(text string) (int, error) {
			if text == "" {
				return 0, nil
			}
			return strconv.Atoi(text)
		}, func(n int) (string, error) {
			if n == 0 {
				return "", nil
			}
			return strconv.Itoa(n), nil
		})
	case "values ":
		var others []migrate.Value
		for value, read := range texts("new") {
			others = append(others, migrate.NewValue(value, read))
		}
		for value, now := range texts("gone") {
			others = append(others, migrate.OldValue(value, now))
		}
		return migrate.Values(name, texts("values"), others...)
	case "default ":
		return migrate.Default(name, e["old"])
	case "nested ":
		return migrate.Nested(name, texts("members"))
	case "removed_from same":
		return migrate.RemovedFrom(name, text("from"), func(raw json.RawMessage) (json.RawMessage, error) { return raw, nil })
	case "removed_from first":
		return migrate.RemovedFrom(name, text("from"), func(list []json.RawMessage) (json.RawMessage, error) {
			return slices.Concat(list, []json.RawMessage{json.RawMessage("null")})[0], nil
		})
	case "split space":
		return migrate.Split(text("old"), text("a"), text("b"), SplitSpace, JoinSpace)
	case "mapped euros_cents":
		return migrate.Mapped(name, ToCents, ToEuros)
	case "mapped int_text":
		return migrate.Mapped(name, func(n int64) (string, error) { return strconv.FormatInt(n, 10), nil }, canonicalInt)
	case "mapped bool_status":
		return migrate.Mapped(name, func(active bool) (string, error) {
			return map[bool]string{true: "active", false: "inactive"}[active], nil
		}, func(s string) (bool, error) {
			if s != "active" && s != "inactive" {
				return false, ErrValue
			}
			return s == "active", nil
		})
	case "mapped int_money":
		return migrate.Mapped(name, func(n int64) (Money, error) { return Money{n, "EUR"}, nil }, func(m Money) (int64, error) {
			if m.Currency != "EUR" {
				return 0, ErrValue
			}
			return m.Amount, nil
		})
	case "mapped one_list":
		return migrate.Mapped(name, func(s string) ([]string, error) { return []string{s}, nil }, func(list []string) (string, error) {
			if len(list) != 1 {
				return "", ErrValue
			}
			return list[0], nil
		})
	default:
		panic("the module has no edit " + op)
	}
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
