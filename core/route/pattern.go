package route

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Pattern is a route pattern: fixed text and path parameters. [Colons] and [Braces] read
// the usual syntaxes; [NewPattern] makes a pattern from parts, for all other syntaxes. No
// path can be built from the zero Pattern.
type Pattern struct {
	text     string
	parts    []Part   // empty when the pattern is not understood
	names    []string // of the parameters, in the order of the path
	distinct int      // the number of different names
	plain    *byteSet // the bytes of a value that are not escaped
	err      error    // why the pattern is not understood
}

// NewPattern makes a pattern from parts in the order of the path. The text is the
// pattern in the router's syntax, for messages. A path begins with a slash even if
// the first part does not. A name may occur more than once: its value is then used
// in each place.
//
// NewPattern fails with [ErrPattern] for a parameter without a name, two parameters
// without text between them, a part after [Rest], and a malformed escape in [Escaped]. It
// also fails without parts, which means a pattern that the caller cannot express. The
// pattern that is returned with an error may be used in a route; URL generation for that
// route then fails with the error.
func NewPattern(text string, parts ...Part) (Pattern, error) {
	p := compile(text, parts, checkParts(parts), "")
	return p, p.err
}

func checkParts(parts []Part) error {
	if len(parts) == 0 {
		return errors.New("the pattern has no parts")
	}
	for _, p := range parts[:len(parts)-1] {
		if p.kind == rest {
			return fmt.Errorf("the path parameter %q takes the rest of the path, but a part follows it", p.text)
		}
	}
	return nil
}

// String returns the pattern in the router's syntax.
func (p Pattern) String() string { return p.text }

// Err returns the reason why no path of the pattern can be built, an error that matches
// [ErrPattern], or nil.
func (p Pattern) Err() error {
	if p.err == nil && p.isUnread() {
		return fmt.Errorf("%w: the route has no pattern", ErrPattern)
	}
	return p.err
}

// isUnread reports whether [Pattern.Err] returns an error.
func (p *Pattern) isUnread() bool { return p.parts == nil }

// Params returns the names of the path parameters in the order of the path. It is
// empty when the pattern is not understood.
func (p Pattern) Params() []string { return slices.Clone(p.names) }

// ParamAt returns the name at a position of [Pattern.Params], "" beyond the last one.
func (p *Pattern) ParamAt(position int) string {
	if position >= len(p.names) {
		return ""
	}
	return p.names[position]
}

// HasParam reports whether the pattern has a path parameter of the name.
func (p *Pattern) HasParam(name string) bool { return slices.Contains(p.names, name) }

// Takes reports whether a path parameter can have a value, by its expression.
func (p *Pattern) Takes(name, value string) bool {
	return !slices.ContainsFunc(p.parts, func(part Part) bool {
		return part.isParam() && part.text == name && part.expression != nil && !part.expression.MatchString(value)
	})
}

// Lead returns the fixed text that all paths of the pattern begin with, escaped.
// whole reports whether the text is the whole path. If the pattern is not understood, it is
// the text before the first segment with syntax.
func (p Pattern) Lead() (text string, whole bool) {
	if p.isUnread() {
		if at := strings.IndexAny(p.text, ":*{+?<(%\\"); at > 0 {
			return p.text[:strings.LastIndexByte(p.text[:at], '/')+1], false
		}
		return "", false
	}
	if p.parts[0].isParam() {
		return "", false
	}
	return p.parts[0].text, len(p.parts) == 1
}

// Template returns the pattern as a URI template (RFC 6570), the same for all
// routers: "/users/{id}/files/{+path}". It is "" when the pattern is not understood.
func (p Pattern) Template() string { return p.format("{name}", "{+name}") }

// Shape returns the pattern without the names of its parameters, in the same syntax
// for all routers: "/users/{}/files/{*}". Patterns for the same paths have the
// same shape. The shape of a pattern that is not understood is its quoted text.
func (p Pattern) Shape() string {
	if p.isUnread() {
		return strconv.Quote(p.text)
	}
	return p.format("{}", "{*}")
}

