package migrate

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"slices"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate/internal/params"
	"github.com/goverso/verso/migrate/internal/plans"
	"github.com/goverso/verso/migrate/internal/shape"
)

// Example returns a value of the newest version as a client of a version has it, and what it means
// when the client sends it.
func (h watched) Example(v verso.Version, value any) (older, sent string, err error) {
	t := reflect.TypeOf(value)
	switch {
	case t == nil:
		return "", "", errors.New("nil has no type: give a value")
	case shape.Deref(t).Kind() == reflect.Struct && shape.IsParams(shape.Deref(t)):
		return h.exampleParams(v, shape.Deref(t), reflect.ValueOf(value))
	case shape.ElementOf(t).Kind() == reflect.Struct && shape.IsParams(shape.ElementOf(t)):
		return "", "", fmt.Errorf("%s has parameters of several requests: give one %s", shape.NameOf(t),
			shape.NameOf(shape.ElementOf(t)))
	}
	lowered, err := h.Lower(v, value)
	if err != nil {
		return "", "", err
	}
	lifted, err := h.LiftJSON(v, t, lowered)
	// A value that only newer versions have cannot be lifted, on purpose: the error is what a
	// client gets.
	if err != nil {
		lifted = []byte(err.Error())
	}
	return string(lowered), string(lifted), nil
}

// exampleParams is Example for parameters, which a link has and a request sends.
func (h watched) exampleParams(v verso.Version, t reflect.Type, value reflect.Value) (older, sent string, err error) {
	query := url.Values{}
	if err := addParams(query, t, value); err != nil {
		return "", "", err
	}
	index := h.index[v]
	older = params.New(h.plans, t, nil, index, plans.Down, verso.Binder{}).LowerQuery(query, v.String()).Encode()
	if p := params.New(h.plans, t, nil, index, plans.Create, verso.Binder{}); p == nil {
		sent = older
	} else if sent, err = p.Pairs(older); err != nil {
		sent = asError(err).Error()
	}
	return older, sent, nil
}

// addParams adds the fields of a struct of parameters to a query, but for zero values: a request
// without a parameter is the same to the handler.
func addParams(to url.Values, t reflect.Type, value reflect.Value) error {
	for value.Kind() == reflect.Pointer {
		if value = value.Elem(); !value.IsValid() {
			return nil
		}
	}
	for _, f := range reflect.VisibleFields(t) {
		name, _ := shape.ParamName(f)
		field, err := value.FieldByIndexErr(f.Index)
		if name == "" || err != nil || field.IsZero() || to.Has(name) {
			continue
		}
		typ := shape.ParamType(f.Type)
		if typ == shape.File || slices.Contains([]string{"object", "map", "any"}, shape.Kind(typ)) {
			return fmt.Errorf("%s.%s is %s, which no example can have: leave it out", shape.NameOf(t), name,
				shape.Describe(f.Type))
		}
		raw, err := json.Marshal(field.Interface())
		list := []json.RawMessage{raw}
		if shape.IsList(f.Type) {
			list = nil
			_ = json.Unmarshal(raw, &list)
		}
		if err != nil {
			return fmt.Errorf("%s.%s: %w", shape.NameOf(t), name, err)
		}
		for _, each := range list {
			if text, ok := params.TextOf(each); ok {
				to.Add(name, text)
			}
		}
	}
	return nil
}

// Unreached returns the types whose edits have functions or constants, and that are not in the
// values: no example runs these edits.
func (h watched) Unreached(values []any) (names []string) {
	seen, reached := map[any]bool{}, map[reflect.Type]bool{}
	var reach func(value reflect.Value)
	reach = func(value reflect.Value) {
		if !value.IsValid() {
			return
		}
		t := value.Type()
		reached[t] = true
		// What is in the type of which a function makes it is reached, too.
		if maker := h.edits.Maker(t); maker != nil {
			older, _ := maker.Older()
			h.edits.Walk(older, func(inner reflect.Type) { reached[inner] = true })
		}
		switch value.Kind() {
		case reflect.Pointer:
			if !seen[value.Pointer()] {
				seen[value.Pointer()] = true
				reach(value.Elem())
			}
		case reflect.Interface:
			reach(value.Elem())
		case reflect.Slice, reflect.Array, reflect.Map:
			for _, each := range value.Seq2() {
				reach(each)
			}
		case reflect.Struct:
			for i := range value.NumField() {
				reach(value.Field(i))
			}
		}
	}
	for _, value := range values {
		reach(reflect.ValueOf(value))
	}
	for _, t := range shape.Sorted(h.edits) {
		if !reached[t] && h.plans.Computes(t, len(h.revisions)) {
			names = append(names, shape.NameOf(t))
		}
	}
	return names
}
