package route_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/goverso/verso/core/route"
)

// Routes have the same path if they have the same host, whatever their methods and
// the names of their parameters.
func TestSamePath(t *testing.T) {
	at := func(host, method, pattern string) route.Route {
		return route.Route{Host: host, Method: method, Pattern: route.Colons(pattern)}
	}
	table := route.NewTable(
		at("", "GET", "/users/:id"), at("", "PATCH", "/users/:user"), at("", "GET", "/users"), at("admin.com", "GET", "/users/:id"),
		route.Route{Method: "PUT", Pattern: route.Braces("/users/{id:[0-9]+}")}, at("", "GET", "/users/*"), at("", "DELETE", "/users/me"),
	)
	want := [][]string{{"GET", "PATCH", "PUT"}, {"GET", "PATCH", "PUT"}, {"GET"}, {"GET"}, {"GET", "PATCH", "PUT"}, {"GET"}, {"DELETE"}}
	i := 0
	for r := range table.Routes() {
		var methods []string
		for _, same := range r.SamePath() {
			methods = append(methods, same.Method)
		}
		if !slices.Equal(methods, want[i]) || !slices.Contains(r.SamePath(), r) {
			t.Errorf("%s %s%s has the path of %q, want %q", r.Method, r.Host, r.Pattern, methods, want[i])
		}
		i++
	}
	if alone := (&route.Route{}).SamePath(); alone != nil {
		t.Errorf("a route without a table has the path of %v", alone)
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
		{"one path in two syntaxes", []route.Route{at("", "a", "/a/:id"), {Name: "a", Pattern: route.Braces("/a/{id:[0-9]+}")}}, ""},
		{"not understood", []route.Route{at("", "a", "/a?/:id?"), at("", "a", "/b/:id?"), at("", "a", "/a")}, ""},
		{"without patterns", []route.Route{{Name: "a"}, {Name: "a"}}, ""},
		{"other parameters", []route.Route{at("", "a", "/a"), at("", "a", "/a/:id"), at("", "a", "/a/:key")}, ""},
		{"one path for two methods", []route.Route{at("", "a", "/a"), at("", "a", "/a")}, ""},
		{"other hosts", []route.Route{at("", "a", "/a"), at("x.com", "a", "/b"), at("y.com", "a", "/c")}, ""},
		{"two paths", []route.Route{at("", "a", "/a"), at("", "a", "/b")},
			`no reverse match: the name "a" means both "/a" and "/b": rename one of them`},
		{"same parameters in another order", []route.Route{at("", "a", "/:x/:y"), at("", "a", "/:y/:x")},
			`no reverse match: the name "a" means both "/:x/:y" and "/:y/:x": rename one of them`},
		{"after some that are not", []route.Route{at("", "d", "/a/:id"), at("", "d", "/b/:key"), at("x.com", "d", "/c"), at("", "d", "/d"), at("", "d", "/e")},
			`no reverse match: the name "d" means both "/d" and "/e": rename one of them`},
		{"on a host", []route.Route{at("", "a", "/a"), at("x.com", "a", "/b"), at("x.com", "a", "/c")},
			`no reverse match: the name "a" means both "/b" and "/c": rename one of them`},
		{"the first two are told", []route.Route{at("", "a", "/1"), at("", "a", "/2"), at("", "a", "/3")},
			`no reverse match: the name "a" means both "/1" and "/2": rename one of them`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var routes []*route.Route
			for i := range test.routes {
				routes = append(routes, &test.routes[i])
			}
			err := route.Ambiguous(routes, nil)
			if got := fmt.Sprint(err); test.want == "" && err != nil || test.want != "" && got != test.want {
				t.Errorf("Ambiguous = %v, want %q", err, test.want)
			}
			if err != nil && !errors.Is(err, route.ErrNoMatch) {
				t.Errorf("%v does not match ErrNoMatch", err)
			}
		})
	}
}

// A table copies its routes: the caller may change the originals.
func TestTableIsImmutable(t *testing.T) {
	routes := []route.Route{{Name: "a", Pattern: route.Colons("/a")}}
	table := route.NewTable(routes...)
	routes[0] = route.Route{Name: "a", Pattern: route.Colons("/b")}
	if got, err := table.Path("a", nil); got != "/a" {
		t.Errorf("path = %q, %v, want /a", got, err)
	}
}

// A table has all routes, including duplicates and those without a name.
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
