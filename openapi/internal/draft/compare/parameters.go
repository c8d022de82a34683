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
	if len(r.edits[name]) > 0 && len(t.Fields) > 0 {
		return name
	}
	for _, e := range r.edits[name] {
		r.note("%s: %s has no struct that it could be of", r.hint, e.Options[0])
	}
	delete(r.edits, name)
	r.Set.Delete(name)
	return ""
}

// form drafts the struct of a form, and returns its name, or "".
func (r *routing) form() string {
	of := func(s *side, o document.Operation) (document.View, bool) {
		content := document.Obj(s.Body(o.Op["requestBody"]))
		for _, mediaType := range []string{"application/x-www-form-urlencoded", "multipart/form-data"} {
			if schema := document.Obj(content[mediaType])["schema"]; schema != nil && s.View(schema).Kind == "object" {
				return s.View(schema), true
			}
		}
		return document.View{}, false
	}
	x, had := of(r.a, *r.was)
	y, has := of(r.b, r.o)
	if !had || !has {
		return ""
	}
	t := r.fields(x, y, "form")
	if t == "" && r.accepted != "" && r.edited(r.accepted) {
		r.note("%s: older clients get 415 for forms, whose edits are in objects inside", r.hint)
	}
	return t
}
