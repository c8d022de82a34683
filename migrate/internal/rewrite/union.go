package rewrite

import (
	"fmt"
	"log/slog"
	"slices"

	"github.com/goverso/verso/migrate/internal/jsontext"
)

// choose returns the plan of an object of a union, and the object with the text of the other version: a
// nil plan if it stays, a nil object if lists leave it out. Its text may come last, so the value is held.
func choose(n *Node, raw []byte, m Mode) (*Node, []byte, error) {
	begin, end, text, err := jsontext.TextOf(raw, n.By, m.Ours)
	var c *Choice
	isNone := begin < 0 // a decoder takes "" and null for that
	if err == nil && !isNone && !n.Closed {
		value := raw[begin:end]
		isNone = jsontext.IsNull(value) || string(value) == `""`
	}
	if text != "" || isNone {
		c = n.Choices[text]
	}
	pointer := "/" + jsontext.EscapePointer.Replace(n.By)
	switch {
	case err != nil:
		return nil, nil, err
	case c == nil && n.Closed:
		return nil, nil, &ValueError{pointer, fmt.Errorf("%s has no such variant", n.Typ)}
	case c == nil:
		if m.Unknown != nil && !m.Unknown.Swap(true) {
			slog.Warn(
				"migrate: a value is sent as the handler wrote it, since its text is of no variant: add it to OneOf", "type", n.Typ, n.By, text[:min(len(text), MaxPointer)])
		}
		return nil, raw, nil
	case c.Refused:
		return nil, nil, &ValueError{pointer, ErrNewer}
	case c.Lacks && c.Instead == nil:
		return nil, nil, nil
	case c.Lacks:
		return n, c.Instead, nil
	case c.Text != nil:
		raw = slices.Concat(raw[:begin], c.Text, raw[end:])
	}
	if c.Plan.Same {
		return nil, raw, nil
	}
	return c.Plan, raw, nil
}
