package route_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goverso/verso/core/route"
)

func TestLookup(t *testing.T) {
	table := route.NewTable(
		route.Route{Name: "list", Method: "GET", Path: "/users/:id"},
		route.Route{Name: "create", Method: "POST", Path: "/users/:id"},
		route.Route{Name: "unnamed-twin", Method: "GET", Path: "/users/:id"},
		route.Route{Method: "GET", Path: "/ping"},
		route.Route{Name: "admin", Method: "GET", Path: "/users/:id", Host: "admin.example.com"},
	)
	const none = "(none)"
	tests := []struct {
		name, host, method, path, want string
	}{
		{"no host", "", "GET", "/users/:id", "list"},
		{"by method", "", "POST", "/users/:id", "create"},
		{"host without routes", "example.com", "GET", "/users/:id", "list"},
		{"host with routes", "admin.example.com", "GET", "/users/:id", "admin"},
		{"host with routes, not this one", "admin.example.com", "POST", "/users/:id", none},
		{"route without a name", "", "GET", "/ping", ""},
		{"other method", "", "PUT", "/users/:id", none},
		{"other path", "", "GET", "/users/7", none},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := none
			if r, ok := table.Lookup(test.host, test.method, test.path); ok {
				got = r.Name
			}
			if got != test.want {
				t.Errorf("Lookup = %q, want %q", got, test.want)
			}
		})
	}
	if _, ok := route.NewTable().Lookup("", "GET", "/"); ok {
		t.Error("an empty table has a route")
	}
}

func TestLookupPath(t *testing.T) {
	const none = "(none)"
	table := route.NewTable(
		route.Route{Name: "list", Method: "GET", Path: "/users"},
		route.Route{Name: "create", Method: "POST", Path: "/users"},
		route.Route{Name: "admin", Method: "GET", Path: "/users", Host: "admin.example.com"},
		route.Route{Name: "shop", Method: "GET", Path: "/stock", Host: "shop.example.com"},
	)
	for _, test := range []struct{ name, host, path, want string }{
		{"first of two methods", "", "/users", "list"},
		{"host", "admin.example.com", "/users", "admin"},
		{"host without routes", "example.com", "/users", "list"},
		{"host with routes, not this one", "shop.example.com", "/users", none},
		{"of another host", "", "/stock", none},
		{"unknown", "", "/", none},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := none
			if r, ok := table.LookupPath(test.host, test.path); ok {
				got = r.Name
			}
			if got != test.want {
				t.Errorf("LookupPath = %q, want %q", got, test.want)
			}
		})
	}
}

func TestAmbiguous(t *testing.T) {
	at := func(host, name, pattern string) route.Route {
		return route.Route{Host: host, Name: name, Pattern: route.Colons(pattern)}
	}
	tests := []struct {
		name   string
		routes []route.Route
		want   string // "": not ambiguous
	}{
		{"no routes", nil, ""},
		{"other names", []route.Route{at("", "a", "/a"), at("", "b", "/b")}, ""},
		{"one path in two syntaxes", []route.Route{at("", "a", "/a/:id"), {Name: "a", Pattern: route.Braces("/a/{id:[0-9]+}")}}, ""},
		{"not understood", []route.Route{at("", "a", "/a?/:id?"), at("", "a", "/b/:id?"), at("", "a", "/a")}, ""},
		{"without patterns", []route.Route{{Name: "a"}, {Name: "a"}}, ""},
		{"other parameters", []route.Route{at("", "a", "/a"), at("", "a", "/a/:id"), at("", "a", "/a/:key")}, ""},
		{"one path for two methods", []route.Route{at("", "a", "/a"), at("", "a", "/a")}, ""},
		{"other hosts", []route.Route{at("", "a", "/a"), at("x.com", "a", "/b"), at("y.com", "a", "/c")}, ""},
		{"without names", []route.Route{at("", "", "/a"), at("", "", "/b")}, ""},
		{"two paths", []route.Route{at("", "a", "/a"), at("", "a", "/b")},
			`no reverse match: the name "a" stands for both "/a" and "/b": rename one of them`},
		{"same parameters in another order", []route.Route{at("", "a", "/:x/:y"), at("", "a", "/:y/:x")},
			`no reverse match: the name "a" stands for both "/:x/:y" and "/:y/:x": rename one of them`},
		{"behind names that are not", []route.Route{at("", "a", "/a"), at("", "b", "/b"), at("", "c", "/c"), at("", "d", "/d"), at("", "d", "/e")},
			`no reverse match: the name "d" stands for both "/d" and "/e": rename one of them`},
		{"on a host", []route.Route{at("", "a", "/a"), at("x.com", "a", "/b"), at("x.com", "a", "/c")},
			`no reverse match: the name "a" stands for both "/b" and "/c": rename one of them`},
		{"the first name is told", []route.Route{at("", "b", "/1"), at("", "b", "/2"), at("", "a", "/3"), at("", "a", "/4")},
			`no reverse match: the name "a" stands for both "/3" and "/4": rename one of them`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			table := route.NewTable(test.routes...)
			err := table.Ambiguous()
			for range 20 { // maps have no order
				if again := table.Ambiguous(); fmt.Sprint(again) != fmt.Sprint(err) {
					t.Errorf("Ambiguous() = %v, then %v", err, again)
				}
			}
			if got := fmt.Sprint(err); test.want == "" && err != nil || test.want != "" && got != test.want {
				t.Errorf("Ambiguous() = %v, want %q", err, test.want)
			}
			if err != nil && !errors.Is(err, route.ErrNoMatch) {
				t.Errorf("%v does not match ErrNoMatch", err)
			}
		})
	}
}

