package route

import "regexp"

// Part is a part of a pattern: fixed text, made by [Literal] or [Escaped], or a
// path parameter, made by [Param] or [Rest]. The zero Part is empty text.
type Part struct {
	text   string // the fixed text, or the name of the parameter
	kind   kind
	slash  bool // values may include the slash before them
	last   bool // nothing follows
	ended  bool // by text behind it in the same segment
	byByte bool // of text behind it, a router looks for the first byte alone, as chi does

	expression *regexp.Regexp // that the whole value matches; nil: any value does
}

type kind uint8

const (
	literal kind = iota
	escaped
	perhapsEscaped // each segment that can be
	param
	rest
)

// Literal returns a fixed part of a pattern. The text is not percent-encoded: a percent
// sign means itself. Slashes separate segments.
func Literal(text string) Part { return Part{kind: literal, text: text} }

// Escaped returns a fixed part of a pattern. The text is percent-encoded. Slashes
// separate segments; "%2F" is a slash within a segment.
func Escaped(text string) Part { return Part{kind: escaped, text: text} }

// Param returns a part of a pattern that is a path parameter within a segment. The
// segment may contain other text next to it.
func Param(name string) Part { return Part{kind: param, text: name} }

// Rest returns a part of a pattern that is a path parameter for the rest of the
// path, slashes included. It must be the last part. Its values begin after the
// slash before them.
func Rest(name string) Part { return Part{kind: rest, text: name} }

func (p *Part) isParam() bool { return p.kind >= param }
