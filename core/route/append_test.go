package route_test

import (
	"errors"
	"math/big"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/goverso/verso/core/route"
)

type (
	userID   string
	counter  uint16
	initials struct{ first, last byte }
	broken   struct{}
	colour   int
)

func (i initials) String() string           { return string([]byte{i.first, i.last}) }
func (broken) MarshalText() ([]byte, error) { return nil, errors.New("out of order") }
func (c *colour) String() string            { return "colour " + strconv.Itoa(int(*c)) }

func TestValueTypes(t *testing.T) {
	red := colour(1)
	text := "x"
	tests := []struct {
		name  string
		value any
		want  string // the path, or the end of the error
	}{
		{"string", "x", "/x"},
		{"named string", userID("x"), "/x"},
		{"int", -7, "/-7"},
		{"int8", int8(-128), "/-128"},
		{"int16", int16(7), "/7"},
		{"int32", int32(7), "/7"},
		{"int64", int64(-1 << 63), "/-9223372036854775808"},
		{"uint", uint(7), "/7"},
		{"uint8", uint8(255), "/255"},
		{"uint16", counter(7), "/7"},
		{"uint32", uint32(7), "/7"},
		{"uint64", uint64(1<<64 - 1), "/18446744073709551615"},
		{"uintptr", uintptr(7), "/7"},
		{"TextMarshaler", time.Date(2026, 11, 20, 21, 0, 0, 0, time.UTC), "/2026-11-20T21:00:00Z"},
		{"TextMarshaler, escaped", netip.MustParseAddr("fe80::1%eth 0"), "/fe80::1%25eth%200"},
		{"pointer that is a TextMarshaler", big.NewInt(12345678901), "/12345678901"},
		{"Stringer", initials{'a', 'b'}, "/ab"},
		{"Stringer counts before integer", time.Minute, "/1m0s"},
		{"pointer that is a Stringer", &red, "/colour%201"},
		{"Stringer with a slash", initials{'a', '/'}, `"a/" contains a slash, which ends a segment`},
		{"TextMarshaler without text", netip.Addr{}, "an empty segment leads to another route"},
		{"nil", nil, "is nil"},
		{"nil TextMarshaler", (*big.Int)(nil), "is nil"},
		{"nil Stringer", (*colour)(nil), "is nil"},
		{"nil pointer", (*int)(nil), "is nil"},
		{"TextMarshaler that fails", broken{}, "out of order"},
		{"pointer to text", &text, "has type *string: give a string, an integer, an encoding.TextMarshaler or a fmt.Stringer"},
		{"float", 1.0, "has type float64: give a string, an integer, an encoding.TextMarshaler or a fmt.Stringer"},
		{"bool", true, "has type bool: give a string, an integer, an encoding.TextMarshaler or a fmt.Stringer"},
		{"bytes", []byte("x"), "has type []uint8: give a string, an integer, an encoding.TextMarshaler or a fmt.Stringer"},
		{"struct", struct{}{}, "has type struct {}: give a string, an integer, an encoding.TextMarshaler or a fmt.Stringer"},
		{"error", errors.New("x"), "has type *errors.errorString: give a string, an integer, an encoding.TextMarshaler or a fmt.Stringer"},
	}
	table := tableOf("/:id")
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			want := test.want
			if !strings.HasPrefix(want, "/") {
				want = `no reverse match: route "r" (/:id), path parameter "id": ` + want
			}
			if got := path(table, nil, map[string]any{"id": test.value}); got != want {
				t.Errorf("by name: %s, want %s", got, want)
			}
			if got := path(table, []any{test.value}, nil); got != want {
				t.Errorf("by position: %s, want %s", got, want)
			}
		})
	}
}

