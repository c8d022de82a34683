package route_test

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/goverso/verso/core/route"
)

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
		positional        []any
		named             named
		want              string // the pattern, or the error
	}{
		{"by name", "", "user", nil, named{"id": 1}, "/users/:id"},
		{"one more by name", "", "user", nil, named{"id": 1, "version": "v1"}, "/:version/users/:id"},
		{"by position", "", "user", []any{1}, nil, "/users/:id"},
		{"two by position", "", "user", []any{"v1", 1}, nil, "/:version/users/:id"},
		{"no parameters, empty not nil", "", "list", []any{}, named{}, "/users"},
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
		{"ambiguous", "", "twins", nil, named{"a": 1}, `no reverse match: route "twins" with these parameters is ambiguous: it is both "/1/:a" and "/2/:a": rename one of them`},
		{"ambiguous by position", "", "positions", []any{1}, nil, `no reverse match: route "positions" with these parameters is ambiguous: it is both "/1/:a" and "/2/:b": rename one of them`},
		{"mixed", "", "user", []any{1}, named{"id": 1}, `positional and named parameters mixed: route "user": give parameters by position or by name`},
		{"mixed for an unknown name", "", "users", []any{1}, named{"id": 1}, `positional and named parameters mixed: route "users": give parameters by position or by name`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r, err := table.Find(test.host, test.route, &route.Params{Positional: test.positional, Named: test.named})
			got := fmt.Sprint(err)
			if err == nil {
				got = r.Pattern.String()
			}
			if got != test.want {
				t.Errorf("Find = %s, want %s", got, test.want)
			}
			if mixed := len(test.positional) > 0 && len(test.named) > 0; err != nil && (errors.Is(err, route.ErrMixedParams) != mixed || errors.Is(err, route.ErrNoMatch) == mixed) {
				t.Errorf("%v matches the wrong error", err)
			}
		})
	}
}

func TestTableConcurrently(t *testing.T) {
	table := tableOf("/users/:id")
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			named := map[string]any{"id": i}
			for range 500 {
				got, err := table.Path("r", named)
				if want := "/users/" + strconv.Itoa(i); err != nil || got != want {
					t.Errorf("path = %q, %v, want %q", got, err, want)
					return
				}
			}
		})
	}
	group.Wait()
}

// A default is a named parameter, so it cannot be combined with positional ones. The
// error names the parameter.
func TestDefaultAmongPositional(t *testing.T) {
	table := tableOf("/:version/:id")
	params := &route.Params{Positional: []any{7}, Default: route.Default{Name: "version", Value: "v1"}}
	_, err := table.Find("", "r", params)
	const want = `positional and named parameters mixed: route "r": the version's path parameter "version" cannot be combined with positional parameters: give parameters by name`
	if !errors.Is(err, route.ErrMixedParams) || err.Error() != want {
		t.Errorf("Find: %v, want %s", err, want)
	}
	params.Named = map[string]any{"id": 7}
	_, err = table.Find("", "r", params)
	if want := `positional and named parameters mixed: route "r": give parameters by position or by name`; err == nil || err.Error() != want {
		t.Errorf("Find with named parameters too: %v, want %s", err, want)
	}
}

// The error says if no route of the table has a name.
func TestFindWithoutNames(t *testing.T) {
	for table, want := range map[*route.Table]string{
		route.NewTable(): `no reverse match: no route is called "x": no route has a name`,
		route.NewTable(route.Route{Path: "/a"}, route.Route{Name: "v1:", Path: "/b"}): `no reverse match: no route is called "x": no route has a name`,
		tableOf("/a"): `no reverse match: no route is called "x"`,
	} {
		if _, err := table.Find("", "x", nil); err == nil || err.Error() != want || !errors.Is(err, route.ErrNoMatch) {
			t.Errorf("Find: %v, want %s", err, want)
		}
		if _, err := table.Path("x", nil); err == nil || err.Error() != want {
			t.Errorf("Path: %v, want %s", err, want)
		}
	}
}

