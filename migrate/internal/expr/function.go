package expr

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/goverso/verso/migrate/internal/jsontext"
)

// Given returns an error if a function of an edit is nil.
func Given(functions ...any) error {
	if slices.ContainsFunc(functions, func(fn any) bool { return reflect.ValueOf(fn).IsNil() }) {
		return errors.New("a function is nil: give it one")
	}
	return nil
}

// Function makes JSON of JSON by a function of Go values. null stays null. A function of Go
// values cannot express null for most types, and mapping it to a zero value would invent data.
// If isEmpty is not nil, null and empty values are left out.
func Function[In, Out any](fn func(In) (Out, error), isEmpty func(reflect.Value) bool) func([][]byte) ([]byte, error) {
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

// CutOptions cuts the options omitempty and omitzero of a json tag from a name, and returns what
// they leave out, or nil.
func CutOptions(tag string) (name string, isEmpty func(reflect.Value) bool, err error) {
	name, options, some := strings.Cut(tag, ",")
	isEmpty = map[string]func(reflect.Value) bool{"omitempty": IsEmpty, "omitzero": isZeroValue}[options]
	if some && isEmpty == nil {
		err = fmt.Errorf("%q: after the comma stands omitempty or omitzero", tag)
	}
	return name, isEmpty, err
}

// IsEmpty is what encoding/json calls empty.
func IsEmpty(v reflect.Value) bool {
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

// Joining makes JSON of two texts by a function of them. Functions of a service get text, never
// null: a null or absent part is empty to them.
func Joining(join func(a, b string) (string, error)) func([][]byte) ([]byte, error) {
	return func(in [][]byte) ([]byte, error) {
		a, err := read[string](in[0])
		b, errB := read[string](in[1])
		if err = cmp.Or(err, errB); err != nil {
			return nil, err
		}
		if jsontext.IsNull(in[0]) && jsontext.IsNull(in[1]) {
			return jsontext.Null, nil
		}
		return written(join(a, b))
	}
}

// Parted makes the JSON of each of two texts by a function of one. Each is computed for itself,
// so that a rewriter may need only one. The function runs twice then.
func Parted(split func(string) (a, b string, err error)) (first, second func([][]byte) ([]byte, error)) {
	first = Function(func(text string) (string, error) { a, _, err := split(text); return a, err }, nil)
	second = Function(func(text string) (string, error) { _, b, err := split(text); return b, err }, nil)
	return first, second
}

// Join puts a function of a and b in their place, under another name. If the version has
// neither part, there is nothing to join.
func (v *Values) Join(a, b, name string, fn func([][]byte) ([]byte, error)) {
	first, second := cmp.Or(v.Take(a), never), cmp.Or(v.Take(b), never)
	if first != never || second != never {
		v.Put(name, &Expr{in: []*Expr{first, second}, fn: fn, Refused: slices.Concat(first.Refused, second.Refused)})
	}
}

// Split puts the parts of a member in its place, as a and b.
func (v *Values) Split(name, a, b string, fn func(string) (a, b string, err error)) {
	whole := v.Take(name)
	first, second := Parted(fn)
	v.Put(a, Applied(first, whole))
	v.Put(b, Applied(second, whole))
}
