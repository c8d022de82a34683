package conformance

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
)

// groupCheck sends the requests of a sheet to routes of groups, whose middleware marks the
// responses. What a request gets is the status, the body if that is 200, and behind "|" the
// middleware that ran, in its order, each with the version that it saw; "*" is any. With
// "stop:" that middleware stops the request, and with "refuse" the rewriter refuses it; with
// "body" the body is that of any status; with "show:" the lines of a field come behind it.
// Several answers are separated by "or". Other lines of the sheet are
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

// groupChecks returns the checks of a group, which has a sheet for each. A sheet without a
// check, or a check without a sheet, is found by the tests of this package.
func groupChecks(group string, of []groupCheck) (checks []check) {
	all := sheets(group)
	for _, g := range of {
		checks = append(checks, check{g.name, func(tb testing.TB, mount Mount) error {
			tb.Helper()
			return g.check(tb, mount, all[g.name])
		}})
	}
	return checks
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
			answering("GET", "/choice", "").behind(ran("d")).choosing(choice).with(verso.RemovedIn("v3"))),
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
			answering("GET", "/people/{id}", "two", "id").named("user")),
	)}},
	{"names", inHeader, serving("v1", "v2"), App{Routes: slices.Concat(
		inGroup(shop, answering("GET", "/users/{id}", "user", "id").named("user")),
		inGroup(&Group{Within: shop, Prefix: "/back", Namespace: "back"},
			answering("GET", "/users/{id}", "user", "id").named("user")),
	)}},
	{"each", inPrefix, byDefault(), App{Routes: slices.Concat(
		inGroup(each, answering("GET", "/api/lists", "lists"),
			answering("GET", "/api/any", "any").with(verso.Neutral())),
		inGroup(admin, answering("GET", "/lists/{id}", "list", "id").named("list")),
		inGroup(deep, answering("POST", "/x", "x").behind(ran("f")), answering("GET", "/choice", "").choosing(choice)),
		inGroup(&Group{Within: each, Prefix: "/api/late", Since: "v2"}, answering("GET", "/x", "late")),
	)}},
	{"each-within", verso.PathPrefix("/api/rest/{version}"), byDefault(), App{Routes: inGroup(
		&Group{Within: &Group{Prefix: "/api"}, Prefix: "/rest", Middleware: ran("a", "b"), EachVersion: true},
		answering("GET", "/lists", "lists"),
	)}},
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
		&Group{EachVersion: true, AfterCheck: ran("y")}, answering("GET", "/api/lists", "lists"),
	)}},
}

// They register a router of its own for each version, as a service does that keeps v1 as it
// was.
var mountings = []groupCheck{
	{"middleware", inHeader, serving("v1", "v2", "v3"),
		App{Mounts: []Mounted{{&Group{Prefix: "/api", Middleware: ran("m"), AfterCheck: ran("y")}, mounted}}}},
	{"parameters", inHeader, serving("v1", "v2"), App{Mounts: []Mounted{{&Group{Prefix: "/api"},
		map[string]*MountedVersion{
			"v1": {ran("a"), []Route{answering("GET", "/in/{area}/users/{id}", "one", "area", "id")}},
			"v2": {nil, []Route{answering("GET", "/in/{where}/users/{name}", "two", "where", "name")}},
		}}}}},
	{"ended", inHeader, serving("v1", "v2", "v3"),
		App{Mounts: []Mounted{{nil, map[string]*MountedVersion{"v1": mounted["v1"], "v2": mounted["v2"], "v3": nil}}}}},
	{"options", inHeader, serving("v1", "v2", "v3"), App{Mounts: []Mounted{{&Group{RemovedIn: "v3"}, mounted}}}},
	{"each", inPrefix, byDefault(), App{Mounts: []Mounted{{&Group{Within: &Group{Middleware: ran("m"),
		EachVersion: true}, Prefix: "/api"}, mounted}}}},
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

// trial is an application under test, and what it has told.
type trial struct {
	*Server
	told      witness
	log       logged
	late      map[string]Route
	explained []string
}

// check mounts the application once and sends all lines of its sheet to it, in their order.
func (g *groupCheck) check(tb testing.TB, mount Mount, s *sheet) (err error) {
	tb.Helper()
	t := trial{late: make(map[string]Route)}
	app, config := g.app, g.config
	config.Logger = slog.New(&t.log)
	if s.has("OBSERVED") || s.has("CLIENT") {
		config.Observe = t.told.observe
	}
	app.API = verso.MustNew(g.source, config)
	// Frameworks differ in what they can register at all. REFUSED is for mistakes that all must
	// find, REFUSABLE for the rest. The text of a framework's own panic does not lead to a MISTAKE.
	if first := s.lines[0].text; first == "REFUSABLE" || first == "REFUSED" || first == "MISTAKE" {
		defer func() {
			panicked := recover()
			said, _ := panicked.(error)
			if _, known := errors.AsType[*verso.Finding](said); panicked != nil && (known || first != "MISTAKE") {
				err = nil
			} else if panicked != nil {
				err = fmt.Errorf("the registration panics with %v, which is not a *verso.Finding\nrule: %s", panicked, s.rule)
			}
		}()
	}
	// A route added while the server runs has to be checked like the first ones: routers that copy
	// their routes at the start would miss it.
	app.Routes = slices.DeleteFunc(slices.Clone(app.Routes), func(r Route) bool {
		name := r.Method + " " + r.Pattern
		isLate := s.has("LATER " + name)
		if isLate {
			t.late[name] = r
		}
		return isLate
	})
	t.Server = mount(tb, app)
	var wrong complaints
	for _, l := range s.lines {
		if err = t.line(l.text); err != nil {
			wrong = append(wrong, fmt.Errorf("%w (%s)", err, l.at))
		}
		// Each further line would wait for its timeout as well.
		if errors.Is(err, errHangs) {
			break
		}
	}
	if t.explained != nil {
		wrong = append(wrong, t.checkExplain(t.explained))
	}
	wrong = append(wrong, t.stop())
	if err := wrong.join(); err != nil {
		return fmt.Errorf("%w\nrule: %s", err, s.rule)
	}
	return nil
}

// needs are the fields of a Server that lines of a sheet need.
var needs = map[string]string{"LINK": "Link", "ROUTE": "Explain", "FINDINGS": "Explain", "PROBLEMS": "Explain",
	"LATER": "Add"}

// line tries a line of a sheet.
func (t *trial) line(text string) error {
	name, want, _ := strings.Cut(text, ": ")
	kind, name, _ := strings.Cut(name, " ")
	// Without this the check would panic in the suite, and an author of an adapter would look for
	// the fault there.
	if f := reflect.ValueOf(*t.Server).FieldByName(needs[kind]); f.IsValid() && f.IsNil() {
		return fmt.Errorf("the mount does not set Server.%s to that of the adapter", needs[kind])
	}
	switch kind {
	case "REFUSABLE":
		return nil
	case "REFUSED", "MISTAKE":
		return errors.New("the registration of the routes does not panic")
	case "LINK":
		return t.checkLink(name, want)
	case "ROUTE":
		t.explained = append(t.explained, name)
		return nil
	case "LATER":
		t.Add(t.late[name])
		return nil
	case "FINDINGS":
		return t.checkFindings(strings.Fields(name))
	case "PROBLEMS":
		return t.checkProblemType(name)
	case "OBSERVED", "CLIENT":
		return t.told.check(kind, name)
	case "LOGGED", "WARNED":
		return t.log.check(kind, name)
	}
	t.told.clear()
	t.log.clear()
	return checkRan(t.Address, text)
}

// checkRan sends a request, and compares what it gets.
func checkRan(address, text string) error {
	asked := parseAsking(text)
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
		answer = append(answer, fmt.Sprintf("%q", got.header.Values(a.shown)))
	}
	if strings.Contains(strings.ToLower(string(got.body)), secret) && got.status >= http.StatusInternalServerError {
		return "", fmt.Errorf("%s: the client sees the error", a.name)
	}
	return strings.Join(slices.Concat(answer, []string{"|"}, got.header[ranField], got.header[rewrittenField]), " "),
		nil
}

