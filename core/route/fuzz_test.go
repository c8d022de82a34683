package route_test

import (
	"errors"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goverso/verso/core/route"
)

var harmlessValues = strings.Split("xyzabcdefghijklmnopqrstuvw0123456789", "")

// Whatever the pattern and the values, a built path is unchanged in a URL and reads
// back as the text of the pattern with the values in it, and no value becomes a
// segment that clients or routers treat specially.
func FuzzPath(f *testing.F) {
	f.Add("/users/:id", false, "7", "")
	f.Add("/:a/x:b", false, "a b+c%2F", "é\x00?#")
	f.Add("/files/*path", false, "/a/b/", "")
	f.Add(`/\:x/:id/*`, false, ".", "a/../b")
	f.Add("**", false, "/a/b", "")
	f.Add("/{a}.{b}", true, "..", "json")
	f.Add("/{a}{b}", true, "x", ".")
	f.Add("/{a}x", true, "7", "")
	f.Add("/a%20b/%zz/{path...}", true, "//evil.com", "")
	f.Add("//x/./{a:[0-9]+}/{$}", true, "\xff\u202e", "\r\n")
	f.Fuzz(func(t *testing.T, text string, braces bool, first, second string) {
		text = "/" + text
		if braces && !wellNested(text) {
			t.Skip()
		}
		pattern, params := read(text, braces)
		if pattern.Err() != nil || hasTwice(params) {
			t.Skip()
		}
		named := make(map[string]any)
		var plain strings.Builder
		behind := 0
		for i, p := range params {
			value := []string{first, second}[i%2]
			named[p.name] = value
			gin := p.rest && !braces && text[p.start:p.end] != "*"
			if p.rest && (p.end < len(text) || gin && text[p.start-1] != '/') {
				t.Skip() // no router accepts such a pattern
			}
			if gin {
				value = strings.TrimPrefix(value, "/")
			}
			plain.WriteString(plainText(text[behind:p.start], braces) + value)
			behind = p.end
		}
		plain.WriteString(plainText(text[behind:], braces))

		table := route.NewTable(route.Route{Name: "r", Pattern: pattern})
		built, err := table.Path("r", named)
		if err != nil {
			if !errors.Is(err, route.ErrNoMatch) || built != "" {
				t.Errorf("got %q and the error %v", built, err)
			}
			return
		}
		const origin = "http://example.com"
		u, err := url.Parse(origin + built)
		if err != nil {
			t.Fatal(err)
		}
		if u.EscapedPath() != built || u.Path != plain.String() || origin+u.EscapedPath() != u.String() {
			t.Errorf("built %q, which is the path %q of %v, want %q", built, u.Path, u, plain.String())
		}
		if i := strings.IndexFunc(built, func(r rune) bool { return r <= ' ' || r > '~' }); i >= 0 {
			t.Errorf("built %q, unescaped at %d", built, i)
		}

		// A value that the text behind its parameter begins with would end too early.
		unused := slices.IndexFunc(harmlessValues, func(v string) bool { return !strings.Contains(plain.String(), v) })
		if unused < 0 {
			return
		}
		for name := range named {
			named[name] = harmlessValues[unused]
		}
		harmless, err := table.Path("r", named)
		if err != nil {
			t.Fatal(err)
		}
		// The rest of a path may end in a slash, and in Gin it may be only a slash.
		if got, want := special(strings.TrimSuffix(built, "/")), special(strings.TrimSuffix(harmless, "/")); got > want {
			t.Errorf("built %q, in which values made %d special segments", built, got-want)
		}
	})
}

