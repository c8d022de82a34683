package rewrite

import (
	"fmt"
	"log/slog"

	"github.com/goverso/verso/migrate/internal/jsontext"
)

// choose returns what becomes of an object of a union, by the value of its discriminator, nil if it has
// none: a nil choice if it stays. A decoder takes "" and null for no text.
func choose(n *Node, value []byte, m Mode) (*Choice, error) {
	text := jsontext.TextOf(value)
	isNone := value == nil || !n.Closed && (jsontext.IsNull(value) || string(value) == `""` && !n.Numbers)
	if n.Numbers {
		text = jsontext.NumberOf(value)
	}
	var c *Choice
	if text != "" || isNone {
		c = n.Choices[text]
	}
	pointer := "/" + jsontext.EscapePointer.Replace(n.By)
	switch {
	case c == nil && n.Closed:
		return nil, &ValueError{pointer, fmt.Errorf("%s has no such variant", n.Typ)}
	case c == nil && m.Unknown != nil && !m.Unknown.Swap(true):
		slog.Warn("migrate: a value is sent as the handler wrote it, since its text is of no variant: add it to OneOf",
			"type", n.Typ, n.By, text[:min(len(text), MaxPointer)])
	case c != nil && c.Refused:
		return nil, &ValueError{pointer, ErrNewer}
	}
	return c, nil
}
