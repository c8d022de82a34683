// Package document reads the OpenAPI documents that publishers have, and follows what is in them.
package document

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Object is a decoded JSON object.
type Object = map[string]any

// A Document is a document whose references can be followed. Malformed schemas are empty,
// schemas of other files are among its components, and Notes names both.
type Document struct {
	Root  Object
	Notes []string
	path  string
	files map[string]any
	names map[string]string // a reference to another file or into a schema, to the reference to its component
	roles map[string]Roles
	views map[string]View // of references; nil for a clone, which may change

	lifting []string // references that are being replaced by what they lead to
}

// Roles are where a component is used.
type Roles struct{ Request, Response bool }

// Obj returns v if it is an object, or nil.
func Obj(v any) Object { m, _ := v.(Object); return m }

// List returns v if it is a list, or nil.
func List(v any) []any { l, _ := v.([]any); return l }

// Str returns v if it is a text, or "".
func Str(v any) string { s, _ := v.(string); return s }

// Compact returns the JSON of a decoded value, in one line, with sorted members.
func Compact(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err.Error() // a decoded value has no other types
	}
	return strings.TrimSpace(b.String())
}

// Copied returns a deep copy of a decoded value.
func Copied(v any) any {
	switch v := v.(type) {
	case Object:
		m := make(Object, len(v))
		for k, x := range v {
			m[k] = Copied(x)
		}
		return m
	case []any:
		l := make([]any, len(v))
		for i := range v {
			l[i] = Copied(v[i])
		}
		return l
	}
	return v
}

// Names returns the sorted names of the members of an object.
func Names(m Object) []string { return slices.Sorted(maps.Keys(m)) }

var (
	escape   = strings.NewReplacer("~", "~0", "/", "~1")
	unescape = strings.NewReplacer("~1", "/", "~0", "~", "%7B", "{", "%7D", "}", "%20", " ")
)

// at returns what a reference inside the document leads to, or nil.
func (d *Document) at(ref string) any {
	var at any = d.Root
	for token := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
		token = unescape.Replace(token)
		if l := List(at); l != nil {
			var i int
			if _, err := fmt.Sscan(token, &i); err != nil || i < 0 || i >= len(l) {
				return nil
			}
			at = l[i]
			continue
		}
		at = Obj(at)[token]
	}
	return at
}

// Follow returns the target of v if it is a reference, or v.
func (d *Document) Follow(v any) Object {
	m := Obj(v)
	for range 9 {
		ref := Str(m["$ref"])
		if ref == "" {
			break
		}
		m = Obj(d.at(ref))
	}
	return m
}

// Component returns the name of the component that a schema is, or "". An allOf of one reference is
// this component, and so is a choice between a reference and null.
func (d *Document) Component(v any) string {
	if ref := Str(Obj(v)["$ref"]); strings.HasPrefix(ref, SchemaRef) {
		if name := ref[len(SchemaRef):]; !strings.Contains(name, "/") {
			return unescape.Replace(name)
		}
		return ""
	}
	if Obj(Obj(v)["properties"]) != nil || Obj(v)["required"] != nil {
		return ""
	}
	var parts []any
	for _, k := range []string{"allOf", "oneOf", "anyOf"} {
		for _, part := range List(Obj(v)[k]) {
			if k == "allOf" || !isNull(d.Follow(part)) {
				parts = append(parts, part)
			}
		}
	}
	if len(parts) != 1 {
		return ""
	}
	return d.Component(parts[0])
}

// isNull reports whether a variant is null. Documents of OpenAPI 3.0, which lacks this type, write nullable alone.
func isNull(s Object) bool {
	if values := List(s["enum"]); Str(s["type"]) == "null" || len(values) == 1 && values[0] == nil {
		return true
	}
	only := s["nullable"] == true
	for k := range s {
		only = only && (k == "nullable" || slices.Contains(texts, k))
	}
	return only
}

// texts are the keywords that people read.
var texts = []string{"description", "title", "example", "examples", "externalDocs", "summary"}

// Schemas returns the components that are schemas.
func (d *Document) Schemas() Object { return Obj(Obj(d.Root["components"])["schemas"]) }

// Schema returns a component, or nil.
func (d *Document) Schema(name string) any {
	if name == "" {
		return nil
	}
	return d.Schemas()[name]
}

// SchemaRef begins the references to schemas.
const SchemaRef = "#/components/schemas/"

// Ref returns a reference to a component.
func Ref(name string) Object { return Object{"$ref": SchemaRef + name} }

// An Operation is a method of a path.
type Operation struct {
	Method, Path string
	Op, Item     Object
}

