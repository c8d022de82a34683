package conformance

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	verso "github.com/goverso/verso/core"
)

// rangeChecks compare random tables of routes, each in some of the versions, with a
// simple model: a link to a route is built in exactly the versions that have it, and
// this route answers it in this version. They use the schemes without namespaces. See
// [seeded] and [rounds].
func rangeChecks() (checks []check) {
	for _, scheme := range []string{"url_path", "header", "query_parameter", "hostname"} {
		checks = append(checks, check{"random/" + scheme, func(tb testing.TB, mount Mount) error {
			tb.Helper()
			seed, random := seeded(tb)
			for range rounds(5) {
				t := newRangedTable(random, scheme)
				if err := t.follow(tb, mount); err != nil {
					err = t.shrink(err, func() error { return t.follow(tb, mount) })
					return fmt.Errorf("%w\n%s\nrule: every link is answered by its route in its version, and no link is built to a route that the version does not have\nVERSO_SEED=%d", err, t, seed)
				}
			}
			return nil
		}})
	}
	return checks
}

// rangedTable is an application whose routes are in some of the versions.
type rangedTable struct {
	scheme   string
	versions []string
	routes   []rangedRoute
}

// rangedRoute is a route in the versions, by index, from since until removed, within
// its choices.
type rangedRoute struct {
	method, pattern string
	bare            bool // neutral, and its path carries no version
	neutral         bool
	params          verso.Params
	since, removed  int // 0 and len(versions) are not set
	choices         []rangedChoice
}

type rangedChoice struct {
	from    int
	removed bool
}

func newRangedTable(random *rand.Rand, scheme string) *rangedTable {
	t := &rangedTable{scheme: scheme}
	for _, i := range random.Perm(4 + random.IntN(3)) { // the catalogue orders the versions, not their names
		t.versions = append(t.versions, fmt.Sprintf("v%d", i))
	}
	for count := 5 + random.IntN(11); len(t.routes) < count; {
		path := rangedRoute{pattern: fmt.Sprintf("/r%d", len(t.routes)), bare: random.IntN(8) == 0, params: make(verso.Params)}
		for i := range random.IntN(4) {
			if random.IntN(2) == 0 {
				path.pattern += "/" + randomLabel(random)
				continue
			}
			name := fmt.Sprintf("p%d", i)
			path.pattern += "/{" + name + "}"
			path.params[name] = randomSegment(random)
		}
		if random.IntN(6) == 0 {
			path.pattern += "/{rest*}"
			path.params["rest"] = randomSegment(random) + "/" + randomSegment(random)
		}
		methods := []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}
		for _, method := range random.Perm(len(methods))[:1+random.IntN(min(3, count-len(t.routes)))] {
			path.method = methods[method]
			t.routes = append(t.routes, path.ranged(random, len(t.versions)))
		}
	}
	return t
}

// ranged returns the route in some of n versions, at least one.
func (r rangedRoute) ranged(random *rand.Rand, n int) rangedRoute {
	r.neutral, r.removed = r.bare || random.IntN(10) == 0, n
	for !r.neutral {
		r.since, r.removed, r.choices = max(0, random.IntN(n+2)-2), min(n, 1+random.IntN(n+2)), nil
		if random.IntN(3) == 0 {
			froms := random.Perm(n)[:1+random.IntN(3)]
			for _, from := range froms {
				r.choices = append(r.choices, rangedChoice{from, random.IntN(3) == 0 && from > slices.Min(froms)})
			}
		}
		if r.isUsed(n) {
			return r
		}
	}
	return r
}

// isUsed reports whether at least one of n versions has the route, and each choice
// applies to at least one of them: other routes are refused.
func (r *rangedRoute) isUsed(n int) bool {
	answers := make(map[int]bool)
	for version := range n {
		if choice, ok := r.in(version); ok {
			answers[choice] = true
		}
	}
	return len(answers) > 0 && !slices.ContainsFunc(r.choices, func(c rangedChoice) bool { return !c.removed && !answers[c.from] })
}

// in returns the version from which on the choice for a version applies, -1 for a
// route without choices. ok is false when the version does not have the route.
func (r *rangedRoute) in(version int) (choice int, ok bool) {
	choice, ok = -1, len(r.choices) == 0
	for _, c := range r.choices {
		if c.from <= version && c.from > choice {
			choice, ok = c.from, !c.removed
		}
	}
	return choice, r.neutral || ok && r.since <= version && version < r.removed
}

