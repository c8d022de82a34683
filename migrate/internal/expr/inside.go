package expr

import (
	"encoding/json"
	"reflect"

	"github.com/goverso/verso/migrate/internal/jsontext"
	"github.com/goverso/verso/migrate/internal/rewrite"
	"github.com/goverso/verso/migrate/internal/shape"
)

// Inside reads a value, and returns a function of the places of it and of the values of its type in it:
// they are decoded once, and not again at each level. A value without a place there is read by itself.
func Inside[T any](text *jsontext.Outline, p jsontext.Place) (func(at int) (value T, isKnown bool), error) {
	var outer T
	if err := json.Unmarshal(text.Raw(p), &outer); err != nil {
		return nil, &rewrite.ValueError{Err: err}
	}
	v := reflect.ValueOf(&outer).Elem()
	i := insides{Outline: text, typ: v.Type(), at: map[int]reflect.Value{}}
	if i.leads(v.Type()) {
		i.inside(p, v)
	}
	return func(at int) (value T, isKnown bool) {
		if at == p.At {
			return outer, true
		}
		inner, isKnown := i.at[at]
		if isKnown {
			value = inner.Interface().(T)
		}
		return value, isKnown
	}, nil
}

// insides are the values of a type in a value, by their places in its text.
type insides struct {
	*jsontext.Outline
	typ   reflect.Type
	at    map[int]reflect.Value
	known map[reflect.Type]bool // whether values of other types can hold values of the type
}

// leads reports whether values of a type can have some of i.typ in them.
func (i *insides) leads(t reflect.Type) (leads bool) {
	if i.known == nil {
		i.known = map[reflect.Type]bool{}
	}
	if known, ok := i.known[t]; ok {
		return known
	}
	i.known[t] = true // of a type inside itself, until it is known
	contains := func(inner reflect.Type) bool {
		inner = shape.Deref(inner)
		return inner == i.typ || i.leads(inner)
	}
	switch {
	case shape.IsOpaque(t):
	case t.Kind() == reflect.Slice, t.Kind() == reflect.Array, t.Kind() == reflect.Map:
		leads = contains(t.Elem())
	case t.Kind() == reflect.Struct:
		for _, m := range shape.MembersOf(t) {
			leads = contains(m.Typ) || leads
		}
	}
	i.known[t] = leads
	return leads
}

// value notes a value, and those in it.
func (i *insides) value(p jsontext.Place, v reflect.Value) {
	for v.Kind() == reflect.Pointer && v.Type() != i.typ {
		if v.IsNil() {
			return
		}
		v = v.Elem()
	}
	if v.Type() == i.typ {
		i.at[p.At] = v
	}
	i.inside(p, v)
}

func (i *insides) inside(p jsontext.Place, v reflect.Value) {
	if !i.leads(v.Type()) {
		return
	}
	switch begin := i.Text[p.At]; {
	case begin == '[' && v.Kind() != reflect.Map && v.Kind() != reflect.Struct:
		for q, at := i.Into(p), 0; i.Text[q.At] != ']' && at < v.Len(); q, at = i.After(i.End(q)), at+1 {
			i.value(q, v.Index(at))
		}
	case begin == '{' && v.Kind() == reflect.Map:
		i.values(p, v)
	case begin == '{' && v.Kind() == reflect.Struct:
		i.members(p, v)
	}
}

// values notes the values of a map. Where a name is there twice, the first value is gone.
func (i *insides) values(p jsontext.Place, v reflect.Value) {
	n := 0
	for q := i.Into(p); i.Text[q.At] != '}'; q = i.After(i.End(i.After(i.End(q)))) {
		n++
	}
	if n != v.Len() || v.Type().Key().Kind() != reflect.String || shape.IsOpaque(v.Type().Key()) {
		return
	}
	for q := i.Into(p); i.Text[q.At] != '}'; q = i.After(i.End(q)) {
		key := reflect.ValueOf(jsontext.TextOf(i.Raw(q))).Convert(v.Type().Key())
		q = i.After(i.End(q))
		if value := v.MapIndex(key); value.IsValid() {
			i.value(q, value)
		}
	}
}

// members notes those of a struct. encoding/json takes names in any case, and reads a second value of a
// name into the first.
func (i *insides) members(p jsontext.Place, v reflect.Value) {
	members := shape.MembersOf(v.Type())
	places := make([][]jsontext.Place, len(members))
	for q := i.Into(p); i.Text[q.At] != '}'; q = i.After(i.End(q)) {
		name := jsontext.TextOf(i.Raw(q))
		q = i.After(i.End(q))
		at := shape.Find(members, name)
		for other := 0; other < len(members) && at < 0; other++ {
			if jsontext.Fold(members[other].Name) == jsontext.Fold(name) {
				at = other
			}
		}
		if at >= 0 {
			places[at] = append(places[at], q)
		}
	}
	for at, m := range members {
		if len(places[at]) != 1 {
			continue
		}
		if field, err := v.FieldByIndexErr(m.Index); err == nil {
			i.value(places[at][0], field)
		}
	}
}
