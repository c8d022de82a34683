package migrate

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/goverso/verso/migrate/internal/jsontext"
	"github.com/goverso/verso/migrate/internal/rewrite"
	"github.com/goverso/verso/migrate/internal/shape"
)

// values has the expression of each member, while edits are applied one by one. Edits run once,
// on this, when a plan is made. With a body only the expressions that are left are computed.
type values struct {
	of      map[string]*expr
	fills   bool                  // the body has all members: defaults of members that were added are set
	partial bool                  // an absent member means no change
	newer   func() []shape.Member // of the newer version of the applied edit
}

// take removes a member and returns its expression, nil if it has none: an edit that moves a member
// leaves nothing behind.
func (v *values) take(name string) *expr {
	x := v.of[name]
	delete(v.of, name)
	return x
}

// put sets a member. One that nothing gives a value is absent, and what is built from it too.
func (v *values) put(name string, x *expr) {
	if x == nil {
		return
	}
	if x.refused != nil {
		named := *x
		named.refused = append(slices.Clip(x.refused), name)
		x = &named
	}
	v.of[name] = x
}

// expr is what a member is built from: a member of the body, a constant, or a function of
// members. It is a tree over the members of the body, however many edits lie between.
type expr struct {
	source   *string // a member of the body
	constant []byte
	never    bool     // no body has it
	refused  []string // names under which no request of the version may have it, or nil

	fn     func(in [][]byte) ([]byte, error) // gets nil for what is absent, and is not called if all are
	in     []*expr
	orElse []byte // if all are absent, or the source is
}

// never is the expression of a member that no body has, for functions that need an argument for it.
var never = &expr{never: true}

// notYet is the expression of a member that older clients may not send: it has its names when
// it is put.
var notYet = &expr{never: true, refused: []string{}}

// applied is a function of x, nil if x is. What may not be sent has no value.
func applied(fn func([][]byte) ([]byte, error), x *expr) *expr {
	if x == nil || x.never {
		return x
	}
	return &expr{fn: fn, in: []*expr{x}, refused: x.refused}
}

// or is x, or a value where x is absent. What is copied stays so, and is not held.
func (x *expr) or(value []byte) *expr {
	switch {
	case x == nil: // nothing of the version is it
		return &expr{constant: value}
	case x.source != nil && x.orElse != nil:
		return x
	case x.source != nil:
		return &expr{source: x.source, orElse: value}
	}
	same := func(in [][]byte) ([]byte, error) { return in[0], nil }
	return &expr{fn: same, in: []*expr{x}, refused: x.refused, orElse: value}
}

// compile returns a function of the values of the members that it needs. arg returns
// the position of a member's value.
func (x *expr) compile(arg func(source string) int) func(args [][]byte) ([]byte, error) {
	switch {
	case x.never:
		return func([][]byte) ([]byte, error) { return nil, nil }
	case x.constant != nil:
		return func([][]byte) ([]byte, error) { return x.constant, nil }
	case x.source != nil:
		at := arg(*x.source)
		return func(args [][]byte) ([]byte, error) {
			if args[at] == nil {
				return x.orElse, nil
			}
			return args[at], nil
		}
	}
	// Functions of functions are compiled once; a value of an edit is then one call.
	var in []func([][]byte) ([]byte, error)
	plain := true // it is a function of the args as they are
	for i, each := range x.in {
		in = append(in, each.compile(arg))
		plain = plain && each.source != nil && each.orElse == nil && arg(*each.source) == i
	}
	return func(args [][]byte) ([]byte, error) {
		// The usual edit has its arguments in the right order already, and needs no list of its
		// own.
		values := args[:min(len(in), len(args))]
		if !plain {
			values = make([][]byte, len(in))
			for i, each := range in {
				var err error
				if values[i], err = each(args); err != nil {
					return nil, err
				}
			}
		}
		// With nothing to compute from, the member is absent, or has its default.
		if !slices.ContainsFunc(values, func(value []byte) bool { return value != nil }) {
			return x.orElse, nil
		}
		made, err := x.fn(values)
		if err != nil {
			return nil, &rewrite.ValueError{Err: err}
		}
		return made, nil
	}
}

// given returns an error if a function of an edit is nil.
func given(functions ...any) error {
	if slices.ContainsFunc(functions, func(fn any) bool { return reflect.ValueOf(fn).IsNil() }) {
		return errors.New("a function is nil: give it one")
	}
	return nil
}

// function makes JSON of JSON by a function of Go values. null stays null. A function of Go
// values cannot express null for most types, and mapping it to a zero value would invent data.
// If isEmpty is not nil, null and empty values are left out.
func function[In, Out any](fn func(In) (Out, error), isEmpty func(reflect.Value) bool) func([][]byte) ([]byte, error) {
	return func(args [][]byte) ([]byte, error) {
		if jsontext.IsNull(args[0]) {
			if isEmpty != nil {
				return nil, nil
			}
			return jsontext.Null, nil
		}
		in, err := read[In](args[0])
		if err != nil {
			return nil, err
		}
		out, err := fn(in)
		// As an element, an interface stays one.
		if err == nil && isEmpty != nil && isEmpty(reflect.ValueOf([]Out{out}).Index(0)) {
			return nil, nil
		}
		return written(out, err)
	}
}

// cutOptions cuts the options omitempty and omitzero of a json tag from a name, and returns what
// they leave out, or nil.
func cutOptions(tag string) (name string, isEmpty func(reflect.Value) bool, err error) {
	name, options, some := strings.Cut(tag, ",")
	isEmpty = map[string]func(reflect.Value) bool{"omitempty": isEmptyValue, "omitzero": isZeroValue}[options]
	if some && isEmpty == nil {
		err = fmt.Errorf("%q: after the comma stands omitempty or omitzero", tag)
	}
	return name, isEmpty, err
}

// isEmptyValue is what encoding/json calls empty.
func isEmptyValue(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice:
		return v.Len() == 0
	}
	return !v.IsValid() || v.Kind() != reflect.Struct && v.IsZero()
}

func isZeroValue(v reflect.Value) bool {
	if !v.IsValid() || v.IsZero() {
		return true
	}
	zero, ok := reflect.TypeAssert[interface{ IsZero() bool }](v)
	return ok && zero.IsZero()
}

// read reads a value, and an absent one as the zero value. Most values are texts without escapes,
// which package json would read with more allocations.
func read[T any](raw []byte) (value T, err error) {
	if raw == nil {
		return value, nil
	}
	if text, ok := any(&value).(*string); ok && raw[0] == '"' && isPlain(raw[1:len(raw)-1]) {
		*text = string(raw[1 : len(raw)-1])
		return value, nil
	}
	return unmarshaled[T](raw)
}

// unmarshaled is apart from read since its value is on the heap.
func unmarshaled[T any](raw []byte) (value T, err error) {
	err = json.Unmarshal(raw, &value)
	return value, err
}

// written is the JSON of what a function returns. A plain text, which most are, needs no encoder.
func written[Out any](out Out, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	if text, ok := any(out).(string); ok && isPlain([]byte(text)) {
		return slices.Concat([]byte{'"'}, []byte(text), []byte{'"'}), nil
	}
	return json.Marshal(out)
}

// isPlain reports whether a text is the same in a JSON string.
// Letters beyond ASCII are left to package json, which escapes some of them and repairs invalid ones.
func isPlain(text []byte) bool {
	for _, c := range text {
		if c < ' ' || c > '~' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			return false
		}
	}
	return true
}
