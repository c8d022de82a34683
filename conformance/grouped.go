package conformance

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	verso "github.com/goverso/verso/core"
)

// groupCheck sends requests to routes of groups, whose middleware marks the responses.
type groupCheck struct {
	name, rule string
	source     verso.Source
	config     verso.Config
	app        func(m *marks) App

	// requests are a method, a path and a version, and what that gets: the status, the
	// body if that is 200, and behind "|" the middleware that ran, in its order, each with
	// the version that it saw; "*" is any. With "stop:" that middleware stops the request.
	requests []string

	links     map[string]string // outside of a request, by name and version, with the parameter id=7
	explained []string          // routes of Explain, sorted: see [explainedRoute]
	refused   bool              // the adapter may refuse to register the routes

	later []Route  // that are added to the server after the requests
	then  []string // requests after that
}

func groupChecks(of []groupCheck) (checks []check) {
	for _, g := range of {
		checks = append(checks, check{g.name, g.check})
	}
	return checks
}

// ranField is the response field in which middleware says that it ran.
const ranField = "X-Ran"

// marks makes middleware.
type marks struct {
	stop atomic.Pointer[string] // the name of the one that stops requests
}

// of returns middleware of the given names.
func (m *marks) of(names ...string) (all []Middleware) {
	for _, name := range names {
		all = append(all, func(s Step) int {
			text := name
			if !s.Version.IsNone() {
				text += "@" + s.Version.String()
			}
			s.AddField(ranField, text)
			if stop := m.stop.Load(); stop != nil && *stop == name {
				return http.StatusUnauthorized
			}
			return 0
		})
	}
	return all
}

// says returns a route that answers with the version, a text and path parameters.
func says(method, pattern, text string, params ...string) Route {
	return Route{Method: method, Pattern: pattern, Handle: sayer(text, params...)}
}

func sayer(text string, params ...string) func(Call) Response {
	return func(call Call) Response {
		said := []string{call.Version.String(), text}
		for _, name := range params {
			said = append(said, call.Param(name))
		}
		return Response{Body: strings.TrimSpace(strings.Join(said, " "))}
	}
}

// inGroup puts routes into a group.
func inGroup(g *Group, routes ...Route) []Route {
	for i := range routes {
		routes[i].Group = g
	}
	return routes
}

func (r Route) checks() Route                                    { r.checked = true; return r }
func (r Route) named(name string) Route                          { r.Name = name; return r }
func (r Route) behind(middleware []Middleware) Route             { r.Middleware = middleware; return r }
func (r Route) with(options ...verso.RouteOption) Route          { r.Options = options; return r }
func (r Route) choosing(of map[string]func(Call) Response) Route { r.Handlers = of; return r }

var (
	inHeader = verso.Header("Api-Version")
	inPrefix = verso.PathPrefix("/api/{version}")
)

func serving(versions ...string) verso.Config {
	return verso.Config{AllowedVersions: versions, Links: verso.LinkConfig{Relative: true}}
}

// byDefault serves v1 and v2, and v1 where a request names none.
func byDefault() verso.Config {
	config := serving("v1", "v2")
	config.DefaultVersion = verso.V("v1")
	return config
}