// seen is what a choice of the route reports.
func (r *rangedRoute) seen(choice int, param func(name string) string) string {
	text := []string{r.method, r.pattern, fmt.Sprint("choice ", choice)}
	for _, name := range slices.Sorted(maps.Keys(r.params)) {
		text = append(text, fmt.Sprintf("%s=%+q", name, param(name)))
	}
	return strings.Join(text, ", ")
}

// name returns the name of the route: "r0-GET".
func (r *rangedRoute) name() string {
	return strings.Split(r.pattern, "/")[1] + "-" + r.method
}

// pattern returns the whole pattern of a route.
func (t *rangedTable) pattern(r *rangedRoute) string {
	switch {
	case t.scheme != "url_path":
		return r.pattern
	case r.bare:
		return "/bare" + r.pattern
	}
	return "/{version}" + r.pattern
}

// route returns the route of the application.
func (t *rangedTable) route(r *rangedRoute) Route {
	handle := func(choice int) func(Call) Response {
		return func(call Call) Response {
			return Response{Set: http.Header{seenVersion: {call.Version.String()}, seenHandler: {r.seen(choice, call.Param)}}}
		}
	}
	route := Route{Method: r.method, Name: r.name(), Pattern: t.pattern(r), Handle: handle(-1)}
	if r.neutral {
		route.Options = append(route.Options, verso.Neutral())
	}
	if r.since > 0 {
		route.Options = append(route.Options, verso.Since(t.versions[r.since]))
	}
	if r.removed < len(t.versions) {
		route.Options = append(route.Options, verso.RemovedIn(t.versions[r.removed]))
	}
	for _, c := range r.choices {
		if route.Handlers == nil {
			route.Handlers = make(map[string]func(Call) Response)
		}
		if route.Handlers[t.versions[c.from]] = nil; !c.removed {
			route.Handlers[t.versions[c.from]] = handle(c.from)
		}
	}
	return route
}

func (t *rangedTable) String() string {
	text := []string{fmt.Sprintf("scheme %s, versions %q", t.scheme, t.versions)}
	for _, r := range t.routes {
		text = append(text, fmt.Sprintf("%s %s: neutral %v, versions [%d:%d], choices %+v, path parameters %q",
			r.method, t.pattern(&r), r.neutral, r.since, r.removed, r.choices, r.params))
	}
	return strings.Join(text, "\n")
}

// versionField is the request header of the scheme "header".
const versionField = "Api-Version"

// rangedLink is a URL that must lead to a route in a version.
type rangedLink struct {
	route   *rangedRoute
	version int
	url     string
}

// follow builds links to all routes in all versions, from a handler in each version,
// and follows them. It writes the URLs of routes that a version does not have by hand.
func (t *rangedTable) follow(tb testing.TB, mount Mount) error {
	tb.Helper()
	list := make([]string, len(t.versions))
	for i, version := range t.versions {
		list[i] = fmt.Sprintf(`{"version": %q}`, version)
	}
	api, err := (&service{
		Catalogue: fmt.Appendf(nil, `{"versions": [%s]}`, strings.Join(list, ",")),
		Settings:  settings{HeaderName: versionField},
	}).versioning(t.scheme)
	if err != nil {
		return err
	}
	var mu sync.Mutex // as in [steps]
	links, wrong := make(map[rangedLink]bool), complaints(nil)
	here := rangedRoute{method: http.MethodGet, pattern: "/here", removed: len(t.versions)}
	app := App{API: api, Routes: []Route{t.route(&here)}}
	app.Routes[0].Handle = func(call Call) Response {
		mu.Lock()
		defer mu.Unlock()
		built, errs := t.links(call)
		maps.Copy(links, built)
		wrong = append(wrong, errs...)
		return Response{}
	}
	for i := range t.routes {
		app.Routes = append(app.Routes, t.route(&t.routes[i]))
	}
	server := mount(tb, app)
	err = t.collect(server.Address, &here)
	mu.Lock()
	defer mu.Unlock()
	if err = errors.Join(err, wrong.join()); err == nil {
		err = t.followAll(server.Address, links)
	}
	return errors.Join(err, server.stop())
}

// collect makes the handler here build links in each version.
func (t *rangedTable) collect(address string, here *rangedRoute) error {
	for version, text := range t.versions {
		link := rangedLink{here, version, t.byHand(here, version)}
		got, err := t.send(address, link)
		if err == nil && got.status != http.StatusOK {
			err = fmt.Errorf("got: %v", got)
		}
		if err != nil {
			return fmt.Errorf("at %q in %q: %w", link.url, text, err)
		}
	}
	return nil
}

