package rewrite

import (
	"fmt"
	"log/slog"
	"slices"

	"github.com/goverso/verso/migrate/internal/jsontext"
)

// Choice is what becomes of a value of a union with a text.
type Choice struct {
	Plan    *Node  // of its struct
	Text    []byte // that the other version has, nil: the same
	Lacks   bool   // the older version does not have it
	Instead []byte // what it reads, in the newest form; nil: lists leave it out
	Refused bool
}

// choose rewrites an object of a union, nil if it is an element that a list leaves out. Its text
// may come last, so the value is held.
func choose(n *Node, raw []byte, m Mode, isElement bool) ([]byte, error) {
	begin, end, text, err := jsontext.TextOf(raw, n.By, m.Ours)
	var c *Choice
	if (text == "") == (begin < 0) { // a text, or no member
		c = n.Choices[text]
	}
	pointer := "/" + jsontext.EscapePointer.Replace(n.By)
	switch {
	case err != nil:
		return nil, err
	case c == nil && n.Closed:
		return nil, &ValueError{pointer, fmt.Errorf("%s has no such variant", n.Typ)}
	case c == nil:
		if m.Unknown != nil && !m.Unknown.Swap(true) {
			slog.Warn("migrate: a value is sent as the handler wrote it, since its text is of no variant: add it to OneOf", "type", n.Typ, n.By, text[:min(len(text), MaxPointer)])
		}
		return raw, nil
	case c.Refused:
		return nil, &ValueError{pointer, ErrNewer}
	case c.Lacks && c.Instead == nil:
		return nil, nil
	case c.Lacks:
		return held(n, c.Instead, m, isElement)
	case c.Text != nil:
		raw = slices.Concat(raw[:begin], c.Text, raw[end:])
	}
	if c.Plan.Same {
		return raw, nil
	}
	return held(c.Plan, raw, m, isElement)
}

// held rewrites a value as a whole, nil for an element that lists leave out.
func held(n *Node, raw []byte, m Mode, isElement bool) ([]byte, error) {
	if jsontext.IsNull(raw) {
		return raw, nil
	}
	for _, isNew := range n.Withheld {
		if is, err := isNew(raw); isElement && (is || err != nil) {
			return nil, err
		}
	}
	switch {
	case n.Choices != nil:
		return choose(n, raw, m, isElement)
	case n.Reshape != nil:
		return n.Reshape(raw)
	}
	return Whole(n, raw, m)
}
