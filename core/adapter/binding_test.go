package adapter_test

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/scheme"
)

func TestAddErrors(t *testing.T) {
	at := func(host, method, name, path string) route.Route {
		return route.Route{Host: host, Method: method, Name: name, Path: path, Pattern: route.Colons(path)}
	}
	for _, test := range []struct {
		name   string
		before route.Route
		added  route.Route
		code   string // "": none
	}{
		{"the same place", at("", "GET", "", "/users"), at("", "GET", "", "/users"), "route_twice"},
		{"the same place, another name", at("", "GET", "a", "/users"), at("", "GET", "b", "/users"), "route_twice"},
		{"the same place on a host", at("a.com", "GET", "", "/users"), at("a.com", "GET", "", "/users"), "route_twice"},
		{"any method twice", at("", "", "", "/users"), at("", "", "", "/users"), "route_twice"},
		{"another host", at("a.com", "GET", "", "/users"), at("", "GET", "", "/users"), ""},
		{"another method", at("", "GET", "users", "/users"), at("", "POST", "users", "/users"), ""},
		{"another method and any", at("", "GET", "users", "/users"), at("", "", "users", "/users"), ""},
		{"another path", at("", "GET", "", "/users"), at("", "GET", "", "/users/:id"), ""},
		{"one name, one shape", at("", "GET", "user", "/users/:id"), at("", "GET", "user", "/people/:id"), "route_name"},
		{"one name, other parameters", at("", "GET", "user", "/users/:id"), at("", "GET", "user", "/:version/users/:id"), ""},
		{"one name, other hosts", at("a.com", "GET", "user", "/users/:id"), at("b.com", "GET", "user", "/people/:id"), ""},
		{"one name in two namespaces", at("", "GET", "v1:user", "/users/:id"), at("", "GET", "v2:user", "/people/:id"), ""},
		{"no names in a namespace", at("", "GET", "v1:", "/users/:id"), at("", "GET", "v1:", "/people/:id"), ""},
		{"patterns that are not understood", at("", "GET", "user", "/users/:id<int>"), at("", "GET", "user", "/people/:id<int>"), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := adapter.Bind(verso.MustNew(verso.Header("Api-Version"), coretest.List("v1", "v2")), nil)
			verso.Must(b.Add(test.before))
			added, err := b.Add(test.added)
			if test.code != "" {
				checkRefused(t, added == nil, err, test.code, "Routes")
			} else if err != nil {
				t.Error(err)
			}
			if got := len(b.Explain().Routes); (got == 2) != (test.code == "") {
				t.Errorf("%d routes", got)
			}
		})
	}
}

// What is refused leaves nothing behind.
func TestAddRefusedLeavesNothing(t *testing.T) {
	b := coretest.Bound(verso.Must(scheme.NewURLPath("version", coretest.List("v1"))))
	r := route.Route{Method: "GET", Name: "user", Path: "/users/:id", Pattern: route.Colons("/users/:id")}
	if _, err := b.Add(r, verso.Since("v9")); err == nil {
		t.Fatal("an unknown version")
	}
	r.Path, r.Pattern = "/people/:id", route.Colons("/people/:id")
	if _, err := b.Add(r); err != nil {
		t.Errorf("the name of the refused route is taken: %v", err)
	}
	if got, err := b.Link(verso.Target{Name: "user", Params: verso.Params{"id": 7}}); got != "/people/7" {
		t.Errorf("%q, %v", got, err)
	}
}