var groupings = []groupCheck{
	{
		name: "middleware", rule: "the middleware of groups, the outer one first, and of the route runs before the check, that of AfterCheck behind it, each once",
		source: inHeader, config: serving("v1", "v2", "v3"),
		app: func(m *marks) App {
			outer := &Group{Prefix: "/outer", Middleware: m.of("a"), AfterCheck: m.of("w", "x")}
			inner := &Group{Within: outer, Prefix: "/inner", Middleware: m.of("b", "c"), AfterCheck: m.of("y")}
			return App{Routes: slices.Concat(
				inGroup(outer, says("GET", "/y/{id}", "y", "id")),
				inGroup(inner, says("GET", "/x/{id}", "x", "id").behind(m.of("d", "e")), says("POST", "/z", "z"), says("GET", "/choice", "").behind(m.of("d")).choosing(map[string]func(Call) Response{
					"v1": sayer("one"), "v2": sayer("two"),
				}).with(verso.RemovedIn("v3"))),
			)}
		},
		requests: []string{
			"GET /outer/y/7 v1: 200 v1 y 7 | a w@v1 x@v1", "GET /outer/inner/x/7 v2: 200 v2 x 7 | a b c d e w@v2 x@v2 y@v2", "POST /outer/inner/z v3: 200 v3 z | a b c w@v3 x@v3 y@v3",
			"GET /outer/inner/x/7 v9: 400 | a b c d e", "GET /outer/inner/x/7: 400 | a b c d e",
			"GET /outer/inner/choice v2: 200 v2 two | a b c d w@v2 x@v2 y@v2", "GET /outer/inner/choice v1: 200 v1 one | a b c d w@v1 x@v1 y@v1", "GET /outer/inner/choice v3: 404 | a b c d",
			"GET /outer/inner/x/7 v2 stop:a: 401 | a", "GET /outer/inner/x/7 v9 stop:c: 401 | a b c", "GET /outer/inner/x/7 v2 stop:e: 401 | a b c d e",
			"GET /outer/inner/x/7 v2 stop:x: 401 | a b c d e w@v2 x@v2", "GET /outer/inner/choice v2 stop:d: 401 | a b c d", "GET /outer/inner/choice v2 stop:y: 401 | a b c d w@v2 x@v2 y@v2",
		},
	},
	{
		name: "options", rule: "a route has the options of its groups and its own, the last of a kind",
		source: inHeader, config: serving("v1", "v2", "v3"),
		app: func(*marks) App {
			since := &Group{Prefix: "/since", Since: "v2"}
			return App{Routes: slices.Concat(
				inGroup(since, says("GET", "/a", "a"), says("GET", "/b", "b").with(verso.Since("v3"))),
				inGroup(&Group{Within: since, Prefix: "/until", RemovedIn: "v3"}, says("GET", "/a", "a")),
				inGroup(&Group{Within: &Group{Options: []verso.RouteOption{verso.RemovedIn("v3")}}, Prefix: "/with", Options: []verso.RouteOption{verso.Since("v2")}}, says("GET", "/a", "a")),
				inGroup(&Group{Prefix: "/neutral", Neutral: true}, says("GET", "/a", "a")),
			)}
		},
		requests: []string{
			"GET /since/a v1: 404 |", "GET /since/a v2: 200 v2 a |", "GET /since/a v3: 200 v3 a |", "GET /since/b v2: 404 |", "GET /since/b v3: 200 v3 b |",
			"GET /since/until/a v1: 404 |", "GET /since/until/a v2: 200 v2 a |", "GET /since/until/a v3: 404 |",
			"GET /with/a v1: 404 |", "GET /with/a v2: 200 v2 a |", "GET /with/a v3: 404 |", "GET /neutral/a v9: 200 a |", "GET /neutral/a: 200 a |",
		},
	},
	{
		name: "namespaces", rule: "a version is read from the namespace of a group, which is within that of the outer one",
		source: verso.Namespace(), config: serving("v1", "v2"),
		app: func(*marks) App {
			api := &Group{Prefix: "/api", Namespace: "api"}
			v1, v2 := &Group{Within: api, Prefix: "/v1", Namespace: "v1"}, &Group{Within: api, Prefix: "/v2", Namespace: "v2"}
			return App{Routes: slices.Concat(
				inGroup(v1, says("GET", "/users/{id}", "one", "id").named("user")), inGroup(v2, says("GET", "/people/{id}", "two", "id").named("user")),
			)}
		},
		requests: []string{"GET /api/v1/users/7: 200 v1 one 7 |", "GET /api/v2/people/7: 200 v2 two 7 |"},
	},
	{
		name: "names", rule: "the name of a route is within the namespaces of its groups", source: inHeader, config: serving("v1", "v2"),
		app: func(*marks) App {
			shop := &Group{Prefix: "/shop", Namespace: "shop"}
			return App{Routes: slices.Concat(
				inGroup(shop, says("GET", "/users/{id}", "user", "id").named("user")),
				inGroup(&Group{Within: shop, Prefix: "/back", Namespace: "back"}, says("GET", "/users/{id}", "user", "id").named("user")),
			)}
		},
		links: map[string]string{"shop:user v1": "/shop/users/7", "shop:back:user v2": "/shop/back/users/7"},
	},
	{
		name: "each", rule: "EachVersion registers a route under its path and in each version, with the same middleware",
		source: inPrefix, config: byDefault(),
		app: func(m *marks) App {
			each := &Group{Middleware: m.of("a"), EachVersion: true}
			admin := &Group{Within: each, Prefix: "/api/admin", Middleware: m.of("b")}
			deep := &Group{Within: admin, Prefix: "/deep", Middleware: m.of("c"), AfterCheck: m.of("y")}
			return App{Routes: slices.Concat(
				inGroup(each, says("GET", "/api/lists", "lists"), says("GET", "/api/any", "any").with(verso.Neutral())),
				inGroup(admin, says("GET", "/lists/{id}", "list", "id").named("list")),
				inGroup(deep, says("POST", "/x", "x").behind(m.of("f")), says("GET", "/choice", "").choosing(map[string]func(Call) Response{"v1": sayer("one"), "v2": sayer("two")})),
				inGroup(&Group{Within: each, Prefix: "/api/late", Since: "v2"}, says("GET", "/x", "late")),
			)}
		},
		requests: []string{
			"GET /api/lists: 200 v1 lists | a", "GET /api/v1/lists: 200 v1 lists | a", "GET /api/v2/lists: 200 v2 lists | a", "GET /api/v9/lists: 404 | *",
			"GET /api/admin/lists/7: 200 v1 list 7 | a b", "GET /api/v1/admin/lists/7: 200 v1 list 7 | a b", "GET /api/v2/admin/lists/7: 200 v2 list 7 | a b",
			"POST /api/admin/deep/x: 200 v1 x | a b c f y@v1", "POST /api/v2/admin/deep/x: 200 v2 x | a b c f y@v2",
			"GET /api/admin/deep/choice: 200 v1 one | a b c y@v1", "GET /api/v2/admin/deep/choice: 200 v2 two | a b c y@v2",
			"GET /api/late/x: 404 | *", "GET /api/v1/late/x: 404 | *", "GET /api/v2/late/x: 200 v2 late | a", "GET /api/v2/any: 200 any | a", "GET /api/any: 200 any | a",
			"GET /api/admin/lists/7 stop:a: 401 | a", "GET /api/v1/admin/lists/7 stop:b: 401 | a b", "GET /api/v2/admin/lists/7 stop:a: 401 | a",
			"POST /api/v2/admin/deep/x stop:c: 401 | a b c", "POST /api/v1/admin/deep/x stop:f: 401 | a b c f", "POST /api/v2/admin/deep/x stop:y: 401 | a b c f y@v2",
			"GET /api/v1/admin/deep/choice stop:c: 401 | a b c", "GET /api/v2/any stop:a: 401 | a",
		},
		links: map[string]string{"list v1": "/api/admin/lists/7", "list v2": "/api/v2/admin/lists/7"},
		explained: []string{
			"GET /api/{version}/admin/deep/choice", "GET /api/{version}/admin/lists/{id} list", "GET /api/{version}/any neutral", "GET /api/{version}/late/x [v2]", "GET /api/{version}/lists", "POST /api/{version}/admin/deep/x",
		},
	},
	{
		name: "each-within", rule: "EachVersion of a group has its middleware in each form of a route",
		source: inPrefix, config: byDefault(),
		app: func(m *marks) App {
			return App{Routes: inGroup(&Group{Prefix: "/api", Middleware: m.of("a", "b"), EachVersion: true}, says("GET", "/lists", "lists"))}
		},
		requests: []string{
			"GET /api/lists: 200 v1 lists | a b", "GET /api/v1/lists: 200 v1 lists | a b", "GET /api/v2/lists: 200 v2 lists | a b",
			"GET /api/lists stop:b: 401 | a b", "GET /api/v1/lists stop:a: 401 | a", "GET /api/v2/lists stop:b: 401 | a b",
		},
	},
	{
		name: "each-outside", rule: "EachVersion of a group, whose forms are outside of its prefix, is refused, or has its middleware in each form",
		source: inPrefix, config: byDefault(), refused: true,
		app: func(m *marks) App {
			return App{Routes: inGroup(&Group{Prefix: "/api/admin", Middleware: m.of("a"), EachVersion: true}, says("GET", "/lists", "lists"))}
		},
		requests: []string{
			"GET /api/admin/lists: 200 v1 lists | a", "GET /api/v2/admin/lists: 200 v2 lists | a", "GET /api/v1/admin/lists stop:a: 401 | a", "GET /api/v2/admin/lists stop:a: 401 | a",
		},
	},
	{
		name: "each-without-default", rule: "where no version is the default, EachVersion registers no path without a version",
		source: inPrefix, config: serving("v1", "v2"),
		app: func(m *marks) App {
			return App{Routes: inGroup(&Group{EachVersion: true, AfterCheck: m.of("y")}, says("GET", "/api/lists", "lists"))}
		},
		requests: []string{"GET /api/lists: 404 | *", "GET /api/v1/lists: 200 v1 lists | y@v1", "GET /api/v2/lists: 200 v2 lists | y@v2"},
	},
}

