package route

import (
	"net/url"
	"slices"
	"strings"
)

// Pattern is what the paths of a route look like: fixed text and parameters.
type Pattern struct {
	text     string
	parts    []part
	params   []string // the names of the parameters, in the order of the path
	distinct int      // how many different ones there are
}

// part is fixed text, or a parameter.
type part struct {
	text    string // the fixed text, escaped for a path, or the name of the parameter
	isParam bool
	rest    bool       // the parameter takes the rest of the path, slashes included
	slash   bool       // values of the parameter begin with the slash before it
	last    bool       // nothing comes behind
	bytes   *[256]bool // those of a value that stand for themselves
}

// String returns the pattern as it was written.
func (p Pattern) String() string {
	return p.text
}

// sameParams reports whether both patterns have the same set of parameters.
func (p Pattern) sameParams(other Pattern) bool {
	return p.distinct == other.distinct &&
		!slices.ContainsFunc(p.params, func(name string) bool { return !slices.Contains(other.params, name) })
}

// newPattern returns the pattern of the parts. A path begins with a slash, also
// where the pattern does not.
func newPattern(text string, parts []part) Pattern {
	if len(parts) == 0 || parts[0].isParam || !strings.HasPrefix(parts[0].text, "/") {
		parts = append([]part{{text: "/"}}, parts...)
	}
	parts[len(parts)-1].last = true
	p := Pattern{text: text, parts: parts}
	bytes := valueBytes
	if slices.ContainsFunc(parts, func(p part) bool { return !p.isParam && strings.Contains(p.text, "%") }) {
		bytes = goBytes
	}
	for i := range parts {
		part := &parts[i]
		part.bytes = bytes
		if bytes == goBytes && !part.isParam {
			part.text = goEscapes.Replace(part.text)
		}
		if part.isParam {
			if !slices.Contains(p.params, part.text) {
				p.distinct++
			}
			p.params = append(p.params, part.text)
		}
	}
	return p
}

// goEscapes escapes what may stand in a segment but Go escapes: see
// [Route.AppendPath].
var goEscapes = strings.NewReplacer("!", "%21", "'", "%27", "(", "%28", ")", "%29", "*", "%2A")

// appendLiteral appends fixed text. A plus stays, since a router compares fixed
// text byte for byte.
func appendLiteral(parts []part, text string) []part {
	if text == "" {
		return parts
	}
	return append(parts, part{text: string(appendEscaped(nil, text, segmentBytes, true))})
}

// Colons reads the patterns of Echo and Gin. ":id" is a parameter up to the
// next slash, "*" takes the rest of the path under the name "*" (Echo), "*path"
// under the name "path" (Gin, which gives such values a slash in front: it may
// be there). A backslash before a colon makes it plain text.
func Colons(text string) Pattern {
	var parts []part
	var literal strings.Builder
	for i := 0; i < len(text); {
		switch {
		case text[i] == '\\' && i+1 < len(text) && text[i+1] == ':':
			literal.WriteByte(':')
			i += 2
		case text[i] == ':':
			parts = appendLiteral(parts, literal.String())
			literal.Reset()
			end := i + 1
			for end < len(text) && text[end] != '/' {
				end++
			}
			parts = append(parts, part{text: text[i+1 : end], isParam: true})
			i = end
		case text[i] == '*':
			parts = appendLiteral(parts, literal.String())
			literal.Reset()
			if name := text[i+1:]; name == "" {
				parts = append(parts, part{text: "*", isParam: true, rest: true})
			} else {
				parts = append(parts, part{text: name, isParam: true, rest: true, slash: true})
			}
			i = len(text)
		default:
			literal.WriteByte(text[i])
			i++
		}
	}
	return newPattern(text, appendLiteral(parts, literal.String()))
}

// Braces reads patterns in which parameters stand in braces, as in net/http's
// [net/http.ServeMux] without method and host. "{id}" is a parameter within a
// segment, where other text may stand beside it ("{id}.{format}");
// "{path...}" and "{path*}" take the rest of the path; "{id:[0-9]+}" is read as
// "{id}"; "{$}" is the end of the path and adds nothing; "*" at the end takes
// the rest of the path under the name "*", as in chi. Fixed text may be
// percent-encoded.
func Braces(text string) Pattern {
	var parts []part
	named, isRest := strings.CutSuffix(text, "*")
	for rest := named; rest != ""; {
		literal, behind, found := strings.Cut(rest, "{")
		parts = appendEncodedLiteral(parts, literal)
		if !found {
			break
		}
		var name string
		name, rest = cutBrace(behind)
		name, _, _ = strings.Cut(name, ":")
		plain, dots := strings.CutSuffix(name, "...")
		plain, star := strings.CutSuffix(plain, "*")
		if name != "$" {
			parts = append(parts, part{text: plain, isParam: true, rest: dots || star})
		}
	}
	if isRest {
		parts = append(parts, part{text: "*", isParam: true, rest: true})
	}
	return newPattern(text, parts)
}

// cutBrace cuts s behind the brace that closes the one before s. Braces within,
// as in a regular expression, are in pairs.
func cutBrace(s string) (inside, behind string) {
	depth := 1
	for i := range len(s) {
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return s[:i], s[i+1:]
			}
		}
	}
	return s, ""
}

// appendEncodedLiteral appends fixed text in which percent signs encode bytes,
// segment by segment, so that an encoded slash stays one.
func appendEncodedLiteral(parts []part, text string) []part {
	segments := strings.Split(text, "/")
	for i, segment := range segments {
		plain, err := url.PathUnescape(segment)
		if err != nil {
			plain = segment
		}
		segments[i] = string(appendEscaped(nil, plain, segmentBytes, false))
	}
	if text == "" {
		return parts
	}
	return append(parts, part{text: strings.Join(segments, "/")})
}
