package conformance

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
)

// groupCheck sends the requests of a sheet to routes of groups, whose middleware marks the
// responses. What a request gets is the status, the body if that is 200, and behind "|" the
// middleware that ran, in its order, each with the version that it saw; "*" is any. With
// "stop:" that middleware stops the request, and with "refuse" the rewriter refuses it; with
// "body" the body of any status is there; with "show:" the lines of a field come behind it, or
// those methods of Allow that frameworks do not add by themselves. Several answers are separated
// by "or"; "as" is the answer to another request. Other lines of the sheet are
//
//	LINK name version: /path   a link outside a request, with the parameter id=7
//	ROUTE GET /path name       Explain lists exactly these: see [explainedRoute]
//	LATER GET /path            the route is added now
//	FINDINGS code              Explain has these of the findings in [overlookable], and no other
//	PROBLEMS GET /path         Explain has the media type of this rejection, if any; nothing: it has none
//	OBSERVED route version outcome, CLIENT name
//	                           Observe is called once for the last request, with these; nothing: it is not called
//	LOGGED code, WARNED code   these errors are logged for the last request, or this warning at least
//	REFUSED, REFUSABLE         the adapter refuses to register the routes, or may do so
//	MISTAKE                    it refuses them with a [verso.Finding]
//
// Groups are where frameworks differ most: in the order of middleware, in what a nested group
// inherits, in how a path prefix changes names. Sheets describe the outcome only, so a check
// reads the same for all.
type groupCheck struct {
	name   string
	source source.Source
	config verso.Config
	app    App
}

// ranField is the response field in which middleware records that it ran. Fields of a response
// keep their order, also when a request is rejected halfway.
const ranField = "X-Ran"

// stopField is the request field with the name of the middleware that stops the request.
const stopField = "X-Stop"

// ran returns middleware of the given names. The version in its mark shows whether the
// middleware runs before the check or after it, which is a promise to services: rate limits and
// logs depend on it.
func ran(names ...string) (all []Middleware) {
	for _, name := range names {
		all = append(all, func(s Step) int {
			text := name
			if !s.Version.IsNone() {
				text += "@" + s.Version.String()
			}
			if s.Header(rewritingField) != "" {
				text += "+"
			}
			if s.AddField(ranField, text); s.Header(stopField) == name {
				return http.StatusUnauthorized
			}
			return 0
		})
	}
	return all
}

// answering returns a route that answers with the version, a text and path parameters. Routes
// differ by the text, and the parameters show that those of groups and of mounted routers
// arrive too.
func answering(method, pattern, text string, params ...string) Route {
	return Route{Method: method, Pattern: pattern, Handle: answerer(text, params...)}
}