var mountings = []groupCheck{
	{
		name: "middleware", rule: "Mount registers a handler for each version, with its own middleware, behind the check",
		source: inHeader, config: serving("v1", "v2", "v3"),
		app: func(m *marks) App {
			return App{Mounts: []Mounted{{&Group{Prefix: "/api", Middleware: m.of("m"), AfterCheck: m.of("y")}, mountedUsers(m)}}}
		},
		requests: []string{
			"GET /api/in/x/users/7 v1: 200 v1 one x 7 | m y@v1 a@v1 b@v1", "GET /api/in/x/users/7 v2: 200 v2 two x 7 | m y@v2 d@v2", "GET /api/in/x/users/7 v3: 200 v3 two x 7 | m y@v3 d@v3",
			"PUT /api/rooms/7 v1: 200 v1 one 7 | m y@v1 a@v1 b@v1", "PUT /api/rooms/7 v2: 200 v2 two 7 | m y@v2", "GET /api/gone v1: 200 v1 gone | m y@v1 a@v1 b@v1",
			"GET /api/gone v2: 404 | m", "GET /api/in/x/users/7 v9: 400 | m", "GET /api/in/x/users/7: 400 | m",
			"GET /api/in/x/users/7 v1 stop:b: 401 | m y@v1 a@v1 b@v1", "GET /api/in/x/users/7 v2 stop:m: 401 | m", "GET /api/in/x/users/7 v2 stop:d: 401 | m y@v2 d@v2", "PUT /api/rooms/7 v1 stop:a: 401 | m y@v1 a@v1",
		},
	},
	{
		name: "parameters", rule: "in Mount the versions have their own names of path parameters", source: inHeader, config: serving("v1", "v2"),
		app: func(m *marks) App {
			return App{Mounts: []Mounted{{&Group{Prefix: "/api"}, map[string]*MountedVersion{
				"v1": {m.of("a"), []Route{says("GET", "/in/{area}/users/{id}", "one", "area", "id")}},
				"v2": {nil, []Route{says("GET", "/in/{where}/users/{name}", "two", "where", "name")}},
			}}}}
		},
		requests: []string{"GET /api/in/x/users/7 v1: 200 v1 one x 7 | a@v1", "GET /api/in/x/users/7 v2: 200 v2 two x 7 |"},
	},
	{
		name: "ended", rule: "from a version without a function on there are no routes of Mount", source: inHeader, config: serving("v1", "v2", "v3"),
		app: func(m *marks) App {
			users := mountedUsers(m)
			users["v3"] = nil
			return App{Mounts: []Mounted{{nil, users}}}
		},
		requests: []string{"GET /in/x/users/7 v1: 200 v1 one x 7 | a@v1 b@v1", "GET /in/x/users/7 v2: 200 v2 two x 7 | d@v2", "GET /in/x/users/7 v3: 404 |"},
	},
	{
		name: "options", rule: "the routes of Mount have the options of its group", source: inHeader, config: serving("v1", "v2", "v3"),
		app: func(m *marks) App {
			return App{Mounts: []Mounted{{&Group{RemovedIn: "v3"}, mountedUsers(m)}}}
		},
		requests: []string{"GET /in/x/users/7 v2: 200 v2 two x 7 | d@v2", "GET /in/x/users/7 v3: 404 |"},
	},
	{
		name: "each", rule: "Mount within EachVersion registers its routes in each version", source: inPrefix, config: byDefault(),
		app: func(m *marks) App {
			each := &Group{Middleware: m.of("m"), EachVersion: true}
			return App{Mounts: []Mounted{{&Group{Within: each, Prefix: "/api"}, mountedUsers(m)}}}
		},
		requests: []string{
			"GET /api/in/x/users/7: 200 v1 one x 7 | m a@v1 b@v1", "GET /api/v1/in/x/users/7: 200 v1 one x 7 | m a@v1 b@v1", "GET /api/v2/in/x/users/7: 200 v2 two x 7 | m d@v2",
			"GET /api/v2/gone: 404 | *", "GET /api/gone: 200 v1 gone | m a@v1 b@v1", "GET /api/v1/in/x/users/7 stop:b: 401 | m a@v1 b@v1", "GET /api/v2/in/x/users/7 stop:m: 401 | m",
		},
	},
}

