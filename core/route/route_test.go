package route_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/goverso/verso/core/route"
)

func TestNamespace(t *testing.T) {
	for name, want := range map[string]string{
		"":                 "",
		"user-list":        "",
		"v1:user-list":     "v1",
		"api:v1:user-list": "api:v1",
		":user-list":       "",
		"v1:":              "v1",
	} {
		if got := (route.Route{Name: name}).Namespace(); got != want {
			t.Errorf("namespace of %q = %q, want %q", name, got, want)
		}
	}
}

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