// A table keeps its own routes: the caller's may change.
func TestTableIsImmutable(t *testing.T) {
	routes := []route.Route{{Name: "a", Pattern: route.Colons("/a")}}
	table := route.NewTable(routes...)
	routes[0] = route.Route{Name: "a", Pattern: route.Colons("/b")}
	if got, err := table.Path("a", nil); got != "/a" {
		t.Errorf("path = %q, %v, want /a", got, err)
	}
}

// All routes are there, duplicates and those without a name too, and they are
// the ones that look-ups find.
func TestRoutes(t *testing.T) {
	table := route.NewTable(
		route.Route{Name: "b", Method: "GET", Path: "/b"},
		route.Route{Name: "a", Method: "GET", Path: "/a", Host: "example.com"},
		route.Route{Name: "twin", Method: "GET", Path: "/b"},
		route.Route{Name: "v1:", Method: "GET", Path: "/c"},
	)
	var names []string
	for r := range table.Routes() {
		names = append(names, r.Name)
		if found, _ := table.Lookup(r.Host, r.Method, r.Path); found != r && r.Name != "twin" {
			t.Errorf("Lookup finds another route than %q", r.Name)
		}
	}
	if want := []string{"b", "a", "twin", "v1:"}; !slices.Equal(names, want) {
		t.Errorf("Routes() = %q, want %q", names, want)
	}
	for r := range table.Routes() { // may end early
		if r.Name == "b" {
			break
		}
		t.Errorf("Routes() begins with %q", r.Name)
	}
	for range route.NewTable().Routes() {
		t.Error("an empty table has a route")
	}
}

// Every route is found among many, however alike their paths are.
func TestLookupAmongMany(t *testing.T) {
	for name, path := range alikePaths {
		t.Run(name, func(t *testing.T) {
			const n = 1000
			var routes []route.Route
			for i := range n {
				for _, method := range []string{"GET", "POST"} {
					routes = append(routes, route.Route{Name: method + strconv.Itoa(i), Method: method, Path: path(i)})
				}
			}
			table := route.NewTable(routes...)
			for _, want := range routes {
				if r, ok := table.Lookup("", want.Method, strings.Clone(want.Path)); !ok || r.Name != want.Name {
					t.Fatalf("Lookup(%q, %q) = %v, want %q", want.Method, want.Path, r, want.Name)
				}
			}
			for i := n; i < 2*n; i++ {
				if r, ok := table.LookupPath("", path(i)); ok {
					t.Fatalf("LookupPath(%q) = %q, want none", path(i), r.Name)
				}
			}
		})
	}
}

func TestLookupAllocs(t *testing.T) {
	table := route.NewTable(route.Route{Method: "GET", Path: "/a"}, route.Route{Method: "GET", Path: "/b", Host: "example.com"})
	if got := testing.AllocsPerRun(100, func() {
		table.Lookup("example.com", "GET", "/b")
		table.LookupPath("", "/a")
	}); got != 0 {
		t.Errorf("Lookup and LookupPath allocate %v times, want 0", got)
	}
}

// alikePaths make many paths that differ little.
var alikePaths = map[string]func(i int) string{
	"different lengths": func(i int) string { return strings.Repeat("/a", i%1000) + "/" + strconv.Itoa(i/1000) },
	"in the middle":     func(i int) string { return fmt.Sprintf("/api/%06d/users/:user/orders/:order", i) },
	"at the end":        func(i int) string { return fmt.Sprintf("/api/users/:user/%06d", i) },
	"in resources":      func(i int) string { return fmt.Sprintf("/:version/%d/:id", i) },
}

func BenchmarkLookup(b *testing.B) {
	for _, name := range slices.Sorted(maps.Keys(alikePaths)) {
		path := alikePaths[name]
		for _, n := range []int{10, 200, 5_000} {
			routes := make([]route.Route, n)
			for i := range routes {
				routes[i] = route.Route{Method: "GET", Path: path(i)}
			}
			table := route.NewTable(routes...)
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					if _, ok := table.Lookup("", "GET", routes[i*7%n].Path); !ok {
						b.Fatal("not found")
					}
				}
			})
		}
	}
}
