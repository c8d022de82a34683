package verso_test

import (
	"slices"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
)

func TestScope(t *testing.T) {
	at := func(method, path string) route.Route {
		return route.Route{Method: method, Path: path, Pattern: route.Colons(path)}
	}
	framework := listing{at("GET", "/admin/users"), at("OPTIONS", "/admin/users"), at("GET", "/admin"), at("GET", "/administrators"), at("GET", "/rooms")}
	framework[0].Name = "users"
	for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"} {
		framework = append(framework, at(method, "/admin/any"))
	}
	b := adapter.Bind(verso.MustNew(verso.Header("Api-Version"), list("v1", "v2")), framework)
	admin, err := b.Scope("/admin/", "api", verso.Since("v2"))
	if err != nil {
		t.Fatal(err)
	}
	var routes []string
	for _, r := range b.Explain().Routes {
		if r.Pattern != "/admin/any" {
			routes = append(routes, strings.Join(strings.Fields(r.String()), " "))
		}
	}
	if want := []string{
		"GET /admin/users api:users since v2", "OPTIONS /admin/users api: since v2", "GET /admin api: since v2", "GET /administrators not checked", "GET /rooms not checked",
	}; !slices.Equal(routes, want) {
		t.Errorf("routes\n%q, want\n%q", routes, want)
	}
	for _, test := range []struct {
		name, method, path string
		ask                ask
		want               string
	}{
		{"not in the version", "GET", "/admin/users", field("v1"), "404 not_in_version"},
		{"in the version", "GET", "/admin/users", field("v2"), "= v2"},
		{"unknown", "GET", "/admin/users", field("v9"), "400 invalid_header_version"},
		{"a method that no route has", "PUT", "/admin/users", field("v1"), "404 not_in_version"},
		{"a pattern that no route has", "GET", "/admin/files/*", field("v1"), "404 not_in_version"},
		{"a preflight", "OPTIONS", "/admin/users", preflight(nil), "204"},
		{"a preflight where no route is for it", "OPTIONS", "/admin", preflight(nil), "400 missing_version"},
		{"a preflight that reached another route", "-", "/admin/users", preflight(nil), "400 missing_version"},
		{"a preflight where a route is for any method", "OPTIONS", "/admin/any", preflight(nil), "204"},
	} {
		test.ask.route = admin.Route("a.com", test.method, test.path)
		if test.ask.method = test.method; admin.Route("a.com", test.method, test.path) != test.ask.route {
			t.Errorf("%s: another route the second time", test.name)
		}
		if got := test.ask.route.Namespaces(); !slices.Equal(got, []string{"api"}) {
			t.Errorf("%s: namespaces %q", test.name, got)
		}
		if got := outcome(b, test.ask.request()); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// Nothing said of a scope says nothing of its routes, but that they are checked.
func TestPlainScope(t *testing.T) {
	users := route.Route{Name: "users", Method: "GET", Path: "/users", Pattern: route.Colons("/users")}
	b := adapter.Bind(verso.MustNew(verso.QueryParam("v"), list("v1", "v2")), listing{users})
	all, err := b.Scope("", "")
	if err != nil {
		t.Fatal(err)
	}
	if got := b.Explain().Routes[0]; got.Unchecked || got.Name != "users" || got.Versions != nil {
		t.Errorf("%+v", got)
	}
	a := query("v=v2")
	a.route = all.Route("", "GET", "/users")
	result, call := begin(b, a.request())
	if link, err := adapter.LinkFor(result, a.request(), verso.Target{Name: "users"}); link != "/users?v=v2" || err != nil || call.err != nil {
		t.Errorf("%q, %v, %v", link, err, call.err)
	}
}
