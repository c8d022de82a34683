package verso_test

import (
	"net/http"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
)

// described is a route of a framework, and what is said of it.
type described struct {
	host, method, name string
	options            []verso.RouteOption
	foreign            bool // registered with the framework alone
}

// lookupTable returns a binding to routes that all have one pattern.
func lookupTable(source verso.Source, routes ...described) *verso.Binding {
	var framework listing
	for _, r := range routes {
		framework = append(framework, route.Route{Host: r.host, Method: r.method, Name: r.name, Path: "/:version/users", Pattern: route.Colons("/:version/users")})
	}
	b := verso.Must(verso.New(source, withDefault("v1", "v2", "v3"))).Bind(framework)
	for i, r := range routes {
		if !r.foreign {
			verso.Must(b.Add(framework[i], r.options...))
		}
	}
	return b
}

// What a middleware is told of a request by the host, the method and the pattern: an
// option and a name only when each route of the pattern carries a check, since the
// host and the method may be those that another middleware has set.
func TestLookup(t *testing.T) {
	since, neutral := []verso.RouteOption{verso.Since("v2")}, []verso.RouteOption{verso.Neutral()}
	const none, plain, option, otherMethod = "none", "= v1", "404 not_in_version", "405 method_not_in_version"
	get, post := described{method: "GET"}, described{method: "POST", options: since}
	foreignGet, health := described{method: "GET", foreign: true}, described{method: "GET", options: neutral}
	onHost := described{host: "a.com", method: "GET", options: neutral}
	for _, test := range []struct {
		name         string
		routes       []described
		host, method string
		wantMethod   string
		want         string // of a request in v1
	}{
		{"the route", []described{get, post}, "", "POST", "POST", otherMethod},
		{"another method", []described{get, post}, "", "GET", "GET", plain},
		{"a method that the pattern does not have", []described{get, post}, "", "PUT", "", plain},
		{"a host without routes of its own", []described{get, post}, "b.com", "POST", "POST", otherMethod},
		{"a host with a route of its own", []described{get, onHost}, "a.com", "GET", "GET", none},
		{"a host with a route of its own, another host", []described{get, onHost}, "b.com", "GET", "GET", plain},
		{"a host with a route of its own, which only it has", []described{post, onHost}, "b.com", "GET", "GET", plain},
		{"any method", []described{{method: "", options: since}}, "", "PATCH", "", option},
		{"any method, and one of them", []described{{method: "", options: since}, get}, "", "GET", "GET", plain},
		{"any method, on a host", []described{{host: "a.com", options: since}}, "a.com", "PATCH", "", option},
		{"mixed: the route is foreign", []described{foreignGet, post}, "", "GET", "GET", plain},
		{"mixed: the option is not applied", []described{foreignGet, post}, "", "POST", "POST", plain},
		{"mixed: neutral is not applied", []described{health, {method: "POST", foreign: true}}, "", "GET", "GET", plain},
		{"mixed on another host: neutral is not applied", []described{health, {host: "b.com", method: "GET", foreign: true}}, "", "GET", "GET", plain},
		{"mixed: any method", []described{{method: "", options: neutral}, foreignGet}, "", "PATCH", "", plain},
		{"foreign", []described{foreignGet}, "", "GET", "GET", plain},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := lookupTable(verso.PathParam("version"), test.routes...)
			at := b.Lookup(test.host, test.method, "/:version/users")
			if at.Method != test.wantMethod || at.Path != "/:version/users" || at.Pattern.String() != "/:version/users" {
				t.Errorf("looked up %s %s %s", at.Method, at.Path, at.Pattern)
			}
			if again := b.Lookup(test.host, test.method, "/:version/users"); again != at {
				t.Error("another route the second time")
			}
			a := in("v1")
			a.route = at
			if got := outcome(b, a.request()); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

// A namespace is told where all routes of the pattern share it.
func TestLookupNamespace(t *testing.T) {
	get, post := described{method: "GET", name: "v2:users"}, described{method: "POST", name: "v2:add", options: []verso.RouteOption{verso.Since("v2")}}
	foreign := described{method: "DELETE", name: "v2:gone", foreign: true}
	const several = `error verso: the routes of "/:version/users" are in several namespaces, and some carry no check of the version: register them with v`
	for _, test := range []struct {
		name   string
		routes []described
		method string
		want   string
	}{
		{"shared", []described{get, post}, "POST", "= v2"},
		{"shared, a method that the pattern does not have", []described{get, post}, "HEAD", "= v2"},
		{"shared with a foreign route", []described{get, post, foreign}, "POST", "= v2"},
		{"shared with a foreign route, which is meant", []described{get, foreign}, "DELETE", "= v2"},
		{"not shared", []described{get, {method: "POST", name: "v3:add"}}, "GET", "= v2"},
		{"not shared, another method", []described{get, {method: "POST", name: "v3:add"}}, "HEAD", "= v1"}, // the default
		{"not shared with a foreign route", []described{get, {method: "DELETE", name: "v3:gone", foreign: true}}, "GET", several},
		{"not shared by foreign routes", []described{foreign, {method: "GET", name: "v3:users", foreign: true}}, "DELETE", several},
		{"not shared by foreign routes, one of which is in none", []described{foreign, {method: "PUT", name: "users", foreign: true}, get}, "GET", several},
		{"not shared with a foreign route in none", []described{get, {method: "DELETE", name: "gone", foreign: true}}, "GET", "= v1"},
		{"any method", []described{{name: "v2:users"}}, "GET", "= v2"},
	} {
		b := lookupTable(verso.Namespace(), test.routes...)
		if got := outcome(b, ask{route: b.Lookup("", test.method, "/:version/users")}.request()); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// A pattern that the router does not list is one of another router, or was added
// since.
func TestLookupUnlisted(t *testing.T) {
	framework := &growing{}
	b := verso.Must(verso.NewURLPath(list("v1", "v2"))).Bind(framework)
	unlisted := b.Lookup("", "GET", "/mounted")
	if unlisted.Path != "/mounted" || unlisted.Method != "" || unlisted.Pattern.String() != "" {
		t.Errorf("looked up %+v", unlisted)
	}
	framework.routes = append(framework.routes, route.Route{Method: "GET", Path: "/added", Pattern: route.Colons("/added")})
	if added := b.Lookup("", http.MethodGet, "/added"); added.Method != http.MethodGet || added.Pattern.String() != "/added" {
		t.Errorf("looked up %+v", added)
	}
	own := verso.Must(b.Add(route.Route{Method: "GET", Path: "/mounted", Pattern: route.Colons("/mounted")}, verso.Since("v2")))
	if b.Lookup("", "GET", "/mounted") != own.Route() {
		t.Error("a route that was added is not found")
	}
	if got := testing.AllocsPerRun(100, func() { b.Lookup("", "GET", "/mounted"); b.Lookup("a.com", "PUT", "/added") }); got != 0 {
		t.Errorf("Lookup allocates %v times", got)
	}
}

// The check of a route corrects what a middleware took its request for, when the
// host or the method is not the one that the framework has matched: the handler that
// runs is in the version that was checked.
func TestLookupOfAChangedRequest(t *testing.T) {
	b := lookupTable(verso.Header("Api-Version"),
		described{method: "GET", options: []verso.RouteOption{verso.Neutral()}}, described{method: "POST", options: []verso.RouteOption{verso.Since("v2")}},
		described{host: "a.com", method: "POST"})
	post := b.Lookup("", "POST", "/:version/users")
	for name, changed := range map[string]struct{ host, method string }{
		"the method": {"", "GET"}, "the host": {"a.com", "POST"}, "both": {"a.com", "GET"}, "to an unknown method": {"", "BREW"}, "nothing": {"", "POST"},
	} {
		for version, want := range map[string]bool{"v1": false, "v2": true, "v9": false} {
			c := &chain{t: t, b: b}
			a := field(version)
			a.route = b.Lookup(changed.host, changed.method, "/:version/users")
			if c.early(a.request()) == nil {
				continue // rejected before the route
			}
			a.route = post
			if late := c.check(a.request()); (late != nil) != want || want && late.Version() != verso.V(version) {
				t.Errorf("%s changed, %s: the route is called with %v", name, version, late)
			}
		}
	}
}
