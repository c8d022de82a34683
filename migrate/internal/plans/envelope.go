package plans

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/goverso/verso/migrate/internal/edits"
	"github.com/goverso/verso/migrate/internal/jsontext"
	"github.com/goverso/verso/migrate/internal/rewrite"
)

// envelope plans a value with objects around it: first or last, all other edits of its type apply.
func (c *compiler) envelope(n *rewrite.Node, t reflect.Type, list []*edits.Envelope) {
	inner := &rewrite.Node{Same: true, Typ: n.Typ}
	c.fresh = append(c.fresh, inner)
	c.fill(inner, t)
	n.Withheld, inner.Withheld = inner.Withheld, nil
	n.Reshape = func(raw []byte, m rewrite.Mode) (made []byte, err error) {
		if c.Direction == Down {
			if raw, err = rewrite.Held(inner, raw, m, false); err != nil {
				return nil, err
			}
			for _, e := range list {
				if e.Old != nil {
					raw = within(e.Key, raw)
				} else if raw, err = opened(e.Key, raw, false); err != nil {
					return nil, &rewrite.ValueError{Err: err}
				}
			}
			return raw, nil
		}
		pointer, added := "", ""
		for _, e := range slices.Backward(list) {
			if token := "/" + jsontext.EscapePointer.Replace(e.Key); e.Old == nil {
				raw, added = within(e.Key, raw), token
			} else {
				raw, err = opened(e.Key, raw, true)
				if errors.Is(err, jsontext.ErrTwice) {
					return nil, err
				} else if err != nil {
					return nil, &rewrite.ValueError{Pointer: pointer, Err: err}
				}
				pointer += token
			}
		}
		made, err = rewrite.Held(inner, raw, m, false)
		var e *rewrite.ValueError
		if errors.As(err, &e) { // in the names of the client's version
			err = &rewrite.ValueError{Pointer: pointer + strings.TrimPrefix(e.Pointer, added), Err: e.Err}
		}
		return made, err
	}
}

// within returns an object with a value.
func within(key string, raw []byte) []byte {
	return slices.Concat([]byte{'{'}, jsontext.Key(key), raw, []byte{'}'})
}

// opened returns the value in an object. null stays.
func opened(key string, raw []byte, folds bool) ([]byte, error) {
	if jsontext.IsNull(raw) {
		return raw, nil
	}
	value, err := jsontext.Member(raw, key, folds)
	if err == nil && value == nil {
		err = fmt.Errorf("there is no member %q", key)
	}
	return value, err
}
