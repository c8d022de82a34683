package casetest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Lazy makes a value of the model when it is needed. The value nil is absent.
type Lazy func() (json.RawMessage, error)

// Object is an object of the model while edits rewrite its members.
type Object struct {
	Of      map[string]Lazy
	Mode    string              // "down", or the method of a request
	Refused map[string][]string // of a member that may not be sent, the names that it has had since
}

// Apply applies an edit.
func (o *Object) Apply(r Row) {
	k := r.kind()
	if o.Mode == "down" {
		if k.down != nil {
			k.down(o, r)
		}
		return
	}
	if k.moves != nil {
		o.move(k.moves(r))
	}
	if k.up != nil {
		k.up(o, r)
	}
}

// move gives the names of a member to the members that an edit makes from it.
func (o *Object) move(from, to []string) {
	var all []string
	for _, name := range from {
		all = append(all, o.Refused[name]...)
		delete(o.Refused, name)
	}
	for _, name := range to {
		if len(all) > 0 {
			o.Refused[name] = append(slices.Clone(all), name)
		}
	}
}

func (o *Object) take(name string) Lazy {
	value := o.Of[name]
	delete(o.Of, name)
	return value
}

func (o *Object) put(name string, value Lazy) {
	if value != nil {
		o.Of[name] = value
	}
}

// then applies a function to a member, if it is there.
func (o *Object) then(name string, fn func(Lazy) Lazy) {
	if from := o.Of[name]; from != nil {
		o.Of[name] = fn(from)
	}
}

// part puts the two parts of a text in its place.
func (o *Object) part(whole, a, b string) {
	if from := o.take(whole); from != nil {
		o.Of[a] = typed(func(s string) (string, error) { a, _, err := SplitSpace(s); return a, err })(from)
		o.Of[b] = typed(func(s string) (string, error) { _, b, err := SplitSpace(s); return b, err })(from)
	}
}

// join puts a text in the place of its two parts, both of which there must be if one is.
func (o *Object) join(a, b, whole string, both bool) {
	first, second := o.take(a), o.take(b)
	o.Of[whole] = func() (json.RawMessage, error) { return joined(first, second, both) }
}

func constant(raw json.RawMessage) Lazy { return func() (json.RawMessage, error) { return raw, nil } }

// typed maps a value by a function of Go values. null stays.
func typed[In, Out any](fn func(In) (Out, error)) func(Lazy) Lazy {
	return func(from Lazy) Lazy {
		return func() (json.RawMessage, error) {
			raw, err := from()
			if err != nil || raw == nil || string(raw) == "null" {
				return raw, err
			}
			var in In
			if json.Unmarshal(raw, &in) != nil {
				return nil, ErrValue
			}
			out, err := fn(in)
			if err != nil {
				return nil, ErrValue
			}
			return json.Marshal(out)
		}
	}
}

// instead puts another value, or none, in the place of one.
func instead(of string, other json.RawMessage) func(Lazy) Lazy {
	return func(from Lazy) Lazy {
		return func() (json.RawMessage, error) {
			raw, err := from()
			if string(raw) == of {
				return other, err
			}
			return raw, err
		}
	}
}

// isNotEmpty leaves out 0 and null.
func isNotEmpty(from Lazy) Lazy { return instead("0", nil)(instead("null", nil)(from)) }

func orElse(from Lazy, constant json.RawMessage) Lazy {
	return func() (json.RawMessage, error) {
		if from != nil {
			if raw, err := from(); raw != nil || err != nil {
				return raw, err
			}
		}
		return constant, nil
	}
}

func valueDown(s string) (string, error) {
	if older, ok := map[string]string{"n": "o", "o": "x", "z": "o"}[s]; ok {
		return older, nil
	}
	return s, nil
}

func valueUp(s string) (string, error) {
	switch s {
	case "o":
		return "n", nil
	case "x":
		return "o", nil
	case "n", "z":
		return "", ErrValue
	case "y":
		return "q", nil
	}
	return s, nil
}

func severalOf(a, b Lazy) (json.RawMessage, error) {
	var s several
	for to, from := range map[*json.RawMessage]Lazy{&s.A: a, &s.B: b} {
		if from != nil {
			raw, err := from()
			if err != nil {
				return nil, err
			}
			*to = raw
		}
	}
	if s.A == nil && s.B == nil {
		return nil, nil
	}
	return json.Marshal(s.text())
}

// memberIn returns a member of an object. Of null it is null if it clears, and an error if it cannot.
func memberIn(from Lazy, inside string, folded, clears, cannot bool) Lazy {
	return func() (json.RawMessage, error) {
		raw, err := from()
		switch {
		case clears && cannot && err == nil && string(raw) == "null":
			return nil, ErrValue
		case clears && err == nil && string(raw) == "null":
			return raw, nil
		case err != nil || raw == nil || string(raw) == "null":
			return nil, err
		}
		var members map[string]json.RawMessage
		if json.Unmarshal(raw, &members) != nil {
			return nil, ErrValue
		}
		if upper := members[strings.ToUpper(inside)]; folded && upper != nil {
			return upper, nil
		}
		return members[inside], nil
	}
}

func joined(a, b Lazy, both bool) (json.RawMessage, error) {
	count := 0
	var texts [2]string
	some, all := false, true
	for i, from := range []Lazy{a, b} {
		if from == nil {
			continue
		}
		raw, err := from()
		if err != nil {
			return nil, err
		}
		if raw != nil {
			count++
		}
		some = some || raw != nil
		all = all && (raw == nil || string(raw) == "null")
		if raw != nil && json.Unmarshal(raw, &texts[i]) != nil {
			return nil, ErrValue
		}
	}
	switch {
	case !some:
		return nil, nil
	case both && count == 1:
		return nil, ErrValue
	case all:
		return json.RawMessage("null"), nil
	}
	text, _ := JoinSpace(texts[0], texts[1])
	return json.Marshal(text)
}

// objectOf makes an object of the members that are there, or none.
func objectOf(inside map[string]Lazy) Lazy {
	return func() (json.RawMessage, error) {
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(inside)) {
			if inside[name] == nil {
				continue
			}
			raw, err := inside[name]()
			if err != nil {
				return nil, err
			}
			if raw != nil {
				parts = append(parts, fmt.Sprintf("%q:%s", name, raw))
			}
		}
		if len(parts) == 0 {
			return nil, nil
		}
		return json.RawMessage("{" + strings.Join(parts, ",") + "}"), nil
	}
}
