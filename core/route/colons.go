package route

import (
	"errors"
	"fmt"
	"strings"
)

// Colons reads the patterns of Echo and Gin. ":id" is a path parameter up to the
// next slash. A star at the end takes the rest of the path: "*" under the name
// "*" (Echo), "/*path" under the name "path" (Gin, whose values may begin with a
// slash). A backslash before a colon makes it plain text.
//
// Colons does not understand the syntax of other routers: constraints and
// expressions (":id<int>", ":id(\d+)"), optional parameters (":id?"), several
// parameters in a segment (":from-:to"), a segment "+", and text after a star. Such
// a pattern has an error: see [Pattern.Err].
func Colons(text string) Pattern {
	parts, err := readColons(text)
	return compile(text, parts, err, ownPattern)
}

func readColons(text string) (parts []Part, err error) {
	var fixed strings.Builder
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case strings.HasPrefix(text[i:], `\:`):
			fixed.WriteByte(':')
			i += 2
		case c == ':':
			name, _, _ := strings.Cut(text[i+1:], "/")
			if err := checkName(name); err != nil {
				return nil, err
			}
			parts = append(parts, Literal(fixed.String()), Param(name))
			fixed.Reset()
			i += 1 + len(name)
		case c == '*':
			star, err := readStar(text[:i], text[i+1:])
			return append(parts, Literal(fixed.String()), star), err
		case c == '+' && strings.HasSuffix("/"+text[:i], "/") && strings.HasPrefix(text[i+1:]+"/", "/"):
			return nil, errors.New(`the segment "+" may be a parameter`)
		default:
			fixed.WriteByte(c)
			i++
		}
	}
	return append(parts, Literal(fixed.String())), nil
}

// readStar returns the parameter for the rest of the path, given the text before
// and after its star.
func readStar(before, name string) (Part, error) {
	switch {
	case name == "":
		return Rest("*"), nil
	case strings.Contains(name, "/") || !strings.HasSuffix("/"+before, "/"):
		return Part{}, fmt.Errorf("%q follows a star, which takes the rest of the path", name)
	}
	star := Rest(name)
	star.slash = true
	return star, checkName(name)
}

// checkName returns an error for an empty parameter name and for one that contains
// a byte of some router's syntax.
func checkName(name string) error {
	if name == "" {
		return errors.New("a path parameter has no name")
	}
	if i := strings.IndexAny(name, `:*+?<>()[]{}|\/`); i >= 0 {
		return fmt.Errorf("the path parameter %q contains %q", name, name[i:i+1])
	}
	return nil
}
