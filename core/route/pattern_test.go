package route_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/goverso/verso/core/route"
)

func TestNewPattern(t *testing.T) {
	type parts = []route.Part
	tests := []struct {
		name  string
		parts parts
		named map[string]any
		want  string
	}{
		{"fixed", parts{route.Literal("/users")}, nil, "/users"},
		{"no slash in front", parts{route.Literal("users")}, nil, "/users"},
		{"empty", parts{route.Literal("")}, nil, "/"},
		{"zero part", parts{{}}, nil, "/"},
		{"parameter in front", parts{route.Param("id")}, map[string]any{"id": 7}, "/7"},
		{"rest in front", parts{route.Rest("path")}, map[string]any{"path": "a/b"}, "/a/b"},
		{"two in a segment", parts{route.Literal("/"), route.Param("from"), route.Literal("-"), route.Param("to")}, map[string]any{"from": "a", "to": "b"}, "/a-b"},
		{"rest after a segment", parts{route.Literal("/"), route.Param("id"), route.Literal("/"), route.Rest("path")}, map[string]any{"id": 7, "path": "a/b/"}, "/7/a/b/"},
		{"rest after text", parts{route.Literal("/a"), route.Rest("path")}, map[string]any{"path": "b/c"}, "/ab/c"},
		{"one name twice", parts{route.Param("a"), route.Literal("/"), route.Param("a")}, map[string]any{"a": 7}, "/7/7"},
		{"syntax in names", parts{route.Param(":id<int>?")}, map[string]any{":id<int>?": 7}, "/7"},
		{"syntax in text", parts{route.Literal("/:id/{x}/*")}, nil, "/:id/%7Bx%7D/%2A"},
		{"text is escaped", parts{route.Literal("/a b/%41/?")}, nil, "/a%20b/%2541/%3F"},
		{"escaped text is escaped once", parts{route.Escaped("/a%20b/é/%41%2F/")}, nil, "/a%20b/%C3%A9/A%2F/"},
		{"text in pieces", parts{route.Literal("/a"), route.Escaped("%20"), {}, route.Literal("b!"), route.Param("x")}, map[string]any{"x": "!"}, "/a%20b%21%21"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			given := slices.Clone(test.parts)
			pattern, err := route.NewPattern("<text>", test.parts...)
			if err != nil {
				t.Fatal(err)
			}
			checkPattern(t, pattern, "<text>", test.named, test.want)
			if !slices.Equal(test.parts, given) {
				t.Error("the caller's parts were changed")
			}
		})
	}
}