// checkLink checks the link to a name in a version, or its error, by the name of linkErrors.
// Jobs and mails build links without a request, so they must not depend on one.
func (s *Server) checkLink(of, want string) error {
	name, version, _ := strings.Cut(of, " ")
	got, err := s.Link(verso.Target{Name: name, Version: verso.V(version), Params: verso.Params{"id": 7}})
	if err != nil {
		got = errorName(err)
	}
	if got != want {
		return fmt.Errorf("outside a request, the link to %s is %q instead of %q: %s", of, got, want, fmt.Sprint(err))
	}
	return nil
}

// checkExplain checks which routes Explain lists. Tests of services and the frozen contract
// read this list: a route that it lacks is checked by nothing.
func (s *Server) checkExplain(want []string) error {
	var got []string
	for _, route := range s.Explain().Routes {
		got = append(got, explainedRoute(&route))
		if route.Forms != nil && !slices.Contains(route.Forms, route.Pattern) &&
			!strings.Contains(route.Pattern, "{version}") {
			return fmt.Errorf("the route of Explain is %q, which is not among its paths %q", route.Pattern, route.Forms)
		}
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		return fmt.Errorf("the routes of Explain are %q instead of %q", got, want)
	}
	return nil
}

// overlookable are the findings of Explain that say what an author may have overlooked. Others
// depend on the framework, and on the configuration that all applications share.
var overlookable = []string{"option_unused", "head_differs", "errors_not_rewritten"}

// checkFindings checks which of these findings Explain has.
func (s *Server) checkFindings(want []string) error {
	var found []string
	for _, f := range s.Explain().Findings {
		if slices.Contains(overlookable, f.Code) {
			found = append(found, f.Code)
		}
		if f.Code == "option_unused" && !strings.Contains(f.Message, "group") { // the file that calls it
			return fmt.Errorf("the finding %q does not name the place where the service calls the adapter", f.Message)
		}
	}
	if !slices.Equal(found, want) {
		return fmt.Errorf("the findings of Explain are %q instead of %q", found, want)
	}
	return nil
}

// checkProblemType checks that Explain has the media type of a rejection. It has none if an error
// handler of the service answers, and without a request it must have none.
func (s *Server) checkProblemType(ask string) error {
	said, is := s.Explain().ProblemType, ""
	if ask != "" && said != "" {
		got, err := parseAsking(ask).request.send(s.Address)
		if err != nil {
			return err
		}
		is = got.header.Get("Content-Type")
	}
	if said != is {
		return fmt.Errorf("by Explain, the answers to rejected requests are %q instead of %q", said, is)
	}
	return nil
}

// explainedRoute returns the method, the host, the path and the name of a route, and its
// other properties.
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
