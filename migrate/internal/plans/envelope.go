package plans

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goverso/verso/migrate/internal/edits"
	"github.com/goverso/verso/migrate/internal/jsontext"
	"github.com/goverso/verso/migrate/internal/rewrite"
)

// reshape rewrites a value which a node holds whole.
type reshape func(raw []byte, m rewrite.Mode) (made []byte, err error)

// wrapped rewrites a value of a response, and then puts the objects of the older version around it,
// or takes those of the newer away. inner has all other edits of the type.
func wrapped(inner *rewrite.Node, list []*edits.Envelope) reshape {
	return func(raw []byte, m rewrite.Mode) (made []byte, err error) {
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
}

// unwrapped does the reverse for a request: the objects first, and then the value.
func unwrapped(inner *rewrite.Node, list []*edits.Envelope) reshape {
	return func(raw []byte, m rewrite.Mode) (made []byte, err error) {
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
