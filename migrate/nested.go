package migrate

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/goverso/verso/migrate/internal/edits"
	"github.com/goverso/verso/migrate/internal/expr"
	"github.com/goverso/verso/migrate/internal/jsontext"
	"github.com/goverso/verso/migrate/internal/openapi"
	"github.com/goverso/verso/migrate/internal/shape"
)

// Nested moves members of the object into an object in it. The map has their old names, and
// their names inside. Older clients see neither the object nor its other members.
// If it is null, they do not see the members; if they do not send them, there is no object.
func Nested(name string, oldToInside map[string]string) Edit {
	olds := slices.Sorted(maps.Keys(oldToInside))
	var parts, insides []string
	for _, old := range olds {
		insides = append(insides, oldToInside[old])
		parts = append(parts, fmt.Sprintf("%q is now %q", old, name+"."+oldToInside[old]))
	}
	return Edit{edits.Edit{
		BodyOnly: true, Err: edits.RefuseOptions(insides...), Forgets: true,
		Text: strings.Join(parts, "; "), Needs: []string{name}, Lacks: olds,
		// The members take the place of the object, so that the order of older bodies stays close
		// to what it was.
		Back: func(m []shape.Member, edited edits.Others) ([]shape.Member, error) {
			at := shape.Find(m, name)
			older, err := unnested(edited, shape.Deref(m[at].Typ), olds, oldToInside)
			return slices.Concat(m[:at], older, m[at+1:]), err
		},
		Down: func(v *expr.Values) {
			object := v.Take(name)
			for _, old := range olds {
				inside := func(in [][]byte) ([]byte, error) { return jsontext.Member(in[0], oldToInside[old], false) }
				v.Put(old, expr.Applied(inside, object))
			}
		},
		// Without them the object stays as it is: an empty one would clear it.
		Up: func(v *expr.Values) { v.Put(name, expr.Object(insides, olds, v.Take)) },
		// A member that comes out of the object is required only if the object is always there and
		// always has it.
		Document: func(o *openapi.Object) {
			object := o.Take(name)
			own, nullable := o.Own(object.Schema)
			inner := openapi.PropertiesOf(own)
			for _, old := range olds {
				made := inner[oldToInside[old]]
				switch {
				case own["properties"] == nil:
					made = &openapi.Property{Schema: map[string]any{}, Required: made != nil}
				case made == nil || made.Schema == nil:
					o.Err = fmt.Errorf("there is no property %q in %q: %w", oldToInside[old], name, openapi.ErrNotNewest)
					return
				}
				made.Required = made.Required && object.Required && !nullable
				o.Properties[old] = made
			}
		},
	}}
}

// unnested returns the members of an object inside, under their old names. The types inside are
// needed for the contract of the older version.
func unnested(edited edits.Others, t reflect.Type, olds []string,
	oldToInside map[string]string) (members []shape.Member, err error) {
	switch {
	// The object inside has edits of its own, whose old form lacks what oldToInside names.
	case edited.Has(t):
		return nil, fmt.Errorf("%s has edits of its own: list edits of %q before Nested, which are then about the members outside", shape.NameOf(t), olds)
	// Without members to look up, they may be of any type, and absent.
	case t.Kind() == reflect.Interface || t.Kind() == reflect.Map || shape.IsOpaque(t):
		for _, old := range olds {
			members = append(members, shape.Member{Name: old, Typ: reflect.TypeFor[any](), Optional: true})
		}
		return members, nil
	case t.Kind() != reflect.Struct:
		return nil, fmt.Errorf("%s is not an object", shape.Describe(t))
	}
	inner := shape.MembersOf(t)
	for _, m := range inner { // in their order
		// The object may be null, so each is optional outside.
		if i := slices.IndexFunc(olds, func(old string) bool { return oldToInside[old] == m.Name }); i >= 0 {
			m.Name, m.Optional = olds[i], true
			members = append(members, m)
		}
	}
	if len(members) < len(olds) {
		return nil, fmt.Errorf("%s has only %s: correct the names inside, and give each once", shape.NameOf(t), shape.Names(inner))
	}
	return members, nil
}
