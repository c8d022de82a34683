package route_test

import (
	"errors"
	"fmt"
	"math/big"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync"
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

func TestArgumentTypes(t *testing.T) {
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
		{"Stringer with a slash", initials{'a', '/'}, `"a/" holds a slash, which ends a segment`},
		{"TextMarshaler without text", netip.Addr{}, "an empty segment leads to another route"},
		{"nil", nil, "is nil"},
		{"nil TextMarshaler", (*big.Int)(nil), "is nil"},
		{"nil Stringer", (*colour)(nil), "is nil"},
		{"nil pointer", (*int)(nil), "is nil"},
		{"TextMarshaler that fails", broken{}, "out of order"},
		{"pointer to text", &text, "has type *string: give text, an integer, an encoding.TextMarshaler or a fmt.Stringer"},
		{"float", 1.0, "has type float64: give text, an integer, an encoding.TextMarshaler or a fmt.Stringer"},
		{"bool", true, "has type bool: give text, an integer, an encoding.TextMarshaler or a fmt.Stringer"},
		{"bytes", []byte("x"), "has type []uint8: give text, an integer, an encoding.TextMarshaler or a fmt.Stringer"},
		{"struct", struct{}{}, "has type struct {}: give text, an integer, an encoding.TextMarshaler or a fmt.Stringer"},
		{"error", errors.New("x"), "has type *errors.errorString: give text, an integer, an encoding.TextMarshaler or a fmt.Stringer"},
	}
	table := tableOf("/:arg")
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			want := test.want
			if !strings.HasPrefix(want, "/") {
				want = `no reverse match: route "r" (/:arg), argument "arg": ` + want
			}
			if got := path(table, nil, map[string]any{"arg": test.value}); got != want {
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
		{"what else may stand in a segment", "/:v", "!$&'()*,;=:@", "/!$&'()*,;=:@"},
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
		{"dots beside text", "/:v", "..a", "/..a"},
		{"as Go escapes beside text that is escaped", "/é!'()+/:v", "!$&'()*+,;=:@-._~", "/%C3%A9%21%27%28%29+/%21$&%27%28%29%2A+,;=:@-._~"},
		{"rest keeps its slashes", "/*", "a b/c+d/e", "/a%20b/c%2Bd/e"},
		{"empty", "/:v", "", "an empty segment leads to another route"},
		{"slash", "/:v", "a/b", `"a/b" holds a slash, which ends a segment`},
		{"slash in front", "/:v", "/a", `"/a" holds a slash, which ends a segment`},
		{"dot", "/:v", ".", `clients resolve the segment "." away`},
		{"two dots", "/:v", "..", `clients resolve the segment ".." away`},
		{"rest is empty", "/*", "", "an empty segment leads to another route"},
		{"rest is a slash", "/*", "/", "an empty segment leads to another route"},
		{"rest begins with a slash", "/*", "/a", "an empty segment leads to another route"},
		{"rest with two slashes", "/*", "a//b", "an empty segment leads to another route"},
		{"rest ends in two slashes", "/*", "a//", "an empty segment leads to another route"},
		{"rest climbs", "/*", "a/../b", `clients resolve the segment ".." away`},
		{"rest begins with a dot", "/*", "./a", `clients resolve the segment "." away`},
		{"rest ends with dots", "/*", "a/..", `clients resolve the segment ".." away`},
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

func TestFind(t *testing.T) {
	table := route.NewTable(
		route.Route{Name: "user", Pattern: route.Colons("/users/:id")},
		route.Route{Name: "user", Pattern: route.Colons("/:version/users/:id")},
		route.Route{Name: "user", Pattern: route.Colons("/users/:id"), Method: "POST"},
		route.Route{Name: "list", Pattern: route.Colons("/users")},
		route.Route{Name: "list", Pattern: route.Colons("/admin/users"), Host: "admin.example.com"},
		route.Route{Name: "list", Pattern: route.Colons("/shop/users"), Host: "shop.example.com"},
		route.Route{Name: "stock", Pattern: route.Colons("/stock"), Host: "shop.example.com"},
		route.Route{Name: "twins", Pattern: route.Colons("/1/:a")},
		route.Route{Name: "twins", Pattern: route.Colons("/2/:a")},
		route.Route{Name: "positions", Pattern: route.Colons("/1/:a")},
		route.Route{Name: "positions", Pattern: route.Colons("/2/:b")},
		route.Route{Name: "", Pattern: route.Colons("/nameless")},
	)
	type named = map[string]any
	tests := []struct {
		name, host, route string
		args              []any
		kwargs            named
		want              string // the pattern, or the error
	}{
		{"by name", "", "user", nil, named{"id": 1}, "/users/:id"},
		{"one more by name", "", "user", nil, named{"id": 1, "version": "v1"}, "/:version/users/:id"},
		{"by position", "", "user", []any{1}, nil, "/users/:id"},
		{"two by position", "", "user", []any{"v1", 1}, nil, "/:version/users/:id"},
		{"no arguments, empty not nil", "", "list", []any{}, named{}, "/users"},
		{"host", "admin.example.com", "list", nil, nil, "/admin/users"},
		{"host without routes", "example.com", "list", nil, nil, "/users"},
		{"host has no such route", "admin.example.com", "user", nil, named{"id": 1}, "/users/:id"},
		{"only another host has it", "", "stock", nil, nil, "/stock"},
		{"names tell apart", "", "positions", nil, named{"b": 1}, "/2/:b"},

		{"unknown", "", "users", nil, nil, `no reverse match: no route is called "users"`},
		{"unknown name is quoted", "", "a\n\"b", nil, nil, `no reverse match: no route is called "a\n\"b"`},
		{"a route without a name has none", "", "", nil, nil, `no reverse match: no route is called ""`},
		{"missing", "", "user", nil, nil, `no reverse match: route "user" takes (id) or (version, id), not ()`},
		{"other", "", "user", nil, named{"pk": 1}, `no reverse match: route "user" takes (id) or (version, id), not (pk)`},
		{"extra", "", "user", nil, named{"id": 1, "version": 1, "format": 1}, `no reverse match: route "user" takes (id) or (version, id), not (format, id, version)`},
		{"extra by position", "", "user", []any{1, 2, 3}, nil, `no reverse match: route "user" takes (id) or (version, id), not 3 by position`},
		{"none taken", "", "stock", []any{1}, nil, `no reverse match: route "stock" takes (), not 1 by position`},
		{"ambiguous", "", "twins", nil, named{"a": 1}, `no reverse match: route "twins" with these arguments is both "/1/:a" and "/2/:a": rename one of them`},
		{"ambiguous by position", "", "positions", []any{1}, nil, `no reverse match: route "positions" with these arguments is both "/1/:a" and "/2/:b": rename one of them`},
		{"mixed", "", "user", []any{1}, named{"id": 1}, `positional and named arguments mixed: route "user": give either`},
		{"mixed for an unknown name", "", "users", []any{1}, named{"id": 1}, `positional and named arguments mixed: route "users": give either`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r, err := table.Find(test.host, test.route, &route.Arguments{Positional: test.args, Named: test.kwargs})
			got := fmt.Sprint(err)
			if err == nil {
				got = r.Pattern.String()
			}
			if got != test.want {
				t.Errorf("Find = %s, want %s", got, test.want)
			}
			if mixed := len(test.args) > 0 && len(test.kwargs) > 0; err != nil && (errors.Is(err, route.ErrMixedArguments) != mixed || errors.Is(err, route.ErrNoMatch) == mixed) {
				t.Errorf("%v matches the wrong error", err)
			}
		})
	}
}

func TestAppendPath(t *testing.T) {
	table := tableOf("/users/:id/files/*")
	kwargs := map[string]any{"id": 7, "*": "a/b"}
	found, err := table.Find("", "r", &route.Arguments{Named: kwargs})
	if err != nil {
		t.Fatal(err)
	}
	buffer := append(make([]byte, 0, 64), "http://example.com"...)
	got, err := found.AppendPath(buffer, &route.Arguments{Named: kwargs})
	if err != nil || string(got) != "http://example.com/users/7/files/a/b" {
		t.Errorf("AppendPath = %q, %v", got, err)
	}
	if &got[0] != &buffer[0] {
		t.Error("a buffer that is large enough was not used")
	}
	got, err = found.AppendPath(nil, &route.Arguments{Positional: []any{7, "a"}})
	if err != nil || string(got) != "/users/7/files/a" {
		t.Errorf("by position: %q, %v", got, err)
	}
	_, err = found.AppendPath(nil, &route.Arguments{})
	if want := `no reverse match: route "r" takes (id, *), not ()`; err == nil || err.Error() != want {
		t.Errorf("without arguments: %v, want %s", err, want)
	}
	for name, kwargs := range map[string]map[string]any{
		"first argument fails": {"id": "", "*": "a"},
		"last argument fails":  {"id": 7, "*": "a/../b"},
	} {
		got, err := found.AppendPath(buffer, &route.Arguments{Named: kwargs})
		if !errors.Is(err, route.ErrNoMatch) || string(got) != "http://example.com" {
			t.Errorf("%s: %q, %v, want what was there, ErrNoMatch", name, got, err)
		}
	}
}

// The default is an argument like the others, unless one has its name.
func TestDefault(t *testing.T) {
	table := tableOf("/:version/:id")
	version := route.Default{Name: "version", Value: "v1"}
	for _, test := range []struct {
		name   string
		kwargs map[string]any
		want   string
	}{
		{"taken", map[string]any{"id": 7}, "/v1/7"},
		{"another of its name", map[string]any{"id": 7, "version": "v2"}, "/v2/7"},
		{"not enough", nil, `no reverse match: route "r" takes (version, id), not (version)`},
		{"too many", map[string]any{"id": 7, "version": "v2", "x": 1}, `no reverse match: route "r" takes (version, id), not (id, version, x)`},
	} {
		t.Run(test.name, func(t *testing.T) {
			arguments := &route.Arguments{Named: test.kwargs, Default: version}
			found, err := table.Find("", "r", arguments)
			var built []byte
			if err == nil {
				built, err = found.AppendPath(nil, arguments)
			}
			if err == nil && string(built) != test.want || err != nil && err.Error() != test.want {
				t.Errorf("built %q, %v, want %s", built, err, test.want)
			}
		})
	}
}

// The error of an argument is in the chain, for those who made it.
func TestArgumentErrorIsWrapped(t *testing.T) {
	_, err := tableOf("/:id").Path("r", map[string]any{"id": failing{}})
	if !errors.Is(err, errFailing) || !errors.Is(err, route.ErrNoMatch) {
		t.Errorf("%v matches not both", err)
	}
}

func TestTableConcurrently(t *testing.T) {
	table := tableOf("/users/:id")
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			kwargs := map[string]any{"id": i}
			for range 500 {
				got, err := table.Path("r", kwargs)
				if want := "/users/" + strconv.Itoa(i); err != nil || got != want {
					t.Errorf("path = %q, %v, want %q", got, err, want)
					return
				}
				if err := table.Ambiguous(); err != nil {
					t.Error(err)
				}
				table.Lookup("", "GET", "/users/:id")
			}
		})
	}
	group.Wait()
}