// A regular expression finds the parameters of a pattern in its text. Exactly these
// parameters build a path, and errors name them in order.
func FuzzPattern(f *testing.F) {
	f.Add("/users/:id", false)
	f.Add(`/a\:b/:c/*`, false)
	f.Add("/*path/:no", false)
	f.Add("/:/::", false)
	f.Add("/{id}.{format}/{path...}", true)
	f.Add("/{id:[0-9]{3}}/{$}/{x*}", true)
	f.Add("/{$...}/{...*}/{", true)
	f.Add("%zz{%41}\xff", true)
	f.Add("/:id<int>/x", false)
	f.Add("/:from-:to", false)
	f.Add("/+/:id?", false)
	f.Add("/{rest:.*}", true)
	f.Add("{...:}", true)
	f.Add("/{id:[^/]+}/{b:(?i)[a-z]}}", true)
	f.Fuzz(func(t *testing.T, text string, braces bool) {
		pattern, params := read(text, braces)
		if pattern.String() != text {
			t.Errorf("String() = %q, want %q", pattern.String(), text)
		}
		table := route.NewTable(route.Route{Name: "r", Pattern: pattern})
		if err := pattern.Err(); err != nil {
			_, findErr := table.Find("", "r", &route.Params{Positional: make([]any, len(params))})
			if !errors.Is(err, route.ErrPattern) || !strings.Contains(err.Error(), strconv.Quote(text)) || !errors.Is(findErr, err) {
				t.Errorf("Err() = %v, Find: %v", err, findErr)
			}
			return
		}
		if braces && !wellNested(text) {
			return // the regular expression cannot find its parameters
		}
		if got, want := pattern.Params(), names(params); !slices.Equal(got, want) {
			t.Errorf("Params() = %q, want %q", got, want)
		}
		if shape := pattern.Shape(); !strings.HasPrefix(shape, "/") || strings.Count(shape, "{") != len(params) {
			t.Errorf("Shape() = %s, of %d parameters", shape, len(params))
		}

		named := make(map[string]any)
		for _, p := range params {
			named[p.name] = "x"
		}
		if len(named) < len(params) {
			return // a name can be given only once
		}
		if _, err := table.Find("", "r", &route.Params{Named: named}); err != nil {
			t.Errorf("with all parameters: %v", err)
		}
		if _, err := table.Find("", "r", &route.Params{Positional: make([]any, len(params))}); err != nil {
			t.Errorf("with all parameters by position: %v", err)
		}
		for name := range named {
			fewer := maps.Clone(named)
			delete(fewer, name)
			if _, err := table.Find("", "r", &route.Params{Named: fewer}); !errors.Is(err, route.ErrNoMatch) {
				t.Errorf("without parameter %q: %v", name, err)
			}
			fewer["another "+name] = "x"
			if _, err := table.Find("", "r", &route.Params{Named: fewer}); !errors.Is(err, route.ErrNoMatch) {
				t.Errorf("with another name for %q: %v", name, err)
			}
		}
		_, err := table.Find("", "r", &route.Params{Positional: make([]any, len(params)+1)})
		if want := " takes (" + strings.Join(names(params), ", ") + "), not "; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("with a parameter too many: %v, want it to hold %q", err, want)
		}
	})
}