// A default that is not listed is served by routes of which nothing is said, and
// refused together with what is said of versions: no request panics.
func TestDefaultNotListed(t *testing.T) {
	b := coretest.Bound(verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v0")})))
	_, _, err := adapter.Picker(verso.Handlers[int]{"v1": 1}, b)
	checkRefused(t, true, err, "default_not_listed", "DefaultVersion")
	for name, matched := range map[string]*route.Route{"nothing": coretest.Registered(b), "neutral": coretest.Register(b, route.Route{Pattern: route.Colons("/status")}, verso.Neutral()).Route()} {
		for version, want := range map[string]string{"v0": "= v0", "v1": "= v1", "v9": "404 invalid_url_path_version"} {
			a := coretest.In(version)
			if a.Route = matched; name == "neutral" {
				want = "none"
			}
			coretest.Expect(t, b, a.Request(), want, name, version)
		}
	}
	result := verso.Must(b.Result(verso.V("v0")))
	if result.AtLeast("v1") || result.AtLeast("v0") {
		t.Error("a version without a place in the order is later than one")
	}
	if link, err := result.Link(verso.Target{Name: "nobody"}); link != "" || !errors.Is(err, verso.ErrNoReverseMatch) {
		t.Errorf("%q, %v", link, err)
	}
}

// Routes are listed in the order in which they were added, with the names that the
// framework gave until the first request, and then those of the framework alone.
func TestRoutesOfTheRouter(t *testing.T) {
	framework := &growing{}
	b := adapter.Bind(verso.Must(scheme.NewNamespace(coretest.List("v1", "v2"))), framework)
	describe := func() (all []string) {
		for _, r := range b.Explain().Routes {
			all = append(all, strings.Join(strings.Fields(r.String()), " "))
		}
		return all
	}
	at := func(name, path string) route.Route {
		return route.Route{Method: "GET", Name: name, Path: path, Pattern: route.Colons(path)}
	}
	named := verso.Must(b.Add(at("v1:", "/v1/users"), verso.Since("v1")))
	verso.Must(b.Add(at("v1:rooms", "/v1/rooms")))
	verso.Must(b.Add(at("v2:late", "/v2/late")))
	verso.Must(b.Add(at("", "/v2/later"), verso.Neutral()))
	framework.routes = []route.Route{at("main.rooms", "/v1/rooms"), at("status", "/status"), at("users", "/v1/users")}
	want := []string{"GET /v1/users v1:users in v1", "GET /v1/rooms v1:rooms in v1", "GET /v2/late v2:late in v2", "GET /v2/later neutral", "GET /status status not checked"}
	if got := describe(); !slices.Equal(got, want) {
		t.Errorf("routes\n%q, want\n%q", got, want)
	}
	if link, err := b.Link(verso.Target{Name: "users", Version: verso.V("v1")}); link != "/v1/users" {
		t.Errorf("by the name of the framework: %q, %v", link, err)
	}
	framework.routes[2].Name = "people" // before the first request
	if got := named.Route(); got.Name != "v1:people" || got != named.Route() {
		t.Errorf("the route of requests is %q", got.Name)
	}
	framework.routes = append(framework.routes, at("new", "/new")) // from now on the framework has to say so
	if got := describe(); len(got) != 5 {
		t.Errorf("routes %q", got)
	}
	b.NoteRoute()
	b.NoteMiddleware(nil)
	want[0], want[4] = "GET /v1/users v1:people in v1", "GET /status status in no version"
	if got := describe(); !slices.Equal(got, append(want, "GET /new new in no version")) {
		t.Errorf("routes %q", got)
	}
}

// growing is a router that lists other routes over time.
type growing struct {
	coretest.Listing

	routes []route.Route
	lists  int
}

func (g *growing) Routes() []adapter.Listed {
	g.lists++
	return coretest.Listing(g.routes).Routes()
}

// First requests that come at once see the same routes.
func TestRoutesAreMadeOnce(t *testing.T) {
	b := coretest.Bound(verso.Must(scheme.NewURLPath("version", coretest.List("v1", "v2"))))
	var added []*adapter.Registration
	for i := range 50 {
		added = append(added, coretest.Register(b, route.Route{Method: "GET", Pattern: route.Colons(fmt.Sprintf("/:version/%d", i))}))
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for i, r := range added {
				b.Lookup("", "GET", fmt.Sprintf("/unlisted/%d", i))
				if r.Route() == nil {
					t.Error("a request has no route")
				}
			}
		})
	}
	group.Wait()
	for i := range added {
		if at, _ := b.Lookup("", "GET", fmt.Sprintf("/:version/%d", i)); at != nil {
			t.Errorf("route %d has no check in a middleware", i)
		}
	}
}

// The warnings go to the logger of the configuration, each once, whichever comes
// first: Explain or a request.
func TestLogger(t *testing.T) {
	for name, first := range map[string]func(*adapter.Binding){
		"Explain first": func(b *adapter.Binding) { b.Explain() },
		"request first": func(b *adapter.Binding) { coretest.Begin(b, coretest.In("v1").Request()) },
		"Explain twice": func(b *adapter.Binding) { b.Explain(); b.Explain() },
	} {
		t.Run(name, func(t *testing.T) {
			byDefault, own := coretest.Logging(t), new(strings.Builder)
			api := verso.Must(scheme.NewURLPath("version", verso.Config{
				AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v0"), Logger: slog.New(slog.NewTextHandler(own, nil)),
			}))
			b := coretest.Bound(api, coretest.Users)
			if first(b); !strings.Contains(own.String(), "code=param_in_no_route ") {
				t.Errorf("logged %s", own)
			}
			b.Explain()
			coretest.Begin(b, coretest.In("v1").Request())
			result := verso.Must(b.Result(verso.V("v1")))
			if _, err := adapter.LinkFor(result, coretest.Host("a.com").Request(), verso.Target{Name: "users"}); err != nil {
				t.Error(err)
			}
			result.AtLeast("v9")
			for _, code := range []string{"default_not_listed", "param_in_no_route", "host_unchecked", "at_least_unknown"} {
				if got := strings.Count(own.String(), "code="+code+" "); got != 1 {
					t.Errorf("%s is logged %d times in\n%s", code, got, own)
				}
			}
			if byDefault.Len() > 0 {
				t.Errorf("logged by default: %s", byDefault)
			}
		})
	}
}
