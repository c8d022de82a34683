package adapter_test

import (
	"net/http"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/source"
)

// described is a route of a framework, and what is said of it.
type described struct {
	host, method, name string
	options            []verso.RouteOption
	foreign            bool // registered with the framework alone
}

// lookupTable returns a binding to routes that all have one pattern.
func lookupTable(from source.Source, routes ...described) *adapter.Binding {
	var framework coretest.Listing
	for _, r := range routes {
		framework = append(framework, route.Route{Host: r.host, Method: r.method, Name: r.name, Path: "/:version/users", Pattern: route.Colons("/:version/users")})
	}
	b := adapter.Bind(verso.MustNew(from, coretest.WithDefault("v1", "v2", "v3")), framework)
	for i, r := range routes {
		if !r.foreign {
			verso.Must(b.Add(framework[i], r.options...))
		}
	}
	return b
}

// What a middleware is told of a request by the host, the method and the pattern: nothing
// where every route has a check; else what the routes without one have in common, since
// the host and the method may be those that another middleware has set.
func TestLookup(t *testing.T) {
	since := []verso.RouteOption{verso.Since("v2")}
	get, post, onHost := described{method: "GET"}, described{method: "POST", options: since}, described{host: "a.com", method: "GET", options: since}
	foreignGet, foreignAny := described{method: "GET", foreign: true}, described{foreign: true}
	for _, test := range []struct {
		name         string
		routes       []described
		host, method string
		want         string // the method of what is looked up, "none" for nothing
		exact        bool
	}{
		{"a check", []described{get, post}, "", "POST", "none", true},
		{"checks, another method", []described{get, post}, "", "PUT", "none", false},
		{"checks on a host", []described{get, onHost}, "a.com", "GET", "none", true},
		{"foreign", []described{foreignGet}, "", "GET", "GET", true},
		{"foreign, another method", []described{foreignGet}, "", "POST", "-", false},
		{"foreign, on a host", []described{{host: "b.com", method: "GET", foreign: true}}, "b.com", "GET", "GET", true},
		{"foreign, any method", []described{foreignAny, foreignGet}, "", "PATCH", "", true},
		{"both, the foreign one", []described{foreignGet, post}, "", "GET", "GET", false},
		{"both, the one with a check", []described{foreignGet, post}, "", "POST", "-", false},
		{"both, on hosts", []described{{host: "b.com", method: "GET", foreign: true}, get}, "b.com", "GET", "GET", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := lookupTable(verso.PathParam("version"), test.routes...)
			at, exact := b.Lookup(test.host, test.method, "/:version/users")
			if exact != test.exact || (at == nil) != (test.want == "none") {
				t.Fatalf("looked up %v, %t", at, exact)
			}
			if again, _ := b.Lookup(test.host, test.method, "/:version/users"); again != at {
				t.Error("another route the second time")
			}
			if at == nil {
				return
			}
			if at.Method != test.want || !at.Foreign || at.Path != "/:version/users" || at.Pattern.String() != "/:version/users" {
				t.Errorf("looked up %s %s %s", at.Method, at.Path, at.Pattern)
			}
			a := coretest.In("v1")
			a.Route = at
			coretest.Expect(t, b, a.Request(), "= v1", "the option of another route applies")
		})
	}
}

