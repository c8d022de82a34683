package route

import (
	"net/url"
	"slices"
	"strings"
)

// Pattern is what the paths of a route look like: fixed text and parameters.
type Pattern struct {
	text   string
	parts  []part
	params []string // the names of the parameters, in the order of the path
}

// part is fixed text, or a parameter.
type part struct {
	literal string // escaped for a path
	param   string // name of the parameter, "" for fixed text
	rest    bool   // the parameter takes the rest of the path, slashes included
	slash   bool   // values of the parameter begin with the slash before it
}

// String returns the pattern as it was written.
func (p Pattern) String() string {
	return p.text
}

// sameParams reports whether both patterns have the same set of parameters.
func (p Pattern) sameParams(other Pattern) bool {
	return len(p.params) == len(other.params) &&
		!slices.ContainsFunc(p.params, func(name string) bool { return !slices.Contains(other.params, name) })
}

// addLiteral adds fixed text, which stands unescaped.
func (p *Pattern) addLiteral(text string) {
	if text != "" {
		// A plus stays: a router compares fixed text byte for byte.
		literal := strings.ReplaceAll(string(appendEscaped(nil, text, true)), "%2B", "+")
		p.parts = append(p.parts, part{literal: literal})
	}
}

func (p *Pattern) addParam(param part) {
	p.parts = append(p.parts, param)
	p.params = append(p.params, param.param)
}

// Colons reads the patterns of Echo and Gin. ":id" is a parameter up to the
// next slash, "*" takes the rest of the path under the name "*" (Echo), "*path"
// under the name "path" (Gin, which gives such values a slash in front: it may
// be there). A backslash before a colon makes it plain text.
func Colons(text string) Pattern {
	p := Pattern{text: text}
	var literal strings.Builder
	for i := 0; i < len(text); {
		switch {
		case text[i] == '\\' && i+1 < len(text) && text[i+1] == ':':
			literal.WriteByte(':')
			i += 2
		case text[i] == ':':
			p.addLiteral(literal.String())
			literal.Reset()
			end := i + 1
			for end < len(text) && text[end] != '/' {
				end++
			}
			p.addParam(part{param: text[i+1 : end]})
			i = end
		case text[i] == '*':
			p.addLiteral(literal.String())
			literal.Reset()
			if name := text[i+1:]; name == "" {
				p.addParam(part{param: "*", rest: true})
			} else {
				p.addParam(part{param: name, rest: true, slash: true})
			}
			i = len(text)
		default:
			literal.WriteByte(text[i])
			i++
		}
	}
	p.addLiteral(literal.String())
	return p
}

// Braces reads patterns in which parameters stand in braces, as in net/http's
// [net/http.ServeMux] without method and host. "{id}" is a parameter within a
// segment, where other text may stand beside it ("{id}.{format}");
// "{path...}" and "{path*}" take the rest of the path; "{id:[0-9]+}" is read as
// "{id}"; "{$}" is the end of the path and adds nothing. Fixed text may be
// percent-encoded.
func Braces(text string) Pattern {
	p := Pattern{text: text}
	for rest := text; rest != ""; {
		literal, behind, found := strings.Cut(rest, "{")
		if plain, err := url.PathUnescape(literal); err == nil {
			literal = plain
		}
		p.addLiteral(literal)
		if !found {
			break
		}
		var name string
		name, rest, _ = strings.Cut(behind, "}")
		name, _, _ = strings.Cut(name, ":")
		plain, dots := strings.CutSuffix(name, "...")
		plain, star := strings.CutSuffix(plain, "*")
		if name != "$" {
			p.addParam(part{param: plain, rest: dots || star})
		}
	}
	return p
}
