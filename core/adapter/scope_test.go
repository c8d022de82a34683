package adapter_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/route"
)

func TestScope(t *testing.T) {
	at := func(method, path string) route.Route {
		return route.Route{Method: method, Path: path, Pattern: route.Colons(path)}
	}
	framework := coretest.Listing{at("GET", "/admin/users"), at("OPTIONS", "/admin/users"), at("GET", "/admin"), at("GET", "/administrators"), at("GET", "/rooms")}
	framework[0].Name = "users"
	for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"} {
		framework = append(framework, at(method, "/admin/any"))
	}
	b := adapter.Bind(verso.MustNew(verso.Header("Api-Version"), coretest.List("v1", "v2")), framework)
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
		ask                coretest.Ask
		want               string
	}{
		{"not in the version", "GET", "/admin/users", coretest.Field("v1"), "404 not_in_version"},
		{"in the version", "GET", "/admin/users", coretest.Field("v2"), "= v2"},
		{"unknown", "GET", "/admin/users", coretest.Field("v9"), "400 invalid_header_version"},
		{"a method that no route has", "PUT", "/admin/users", coretest.Field("v1"), "404 not_in_version"},
		{"a pattern that no route has", "GET", "/admin/files/*", coretest.Field("v1"), "404 not_in_version"},
		{"a preflight", "OPTIONS", "/admin/users", coretest.Preflight(nil), "204"},
		{"a preflight where no route is for it", "OPTIONS", "/admin", coretest.Preflight(nil), "400 missing_version"},
		{"a preflight that reached another route", "-", "/admin/users", coretest.Preflight(nil), "400 missing_version"},
		{"a preflight where a route is for any method", "OPTIONS", "/admin/any", coretest.Preflight(nil), "204"},
	} {
		test.ask.Route = admin.Route("a.com", test.method, test.path)
		if test.ask.Method = test.method; admin.Route("a.com", test.method, test.path) != test.ask.Route {
			t.Errorf("%s: another route the second time", test.name)
		}
		if got := test.ask.Route.Namespaces(); !slices.Equal(got, []string{"api"}) {
			t.Errorf("%s: namespaces %q", test.name, got)
		}
		coretest.Expect(t, b, test.ask.Request(), test.want, test.name)
	}
}

// Nothing said of a scope says nothing of its routes, but that they are checked.
func TestPlainScope(t *testing.T) {
	users := route.Route{Name: "users", Method: "GET", Path: "/users", Pattern: route.Colons("/users")}
	b := adapter.Bind(verso.MustNew(verso.QueryParam("v"), coretest.List("v1", "v2")), coretest.Listing{users})
	all, err := b.Scope("", "")
	if err != nil {
		t.Fatal(err)
	}
	if got := b.Explain().Routes[0]; got.Unchecked || got.Name != "users" || got.Versions != nil {
		t.Errorf("%+v", got)
	}
	a := coretest.Query("v=v2")
	a.Route = all.Route("", "GET", "/users")
	result, call := coretest.Begin(b, a.Request())
	if link, err := adapter.LinkFor(result, a.Request(), verso.Target{Name: "users"}); link != "/users?v=v2" || err != nil || call.Err != nil {
		t.Errorf("%q, %v, %v", link, err, call.Err)
	}
}

// The routes of a group per version have links to their successors, and one template.
func TestScopesOfVersions(t *testing.T) {
	var framework coretest.Listing
	for _, path := range []string{"/v1/users/:id", "/v2/users/:id", "/v1/rooms"} {
		framework = append(framework, route.Route{Method: "GET", Path: path, Pattern: route.Colons(path)})
	}
	b := adapter.Bind(verso.MustNew(verso.PathPrefix("/{version}"), verso.Config{
		Catalogue: catalogue.MustNew(catalogue.Config{SuccessorLinks: true, Versions: []catalogue.Entry{
			{Version: "v1", Deprecated: catalogue.MustDate("2020-01-01"), Successor: "v2"}, {Version: "v2"},
		}}),
		Links: verso.LinkConfig{Relative: true},
	}), framework)
	v1 := verso.Must(b.Scope("/v1", ""))
	verso.Must(b.Scope("/v2", ""))
	for _, test := range []struct{ name, pattern, want string }{
		{"in both versions", "/v1/users/:id", `</v2/users/7>; rel="successor-version"`},
		{"in v1 alone", "/v1/rooms", ""},
	} {
		ask := coretest.Ask{Params: map[string]string{"id": "7"}, Route: v1.Route("", "GET", test.pattern)}
		_, call := coretest.Begin(b, ask.Request())
		header := make(http.Header)
		call.Fields.Set(header)
		if got := header.Get("Link"); got != test.want {
			t.Errorf("%s: Link %q, want %q", test.name, got, test.want)
		}
	}
	for pattern, want := range map[string]string{
		"/v1/users/:id": "/{version}/users/{id}", "/v2/users/:id": "/{version}/users/{id}",
		"/v1/rooms": "/{version}/rooms", "/v9/users/:id": "/v9/users/:id",
	} {
		if got := b.Template(pattern); got != want {
			t.Errorf("Template(%q) = %q, want %q", pattern, got, want)
		}
	}
}
