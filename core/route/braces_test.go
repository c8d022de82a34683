package route_test

import (
	"testing"

	"github.com/goverso/verso/core/route"
)

func TestBraces(t *testing.T) {
	tests := []struct {
		name, pattern string
		named         map[string]any
		want          string
	}{
		{"root", "/", nil, "/"},
		{"empty", "", nil, "/"},
		{"no slash in front", "users", nil, "/users"},
		{"fixed", "/users/", nil, "/users/"},
		{"one", "/users/{id}", map[string]any{"id": 7}, "/users/7"},
		{"two in a segment", "/users/{id}.{format}", map[string]any{"id": 7, "format": "json"}, "/users/7.json"},
		{"expression", "/users/{id:[0-9]+}/", map[string]any{"id": 7}, "/users/7/"},
		{"expression with braces", "/users/{id:[0-9]{3}}/", map[string]any{"id": 777}, "/users/777/"},
		{"encoded slash", "/a%2Fb", nil, "/a%2Fb"},
		{"expression with a colon", "/users/{id:a:b}", map[string]any{"id": "a:b"}, "/users/a:b"},
		{"alternatives, of the whole value", "/{id:a|bc}", map[string]any{"id": "bc"}, "/bc"},
		{"expression for an escaped value", "/{id:[a-zü ]+}", map[string]any{"id": "zü a"}, "/z%C3%BC%20a"},
		{"expression for one segment", "/{version:[^/]*}/users", map[string]any{"version": "v1"}, "/v1/users"},
		{"expression with anchors", `/{id:^(?:\d{2}|x)$}`, map[string]any{"id": 77}, "/77"},
		{"empty expression", "/{id:}", map[string]any{"id": 7}, "/7"},
		{"several segments in the middle", "/{version*}/users", map[string]any{"version": "v1/beta"}, "/v1/beta/users"},
		{"star in the middle", "/a*b", nil, "/a*b"},
		{"rest, ServeMux", "/files/{path...}", map[string]any{"path": "a/b"}, "/files/a/b"},
		{"expression with slashes", "/files/{path:.+}.json", map[string]any{"path": "a/b c"}, "/files/a/b%20c.json"},
		{"expression with slashes, more behind", "/{path:[a-z/]+}-x/{id}", map[string]any{"path": "a/b", "id": 7}, "/a/b-x/7"},
		{"rest, chi's", "/files/*", map[string]any{"*": "a/b"}, "/files/a/b"},
		{"rest, star", "/files/{path*}", map[string]any{"path": "a/b"}, "/files/a/b"},
		{"end of the path", "/users/{$}", nil, "/users/"},
		{"closing brace alone", "/users}", nil, "/users%7D"},
		{"fixed text is escaped", "/a b/é/?/+", nil, "/a%20b/%C3%A9/%3F/+"},
		{"fixed text is escaped once", "/a%20b/%41", nil, "/a%20b/A"},
		{"marks next to text that is escaped", "/é!'(*)+/{id}", map[string]any{"id": "!+"}, "/%C3%A9%21%27%28%2A%29+/%21+"},
		{"percent sign alone", "/100%/{id}", map[string]any{"id": 7}, "/100%25/7"},
		{"colons are plain", "/:id", nil, "/:id"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			checkPattern(t, route.Braces(test.pattern), test.pattern, test.named, test.want)
		})
	}
}

func TestBracesNotUnderstood(t *testing.T) {
	tests := []struct {
		name, pattern, reason string
	}{
		{"expression that matches a slash", "/{rest:.*}", `the path parameter "rest": the expression ".*" can match a slash`},
		{"any character and line breaks", "/{rest:(?s).+}", `the path parameter "rest": the expression "(?s).+" can match a slash`},
		{"slash in an expression", "/{rest:a/b}", `the path parameter "rest": the expression "a/b" can match a slash`},
		{"slash in a class", "/{rest:[a-z/]+}/x", `the path parameter "rest": the expression "[a-z/]+" can match a slash`},
		{"slash in a range", "/{rest:([+-9]|x){2}}", `the path parameter "rest": the expression "([+-9]|x){2}" can match a slash`},
		{"slash in a negated class", "/{rest:[^.]+}", `the path parameter "rest": the expression "[^.]+" can match a slash`},
		{"slash before a star", "/{rest:.+}/*", `the path parameter "rest": the expression ".+" can match a slash`},
		{"invalid expression", "/{id:[}", "the path parameter \"id\": error parsing regexp: missing closing ]: `[`"},
		{"brace in a class", "/{id:[^}]+}", "the path parameter \"id\": error parsing regexp: missing closing ]: `[^`"},
		{"no name", "/{}", "a path parameter has no name"},
		{"no name before an expression", "/{:[0-9]+}", "a path parameter has no name"},
		{"no name before dots", "/{...}", "a path parameter has no name"},
		{"optional", "/{id?}", `the path parameter "id?" contains "?"`},
		{"star in front", "/{*path}", `the path parameter "*path" contains "*"`},
		{"several stars", "/{path**}", `the path parameter "path*" contains "*"`},
		{"slash in a name", "/{a/b}", `the path parameter "a/b" contains "/"`},
		{"braces in a name", "/{{id}}", `the path parameter "{id}" contains "{"`},
		{"brace not closed", "/users/{id", "a brace is not closed"},
		{"two without text between", "/{a}{b}", `the path parameters "a" and "b" have no text between them`},
		{"rest without text between", "/{a}*", `the path parameters "a" and "*" have no text between them`},
		{"rest in the middle", "/{path...}/x", `"{path...}" is not at the end of the path`},
		{"rest before a star", "/{path...}/*", `"{path...}" is not at the end of the path`},
		{"end in the middle", "/{$}/x", `"{$}" is not the last segment of the path`},
		{"end before a star", "/{$}*", `"{$}" is not the last segment of the path`},
		{"end next to text", "/a{$}", `"{$}" is not the last segment of the path`},
		{"end with dots", "/{$...}", `the path parameter "$" contains "$"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			checkNotUnderstood(t, route.Braces(test.pattern), test.pattern, test.reason+": make the pattern of the route with route.NewPattern")
		})
	}
}
