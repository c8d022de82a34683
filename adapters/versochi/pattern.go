package versochi

import (
	"regexp"
	"regexp/syntax"
	"unicode"

	"github.com/goverso/verso/core/route"
)

// read reads a pattern of chi, whose expressions match no slash where one ends the parameter.
func read(pattern string) route.Pattern {
	known := route.Braces(pattern)
	if known.Err() == nil {
		return known
	}
	narrow := route.Braces(segments.ReplaceAllStringFunc(pattern, func(text string) string {
		parts := segments.FindStringSubmatch(text)
		expression, err := syntax.Parse(parts[2], syntax.Perl)
		if err != nil {
			return text
		}
		dropSlash(expression)
		return "{" + parts[1] + ":" + expression.String() + "}" + parts[3]
	}))
	if narrow.Err() == nil {
		return narrow
	}
	return route.Braces(segments.ReplaceAllString(pattern, "{$1}$3"))
}

// segments finds the expressions that end with their segment.
var segments = regexp.MustCompile(`\{(\w+):((?:[^{}]|\{[^{}]*\})*)\}(/|$)`)

// dropSlash takes the slash from what an expression matches.
func dropSlash(e *syntax.Regexp) {
	switch e.Op {
	case syntax.OpAnyChar:
		e.Op, e.Rune = syntax.OpCharClass, []rune{0, unicode.MaxRune}
	case syntax.OpAnyCharNotNL:
		e.Op, e.Rune = syntax.OpCharClass, []rune{0, '\n' - 1, '\n' + 1, unicode.MaxRune}
	case syntax.OpLiteral:
		for _, r := range e.Rune {
			if r == '/' {
				e.Op = syntax.OpNoMatch
			}
		}
	}
	if e.Op == syntax.OpCharClass {
		var ranges []rune
		for i := 0; i < len(e.Rune); i += 2 {
			low, high := e.Rune[i], e.Rune[i+1]
			if low <= '/' && '/' <= high {
				if low < '/' {
					ranges = append(ranges, low, '/'-1)
				}
				low = '/' + 1
			}
			if low <= high {
				ranges = append(ranges, low, high)
			}
		}
		if e.Rune = ranges; len(ranges) == 0 {
			e.Op = syntax.OpNoMatch
		}
	}
	for _, sub := range e.Sub {
		dropSlash(sub)
	}
}