// answerer puts a version, a text and parameters into the body, so that one comparison covers
// them all.
func answerer(text string, params ...string) func(Call) Response {
	return func(call Call) Response {
		said := []string{call.Version.String(), text}
		if call.Version.IsNone() {
			said[0] = "none"
		}
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

// These build routes in one expression, which keeps the tables of applications readable.
func (r Route) checks() Route                                    { r.checked = true; return r }
func (r Route) named(name string) Route                          { r.Name = name; return r }
func (r Route) behind(middleware []Middleware) Route             { r.Middleware = middleware; return r }
func (r Route) with(options ...verso.RouteOption) Route          { r.Options = options; return r }
func (r Route) choosing(of map[string]func(Call) Response) Route { r.Handlers = of; return r }

var (
	inHeader = verso.Header("Api-Version")
	inPrefix = verso.PathPrefix("/api/{version}")
)

// Links are relative, so that no port of a test server is in a sheet.
func serving(versions ...string) verso.Config {
	return verso.Config{AllowedVersions: versions, Links: verso.LinkConfig{Relative: true}}
}

// byDefault serves v1 and v2, and v1 where a request names none.
func byDefault() verso.Config {
	config := serving("v1", "v2")
	config.DefaultVersion = verso.V("v1")
	return config
}

// Groups of applications. They are shared by checks because a group is only a description: each
// mount makes the framework's group from it anew.
var (
	outer = &Group{Prefix: "/outer", Middleware: ran("a"), AfterCheck: ran("w", "x")}
	inner = &Group{Within: outer, Prefix: "/inner", Middleware: ran("b", "c"), AfterCheck: ran("y")}
	since = &Group{Prefix: "/since", Since: "v2"}
	until = &Group{Options: []verso.RouteOption{verso.RemovedIn("v3")}}
	api   = &Group{Prefix: "/api", Namespace: "api"}
	shop  = &Group{Prefix: "/shop", Namespace: "shop"}
	each  = &Group{Middleware: ran("a"), EachVersion: true}
	admin = &Group{Within: each, Prefix: "/api/admin", Namespace: "admin", Middleware: ran("b")}
	deep  = &Group{Within: admin, Prefix: "/deep", Middleware: ran("c"), AfterCheck: ran("y")}

	deepest = &Group{Within: deep, Prefix: "/left", Middleware: ran("d")}

	// Three groups, one within the other, leave room in a slice to which each appended: two groups
	// within the last one must not share it.
	once   = &Group{Middleware: ran("a"), AfterCheck: ran("v")}
	twice  = &Group{Within: once, Middleware: ran("b"), AfterCheck: ran("w")}
	thrice = &Group{Within: twice, Middleware: ran("c"), AfterCheck: ran("x")}
	left   = &Group{Within: thrice, Prefix: "/left", Middleware: ran("d"), AfterCheck: ran("y")}
	right  = &Group{Within: thrice, Prefix: "/right", Middleware: ran("e"), AfterCheck: ran("z")}
)

// choice are handlers for two versions. The handlers of one route for several versions must
// have one middleware in front of them, and it must run once.
var choice = map[string]func(Call) Response{"v1": answerer("one"), "v2": answerer("two")}

// Each has what one service would have: a mistake in registration then refuses one application
// and not all.
var groupings = []groupCheck{
	{"middleware", inHeader, serving("v1", "v2", "v3"), App{Routes: slices.Concat(
		inGroup(outer, answering("GET", "/y/{id}", "y", "id")),
		inGroup(inner, answering("GET", "/x/{id}", "x", "id").behind(ran("d", "e")), answering("POST", "/z", "z"),
			answering("GET", "/choice", "").behind(ran("d")).choosing(choice).with(verso.RemovedIn("v3"))))}},
	{"siblings", inHeader, serving("v1", "v2"), App{Routes: slices.Concat(
		inGroup(left, answering("GET", "/a", "a")), inGroup(right, answering("GET", "/a", "b")),
		inGroup(left, answering("GET", "/b", "c"), answering("GET", "/choice", "").choosing(choice)),
	)}},
	{"options", inHeader, serving("v1", "v2", "v3"), App{Routes: slices.Concat(
		inGroup(since, answering("GET", "/a", "a"), answering("GET", "/b", "b").with(verso.Since("v3"))),
		inGroup(&Group{Within: since, Prefix: "/until", RemovedIn: "v3"}, answering("GET", "/a", "a")),
		inGroup(&Group{Within: until, Prefix: "/with", Options: []verso.RouteOption{verso.Since("v2")}},
			answering("GET", "/a", "a")),
		inGroup(&Group{Prefix: "/neutral", Neutral: true}, answering("GET", "/a", "a")),
	)}},
	{"namespaces", verso.Namespace(), serving("v1", "v2"), App{Routes: slices.Concat(
		inGroup(&Group{Within: api, Prefix: "/v1", Namespace: "v1"},
			answering("GET", "/users/{id}", "one", "id").named("user")),
		inGroup(&Group{Within: api, Prefix: "/v2", Namespace: "v2"},
			answering("GET", "/people/{id}", "two", "id").named("user")))}},
	{"names", inHeader, serving("v1", "v2"), App{Routes: slices.Concat(
		inGroup(shop, answering("GET", "/users/{id}", "user", "id").named("user")),
		inGroup(&Group{Within: shop, Prefix: "/back", Namespace: "back"},
			answering("GET", "/users/{id}", "user", "id").named("user")))}},
	{"each", inPrefix, byDefault(), App{Routes: slices.Concat(
		inGroup(each, answering("GET", "/api/lists", "lists"),
			answering("GET", "/api/any", "any").with(verso.Neutral())),
		inGroup(admin, answering("GET", "/lists/{id}", "list", "id").named("list")),
		inGroup(deep, answering("POST", "/x", "x").behind(ran("f")), answering("GET", "/choice", "").choosing(choice)),
		inGroup(&Group{Within: each, Prefix: "/api/late", Since: "v2"}, answering("GET", "/x", "late")),
		inGroup(deepest, answering("GET", "/a", "a")),
		inGroup(&Group{Within: deep, Prefix: "/right", Middleware: ran("e")}, answering("GET", "/a", "b")),
		inGroup(deepest, answering("GET", "/b", "c")),
	)}},
	{"each-within", verso.PathPrefix("/api/rest/{version}"), byDefault(), App{Routes: inGroup(
		&Group{Within: &Group{Prefix: "/api"}, Prefix: "/rest", Middleware: ran("a", "b"), EachVersion: true},
		answering("GET", "/lists", "lists"))}},
	{"each-outside", inPrefix, byDefault(), App{Routes: inGroup(
		&Group{Prefix: "/api/admin", Middleware: ran("a"), EachVersion: true}, answering("GET", "/lists", "lists"),
	)}},
	{"each-again", inPrefix, byDefault(), App{Routes: inGroup(
		&Group{Within: each, Middleware: ran("b"), EachVersion: true}, answering("GET", "/api/lists", "lists"),
	)}},
	{"unnamed", inHeader, serving("v1", "v2"), App{Routes: inGroup(&Group{unnamed: true},
		answering("GET", "/x", "x"))}},
	// Some caches look at the last line of Vary only. Middleware such as compression adds to Vary
	// after the check, and adapters have to set theirs so that both stay.
	{"vary", inHeader, byDefault(), App{Routes: inGroup(&Group{AfterCheck: []Middleware{func(s Step) int {
		s.AddField("Vary", "Accept-Encoding")
		return 0
	}}}, answering("GET", "/x", "x"))}},
	{"each-without-default", inPrefix, serving("v1", "v2"), App{Routes: inGroup(
		&Group{EachVersion: true, AfterCheck: ran("y")}, answering("GET", "/api/lists", "lists"))}},
}

// They register a router of its own for each version, as a service does that keeps v1 as it
// was.
var mountings = []groupCheck{
	{"middleware", inHeader, serving("v1", "v2", "v3"),
		App{Mounts: []Mounted{{&Group{Prefix: "/api", Middleware: ran("m"), AfterCheck: ran("y")}, mounted}}}},
	{"parameters", inHeader, serving("v1", "v2"), App{Mounts: []Mounted{{&Group{Prefix: "/api"},
		map[string]*MountedVersion{
			"v1": {ran("a"), []Route{answering("GET", "/in/{area}/users/{id}", "one", "area", "id"),
				answering("GET", "/trips/{from}/{to}", "one", "from", "to")}},
			"v2": {nil, []Route{answering("GET", "/in/{where}/users/{name}", "two", "where", "name"),
				answering("GET", "/trips/{to}/{from}", "two", "to", "from")}},
		}}}}},
	{"ended", inHeader, serving("v1", "v2", "v3"),
		App{Mounts: []Mounted{{nil, map[string]*MountedVersion{"v1": mounted["v1"], "v2": mounted["v2"], "v3": nil}}}}},
	{"options", inHeader, serving("v1", "v2", "v3"), App{Mounts: []Mounted{{&Group{RemovedIn: "v3"}, mounted}}}},
	{"each", inPrefix, byDefault(), App{Mounts: []Mounted{{&Group{Within: &Group{Middleware: ran("m"),
		EachVersion: true}, Prefix: "/api"}, mounted}}}},
	{"unmatched", inPrefix, byDefault(), App{Mounts: []Mounted{{&Group{Within: &Group{Middleware: ran("m"),
		EachVersion: true}, Prefix: "/api/in", AfterCheck: ran("y")}, map[string]*MountedVersion{
		"v1": {ran("a"), []Route{answering("GET", "/x", "one")}},
		"v2": {ran("b"), []Route{answering("GET", "/x", "two")}},
	}}}}},
	{"any-method", inHeader, serving("v1", "v2"), App{Mounts: []Mounted{{nil, map[string]*MountedVersion{
		"v1": {nil, []Route{answering("", "/x", "one")}}, "v2": {nil, []Route{answering("", "/x", "two")}},
	}}}}},
	{"twice", inHeader, serving("v1", "v2"), App{Mounts: []Mounted{{nil, map[string]*MountedVersion{
		"v1": {nil, []Route{answering("GET", "/x", "x"), answering("GET", "/x", "y")}},
	}}}}},
	{"nil-handler", inHeader, serving("v1", "v2"), App{Mounts: []Mounted{{nil, map[string]*MountedVersion{
		"v1": {nil, []Route{{Method: http.MethodGet, Pattern: "/x"}}},
	}}}}},
}

// The routes of v1 and v2 differ in methods, parameters and middleware: nothing of one may be
// seen in the other.
var mounted = map[string]*MountedVersion{
	"v1": {ran("a", "b"), []Route{
		answering("GET", "/in/{area}/users/{id}", "one", "area", "id"), answering("PUT", "/rooms/{id}", "one", "id"),
		answering("GET", "/gone", "gone").behind(ran("c")),
	}},
	"v2": {nil, []Route{answering("GET", "/in/{area}/users/{id}", "two", "area", "id").behind(ran("d")),
		answering("PUT", "/rooms/{id}", "two", "id")}},
}

// checkRan sends a request, and compares what it gets.
func checkRan(address, text string) error {
	asked := parseAsking(text)
	// Frameworks differ in the middleware that runs where no route is.
	if other, is := strings.CutPrefix(asked.want, "as "); is {
		want, err := parseAsking(other).sendTo(address)
		if asked.want = want; err != nil {
			return err
		}
	}
	got, err := asked.sendTo(address)
	if err != nil || asked.settle(got) {
		return err
	}
	return fmt.Errorf("%s gets %q instead of %q", asked.name, got, asked.want)
}

// sendTo sends the request, and returns what it gets and the middleware that ran. The text of
// an error is looked for in each answer: a framework that shows it to clients gives away more
// than the version.
func (a *asking) sendTo(address string) (string, error) {
	got, err := a.request.send(address)
	if err != nil {
		return "", fmt.Errorf("%s: %w", a.name, err)
	}
	answer := []string{strconv.Itoa(got.status)}
	if got.status == http.StatusOK || a.body {
		answer = append(answer, string(got.body))
	}
	if a.shown != "" {
		lines := got.header.Values(a.shown)
		if a.shown == "Allow" {
			lines = elementsOf(a.shown, lines)
		}
		answer = append(answer, fmt.Sprintf("%q", lines))
	}
	if strings.Contains(strings.ToLower(string(got.body)), secret) && got.status >= http.StatusInternalServerError {
		return "", fmt.Errorf("%s: the client sees the error", a.name)
	}
	return strings.Join(slices.Concat(answer, []string{"|"}, got.header[ranField], got.header[rewrittenField]), " "),
		nil
}