// A route whose pattern is not understood may fit any parameters, so its name fails
// unless another route certainly fits.
func TestFindNotUnderstood(t *testing.T) {
	understood, not := route.Colons("/users/:id"), route.Colons("/users/:id<int>")
	const host = "shop.example.com"
	tests := []struct {
		name   string
		routes []route.Route
		host   string
		want   string // the pattern that is found; "" for ErrPattern
	}{
		{"alone", []route.Route{{Pattern: not}}, "", ""},
		{"without a pattern", []route.Route{{}}, "", ""},
		{"another one fits", []route.Route{{Pattern: not}, {Pattern: understood}}, "", "/users/:id"},
		{"another one does not fit", []route.Route{{Pattern: not}, {Pattern: route.Colons("/users")}}, "", ""},
		{"another host's fits", []route.Route{{Pattern: not, Host: host}, {Pattern: understood}}, host, ""},
		{"this host's fits", []route.Route{{Pattern: understood, Host: host}, {Pattern: not}}, host, "/users/:id"},
		{"this host's is told", []route.Route{{Pattern: route.Colons("/:x?")}, {Pattern: not, Host: host}}, host, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for i := range test.routes {
				test.routes[i].Name = "r"
			}
			table := route.NewTable(test.routes...)
			r, err := table.Find(test.host, "r", &route.Params{Named: map[string]any{"id": 7}})
			switch {
			case test.want != "":
				if err != nil || r.Pattern.String() != test.want {
					t.Errorf("Find: %v, want %s", err, test.want)
				}
			case !errors.Is(err, route.ErrPattern) || errors.Is(err, route.ErrNoMatch):
				t.Errorf("Find: %v, want only ErrPattern", err)
			case test.name == "this host's is told" && !strings.Contains(err.Error(), not.String()):
				t.Errorf("Find: %v, want %v in it", err, not)
			}
			routes := slices.Collect(table.Routes())
			if err := route.Ambiguous(routes, nil); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestFindWithoutParams(t *testing.T) {
	table := tableOf("/users")
	found, err := table.Find("", "r", nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := found.AppendPath(nil, nil); err != nil || string(got) != "/users" {
		t.Errorf("AppendPath = %q, %v", got, err)
	}
}

func TestPathAllocs(t *testing.T) {
	table := manyRoutes(100)
	named := map[string]any{"user": 4711, "order": "2026-000017"}
	buffer := make([]byte, 0, 128)
	if got := testing.AllocsPerRun(100, func() {
		found, err := table.Find("example.com", "route42", &route.Params{Named: named})
		if err == nil {
			buffer, err = found.AppendPath(buffer[:0], &route.Params{Named: named})
		}
		if err != nil {
			t.Fatal(err)
		}
	}); got != 0 {
		t.Errorf("Find and AppendPath allocate %v times, want 0", got)
	}
	if got := testing.AllocsPerRun(100, func() {
		if _, err := table.Path("route42", named); err != nil {
			t.Fatal(err)
		}
	}); got > 1 {
		t.Errorf("Path allocates %v times, want at most 1", got)
	}
}

func BenchmarkPath(b *testing.B) {
	named := map[string]any{"user": 4711, "order": "2026-000017"}
	for _, routes := range []int{10, 200, 10_000} {
		table := manyRoutes(routes)
		name := "route" + strconv.Itoa(routes/2)
		b.Run(fmt.Sprintf("%d/append", routes), func(b *testing.B) {
			buffer := make([]byte, 0, 128)
			b.ReportAllocs()
			for b.Loop() {
				found, err := table.Find("", name, &route.Params{Named: named})
				if err == nil {
					buffer, err = found.AppendPath(buffer[:0], &route.Params{Named: named})
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("%d/path", routes), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := table.Path(name, named); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