// format returns the pattern with its parameters in the given forms, in which "name"
// is the place of the name.
func (p *Pattern) format(paramForm, restForm string) string {
	var text strings.Builder
	for _, part := range p.parts {
		switch part.kind {
		case param:
			text.WriteString(strings.Replace(paramForm, "name", part.text, 1))
		case rest:
			text.WriteString(strings.Replace(restForm, "name", part.text, 1))
		default:
			text.WriteString(part.text)
		}
	}
	return text.String()
}

// sameParams reports whether both patterns are known to have the same set of
// parameters.
func (p *Pattern) sameParams(other *Pattern) bool {
	return !p.isUnread() && !other.isUnread() && p.distinct == other.distinct &&
		!slices.ContainsFunc(p.names, func(name string) bool { return !slices.Contains(other.names, name) })
}

// ownPattern is the advice for a pattern in a syntax beyond [Braces] and [Colons].
const ownPattern = ": make the pattern of the route with route.NewPattern"

// compile makes a pattern from parts. The pattern has the given error, or else the
// first error of the parts, and the advice.
func compile(text string, parts []Part, err error, advice string) Pattern {
	p := Pattern{text: text, plain: valueBytes}
	if err == nil {
		err = p.add(parts)
	}
	if err != nil {
		return Pattern{text: text, err: fmt.Errorf("%w: %q: %w%s", ErrPattern, text, err, advice)}
	}
	p.parts[len(p.parts)-1].last = true
	for i := range p.parts {
		p.parts[i].ended = p.until(i) != ""
	}
	if slices.ContainsFunc(p.parts, func(p Part) bool { return !p.isParam() && strings.Contains(p.text, "%") }) {
		p.plain = goBytes
		for i := range p.parts {
			if !p.parts[i].isParam() {
				p.parts[i].text = goEscapes.Replace(p.parts[i].text)
			}
		}
	}
	return p
}

// add adds parts in the form from which paths are built: parameters, and the fixed
// text between them, escaped and merged.
func (p *Pattern) add(parts []Part) error {
	var fixed []byte // before the next parameter, escaped
	for i, next := range parts {
		switch next.kind {
		case literal:
			fixed = appendEscaped(fixed, next.text, segmentBytes, true)
			continue
		case escaped, perhapsEscaped:
			text, err := escapeAgain(next.text, next.kind == escaped)
			if err != nil {
				return fmt.Errorf("the text %q is not percent-encoded: %w", next.text, err)
			}
			fixed = append(fixed, text...)
			continue
		}
		if next.text == "" {
			return fmt.Errorf("part %d, a path parameter, has no name", i+1)
		}
		if len(fixed) == 0 && len(p.names) > 0 {
			return fmt.Errorf("the path parameters %q and %q have no text between them", p.names[len(p.names)-1],
				next.text)
		}
		if !slices.Contains(p.names, next.text) {
			p.distinct++
		}
		p.addFixed(string(fixed))
		fixed = fixed[:0]
		p.parts = append(p.parts, next)
		p.names = append(p.names, next.text)
	}
	p.addFixed(string(fixed))
	return nil
}

// addFixed adds escaped text. A path begins with a slash.
func (p *Pattern) addFixed(text string) {
	if len(p.parts) == 0 && !strings.HasPrefix(text, "/") {
		text = "/" + text
	}
	if text != "" {
		p.parts = append(p.parts, Part{kind: escaped, text: text})
	}
}

// until returns the text behind the parameter i in its segment, at which a router ends it, or "".
func (p *Pattern) until(i int) string {
	isOne := p.parts[i].kind == param || p.parts[i].expression != nil
	if i+1 == len(p.parts) || !isOne || p.parts[i+1].text[0] == '/' {
		return ""
	}
	text := p.parts[i+1].text
	switch {
	case !p.parts[i].byByte:
		return text
	case text[0] == '%' && slices.Contains(goEscaped, text[:3]):
		return text[:3]
	}
	return text[:1]
}
