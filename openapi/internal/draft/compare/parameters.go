package compare

import (
	"fmt"
	"regexp"
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
	x, had := r.formOf(r.a, *r.was)
	y, has := r.formOf(r.b, r.o)
	if !had || !has {
		return ""
	}
	isEdited := r.accepted != "" && r.edited(r.accepted)
	why := ""
	if isEdited {
		why = r.notAsJSON()
	}
	isJSON := isEdited && why == ""
	if isJSON && areJSON(r.a, *r.was) {
		return r.asSent(y)
	}
	if x.Kind == "object" && y.Kind == "object" {
		if t := r.fields(x, y, "form"); t != "" {
			return t
		}
	}
	switch {
	case isJSON: // the rest of an older form is lost, but not the whole media type
		return r.asSent(y)
	case isEdited:
		r.note("%s: older clients get 415 for forms, which no declaration lifts as JSON: %s", r.hint, why)
	}
	return ""
}

// notAsJSON returns why forms cannot be described as the JSON beside them, or "".
func (r *routing) notAsJSON() string {
	switch why := r.lifting(r.accepted); {
	case !r.only:
		return "there are several older documents"
	case why == "" && !areJSON(r.b, r.o):
		return "they have a schema of their own"
	default:
		return why
	}
}

// formTypes are the media types of forms.
var formTypes = []string{"application/x-www-form-urlencoded", "multipart/form-data"}

// formOf returns the schema of the forms of an operation, if they have any.
func (r *routing) formOf(s *side, o document.Operation) (document.View, bool) {
	content := document.Obj(s.Body(o.Op["requestBody"]))
	for _, mediaType := range formTypes {
		if schema := document.Obj(content[mediaType])["schema"]; schema != nil {
			return s.View(schema), true
		}
	}
	return document.View{}, false
}

// areJSON reports whether each form of an operation has the schema of JSON, or that and fields of its own: their
// documents are lowered alike.
func areJSON(s *side, o document.Operation) bool {
	content := document.Obj(s.Body(o.Op["requestBody"]))
	schema := document.Compact(document.JSON(content))
	isJSON := func(s any) bool { return document.Compact(s) == schema }
	return !slices.ContainsFunc(document.MediaTypes(content, func(t string) bool { return !document.IsJSON(t) }),
		func(t string) bool {
			of := document.Obj(content[t])["schema"]
			return !isJSON(of) && !slices.ContainsFunc(document.List(document.Obj(of)["allOf"]), isJSON)
		})
}

// kind finds the functions of edits.
var kind = regexp.MustCompile(`migrate\.([A-Z]\w*)\(`)

// lifting returns an edit that changes what older clients send in a Go type, or "". New refuses Mapped of a member whose
// type has edits.
func (r *routing) lifting(t string) string {
	for _, name := range r.Set.Reached([]string{t}) {
		for _, e := range r.edits[name] {
			for _, m := range kind.FindAllStringSubmatch(e.Options[0], -1) {
				if m[1] == "Mapped" && r.isRefused(name, e) {
					continue
				}
				if !slices.Contains([]string{"Added", "Documented", "NewVariant", "NotNull", "Omitted"}, m[1]) {
					return fmt.Sprintf("%s of %s", m[1], name)
				}
			}
		}
	}
	return ""
}

// mappedMember finds the member that an edit maps.
var mappedMember = regexp.MustCompile(`migrate\.Mapped\("([^"]*)"`)

// isRefused reports whether an edit maps a member whose type has edits of another form.
func (r *routing) isRefused(t string, e *Edit) bool {
	found := mappedMember.FindStringSubmatch(e.Options[0])
	field := r.Set.Get(t).Field(found[1])
	return field != nil && slices.ContainsFunc(r.Set.Reached([]string{field.Type}), func(inner string) bool {
		return slices.ContainsFunc(r.edits[inner], func(e *Edit) bool {
			return !strings.HasPrefix(e.Options[0], "migrate.Documented(")
		})
	})
}

// asSent drafts the struct of a form that no edit changes, beside JSON whose edits change no request: it has the
// scalars of the form, of its variants, or of the elements of a list.
func (r *routing) asSent(w document.View) string {
	if w.Kind == "list" { // forms have a way of their own to write one
		w = r.b.View(w.Schema["items"])
	}
	t := &gotype.Type{Name: r.Set.Free(gotype.Name(operationName(r.o)) + "ParamsForm"),
		Doc: fmt.Sprintf("has the fields of %s (form), which are as older clients send them", r.hint)}
	for _, variant := range append([]any{w.Schema}, w.Variants...) {
		props := r.b.View(variant).Props
		for _, n := range document.Names(props) {
			isThere := slices.ContainsFunc(t.Fields, func(f gotype.Field) bool { return f.Member == n })
			if r.b.View(props[n]).IsScalar() && validTag(n) && !isThere {
				t.NewField(gotype.Field{Key: "form", Member: n, Type: "string"})
			}
		}
	}
	if len(t.Fields) == 0 {
		r.note("%s: older clients get 415 for forms, which have objects alone", r.hint)
		return ""
	}
	r.Set.Add(t)
	return t.Name
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
	m.add(m.name, fmt.Sprintf("migrate.Documented(%q, `%s`)", p, raw(older)),
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
	m.add(m.name, fmt.Sprintf("migrate.Documented(%q, `%s`)", p, raw(whole)), fmt.Sprintf(
		"the parameter %q %s: the text stays. If the newest version refuses it, convert it in the handler", p, change))
}
