package route

// Part is a part of a pattern: fixed text, made by [Literal] or [Escaped], or a
// path parameter, made by [Param] or [Rest]. The zero Part is empty text.
type Part struct {
	text  string // the fixed text, or the name of the parameter
	kind  kind
	slash bool // values may begin with the slash before them
	last  bool // nothing follows
}

type kind uint8

const (
	literal kind = iota
	escaped
	param
	rest
)

// Literal returns the part of a pattern that is the given text, not
// percent-encoded: a percent sign is one. Slashes separate segments.
func Literal(text string) Part { return Part{kind: literal, text: text} }

// Escaped returns the part of a pattern that is the given percent-encoded text.
// Slashes separate segments; "%2F" is a slash within one.
func Escaped(text string) Part { return Part{kind: escaped, text: text} }

// Param returns the part of a pattern that is a path parameter within a segment.
// It may be a whole segment, or have text beside it.
func Param(name string) Part { return Part{kind: param, text: name} }

// Rest returns the part of a pattern that is a path parameter for the rest of
// the path, slashes included. It is the last part. Its values begin behind the
// slash before them.
func Rest(name string) Part { return Part{kind: rest, text: name} }

func (p *Part) isParam() bool { return p.kind >= param }