func mountedUsers(m *marks) map[string]*MountedVersion {
	return map[string]*MountedVersion{
		"v1": {m.of("a", "b"), []Route{says("GET", "/in/{area}/users/{id}", "one", "area", "id"), says("PUT", "/rooms/{id}", "one", "id"), says("GET", "/gone", "gone")}},
		"v2": {nil, []Route{says("GET", "/in/{area}/users/{id}", "two", "area", "id").behind(m.of("d")), says("PUT", "/rooms/{id}", "two", "id")}},
	}
}

func (g *groupCheck) check(tb testing.TB, mount Mount) (err error) {
	tb.Helper()
	m := new(marks)
	app := g.app(m)
	app.API = verso.Must(verso.New(g.source, g.config))
	if g.refused {
		defer func() {
			if recover() != nil {
				err = nil
			}
		}()
	}
	server := mount(tb, app)
	wrong := g.send(m, server, g.requests)
	if g.later != nil {
		wrong.unless(server.Add != nil, "Server.Add is nil: the mount sets it to what registers a route")
	}
	if g.later != nil && server.Add != nil {
		for _, route := range g.later {
			server.Add(route)
		}
		wrong = append(wrong, g.send(m, server, g.then)...)
	}
	for _, ask := range slices.Sorted(maps.Keys(g.links)) {
		name, version, _ := strings.Cut(ask, " ")
		got, err := server.link(verso.Target{Name: name, Version: verso.V(version), Params: verso.Params{"id": 7}})
		wrong.unless(err == nil && got == g.links[ask], "outside of a request, the link to %s is %q, error %v, instead of %q", ask, got, err, g.links[ask])
	}
	if g.explained != nil {
		wrong.unless(server.Explain != nil, "Server.Explain is nil: the mount sets it to that of the adapter's routes")
	}
	if g.explained != nil && server.Explain != nil {
		var got []string
		for _, route := range server.Explain().Routes {
			got = append(got, explainedRoute(&route))
		}
		slices.Sort(got)
		wrong.unless(slices.Equal(got, g.explained), "Explain lists the routes %q instead of %q", got, g.explained)
	}
	wrong = append(wrong, server.stop())
	if err := wrong.join(); err != nil {
		return fmt.Errorf("%w\nrule: %s", err, g.rule)
	}
	return nil
}

