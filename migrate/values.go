package migrate

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/goverso/verso/migrate/internal/jsontext"
)

// Newer is a value that only the newer version has: see [NewValue]. It is for an enum with more
// values than before: an older client fails on unknown ones. The zero
// Newer is the empty text, which older clients read as it is.
type Newer struct{ value, read string }

// NewValue is a value that only the newer version has, for [Values]. Older clients
// read another one instead, and cannot send it.
func NewValue(value, olderRead string) Newer { return Newer{value, olderRead} }

// Values maps the values of a text: old to new. Values that are not listed stay, and
// so does null. A request of an older client with a value that only the newer version
// has is rejected.
func Values(name string, oldToNew map[string]string, newer ...Newer) Edit {
	// Texts are quoted once here, and not with each body.
	toOld, toNew := map[string][]byte{}, map[string][]byte{} // nil: a value that the other version does not have
	var parts []string
	var err error
	for _, n := range newer {
		toOld[n.value], toNew[n.value] = jsontext.Quote(n.read), nil
		parts = append(parts, fmt.Sprintf("%q is new, and older clients read %q", n.value, n.read))
	}
	news := map[string]bool{}
	// Sorted, so that the text for the changelog is the same in each run: it is frozen.
	for _, old := range slices.Sorted(maps.Keys(oldToNew)) {
		fresh := oldToNew[old]
		// The way back would depend on the order of a map.
		if news[fresh] {
			err = fmt.Errorf("two old values are %q now: declare with Mapped which one older clients read", fresh)
		}
		news[fresh], toOld[fresh], toNew[fresh] = true, jsontext.Quote(old), nil
		parts = append(parts, fmt.Sprintf("%q is now %q", old, fresh))
	}
	// An old value may be the new name of another. This comes last, so that what clients of the
	// version can send wins.
	for old, fresh := range oldToNew {
		toNew[old] = jsontext.Quote(fresh)
	}
	// Tests then know which values a client of the version can meet.
	values := slices.Sorted(maps.Keys(oldToNew))
	for _, n := range newer {
		values = append(values, n.read)
	}
	m := mapping{name: name, fresh: reflect.TypeFor[string](), values: values, up: replaced(toNew), down: replaced(toOld)}
	e := m.edit(fmt.Sprintf("%q has other values: %s", name, strings.Join(parts, "; ")))
	e.Err = err
	return Edit{e}
}

// replaced replaces texts that are keys.
// Values that the map does not have stay: an enumeration may be open, and a new value need not be
// declared in each edit.
func replaced(by map[string][]byte) func([][]byte) ([]byte, error) {
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
			return raw, nil
		case other == nil:
			return nil, errors.New("this version does not have the value")
		}
		return other, nil
	}
}