func TestEscaping(t *testing.T) {
	tests := []struct {
		name, pattern, value, want string
	}{
		{"unreserved", "/:v", "aZ09-._~", "/aZ09-._~"},
		{"other bytes that a segment may contain", "/:v", "!$&'()*,;=:@", "/!$&'()*,;=:@"},
		{"plus", "/:v", "a+b", "/a%2Bb"},
		{"space", "/:v", "a b", "/a%20b"},
		{"percent", "/:v", "100%", "/100%25"},
		{"never twice undone", "/:v", "%2F", "/%252F"},
		{"query and fragment", "/:v", "a?b#c", "/a%3Fb%23c"},
		{"brackets and backslash", "/:v", `[a]\|^{}`, "/%5Ba%5D%5C%7C%5E%7B%7D"},
		{"line break", "/:v", "a\r\nb", "/a%0D%0Ab"},
		{"NUL", "/:v", "\x00", "/%00"},
		{"beyond ASCII", "/:v", "é\u202e", "/%C3%A9%E2%80%AE"},
		{"not UTF-8", "/:v", "\xff", "/%FF"},
		{"three dots", "/:v", "...", "/..."},
		{"dots next to text", "/:v", "..a", "/..a"},
		{"as Go escapes next to text that is escaped", "/é!'()+/:v", "!$&'()*+,;=:@-._~", "/%C3%A9%21%27%28%29+/%21$&%27%28%29%2A+,;=:@-._~"},
		{"rest keeps its slashes", "/*", "a b/c+d/e", "/a%20b/c%2Bd/e"},
		{"empty", "/:v", "", "an empty segment leads to another route"},
		{"slash", "/:v", "a/b", `"a/b" contains a slash, which ends a segment`},
		{"slash in front", "/:v", "/a", `"/a" contains a slash, which ends a segment`},
		{"dot", "/:v", ".", `clients remove the segment "."`},
		{"two dots", "/:v", "..", `clients remove the segment ".."`},
		{"rest is empty", "/*", "", "an empty segment leads to another route"},
		{"rest is a slash", "/*", "/", "an empty segment leads to another route"},
		{"rest begins with a slash", "/*", "/a", "an empty segment leads to another route"},
		{"rest with two slashes", "/*", "a//b", "an empty segment leads to another route"},
		{"rest ends in two slashes", "/*", "a//", "an empty segment leads to another route"},
		{"rest climbs", "/*", "a/../b", `clients remove the segment ".."`},
		{"rest begins with a dot", "/*", "./a", `clients remove the segment "."`},
		{"rest ends with dots", "/*", "a/..", `clients remove the segment ".."`},
		{"Gin's rest is empty", "/*v", "", "an empty segment leads to another route"},
		{"Gin's rest begins with two slashes", "/*v", "//evil.com", "an empty segment leads to another route"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := path(tableOf(test.pattern), []any{test.value}, nil)
			if got != test.want && !strings.HasSuffix(got, `": `+test.want) {
				t.Errorf("%q: %s, want %s", test.value, got, test.want)
			}
		})
	}
}

func TestAppendPath(t *testing.T) {
	table := tableOf("/users/:id/files/*")
	named := map[string]any{"id": 7, "*": "a/b"}
	found, err := table.Find("", "r", &route.Params{Named: named})
	if err != nil {
		t.Fatal(err)
	}
	buffer := append(make([]byte, 0, 64), "http://example.com"...)
	got, err := found.AppendPath(buffer, &route.Params{Named: named})
	if err != nil || string(got) != "http://example.com/users/7/files/a/b" {
		t.Errorf("AppendPath = %q, %v", got, err)
	}
	if &got[0] != &buffer[0] {
		t.Error("a buffer that is large enough was not used")
	}
	got, err = found.AppendPath(nil, &route.Params{Positional: []any{7, "a"}})
	if err != nil || string(got) != "/users/7/files/a" {
		t.Errorf("by position: %q, %v", got, err)
	}
	_, err = found.AppendPath(nil, &route.Params{})
	if want := `no reverse match: route "r" takes (id, *), not ()`; err == nil || err.Error() != want {
		t.Errorf("without parameters: %v, want %s", err, want)
	}
	for name, named := range map[string]map[string]any{
		"first parameter fails": {"id": "", "*": "a"},
		"last parameter fails":  {"id": 7, "*": "a/../b"},
	} {
		got, err := found.AppendPath(buffer, &route.Params{Named: named})
		if !errors.Is(err, route.ErrNoMatch) || string(got) != "http://example.com" {
			t.Errorf("%s: %q, %v, want dst unchanged and ErrNoMatch", name, got, err)
		}
	}
}

// A router ends a parameter at the text behind it in its segment: chi at the first byte, Fiber at
// the whole.
func TestTextBehindAParameter(t *testing.T) {
	for _, test := range []struct{ between, a, b, byByte, byText string }{
		{"-", "1", "2-3", "/1-2-3", "/1-2-3"},
		{"-", "1-2", "3", "", ""},
		{".json/", "v1.2", "x", "", "/v1.2.json/x"},
		{".json/", "v1.json", "x", "", "/v1.json.json/x"},
		{".json/", "v1", "x.y", "/v1.json/x.y", "/v1.json/x.y"},
		{".a.a", "x.a", "y", "", ""},
		{"0", "\u00e9 ", "!", "", ""}, // in the escape of the space
		{"0", "\u00e9", "!", "/%C3%A90!", "/%C3%A90!"},
		{"(\u00e9", "b c", "x", "/b%20c%28%C3%A9x", "/b%20c%28%C3%A9x"},
		{"(\u00e9", "b(c", "x", "", "/b%28c%28%C3%A9x"},
	} {
		byText, err := route.NewPattern(test.between, route.Param("a"), route.Literal(test.between), route.Param("b"))
		if err != nil {
			t.Fatal(err)
		}
		for want, pattern := range map[*string]route.Pattern{
			&test.byByte: route.Braces("/{a}" + test.between + "{b}"), &test.byText: byText,
		} {
			r := route.Route{Name: "r", Pattern: pattern}
			for how, params := range map[string]*route.Params{
				"by name": {Named: map[string]any{"a": test.a, "b": test.b}}, "by position": {Positional: []any{test.a, test.b}},
			} {
				if got, err := r.AppendPath(nil, params); string(got) != *want || (err == nil) != (*want != "") || err != nil && !errors.Is(err, route.ErrNoMatch) {
					t.Errorf("%s with %q and %q, %s: %q, %v, want %q", pattern, test.a, test.b, how, got, err, *want)
				}
			}
			got, ok := r.AppendPathFunc(nil, func(_ int, name string) (string, bool) {
				return map[string]string{"a": test.a, "b": test.b}[name], true
			})
			if string(got) != *want || ok != (*want != "") {
				t.Errorf("%s with %q and %q: %q, %v, want %q", pattern, test.a, test.b, got, ok, *want)
			}
		}
	}
}

