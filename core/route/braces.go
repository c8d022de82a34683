package route

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

// Braces reads patterns with path parameters in braces, as in
// [net/http.ServeMux] (without method and host), chi, and gorilla/mux. "{id}" is
// a parameter within a segment, which may contain other text, too
// ("{id}.{format}"); "{path...}" at the end and "{path*}" take several segments;
// "{id:[0-9]+}" is "{id}" with values that match the expression; "{$}" marks
// the end of the path and adds nothing; "*" at the end
// takes the rest of the path under the name "*" (chi). Fixed text may be
// percent-encoded.
//
// An expression that can match a slash takes several segments where other text than a
// slash ends the parameter ("{path:.+}.json"). Elsewhere ("{rest:.*}"), Braces does not
// understand it, nor an unclosed brace, nor other syntax within braces. Such a pattern has
// an error: see [Pattern.Err].
func Braces(text string) Pattern {
	parts, err := readBraces(text)
	return compile(text, parts, err, ownPattern)
}

func readBraces(text string) (parts []Part, err error) {
	text, star := strings.CutSuffix(text, "*")
	for more := true; more; {
		var fixed string
		fixed, text, more = strings.Cut(text, "{")
		parts = append(parts, Part{kind: perhapsEscaped, text: fixed})
		if !more {
			break
		}
		inside, after, closed := cutBrace(text)
		isEnd := after == "" && !star
		switch {
		case !closed:
			return nil, errors.New("a brace is not closed")
		case inside == "$" && isEnd && strings.HasSuffix(fixed, "/"):
			return parts, nil
		case inside == "$":
			return nil, errors.New(`"{$}" is not the last segment of the path`)
		}
		p, err := readBrace(inside, isEnd, after)
		if err != nil {
			return nil, err
		}
		parts = append(parts, p)
		text = after
	}
	if star {
		parts = append(parts, Rest("*"))
	}
	return parts, nil
}

// readBrace reads a parameter without its braces.
func readBrace(inside string, isEnd bool, after string) (Part, error) {
	p := Param(inside)
	if name, expression, found := strings.Cut(inside, ":"); found {
		spans, err := spansSegments(expression)
		if spans && (after == "" || after[0] == '/') {
			err = fmt.Errorf("the expression %q can match a slash", expression)
		}
		if p = Param(name); err != nil {
			return p, fmt.Errorf("the path parameter %q: %w", name, err)
		}
		if spans {
			p = Rest(name)
		}
		if expression != "" {
			p.expression = regexp.MustCompile("^(?:" + expression + ")$")
		}
	} else if name, found := strings.CutSuffix(inside, "..."); found {
		if p = Rest(name); !isEnd {
			return p, fmt.Errorf(`"{%s...}" is not at the end of the path`, name)
		}
	} else if name, found := strings.CutSuffix(inside, "*"); found {
		p = Rest(name)
	}
	if strings.Contains(p.text, "$") {
		return p, fmt.Errorf(`the path parameter %q contains "$"`, p.text)
	}
	p.byByte = true
	return p, checkName(p.text)
}

// cutBrace cuts s around the brace that closes the one before s. Braces within s,
// as in a regular expression, come in pairs.
func cutBrace(s string) (inside, after string, closed bool) {
	depth := 1
	for i := range len(s) {
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return s[:i], s[i+1:], true
			}
		}
	}
	return s, "", false
}

// spansSegments reports whether a regular expression may match more than one segment.
func spansSegments(expression string) (bool, error) {
	parsed, err := syntax.Parse(expression, syntax.Perl)
	return err == nil && matchesSlash(parsed), err
}

// matchesSlash reports whether a part of an expression can match a slash.
func matchesSlash(expression *syntax.Regexp) bool {
	switch expression.Op {
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return true
	case syntax.OpLiteral:
		return slices.Contains(expression.Rune, '/')
	case syntax.OpCharClass:
		for i := 0; i < len(expression.Rune); i += 2 {
			if expression.Rune[i] <= '/' && '/' <= expression.Rune[i+1] {
				return true
			}
		}
	}
	return slices.ContainsFunc(expression.Sub, matchesSlash)
}
