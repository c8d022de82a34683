package route_test

import (
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goverso/verso/core/route"
)

func TestColons(t *testing.T) {
	tests := []struct {
		name, pattern string
		kwargs        map[string]any
		want          string
	}{
		{"root", "/", nil, "/"},
		{"empty", "", nil, "/"},
		{"no slash in front", "users", nil, "/users"},
		{"fixed", "/users/", nil, "/users/"},
		{"one", "/users/:id", map[string]any{"id": 7}, "/users/7"},
		{"two", "/users/:id/orders/:order", map[string]any{"id": 7, "order": "a"}, "/users/7/orders/a"},
		{"prefix in the segment", "/users/u:id", map[string]any{"id": 7}, "/users/u7"},
		{"a name reaches to the slash", "/users/:id.json", map[string]any{"id.json": "7.json"}, "/users/7.json"},
		{"escaped colon", `/users\:search/:id`, map[string]any{"id": 7}, "/users:search/7"},
		{"escaped colon at the end", `/users\:`, nil, "/users:"},
		{"backslash at the end", `/a\`, nil, "/a%5C"},
		{"backslash elsewhere", `/a\b/:id`, map[string]any{"id": 7}, "/a%5Cb/7"},
		{"fixed text is escaped", "/a b/é/%41/?/+", nil, "/a%20b/%C3%A9/%2541/%3F/+"},
		{"marks stay", "/a!'()/:id", map[string]any{"id": "!"}, "/a!'()/!"},
		{"marks in a name", "/é/:id!", map[string]any{"id!": 7}, "/%C3%A9/7"},
		{"one name twice", "/:a/x/:a", map[string]any{"a": 7}, "/7/x/7"},
		{"Echo's rest", "/files/*", map[string]any{"*": "a/b.txt"}, "/files/a/b.txt"},
		{"Echo's rest ends in a slash", "/files/*", map[string]any{"*": "a/"}, "/files/a/"},
		{"Gin's rest", "/files/*path", map[string]any{"path": "/a/b.txt"}, "/files/a/b.txt"},
		{"Gin's rest without the slash", "/files/*path", map[string]any{"path": "a/b.txt"}, "/files/a/b.txt"},
		{"Gin's rest is the slash", "/files/*path", map[string]any{"path": "/"}, "/files/"},
		{"braces are plain", "/{id}", nil, "/%7Bid%7D"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			checkPattern(t, route.Colons(test.pattern), test.pattern, test.kwargs, test.want)
		})
	}
}

func TestBraces(t *testing.T) {
	tests := []struct {
		name, pattern string
		kwargs        map[string]any
		want          string
	}{
		{"root", "/", nil, "/"},
		{"empty", "", nil, "/"},
		{"no slash in front", "users", nil, "/users"},
		{"fixed", "/users/", nil, "/users/"},
		{"one", "/users/{id}", map[string]any{"id": 7}, "/users/7"},
		{"two in a segment", "/users/{id}.{format}", map[string]any{"id": 7, "format": "json"}, "/users/7.json"},
		{"two without anything between", "/{a}{b}", map[string]any{"a": 1, "b": 2}, "/12"},
		{"expression", "/users/{id:[0-9]+}/", map[string]any{"id": 7}, "/users/7/"},
		{"expression with braces", "/users/{id:[0-9]{3}}/", map[string]any{"id": 777}, "/users/777/"},
		{"encoded slash", "/a%2Fb", nil, "/a%2Fb"},
		{"expression with a colon", "/users/{id:a:b}", map[string]any{"id": 7}, "/users/7"},
		{"rest, ServeMux", "/files/{path...}", map[string]any{"path": "a/b"}, "/files/a/b"},
		{"rest, chi's", "/files/*", map[string]any{"*": "a/b"}, "/files/a/b"},
		{"rest, star", "/files/{path*}", map[string]any{"path": "a/b"}, "/files/a/b"},
		{"end of the path", "/users/{$}", nil, "/users/"},
		{"brace never closed", "/users/{id", map[string]any{"id": 7}, "/users/7"},
		{"closing brace alone", "/users}", nil, "/users%7D"},
		{"fixed text is escaped", "/a b/é/?/+", nil, "/a%20b/%C3%A9/%3F/+"},
		{"fixed text is escaped once", "/a%20b/%41", nil, "/a%20b/A"},
		{"marks beside text that is escaped", "/é!'(*)+/{id}", map[string]any{"id": "!+"}, "/%C3%A9%21%27%28%2A%29+/%21+"},
		{"percent sign alone", "/100%/{id}", map[string]any{"id": 7}, "/100%25/7"},
		{"colons are plain", "/:id", nil, "/:id"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			checkPattern(t, route.Braces(test.pattern), test.pattern, test.kwargs, test.want)
		})
	}
}

// The parameters of a pattern are those that a regular expression finds in its
// text: exactly these build a path, and errors name them in their order.
func FuzzPattern(f *testing.F) {
	f.Add("/users/:id", false)
	f.Add(`/a\:b/:c/*`, false)
	f.Add("/*path/:no", false)
	f.Add("/:/::", false)
	f.Add("/{id}.{format}/{path...}", true)
	f.Add("/{id:[0-9]{3}}/{$}/{x*}", true)
	f.Add("/{$...}/{...*}/{", true)
	f.Add("%zz{%41}\xff", true)
	f.Fuzz(func(t *testing.T, text string, braces bool) {
		if braces && !wellNested(text) {
			return
		}
		pattern, params := read(text, braces)
		if pattern.String() != text {
			t.Errorf("String() = %q, want %q", pattern.String(), text)
		}
		table := route.NewTable(route.Route{Name: "r", Pattern: pattern})

		kwargs := make(map[string]any)
		for _, p := range params {
			kwargs[p.name] = "x"
		}
		if len(kwargs) < len(params) {
			return // no named arguments can fit a name that stands twice
		}
		if _, err := table.Find("", "r", &route.Arguments{Named: kwargs}); err != nil {
			t.Errorf("with all parameters: %v", err)
		}
		if _, err := table.Find("", "r", &route.Arguments{Positional: make([]any, len(params))}); err != nil {
			t.Errorf("with all parameters by position: %v", err)
		}
		for name := range kwargs {
			fewer := maps.Clone(kwargs)
			delete(fewer, name)
			if _, err := table.Find("", "r", &route.Arguments{Named: fewer}); !errors.Is(err, route.ErrNoMatch) {
				t.Errorf("without parameter %q: %v", name, err)
			}
			fewer["another "+name] = "x"
			if _, err := table.Find("", "r", &route.Arguments{Named: fewer}); !errors.Is(err, route.ErrNoMatch) {
				t.Errorf("with another name for %q: %v", name, err)
			}
		}
		_, err := table.Find("", "r", &route.Arguments{Positional: make([]any, len(params)+1)})
		if want := " takes (" + strings.Join(names(params), ", ") + "), not "; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("with an argument too many: %v, want it to hold %q", err, want)
		}
	})
}

func checkPattern(t *testing.T, pattern route.Pattern, text string, kwargs map[string]any, want string) {
	t.Helper()
	if pattern.String() != text {
		t.Errorf("String() = %q, want %q", pattern.String(), text)
	}
	got, err := route.NewTable(route.Route{Name: "r", Pattern: pattern}).Path("r", kwargs)
	if err != nil || got != want {
		t.Errorf("path = %q, %v, want %q", got, err, want)
	}
}

// param is a parameter of a pattern, as a regular expression finds it.
type param struct {
	name       string
	start, end int // where it stands in the text
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
		name, _, _ := strings.Cut(text[m[2]:m[3]], ":")
		if name == "$" {
			continue
		}
		plain := strings.TrimSuffix(strings.TrimSuffix(name, "..."), "*")
		params = append(params, param{plain, m[0], m[1], plain != name})
	}
	if strings.HasSuffix(text, "*") {
		params = append(params, param{"*", len(text) - 1, len(text), true})
	}
	return route.Braces(text), params
}

// wellNested reports whether braces come in pairs, one within another at most.
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

// hasTwice reports whether two parameters have one name, or one has none, which
// net/http and Gin refuse.
func hasTwice(params []param) bool {
	all := names(params)
	slices.Sort(all)
	return slices.Contains(all, "") || len(slices.Compact(all)) < len(params)
}
