package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goverso/verso/openapi/internal/draft/document"
	"github.com/goverso/verso/openapi/internal/draft/gotype"
)

var functions = map[string]string{"query": "Query", "header": "Headers", "form": "Form"}

// parameters drafts the struct of the parameters of an operation, and returns its name, or "" if no
// edit is about it.
func (r *routing) parameters(in string) string {
	of := func(s *side, o document.Operation) document.View {
		w := document.View{Props: document.Object{}, Required: map[string]bool{}}
		for name, p := range s.Parameters(o, in) {
			schema := p["schema"]
			if content := document.Obj(p["content"]); schema == nil && content != nil {
				schema = document.JSON(content)
			}
			if schema == nil {
				schema = document.Object{}
			}
			if !r.isVersion(name, s.Follow(schema)) && !ignoredHeader(in, name) {
				w.Props[name], w.Required[name] = schema, p["required"] == true
			}
		}
		return w
	}
	return r.fields(of(r.a, *r.was), of(r.b, r.o), in)
}

// ignoredHeader reports whether OpenAPI ignores a parameter.
func ignoredHeader(in, name string) bool {
	return in == "header" && slices.Contains([]string{"accept", "content-type", "authorization"}, strings.ToLower(name))
}

// isVersion reports whether a parameter is the one with the version, which the source reads.
func (d *drafter) isVersion(name string, schema document.Object) bool {
	for _, v := range append(slices.Clone(document.List(schema["enum"])), schema["default"]) {
		if text := fmt.Sprint(v); text == d.a.Version || text == d.b.Version {
			return true
		}
	}
	n := gotype.Norm(name)
	return strings.HasSuffix(n, "version") || n == "revision"
}

// fields drafts a struct of parameters.
func (r *routing) fields(x, y document.View, in string) string {
	if len(x.Props)+len(y.Props) == 0 {
		return ""
	}
	name := r.Set.Free(gotype.Name(operationName(r.o)) + "Params" + functions[in])
	t := &gotype.Type{Name: name, Doc: fmt.Sprintf("has the parameters of %s (%s)", r.hint, in)}
	r.Set.Add(t)
	for _, n := range document.Names(y.Props) {
		f := gotype.Field{Key: in, Member: n}
		if !validTag(n) {
			continue
		}
		if f.Type, _ = r.b.typ(y.Props[n], name+" "+n); !slices.Contains(parameterTypes, f.Type) {
			f.Type = "string"
		}
		t.NewField(f)
	}
	kept := slices.Clone(t.Fields)
	r.object(name, x, y, document.Roles{Request: true})
	t.Fields = kept // a member of another type is still a text
	if len(r.edits[name]) > 0 {
		return name
	}
	r.Set.Delete(name)
	return ""
}

// parameter documents the older type of a parameter, whose text stays.
func (m *members) parameter(p string, y document.View) {
	was, now := m.a.View(m.x.Props[p]), m.b.View(y.Props[p])
	if !was.IsScalar() || !now.IsScalar() {
		m.note("%s.%s is of another type", m.name, p)
		return
	}
	older := keywordsOf(was.Schema, now.Schema, false)
	older["type"] = was.Kind
	m.documents(p, older,
		fmt.Sprintf("the parameter %q was %s and is %s: the text stays. If the newest version refuses some of "+
			"the older texts, convert them in the handler", p, was.Kind, now.Kind))
}

// objectParameter documents the older members of a parameter, whose text stays.
func (m *members) objectParameter(p string, y, v, w document.View) {
	was := m.inlined(m.a.Follow(m.x.Props[p]))
	if document.Shape(was) == document.Shape(m.b.Follow(y.Props[p])) {
		return
	}
	m.carry(was)
	whole := document.Obj(document.Shaped(was))
	whole["type"] = "object"
	change := "had other members"
	if gone := missing(v.Props, w.Props); len(gone) > 0 {
		change = "had " + quoted(gone)
	}
	m.documents(p, whole, fmt.Sprintf(
		"the parameter %q %s: the text stays. If the newest version refuses it, convert it in the handler", p, change))
}