func TestNewPatternFails(t *testing.T) {
	tests := []struct {
		name   string
		parts  []route.Part
		reason string
	}{
		{"no parts", nil, "the pattern has no parts"},
		{"no name", []route.Part{route.Literal("/"), route.Param("")}, "part 2, a path parameter, has no name"},
		{"rest without a name", []route.Part{route.Rest("")}, "part 1, a path parameter, has no name"},
		{"rest before text", []route.Part{route.Rest("path"), route.Literal("/x")}, `the path parameter "path" takes the rest of the path, but a part follows it`},
		{"rest before rest", []route.Part{route.Rest("a"), route.Rest("b")}, `the path parameter "a" takes the rest of the path, but a part follows it`},
		{"two without text between", []route.Part{route.Param("a"), route.Param("b")}, `the path parameters "a" and "b" have no text between them`},
		{"two with empty text between", []route.Part{route.Param("a"), route.Literal(""), route.Rest("b")}, `the path parameters "a" and "b" have no text between them`},
		{"malformed escape", []route.Part{route.Escaped("/100%/%2")}, `the text "/100%/%2" is not percent-encoded: invalid URL escape "%"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			pattern, err := route.NewPattern("<text>", test.parts...)
			if err == nil || !errors.Is(err, pattern.Err()) {
				t.Errorf("NewPattern: %v, the pattern: %v", err, pattern.Err())
			}
			checkNotUnderstood(t, pattern, "<text>", test.reason)
		})
	}
}

func TestPatternParams(t *testing.T) {
	pattern := route.Colons("/:b/x/:a/:b/*")
	want := []string{"b", "a", "b", "*"}
	names := pattern.Params()
	if !slices.Equal(names, want) {
		t.Errorf("Params() = %q, want %q", names, want)
	}
	names[0] = "changed"
	if again := pattern.Params(); !slices.Equal(again, want) {
		t.Errorf("Params() = %q after a caller changed them, want %q", again, want)
	}
}

func TestShape(t *testing.T) {
	made, err := route.NewPattern("", route.Literal("users/"), route.Param("x"), route.Literal("/files/"), route.Rest("y"))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name    string
		pattern route.Pattern
		want    string
	}{
		{"Echo", route.Colons("/users/:id/files/*"), "/users/{}/files/{*}"},
		{"Gin", route.Colons("/users/:pk/files/*path"), "/users/{}/files/{*}"},
		{"net/http", route.Braces("/users/{user}/files/{path...}"), "/users/{}/files/{*}"},
		{"chi", route.Braces("/users/{id:[0-9]+}/files/*"), "/users/{}/files/{*}"},
		{"of parts", made, "/users/{}/files/{*}"},
		{"next to text", route.Braces("/{id}.{format}"), "/{}.{}"},
		{"end of the path", route.Braces("/users/{$}"), "/users/"},
		{"root", route.Colons(""), "/"},
		{"braces as text", route.Colons("/{}"), "/%7B%7D"},
		{"escapes", route.Braces("/%41 (b)"), "/A%20%28b%29"},
		{"not understood", route.Braces("/{}"), `"/{}"`},
		{"none", route.Pattern{}, `""`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := test.pattern.Shape(); got != test.want {
				t.Errorf("Shape() = %s, want %s", got, test.want)
			}
		})
	}
}

// The zero Pattern has an error.
func TestZeroPattern(t *testing.T) {
	var none route.Pattern
	if err := none.Err(); !errors.Is(err, route.ErrPattern) {
		t.Errorf("Err() = %v, want ErrPattern", err)
	}
	if none.String() != "" || len(none.Params()) != 0 {
		t.Errorf("String() = %q, Params() = %q", none.String(), none.Params())
	}
}

// checkPattern builds the path of a pattern that is understood.
func checkPattern(t *testing.T, pattern route.Pattern, text string, named map[string]any, want string) {
	t.Helper()
	if pattern.String() != text {
		t.Errorf("String() = %q, want %q", pattern.String(), text)
	}
	if err := pattern.Err(); err != nil {
		t.Errorf("Err() = %v", err)
	}
	got, err := route.NewTable(route.Route{Name: "r", Pattern: pattern}).Path("r", named)
	if err != nil || got != want {
		t.Errorf("path = %q, %v, want %q", got, err, want)
	}
}

// checkNotUnderstood checks the behaviour of a pattern that is not understood.
func checkNotUnderstood(t *testing.T, pattern route.Pattern, text, reason string) {
	t.Helper()
	if pattern.String() != text {
		t.Errorf("String() = %q, want %q", pattern.String(), text)
	}
	err := pattern.Err()
	if want := fmt.Sprintf("pattern not understood: %q: %s", text, reason); !errors.Is(err, route.ErrPattern) || err.Error() != want {
		t.Errorf("Err() = %v, want %s", err, want)
	}
	if names := pattern.Params(); len(names) > 0 {
		t.Errorf("Params() = %q", names)
	}
	_, findErr := route.NewTable(route.Route{Name: "r", Pattern: pattern}).Find("", "r", nil)
	if !errors.Is(findErr, err) || errors.Is(findErr, route.ErrNoMatch) {
		t.Errorf("Find: %v, want %v in its chain", findErr, err)
	}
}