// followAll requests links, and by hand the routes that a version does not have. It
// stops if the adapter hangs.
func (t *rangedTable) followAll(address string, links map[rangedLink]bool) error {
	for version := range t.versions {
		for i := range t.routes {
			if _, ok := t.routes[i].in(version); !ok {
				links[rangedLink{&t.routes[i], version, t.byHand(&t.routes[i], version)}] = true
			}
		}
	}
	var wrong complaints
	for link := range links {
		got, err := t.send(address, link)
		if err == nil {
			err = t.judge(link, got)
		}
		wrong.unless(err == nil, "%s %q in %q: %w", link.route.method, link.url, t.versions[link.version], err)
		if errors.Is(err, errHangs) {
			break
		}
	}
	return wrong.join()
}

// links builds links from a handler to all routes in all versions.
func (t *rangedTable) links(call Call) (built map[rangedLink]bool, wrong complaints) {
	built = make(map[rangedLink]bool)
	for i := range t.routes {
		r := &t.routes[i]
		for version, text := range t.versions {
			targets := []verso.Target{{Name: r.name(), Params: maps.Clone(r.params), Version: verso.V(text)}}
			if call.Version == targets[0].Version {
				targets = append(targets, verso.Target{Name: r.name(), Params: maps.Clone(r.params)})
			}
			if r.bare {
				targets = targets[1:] // a link to it is never in the requested version
			}
			for _, target := range targets {
				link, err := call.Link(target)
				_, ok := r.in(version)
				wrong.unless(ok && err == nil || !ok && errors.Is(err, verso.ErrNotInVersion),
					"from %q, link to %s in %q, wanted %v: %q, error %v", call.Version, r.name(), text, ok, link, err)
				if err == nil {
					built[rangedLink{r, version, link}] = true
				}
			}
		}
	}
	return built, wrong
}

// byHand returns a URL of a route in a version, without a link.
func (t *rangedTable) byHand(r *rangedRoute, version int) string {
	path, host := placeholder.ReplaceAllString(strings.Replace(t.pattern(r), "{version}", t.versions[version], 1), "hand"), "api"
	switch t.scheme {
	case "hostname":
		host = t.versions[version]
	case "query_parameter":
		path += "?version=" + t.versions[version]
	}
	return "http://" + host + ".example.com" + path
}

func (t *rangedTable) send(address string, link rangedLink) (*response, error) {
	u, err := url.Parse(link.url)
	if err != nil {
		return nil, err
	}
	sent := &request{Method: link.route.method, Target: u.RequestURI(), Host: &u.Host}
	if t.scheme == "header" {
		sent.Headers = map[string][]string{versionField: {t.versions[link.version]}}
	}
	return sent.send(address)
}

// judge checks the answer to a request: it must be that of the route, or 404, or 405
// when the version has the path with other methods.
func (t *rangedTable) judge(link rangedLink, got *response) error {
	var wrong complaints
	choice, ok := link.route.in(link.version)
	if ok {
		version := t.versions[link.version]
		if link.route.neutral {
			version = ""
		}
		want := link.route.seen(choice, func(name string) string { return fmt.Sprint(link.route.params[name]) })
		wrong.unless(got.status == http.StatusOK, "status %d, body %.300q", got.status, got.body)
		wrong.unless(got.header.Get(seenHandler) == want, "%q answers instead of %q", got.header.Get(seenHandler), want)
		wrong.unless(got.header.Get(seenVersion) == version, "the handler saw version %q instead of %q", got.header.Get(seenVersion), version)
		return wrong.join()
	}
	want, allow := requestWant{Status: http.StatusNotFound, Code: string(verso.NotInVersion), AllowedVersions: []string{}}, []string(nil)
	for _, other := range t.routes {
		if _, ok := other.in(link.version); ok && other.pattern == link.route.pattern {
			allow = append(allow, other.method)
			want.Status, want.Code = http.StatusMethodNotAllowed, string(verso.MethodNotInVersion)
		}
	}
	for version, text := range t.versions {
		if _, ok := link.route.in(version); ok {
			want.AllowedVersions = append(want.AllowedVersions, text)
		}
	}
	wrong.unless(got.status == want.Status, "status %d instead of %d", got.status, want.Status)
	wrong.judgeList(got.header, "Allow", allow)
	wrong.judgeProblem(got, &want)
	return wrong.join()
}

// shrink removes routes as long as the table still fails, and returns its error. It
// does not change a table with which the adapter hangs.
func (t *rangedTable) shrink(err error, follow func() error) error {
	for i := range slices.Backward(t.routes) {
		if errors.Is(err, errHangs) {
			return err
		}
		all := t.routes
		t.routes = slices.Delete(slices.Clone(all), i, i+1)
		if failed := follow(); failed != nil {
			err = failed
		} else {
			t.routes = all
		}
	}
	return err
}