// send sends requests, and returns the complaints about what they get.
func (g *groupCheck) send(m *marks, server *Server, requests []string) (wrong complaints) {
	for _, text := range requests {
		got, err := m.send(server.Address, parseAsking(text))
		if wrong = append(wrong, err); errors.Is(err, errHangs) {
			return wrong
		}
		name, want, _ := strings.Cut(text, ": ")
		if anything := strings.HasSuffix(want, " | *"); anything {
			got, want = got[:min(len(got), len(want)-2)], want[:len(want)-2]
		}
		wrong.unless(err != nil || got == want, "%s gets %q instead of %q", name, got, want)
	}
	return wrong
}

// send sends a request, and returns what it gets and the middleware that ran.
func (m *marks) send(address string, asked *asking) (string, error) {
	m.stop.Store(&asked.stop)
	got, err := asked.request.send(address)
	if err != nil {
		return "", fmt.Errorf("%s: %w", asked.name, err)
	}
	answer := strconv.Itoa(got.status)
	if got.status == http.StatusOK {
		answer += " " + string(got.body)
	}
	return strings.Join(append([]string{answer, "|"}, got.header[ranField]...), " "), nil
}

func (s *Server) link(target verso.Target) (string, error) {
	if s.Link == nil {
		return "", errors.New("Server.Link is nil: the mount sets it to that of the adapter's routes")
	}
	return s.Link(target)
}

// explainedRoute returns the method, the host, the path and the name of a route, and what
// else is said of it.
func explainedRoute(r *verso.RouteInfo) string {
	said := []string{r.Method, r.Host, r.Path, r.Name}
	if r.Neutral {
		said = append(said, "neutral")
	}
	if r.Unchecked {
		said = append(said, "unchecked")
	}
	if r.Versions != nil {
		said = append(said, fmt.Sprint(r.Versions))
	}
	return strings.Join(slices.DeleteFunc(said, func(text string) bool { return text == "" }), " ")
}