// A namespace is told where the routes without a check share it.
func TestLookupNamespace(t *testing.T) {
	get, foreign := described{method: "GET", name: "v1:users"}, described{method: "DELETE", name: "v2:gone", foreign: true}
	const several = `error verso: the routes of "/:version/users" are in several namespaces, and some are not checked: register them with v`
	for _, test := range []struct {
		name   string
		routes []described
		method string
		want   string
		exact  bool
	}{
		{"one", []described{foreign}, "DELETE", "= v2", true},
		{"one, a method that the pattern does not have", []described{foreign}, "HEAD", "= v2", false},
		{"one, beside a route with a check in another", []described{get, foreign}, "DELETE", "= v2", false},
		{"shared", []described{foreign, {method: "GET", name: "v2:users", foreign: true}}, "GET", "= v2", true},
		{"several", []described{foreign, {method: "GET", name: "v3:users", foreign: true}}, "DELETE", several, false},
		{"several, one of which is none", []described{foreign, {method: "PUT", name: "users", foreign: true}}, "PUT", several, false},
		{"none", []described{{method: "GET", name: "users", foreign: true}}, "GET", "= v1", true}, // the default
	} {
		b := lookupTable(verso.Namespace(), test.routes...)
		at, exact := b.Lookup("", test.method, "/:version/users")
		if got := coretest.Outcome(b, coretest.Ask{Route: at}.Request()); got != test.want || exact != test.exact {
			t.Errorf("%s: %s, %t, want %s", test.name, got, exact, test.want)
		}
	}
}

// A framework that can tell which route it has matched is told of that one.
func TestMatched(t *testing.T) {
	b := lookupTable(verso.Namespace(), described{method: "GET", name: "v1:users"}, described{method: "DELETE", name: "v2:gone", foreign: true}, described{method: "PUT", name: "v3:put", foreign: true})
	of := func(method string) *route.Route {
		return b.Matched(route.Route{Method: method, Path: "/:version/users", Pattern: route.Colons("/:version/users")})
	}
	if at := of("GET"); at != nil {
		t.Errorf("a route with a check: %+v", at)
	}
	for method, want := range map[string]string{"DELETE": "= v2", "PUT": "= v3", "PATCH": "= v1"} {
		coretest.Expect(t, b, coretest.Ask{Route: of(method)}.Request(), want, method)
	}
}

// The routes are listed again once for a pattern that stays unknown, and once for a method of a known one.
func TestMatchedUnlisted(t *testing.T) {
	framework := &growing{routes: []route.Route{{Method: "GET", Path: "/known", Pattern: route.Colons("/known")}}}
	b := adapter.Bind(verso.MustNew(verso.Header("Api-Version"), coretest.List("v1")), framework)
	b.Lookup("", "GET", "/known")
	for _, test := range []struct {
		path, method string
		lists        int
	}{{"/unknown", "GET", 1}, {"/unknown", "PUT", 0}, {"/known", "GET", 0}, {"/known", "PUT", 1}, {"/known", "PUT", 0}} {
		before := framework.lists
		b.Matched(route.Route{Method: test.method, Path: test.path, Pattern: route.Colons(test.path)})
		if got := framework.lists - before; got != test.lists {
			t.Errorf("%s %s: listed %d times, want %d", test.method, test.path, got, test.lists)
		}
	}
}

// A pattern that the router does not list is one of another router, or was added
// since.
func TestLookupUnlisted(t *testing.T) {
	framework := &growing{}
	b := adapter.Bind(verso.Must(scheme.NewURLPath("version", coretest.List("v1", "v2"))), framework)
	unlisted, _ := b.Lookup("", "GET", "/mounted")
	if unlisted.Path != "/mounted" || unlisted.Method != "" || unlisted.Pattern.String() != "" {
		t.Errorf("looked up %+v", unlisted)
	}
	framework.routes = append(framework.routes, route.Route{Method: "GET", Path: "/added", Pattern: route.Colons("/added")})
	if added, _ := b.Lookup("", http.MethodGet, "/added"); added.Method != http.MethodGet || added.Pattern.String() != "/added" {
		t.Errorf("looked up %+v", added)
	}
	verso.Must(b.Add(route.Route{Method: "GET", Path: "/mounted", Pattern: route.Colons("/mounted")}, verso.Since("v2")))
	if at, _ := b.Lookup("", "GET", "/mounted"); at != nil {
		t.Error("a route that was added is not found")
	}
	if got := testing.AllocsPerRun(100, func() { b.Lookup("", "GET", "/mounted"); b.Lookup("a.com", "PUT", "/added") }); got != 0 {
		t.Errorf("Lookup allocates %v times", got)
	}
}
