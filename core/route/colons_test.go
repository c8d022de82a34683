package route_test

import (
	"testing"

	"github.com/goverso/verso/core/route"
)

func TestColons(t *testing.T) {
	tests := []struct {
		name, pattern string
		named         map[string]any
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
		{"fixed text is escaped", "/a b/é/%41/?/c++", nil, "/a%20b/%C3%A9/%2541/%3F/c++"},
		{"marks stay", "/a!'()/:id", map[string]any{"id": "!"}, "/a!'()/!"},
		{"plus in front", "/+a/:id", map[string]any{"id": 7}, "/+a/7"},
		{"hyphen and dot in a name", "/:user-id.v/x", map[string]any{"user-id.v": 7}, "/7/x"},
		{"marks in a name", "/é/:id!", map[string]any{"id!": 7}, "/%C3%A9/7"},
		{"one name twice", "/:a/x/:a", map[string]any{"a": 7}, "/7/x/7"},
		{"Echo's rest", "/files/*", map[string]any{"*": "a/b.txt"}, "/files/a/b.txt"},
		{"Echo's rest ends in a slash", "/files/*", map[string]any{"*": "a/"}, "/files/a/"},
		{"Echo's rest after text", "/files/a*", map[string]any{"*": "b/c"}, "/files/ab/c"},
		{"Echo's rest alone", "*", map[string]any{"*": "b/c"}, "/b/c"},
		{"Gin's rest alone", "*path", map[string]any{"path": "/b/c"}, "/b/c"},
		{"Gin's rest", "/files/*path", map[string]any{"path": "/a/b.txt"}, "/files/a/b.txt"},
		{"Gin's rest without the slash", "/files/*path", map[string]any{"path": "a/b.txt"}, "/files/a/b.txt"},
		{"Gin's rest is the slash", "/files/*path", map[string]any{"path": "/"}, "/files/"},
		{"braces are plain", "/{id}", nil, "/%7Bid%7D"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			checkPattern(t, route.Colons(test.pattern), test.pattern, test.named, test.want)
		})
	}
}

func TestColonsNotUnderstood(t *testing.T) {
	tests := []struct {
		name, pattern, reason string
	}{
		{"constraint", "/:id<int>", `the path parameter "id<int>" contains "<"`},
		{"constraint with a slash", "/:id<regex(a/b)>", `the path parameter "id<regex(a" contains "<"`},
		{"expression", `/:id(\d+)/x`, `the path parameter "id(\\d+)" contains "("`},
		{"optional", "/users/:id?", `the path parameter "id?" contains "?"`},
		{"several", "/:id+", `the path parameter "id+" contains "+"`},
		{"star after a name", "/:id*", `the path parameter "id*" contains "*"`},
		{"two in a segment", "/:from-:to", `the path parameter "from-:to" contains ":"`},
		{"colon in front", "/size::size", `the path parameter ":size" contains ":"`},
		{"escaped colon in a name", `/:id\:verb`, `the path parameter "id\\:verb" contains "\\"`},
		{"no name", "/:/x", "a path parameter has no name"},
		{"plus", "/files/+", `the segment "+" may be a parameter`},
		{"plus in the middle", "/+/x", `the segment "+" may be a parameter`},
		{"plus alone", "+", `the segment "+" may be a parameter`},
		{"star in the middle", "/files/*/x", `"/x" follows a star, which takes the rest of the path`},
		{"named star in the middle", "/files/*path/x", `"path/x" follows a star, which takes the rest of the path`},
		{"named star after text", "/files/a*path", `"path" follows a star, which takes the rest of the path`},
		{"two stars", "/**", `the path parameter "*" contains "*"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			checkNotUnderstood(t, route.Colons(test.pattern), test.pattern, test.reason+": make the pattern of the route with route.NewPattern")
		})
	}
}
