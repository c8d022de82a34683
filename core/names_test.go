package verso_test

import (
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/route"
)

func TestNames(t *testing.T) {
	names := verso.Names(map[string]string{"/users/:id": "user", "/v2/rooms": "rooms", "/admin/jobs": "jobs"})
	at := func(name, path string) route.Route {
		return route.Route{Method: "GET", Name: name, Path: path, Pattern: route.Colons(path)}
	}
	for name, test := range map[string]struct {
		config verso.Config
		given  route.Route
		want   string
	}{
		"without a name":         {coretest.List("v1", "v2"), at("", "/users/:id"), "user"},
		"every version":          {verso.Config{AnyVersion: true}, at("", "/users/:id"), "user"},
		"a name of its own":      {coretest.List("v1", "v2"), at("own", "/users/:id"), "own"},
		"in a namespace":         {coretest.List("v1", "v2"), at("v2:", "/v2/rooms"), "v2:rooms"},
		"a form of EachVersion":  {coretest.List("v1", "v2"), route.Route{RegisteredPath: "/users/:id", Path: "/v1/users/:id", Pattern: route.Colons("/v1/users/:id")}, "user"},
		"a path with no name":    {coretest.List("v1", "v2"), at("", "/users"), ""},
		"a path that is another": {coretest.List("v1", "v2"), at("", "/users/:user"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := adapter.Bind(verso.MustNew(verso.Header("Api-Version"), test.config), nil)
			if _, err := b.Add(test.given, names); err != nil {
				t.Fatal(err)
			}
			if got := b.Explain().Routes[0].Name; got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}

	// A framework's own group.
	b := adapter.Bind(verso.MustNew(verso.Header("Api-Version"), coretest.List("v1")), coretest.Listing{at("", "/admin/jobs")})
	verso.Must(b.Scope("/admin", "", names))
	if link, err := b.Link(verso.Target{Name: "jobs"}); link != "/admin/jobs" || err != nil {
		t.Errorf("%q, %v", link, err)
	}

	// Two paths of one name, which links could not tell apart.
	b = adapter.Bind(verso.MustNew(verso.Header("Api-Version"), coretest.List("v1")), nil)
	same := verso.Names(map[string]string{"/users": "list", "/rooms": "list"})
	verso.Must(b.Add(at("", "/users"), same))
	if _, err := b.Add(at("", "/rooms"), same); err == nil || !strings.Contains(err.Error(), `the name "list" means both`) {
		t.Error(err)
	}
}

// TestNamesWithoutRoute: links do not find a name whose path no route has.
func TestNamesWithoutRoute(t *testing.T) {
	for name, test := range map[string]struct {
		names map[string]string
		paths []string
		want  string // in the finding, "" for none
	}{
		"all":                       {map[string]string{"/v1/users": "users"}, []string{"/v1/users"}, ""},
		"without its group":         {map[string]string{"/users": "users"}, []string{"/v1/users"}, `the path "/users" of Names`},
		"one of two":                {map[string]string{"/v1/users": "users", "/rooms": "rooms"}, []string{"/v1/users", "/v1/rooms"}, `the path "/rooms" of Names`},
		"of another framework, too": {map[string]string{"/v1/users/:id": "user", "/v1/users/{id}": "user"}, []string{"/v1/users/:id"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := adapter.Bind(verso.MustNew(verso.Header("Api-Version"), coretest.List("v1")), coretest.Listing{})
			for _, path := range test.paths {
				verso.Must(b.Add(route.Route{Method: "GET", Path: path, Pattern: route.Colons(path)}, verso.Names(test.names)))
			}
			got := ""
			for _, f := range b.Explain().Findings {
				if f.Code == "name_without_route" {
					got = f.Message
				}
			}
			if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}