func TestPathAllocs(t *testing.T) {
	table := manyRoutes(100)
	kwargs := map[string]any{"user": 4711, "order": "2026-000017"}
	buffer := make([]byte, 0, 128)
	if got := testing.AllocsPerRun(100, func() {
		found, err := table.Find("example.com", "route42", &route.Arguments{Named: kwargs})
		if err == nil {
			buffer, err = found.AppendPath(buffer[:0], &route.Arguments{Named: kwargs})
		}
		if err != nil {
			t.Fatal(err)
		}
	}); got != 0 {
		t.Errorf("Find and AppendPath allocate %v times, want 0", got)
	}
	if got := testing.AllocsPerRun(100, func() {
		if _, err := table.Path("route42", kwargs); err != nil {
			t.Fatal(err)
		}
	}); got > 2 {
		t.Errorf("Path allocates %v times, want at most 2", got)
	}
}

func BenchmarkPath(b *testing.B) {
	kwargs := map[string]any{"user": 4711, "order": "2026-000017"}
	for _, routes := range []int{10, 200, 10_000} {
		table := manyRoutes(routes)
		name := "route" + strconv.Itoa(routes/2)
		b.Run(fmt.Sprintf("%d/append", routes), func(b *testing.B) {
			buffer := make([]byte, 0, 128)
			b.ReportAllocs()
			for b.Loop() {
				found, err := table.Find("", name, &route.Arguments{Named: kwargs})
				if err == nil {
					buffer, err = found.AppendPath(buffer[:0], &route.Arguments{Named: kwargs})
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("%d/path", routes), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := table.Path(name, kwargs); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Whatever the pattern and the values: a path that is built stands in a URL as
// it is, reads back as the text of the pattern with the values in it, and no
// value made a segment that clients or routers treat specially.
func FuzzPath(f *testing.F) {
	f.Add("/users/:id", false, "7", "")
	f.Add("/:a/x:b", false, "a b+c%2F", "é\x00?#")
	f.Add("/files/*path", false, "/a/b/", "")
	f.Add(`/\:x/:id/*`, false, ".", "a/../b")
	f.Add("**", false, "/a/b", "")
	f.Add("/{a}.{b}", true, "..", "json")
	f.Add("/{a}{b}", true, "x", ".")
	f.Add("/a%20b/%zz/{path...}", true, "//evil.com", "")
	f.Add("//x/./{a:[0-9]+}/{$}", true, "\xff\u202e", "\r\n")
	f.Fuzz(func(t *testing.T, text string, braces bool, first, second string) {
		text = "/" + text
		if braces && !wellNested(text) {
			t.Skip()
		}
		pattern, params := read(text, braces)
		if hasTwice(params) {
			t.Skip()
		}
		kwargs := make(map[string]any)
		var plain strings.Builder
		behind := 0
		for i, p := range params {
			value := []string{first, second}[i%2]
			kwargs[p.name] = value
			gin := p.rest && !braces && text[p.start:p.end] != "*"
			if p.rest && (p.end < len(text) || gin && text[p.start-1] != '/') {
				t.Skip() // no router takes such a pattern
			}
			if gin {
				value = strings.TrimPrefix(value, "/")
			}
			plain.WriteString(plainText(text[behind:p.start], braces) + value)
			behind = p.end
		}
		plain.WriteString(plainText(text[behind:], braces))

		table := route.NewTable(route.Route{Name: "r", Pattern: pattern})
		built, err := table.Path("r", kwargs)
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

		for name := range kwargs {
			kwargs[name] = "x"
		}
		harmless, err := table.Path("r", kwargs)
		if err != nil {
			t.Fatal(err)
		}
		// The rest of a path may end in a slash, and be nothing else in Gin.
		if got, want := special(strings.TrimSuffix(built, "/")), special(strings.TrimSuffix(harmless, "/")); got > want {
			t.Errorf("built %q, in which values made %d special segments", built, got-want)
		}
	})
}

func ExampleTable_Path() {
	table := route.NewTable(
		route.Route{Name: "user", Pattern: route.Braces("/users/{id}")},
		route.Route{Name: "user", Pattern: route.Braces("/users/{id}.{format}")},
	)
	fmt.Println(table.Path("user", map[string]any{"id": 7}))
	fmt.Println(table.Path("user", map[string]any{"id": "a b", "format": "json"}))
	fmt.Println(table.Path("user", map[string]any{"pk": 7}))
	// Output:
	// /users/7 <nil>
	// /users/a%20b.json <nil>
	//  no reverse match: route "user" takes (id) or (id, format), not (pk)
}

func ExampleRoute_AppendPath() {
	table := route.NewTable(route.Route{Name: "user", Pattern: route.Colons("/users/:id")})
	args := []any{7}
	found, err := table.Find("", "user", &route.Arguments{Positional: args})
	if err != nil {
		panic(err)
	}
	built, err := found.AppendPath([]byte("https://example.com"), &route.Arguments{Positional: args})
	fmt.Println(string(built), err)
	// Output: https://example.com/users/7 <nil>
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
func path(table *route.Table, args []any, kwargs map[string]any) string {
	found, err := table.Find("", "r", &route.Arguments{Positional: args, Named: kwargs})
	if err != nil {
		return err.Error()
	}
	built, err := found.AppendPath(nil, &route.Arguments{Positional: args, Named: kwargs})
	if err != nil {
		return err.Error()
	}
	return string(built)
}

// plainText returns what fixed text of a pattern stands for.
func plainText(literal string, braces bool) string {
	if !braces {
		return strings.ReplaceAll(literal, `\:`, ":")
	}
	pieces := braceParam.Split(literal, -1) // between {$}, which stands for nothing
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

// special counts the segments that clients resolve away or routers cannot tell
// from none.
func special(path string) (n int) {
	for segment := range strings.SplitSeq(path, "/") {
		switch segment {
		case "", ".", "..":
			n++
		}
	}
	return n
}
