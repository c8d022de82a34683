package migrate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/goverso/verso/migrate/internal/jsontext"
)

// Value is in either of two versions: see [NewValue] and [OldValue]. It is for an
// enum with more values than before, or with fewer. The zero Value is the empty text, which older
// clients read as it is.
type Value struct {
	value, other string
	isGone       bool
}

// NewValue is a value that only the newer version has, for [Values]. Older clients
// read another one instead, and cannot send it.
func NewValue(value, olderRead string) Value { return Value{value: value, other: olderRead} }

// OldValue is a value that only the older version has, for [Values]. A request with it means
// another one now. No response has it, though documents of older versions list it.
func OldValue(value, meansNow string) Value { return Value{value, meansNow, true} }

// Values maps the values of a text, or of each text of a list: old to new. Values that are not
// listed stay, and so does null. A request of an older client with a value that only the newer
// version has is rejected.
func Values(name string, oldToNew map[string]string, others ...Value) Edit {
	// Texts are quoted once here, and not with each body.
	toOld, toNew := map[string][]byte{}, map[string][]byte{} // nil: a value that the other version does not have
	var parts []string
	var err error
	var gone []string
	for _, n := range others {
		if n.isGone {
			gone = append(gone, n.value)
			parts = append(parts, fmt.Sprintf("%q is gone, and means %q", n.value, n.other))
			continue
		}
		toOld[n.value], toNew[n.value] = jsontext.Quote(n.other), nil
		parts = append(parts, fmt.Sprintf("%q is new, and older clients read %q", n.value, n.other))
	}
	news := map[string]bool{}
	// Sorted, so that the text for the changelog is the same in each run: it is frozen.
	for _, old := range slices.Sorted(maps.Keys(oldToNew)) {
		fresh := oldToNew[old]
		// The way back would depend on the order of a map.
		if news[fresh] {
			err = fmt.Errorf(
				"two old values are %q now: give those that older clients do not read any more to OldValue", fresh)
		}
		news[fresh], toOld[fresh], toNew[fresh] = true, jsontext.Quote(old), nil
		parts = append(parts, fmt.Sprintf("%q is now %q", old, fresh))
	}
	// An old value may be the new name of another. This comes last, so that what clients of the
	// version can send wins.
	for old, fresh := range oldToNew {
		toNew[old] = jsontext.Quote(fresh)
	}
	for _, n := range others {
		if n.isGone {
			toNew[n.value] = jsontext.Quote(n.other)
		}
	}
	if err == nil {
		err = checkValues(oldToNew, others)
	}
	if len(oldToNew)+len(others) == 0 {
		err = errors.New("it changes no value: give old ones with their new ones, or NewValue and OldValue")
	}
	var said atomic.Bool
	olds := maps.Clone(oldToNew) // which the caller may change
	noteOld := func(text string) {
		if _, isOld := olds[text]; isOld && !said.Swap(true) {
			slog.Warn("migrate: a handler has written a value of older clients: let it write the newer one, or turn "+
				"round the map of Values", "member", name, "value", text)
		}
	}
	m := mapping{
		name: name, fresh: reflect.TypeFor[string](), values: known(oldToNew, others), gone: gone,
		up: eachOf(replaced(toNew, func(string) {})), down: eachOf(replaced(toOld, noteOld)),
	}
	e := m.edit(fmt.Sprintf("%q has other values: %s", name, strings.Join(parts, "; ")))
	e.Err, e.OldTexts = err, append(append([]string{}, slices.Sorted(maps.Keys(oldToNew))...), gone...)
	e.Narrows = len(e.OldTexts) == 0
	return Edit{e}
}

// checkValues reports a value declared twice, and a value beside a name of the wrong version.
func checkValues(oldToNew map[string]string, others []Value) error {
	olds, news := maps.Clone(oldToNew), map[string]string{} // to the value of the other version
	if olds == nil {
		olds = map[string]string{}
	}
	for old, fresh := range oldToNew {
		news[fresh] = old
	}
	for _, n := range others {
		in := news
		if n.isGone {
			in = olds
		}
		if _, isListed := in[n.value]; isListed {
			return fmt.Errorf("%q is listed twice: it has another name, is new, or is gone", n.value)
		}
		in[n.value] = n.other
	}
	for _, n := range others {
		its, others := olds, news // by the names in the version of n.other
		if n.isGone {
			its, others = news, olds
		}
		_, isThere := its[n.other]
		if other, isOther := others[n.other]; isOther && !isThere {
			return fmt.Errorf("%q goes with %q, which that version calls %q", n.value, n.other, other)
		}
	}
	return nil
}

// known returns the values that clients of the older version can meet, for tests. It returns none
// if it has all values of the newer version: then they need no list.
func known(oldToNew map[string]string, others []Value) []string {
	values, isMore := slices.Sorted(maps.Keys(oldToNew)), len(oldToNew) > 0
	for _, n := range others {
		read := n.other
		for old, fresh := range oldToNew {
			if n.isGone && fresh == n.other {
				read = old
			}
		}
		values, isMore = append(values, read), isMore || !n.isGone
	}
	if !isMore {
		return nil
	}
	return values
}

// replaced replaces texts that are keys, and calls note for the rest.
// Values that the map does not have stay: an enumeration may be open, and a new value need not be
// declared in each edit.
func replaced(by map[string][]byte, note func(text string)) func([][]byte) ([]byte, error) {
	return func(in [][]byte) ([]byte, error) {
		raw := in[0]
		if jsontext.IsNull(raw) {
			return raw, nil
		}
		if raw[0] != '"' {
			return nil, errors.New("the value is not a text")
		}
		text := raw[1 : len(raw)-1]
		if bytes.IndexByte(text, '\\') >= 0 {
			text, _ = jsontext.Unquote(raw) // with replacement characters, if it is not valid
		}
		other, listed := by[string(text)]
		switch {
		case !listed:
			note(string(text))
			return raw, nil
		case other == nil:
			return nil, errors.New("this version does not have the value")
		}
		return other, nil
	}
}

// eachOf applies a function to each element of a list, and to any other value.
func eachOf(fn func([][]byte) ([]byte, error)) func([][]byte) ([]byte, error) {
	return func(in [][]byte) ([]byte, error) {
		if in[0][0] != '[' {
			return fn(in)
		}
		var elements []json.RawMessage
		if err := json.Unmarshal(in[0], &elements); err != nil {
			return nil, err
		}
		out := []byte{'['}
		for i, element := range elements {
			made, err := fn([][]byte{element})
			if err != nil {
				return nil, err
			}
			if i > 0 {
				out = append(out, ',')
			}
			out = append(out, made...)
		}
		return append(out, ']'), nil
	}
}