// A path that is built from parts reads back through net/url as the text of the
// parts and the values.
func FuzzNewPattern(f *testing.F) {
	f.Add("users", "7", "orders", "2026-17", "a", "b/c.txt")
	f.Add("a b/%41", "é+", "?", "a%2Fb", "x/y", "d/")
	f.Add("!'()*", "!'()*+", ":id<int>", "{x}", "%zz", "#")
	f.Add("/", ".", "", "..", "", "/")
	f.Fuzz(func(t *testing.T, literal, first, beside, second, encoded, tail string) {
		pattern, err := route.NewPattern("<text>",
			route.Literal("/"+literal+"/"), route.Param("first"),
			route.Literal("/"+beside), route.Param("second"),
			route.Escaped("/"+url.PathEscape(encoded)+"/"), route.Rest("rest"))
		if err != nil {
			t.Fatal(err)
		}
		table := route.NewTable(route.Route{Name: "r", Pattern: pattern})
		built, err := table.Path("r", map[string]any{"first": first, "second": second, "rest": tail})
		if err != nil {
			if !errors.Is(err, route.ErrNoMatch) || built != "" {
				t.Errorf("got %q and the error %v", built, err)
			}
			return
		}
		u, err := url.Parse("http://example.com" + built)
		if err != nil {
			t.Fatal(err)
		}
		if u.EscapedPath() != built || u.RawQuery != "" || u.Fragment != "" {
			t.Errorf("built %q, which is the path %q of %v", built, u.EscapedPath(), u)
		}
		// Slashes in fixed text make segments; those in encoded text do not.
		before, between := strings.Count(literal, "/")+2, strings.Count(beside, "/")
		want := slices.Concat(strings.Split("/"+literal, "/"), []string{first}, strings.Split(beside+second, "/"), []string{encoded}, strings.Split(tail, "/"))
		got := strings.Split(u.EscapedPath(), "/")
		for i := range got {
			if got[i], err = url.PathUnescape(got[i]); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(got, want) || got[before] != first || got[before+1+between] != beside[strings.LastIndexByte(beside, '/')+1:]+second {
			t.Errorf("built %q, which reads back as %q, want %q", built, got, want)
		}
	})
}

// param is a parameter of a pattern, as a regular expression finds it.
type param struct {
	name       string
	start, end int // its position in the text
	rest       bool
}

func names(params []param) []string {
	var all []string
	for _, p := range params {
		all = append(all, p.name)
	}
	return all
}

var (
	colonParam = regexp.MustCompile(`(?s)\\:|:([^/]*)|\*(.*)`)
	braceParam = regexp.MustCompile(`(?s)\{((?:[^{}]|\{[^{}]*\})*)\}`)
)

// read reads a pattern twice: with the package, and its parameters with a
// regular expression.
func read(text string, braces bool) (route.Pattern, []param) {
	var params []param
	if !braces {
		for _, m := range colonParam.FindAllStringSubmatchIndex(text, -1) {
			switch {
			case m[2] >= 0:
				params = append(params, param{text[m[2]:m[3]], m[0], m[1], false})
			case m[4] == m[5] && m[4] >= 0:
				params = append(params, param{"*", m[0], m[1], true})
			case m[4] >= 0:
				params = append(params, param{text[m[4]:m[5]], m[0], m[1], true})
			}
		}
		return route.Colons(text), params
	}
	for _, m := range braceParam.FindAllStringSubmatchIndex(text, -1) {
		name, _, isExpression := strings.Cut(text[m[2]:m[3]], ":")
		if name == "$" {
			continue
		}
		plain := name
		if !isExpression {
			plain = strings.TrimSuffix(strings.TrimSuffix(name, "..."), "*")
		}
		params = append(params, param{plain, m[0], m[1], plain != name})
	}
	if strings.HasSuffix(text, "*") {
		params = append(params, param{"*", len(text) - 1, len(text), true})
	}
	return route.Braces(text), params
}

// wellNested reports whether braces come in pairs, nested at most once.
func wellNested(text string) bool {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '{':
			depth++
		case '}':
			depth--
		}
		if depth < 0 || depth > 2 {
			return false
		}
	}
	return depth == 0
}

// hasTwice reports whether two parameters have the same name.
func hasTwice(params []param) bool {
	all := names(params)
	slices.Sort(all)
	return len(slices.Compact(all)) < len(params)
}

// plainText returns the decoded fixed text of a pattern.
func plainText(literal string, braces bool) string {
	if !braces {
		return strings.ReplaceAll(literal, `\:`, ":")
	}
	pieces := braceParam.Split(literal, -1) // between {$}, which adds nothing
	for i, piece := range pieces {
		segments := strings.Split(piece, "/")
		for j, segment := range segments {
			if plain, err := url.PathUnescape(segment); err == nil {
				segments[j] = plain
			}
		}
		pieces[i] = strings.Join(segments, "/")
	}
	return strings.Join(pieces, "")
}

// special counts the segments that clients remove or that routers cannot tell from
// a missing segment.
func special(path string) (n int) {
	for segment := range strings.SplitSeq(path, "/") {
		switch segment {
		case "", ".", "..":
			n++
		}
	}
	return n
}