func TestAppendPathNotUnderstood(t *testing.T) {
	dst := []byte("http://example.com")
	for _, test := range []struct{ pattern, want string }{
		{"/:id<int>", `route "r": pattern not understood: "/:id<int>": the path parameter "id<int>" contains "<": make the pattern of the route with route.NewPattern`},
		{"", `route "r": pattern not understood: the route has no pattern`},
	} {
		r := route.Route{Name: "r"}
		if test.pattern != "" {
			r.Pattern = route.Colons(test.pattern)
		}
		got, err := r.AppendPath(dst, &route.Params{Positional: []any{7}})
		if string(got) != string(dst) || err == nil || err.Error() != test.want {
			t.Errorf("AppendPath = %q, %v, want dst unchanged and %s", got, err, test.want)
		}
		if got, err := route.NewTable(r).Path("r", nil); got != "" || err == nil || err.Error() != test.want {
			t.Errorf("Path = %q, %v, want %s", got, err, test.want)
		}
	}
}

// The default is a parameter like the others, unless another has its name.
func TestDefault(t *testing.T) {
	table := tableOf("/:version/:id")
	version := route.Default{Name: "version", Value: "v1"}
	for _, test := range []struct {
		name  string
		named map[string]any
		want  string
	}{
		{"taken", map[string]any{"id": 7}, "/v1/7"},
		{"another of its name", map[string]any{"id": 7, "version": "v2"}, "/v2/7"},
		{"not enough", nil, `no reverse match: route "r" takes (version, id), not (version)`},
		{"too many", map[string]any{"id": 7, "version": "v2", "x": 1}, `no reverse match: route "r" takes (version, id), not (id, version, x)`},
	} {
		t.Run(test.name, func(t *testing.T) {
			params := &route.Params{Named: test.named, Default: version}
			found, err := table.Find("", "r", params)
			var built []byte
			if err == nil {
				built, err = found.AppendPath(nil, params)
			}
			if err == nil && string(built) != test.want || err != nil && err.Error() != test.want {
				t.Errorf("built %q, %v, want %s", built, err, test.want)
			}
		})
	}
}

// The error of a value is in the chain.
func TestValueErrorIsWrapped(t *testing.T) {
	_, err := tableOf("/:id").Path("r", map[string]any{"id": failing{}})
	if !errors.Is(err, errFailing) || !errors.Is(err, route.ErrNoMatch) {
		t.Errorf("%v does not match both", err)
	}
}

var errFailing = errors.New("failing")

type failing struct{}

func (failing) MarshalText() ([]byte, error) { return nil, errFailing }

// tableOf returns a table of one route, called r.
func tableOf(pattern string) *route.Table {
	return route.NewTable(route.Route{Name: "r", Pattern: route.Colons(pattern)})
}

// manyRoutes returns a table of routes called route0, route1, ...
func manyRoutes(n int) *route.Table {
	routes := make([]route.Route, n)
	for i := range routes {
		routes[i] = route.Route{
			Name:    "route" + strconv.Itoa(i),
			Pattern: route.Colons("/api/" + strconv.Itoa(i) + "/users/:user/orders/:order"),
		}
	}
	return route.NewTable(routes...)
}

// path returns what the route r of a table builds: a path, or the error.
func path(table *route.Table, positional []any, named map[string]any) string {
	found, err := table.Find("", "r", &route.Params{Positional: positional, Named: named})
	if err != nil {
		return err.Error()
	}
	built, err := found.AppendPath(nil, &route.Params{Positional: positional, Named: named})
	if err != nil {
		return err.Error()
	}
	return string(built)
}
