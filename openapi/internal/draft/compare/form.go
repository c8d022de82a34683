package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goverso/verso/openapi/internal/draft/document"
	"github.com/goverso/verso/openapi/internal/draft/gotype"
)

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
			if r.only && areJSON(r.a, *r.was) && areJSON(r.b, r.o) && r.liftsAlike(t) {
				r.edits[t] = withoutDescriptions(r.edits[t])
			}
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

// lifting returns an edit that changes what requests of older clients mean in a Go type, or "".
func (r *routing) lifting(t string) string {
	for _, name := range r.Set.Reached([]string{t}) {
		for _, e := range r.edits[name] {
			if k := r.lifts(name, e); k != "" {
				return fmt.Sprintf("%s of %s", k, name)
			}
		}
	}
	return ""
}

// lifts returns the function of an edit that changes what requests of older clients mean, or "". New refuses Mapped of
// a member whose type has edits. What Removed drops, the handler ignores in a form.
func (r *routing) lifts(t string, e *Edit) string {
	kept := []string{"Added", "Documented", "NewValue", "NewVariant", "NotNull", "Omitted", "Removed"}
	if slices.Contains(kept, e.Kind) || e.Kind == "Mapped" && r.isRefused(t, e) {
		return ""
	}
	return e.Kind
}

// liftsAlike reports whether what changes requests of older clients in the JSON beside a form are edits that the form
// has, too: documents describe it as the JSON then.
func (r *routing) liftsAlike(form string) bool {
	lifted := func(t string) (all []string) {
		for _, e := range r.edits[t] {
			if k := r.lifts(t, e); k != "" {
				all = append(all, k+" "+e.Member)
			}
		}
		return slices.Sorted(slices.Values(all))
	}
	inside := slices.DeleteFunc(r.Set.Reached([]string{r.accepted}), func(t string) bool { return t == r.accepted })
	return slices.Equal(lifted(r.accepted), lifted(form)) &&
		!slices.ContainsFunc(inside, func(t string) bool { return len(lifted(t)) > 0 })
}

// withoutDescriptions returns edits without Documented.
func withoutDescriptions(edits []*Edit) (all []*Edit) {
	for _, e := range edits {
		e.Options = slices.DeleteFunc(e.Options, func(o string) bool { return strings.HasPrefix(o, "migrate.Documented(") })
		if len(e.Options) > 0 {
			all = append(all, e)
		}
	}
	return all
}

// isRefused reports whether an edit maps a member whose type has edits of another form.
func (r *routing) isRefused(t string, e *Edit) bool {
	field := r.Set.Get(t).Field(e.Member)
	return field != nil && slices.ContainsFunc(r.Set.Reached([]string{field.Type}), func(inner string) bool {
		return slices.ContainsFunc(r.edits[inner], func(e *Edit) bool { return e.Kind != "Documented" })
	})
}

// asSent drafts the struct of a form that no edit changes, beside JSON whose edits change no request: it has the
// scalars of the form, of its variants, or of the elements of a list, or else its other members.
func (r *routing) asSent(w document.View) string {
	if w.Kind == "list" { // forms have a way of their own to write one
		w = r.b.View(w.Schema["items"])
	}
	t := &gotype.Type{Name: r.Set.Free(gotype.Name(operationName(r.o)) + "ParamsForm"),
		Doc: fmt.Sprintf("has the fields of %s (form), which are as older clients send them", r.hint)}
	add := func(withObjects bool) {
		for _, variant := range append([]any{w.Schema}, w.Variants...) {
			props := r.b.View(variant).Props
			for _, n := range document.Names(props) {
				isThere := slices.ContainsFunc(t.Fields, func(f gotype.Field) bool { return f.Member == n })
				if (withObjects || r.b.View(props[n]).IsScalar()) && validTag(n) && !isThere {
					t.NewField(gotype.Field{Key: "form", Member: n, Type: "string"})
				}
			}
		}
	}
	if add(false); len(t.Fields) == 0 {
		add(true)
	}
	if len(t.Fields) == 0 {
		r.note("%s: older clients get 415 for forms, which have no members", r.hint)
		return ""
	}
	r.Set.Add(t)
	return t.Name
}
