package migrate

import (
	"cmp"
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
				v.Put(old, expr.Member(object, oldToInside[old], false, nil))
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
					o.Err = fmt.Errorf("there is no property %q in %q: %w", oldToInside[old], name,
						openapi.ErrNotNewest)
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
	case edited.Count(t) > 0:
		return nil, fmt.Errorf(
			"%s has edits of its own: list edits of %q before Nested, which are then about the members outside", shape.NameOf(t), olds)
	// Without members to look up, they may be of any type, and absent.
	case t.Kind() == reflect.Interface || t.Kind() == reflect.Map || shape.IsOpaque(t):
		for _, old := range olds {
			members = append(members, shape.Member{Name: old, Typ: reflect.TypeFor[any](), Optional: true})
		}
		return members, nil
	case t.Kind() != reflect.Struct:
		return nil, fmt.Errorf("%s is not an object", shape.Describe(t))
	}
	inner := edited.MembersOf(t)
	for _, m := range inner { // in their order
		// The object may be null, so each is optional outside.
		if i := slices.IndexFunc(olds, func(old string) bool { return oldToInside[old] == m.Name }); i >= 0 {
			m.Name, m.Optional = olds[i], true
			members = append(members, m)
		}
	}
	if len(members) < len(olds) {
		return nil, fmt.Errorf("%s has only %s: correct the names inside, and give each once", shape.NameOf(t),
			shape.Names(inner))
	}
	return members, nil
}

// Flattened takes members out of the object old, which is gone: it is the reverse of [Nested].
// The map has their names inside, and their names now. Old is the Go type that the object had,
// with these members and without edits of its own. Older clients read an object of the members
// that are there, or none; what else they send in theirs is dropped. If they send null, no
// member is set, but in a PUT and a PATCH each is null.
func Flattened[Old any](old string, insideToName map[string]string) Edit {
	insides := slices.Sorted(maps.Keys(insideToName))
	var parts, names []string
	for _, inside := range insides {
		names = append(names, insideToName[inside])
		parts = append(parts, fmt.Sprintf("%q was %q", insideToName[inside], old+"."+inside))
	}
	object := shape.Member{Name: old, Typ: reflect.TypeFor[Old](), Optional: true}
	return Edit{edits.Edit{
		BodyOnly: true, Err: edits.RefuseOptions(insides...),
		Text: strings.Join(parts, "; "), Needs: names, Lacks: []string{old},
		// The object takes the place of the first member.
		Back: func(m []shape.Member, edited edits.Others) ([]shape.Member, error) {
			object, err := object, agree(m, names, object.Typ, insides, edited)
			for _, name := range names {
				object.Optional = object.Optional && m[shape.Find(m, name)].Optional
			}
			isFlat := func(each shape.Member) bool { return slices.Contains(names, each.Name) }
			m = slices.Insert(m, slices.IndexFunc(m, isFlat), object)
			return slices.DeleteFunc(m, isFlat), err
		},
		Down: func(v *expr.Values) { v.Put(old, expr.Object(insides, names, v.Take)) },
		Up: func(v *expr.Values) {
			object, newer := v.Take(old), v.Newer()
			for i, inside := range insides {
				typ := newer[shape.Find(newer, names[i])].Typ
				canClear := shape.IsNil(typ) || shape.IsOpaque(typ)
				// As a whole it clears what the client knows of it.
				clears := func() ([]byte, error) {
					if !canClear {
						return nil, fmt.Errorf("%q cannot be null", inside)
					}
					return jsontext.Null, nil
				}
				if v.Fills {
					clears = nil
				}
				v.Put(names[i], expr.Member(object, inside, true, clears))
			}
		},
		Document: func(o *openapi.Object) {
			inner, s := map[string]*openapi.Property{}, map[string]any{"type": "object"}
			for i, inside := range insides {
				inner[inside] = o.Take(names[i])
			}
			openapi.Write(s, inner)
			o.Properties[old] = &openapi.Property{Schema: s, Required: s["required"] != nil}
		},
	}}
}

// agree returns an error if a type does not have the members inside as there are outside.
func agree(m []shape.Member, outside []string, t reflect.Type, insides []string, edited edits.Others) (err error) {
	t = shape.Deref(t)
	own := shape.MembersOf(t)
	switch {
	case t.Kind() != reflect.Struct || shape.IsOpaque(t):
		return fmt.Errorf("%s is not a struct: give the Go type that the object had", shape.NameOf(t))
	case edited.Count(t) > 0:
		return fmt.Errorf("%s has edits of its own: list Mapped of the object before Flattened", shape.NameOf(t))
	case len(own) != len(insides):
		return fmt.Errorf("%s has %s: give each its name now", shape.NameOf(t), shape.Names(own))
	}
	for i, inside := range insides {
		at := shape.Find(own, inside)
		if at < 0 {
			return fmt.Errorf("%s has %s, and not %q", shape.NameOf(t), shape.Names(own), inside)
		}
		now, was := m[shape.Find(m, outside[i])], own[at]
		switch isEdited := edited.Refuse(now.Typ) != nil || edited.Refuse(was.Typ) != nil; {
		case now.Optional && !was.Optional:
			err = cmp.Or(err, fmt.Errorf(
				"%q may be absent, and %s.%s is always there: list Omitted of it after Flattened", now.Name, shape.NameOf(t), inside))
		case now.Kind() != was.Kind() && now.Kind() != "" && was.Kind() != "" ||
			isEdited && shape.Deref(now.Typ) != shape.Deref(was.Typ):
			err = cmp.Or(err, fmt.Errorf(
				"%q is %s, and %s.%s %s", now.Name, shape.Describe(now.Typ), shape.NameOf(t), inside,
				shape.Describe(was.Typ)))
		}
	}
	return err
}