// Methods are the names of operations in a path.
var Methods = []string{"delete", "get", "head", "options", "patch", "post", "put", "trace"}

// Operations returns the operations, sorted by their paths.
func (d *Document) Operations() (out []Operation) {
	paths := Obj(d.Root["paths"])
	for _, path := range Names(paths) {
		item := d.Follow(paths[path])
		for _, method := range Names(item) {
			if op := Obj(item[method]); op != nil && slices.Contains(Methods, method) {
				out = append(out, Operation{strings.ToUpper(method), path, op, item})
			}
		}
	}
	return out
}

var braces = regexp.MustCompile(`\{[^}]*\}`)

// PathShape returns a path without the names of its parameters.
func PathShape(path string) string { return braces.ReplaceAllString(path, "{}") }

// Route identifies an operation as a router does: names of path parameters do not matter.
func (o Operation) Route() string { return o.Method + " " + PathShape(o.Path) }

// Routes returns the operations, of those that are one route to a router the first.
func (d *Document) Routes() (l []Operation) {
	seen := map[string]bool{}
	for _, o := range d.Operations() {
		if key := o.Route(); !seen[key] {
			seen[key] = true
			l = append(l, o)
		}
	}
	return l
}

// noteSameRoutes notes the operations that are not in Routes.
func (d *Document) noteSameRoutes() {
	first := map[string]string{}
	for _, o := range d.Operations() {
		if path, ok := first[o.Route()]; ok {
			d.note("#/paths/"+escape.Replace(o.Path), "to a router, %s is the same as that of %q, which alone is compared",
				o.Method, path)
			continue
		}
		first[o.Route()] = o.Path
	}
}

func (d *Document) note(place, format string, args ...any) {
	d.Notes = append(d.Notes, filepath.Base(d.path)+" "+place+": "+fmt.Sprintf(format, args...))
}

// Parameters returns the parameters of an operation of one kind, such as "query", by name.
func (d *Document) Parameters(o Operation, in string) map[string]Object {
	out := map[string]Object{}
	for _, p := range slices.Concat(List(o.Item["parameters"]), List(o.Op["parameters"])) {
		if m := d.Follow(p); Str(m["in"]) == in {
			out[Str(m["name"])] = m
		}
	}
	return out
}

// Webhooks are the operations that the service sends, by name.
func (d *Document) Webhooks() Object {
	all := Object{}
	maps.Copy(all, Obj(d.Root["x-webhooks"]))
	maps.Copy(all, Obj(d.Root["webhooks"]))
	maps.DeleteFunc(all, func(_ string, hook any) bool { return Obj(hook) == nil }) // an extension
	return all
}

// RolesOf returns where a component is used.
func (d *Document) RolesOf(component string) Roles {
	if d.roles == nil {
		d.roles = map[string]Roles{}
		for _, o := range d.Operations() {
			d.mark(o.Op["requestBody"], Roles{Request: true})
			d.mark(o.Item["parameters"], Roles{Request: true})
			d.mark(o.Op["parameters"], Roles{Request: true})
			d.mark(o.Op["responses"], Roles{Response: true})
		}
		for _, hook := range d.Webhooks() {
			d.mark(hook, Roles{Response: true})
		}
	}
	return d.roles[SchemaRef+component]
}

// And returns the roles of both.
func (r Roles) And(other Roles) Roles {
	return Roles{r.Request || other.Request, r.Response || other.Response}
}

func (d *Document) mark(v any, role Roles) {
	switch v := v.(type) {
	case Object:
		if ref := Str(v["$ref"]); ref != "" {
			if d.roles[ref].And(role) == d.roles[ref] {
				return
			}
			d.roles[ref] = d.roles[ref].And(role)
			d.mark(d.Follow(v), role)
		}
		for k, x := range v {
			if k != "example" && k != "examples" {
				d.mark(x, role)
			}
		}
	case []any:
		for _, x := range v {
			d.mark(x, role)
		}
	}
}

// Clone returns a copy of the document.
func (d *Document) Clone() *Document {
	c := *d
	c.Root = Obj(Copied(d.Root))
	c.roles, c.views = nil, nil
	return &c
}

// addComponent adds an empty component for what a reference leads to, and returns those of its kind and its name: the
// given one, or a free one like it.
func (d *Document) addComponent(ref, kind, name string) (all Object, free string) {
	all = Obj(Obj(d.Root["components"])[kind])
	if all == nil {
		all = Object{}
		Obj(d.Root["components"])[kind] = all
	}
	for all[name] != nil {
		name += "_"
	}
	d.names[ref] = "#/components/" + kind + "/" + name
	all[name] = Object{}
	return all, name
}
