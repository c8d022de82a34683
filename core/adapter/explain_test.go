package adapter_test

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/core/versotest"
)

func TestExplain(t *testing.T) {
	pathRoutes := []route.Route{
		{Method: "GET", Name: "user-list", Pattern: route.Colons("/:version/users")}, {Method: "GET", Pattern: route.Colons("/health"), Host: "admin.example.com"},
	}
	for name, api := range map[string]*adapter.Binding{
		"path":      coretest.Bound(verso.Must(scheme.NewURLPath("version", coretest.WithDefault("v1", "v2"))), pathRoutes...),
		"open":      adapter.Bind(verso.Must(scheme.NewQueryParameter("version", verso.Config{})), nil),
		"strict":    adapter.Bind(verso.Must(scheme.NewHostName("", coretest.With(coretest.List("v1", "v-2"), func(c *verso.Config) { c.Strict = verso.Strict() }))), nil),
		"several":   adapter.Bind(verso.MustNew(verso.Agree(verso.PathParam("version"), verso.First(verso.Header("Api-Version"), verso.MediaType(coretest.Vendor))), coretest.List("v1", "v2")), nil),
		"catalogue": adapter.Bind(verso.Must(scheme.NewURLPath("version", coretest.With(coretest.SixFields(), func(c *verso.Config) { c.DefaultVersion = verso.V("v1") }))), nil),
		"routes":    withRanges(t),
		"query":     adapter.Bind(verso.Must(scheme.NewQueryParameter("version", coretest.With(coretest.List("v1"), func(c *verso.Config) { c.Strict = verso.Strict() }))), nil),
		"base":      adapter.Bind(verso.Must(scheme.NewBase("MyVersioning", coretest.List("v1"))), nil),
	} {
		t.Run(name, func(t *testing.T) {
			versotest.Golden(t, api.Explain(), "testdata/explain/"+name+".txt")
		})
	}
}

// withRanges returns a versioning with routes that some versions have.
func withRanges(t *testing.T) *adapter.Binding {
	t.Helper()
	b := coretest.Bound(verso.Must(scheme.NewURLPath("version", coretest.List("v1", "v2", "v3"))))
	date := time.Date(2027, time.June, 30, 0, 0, 0, 0, time.UTC)
	_, chosen, err := adapter.Picker(verso.Handlers[func()]{"v2": func() {}, "v3": nil}, b)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []struct {
		path    string
		options []verso.RouteOption
	}{
		{"/:version/bookings", []verso.RouteOption{verso.Since("v2")}},
		{"/:version/report", []verso.RouteOption{verso.RemovedIn("v2"), verso.DeprecatedAt(date), verso.SunsetAt(date)}},
		{"/:version/rooms", []verso.RouteOption{chosen}},
		{"/:version/users", []verso.RouteOption{verso.Related(catalogue.Link{Rel: "help", Href: "/help"})}},
		{"/health", []verso.RouteOption{verso.Neutral()}},
	} {
		coretest.Register(b, route.Route{Method: "GET", Pattern: route.Colons(r.path)}, r.options...)
	}
	for _, r := range b.Explain().Routes {
		if want := r.Pattern != "/:version/bookings" && r.Pattern != "/:version/rooms"; r.InVersion("v1") != want {
			t.Errorf("%s in v1: %t", r.Pattern, !want)
		}
	}
	return b
}

func TestExplainJSON(t *testing.T) {
	api := coretest.Bound(verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1"}, DefaultVersion: verso.V("")})), coretest.Users)
	got, err := json.Marshal(api.Explain())
	if err != nil {
		t.Fatal(err)
	}
	want := `{"scheme":"URLPathVersioning","sources":["path parameter \"version\""],"versions":["v1",""],"default_version":"","requests":[` +
		`{"request":"without a version","response":"served as version \"\""},` +
		`{"request":"for a version that is not served","response":"404 invalid_url_path_version"},` +
		`{"request":"for the empty version","response":"served as version \"\""}],` +
		`"routes":[{"pattern":"/users","path":"/users","name":"users","versions":[""]}],"findings":[` +
		`{"level":"warning","code":"default_not_listed","field":"DefaultVersion","message":"the default version \"\" is not in AllowedVersions but is served anyway: add it, or correct it"},` +
		`{"level":"warning","code":"param_in_no_route","field":"Routes","message":"the path parameter \"version\" does not occur in any route: add it to the patterns, or correct its name"},` +
		`{"level":"warning","code":"host_unchecked","field":"Links","message":"links begin with the Host header that a client sends, and nothing checks it: set Links.Origin or Links.TrustedHosts"}]}`
	if string(got) != want {
		t.Errorf("encoded %s, want %s", got, want)
	}
}

// optional returns a pattern that is not understood.
func optional(text string) route.Pattern {
	unread, _ := route.NewPattern(text)
	return unread
}

func TestFindingsOfRoutes(t *testing.T) {
	versioned := route.Route{Name: "v1:users", Pattern: route.Colons("/:version/users")}
	inV1 := route.Route{Name: "v1:users", Pattern: route.Colons("/v1/users")}
	rooms := route.Route{Pattern: route.Colons("/rooms")}
	var many []route.Route
	for path := range strings.SplitSeq("abcdefgh", "") {
		many = append(many, route.Route{Pattern: route.Colons("/" + path)})
	}
	path, namespace := verso.PathParam("version"), verso.Namespace()
	tests := []struct {
		name   string
		source source.Source
		routes []route.Route
		want   string // the code, and a part of the message
	}{
		{"no routes", path, nil, ""},
		{"all with the parameter", path, []route.Route{versioned}, `default_unused no request has the default version "v1", since the path of each route has a version`},
		{"all with the parameter, no default", path, []route.Route{versioned}, ""},
		{"none is known to lack it", path, []route.Route{versioned, {Pattern: optional("/:version/things/:id?")}}, ""},
		{"nothing is known of the only one", path, []route.Route{{Pattern: optional("/:version/things/:id?")}}, ""},
		{"none with it", path, []route.Route{coretest.Users}, `param_in_no_route the path parameter "version" does not occur in any route`},
		{"name in another case", verso.PathParam("Version"), []route.Route{versioned}, `param_in_no_route the path parameter "Version"`},
		{"some without it", path, []route.Route{versioned, coretest.Users}, `route_without_param the path parameter "version" is not in "/users"`},
		{"many without it", path, append(many, versioned), `route_without_param the path parameter "version" is not in "/a", "/b", "/c", "/d", "/e", 3 more`},
		{"several sources: some without it", verso.First(path, verso.Header("Api-Version")), []route.Route{versioned, coretest.Users}, ""},
		{"several sources: none with it", verso.First(path, verso.Header("Api-Version")), []route.Route{coretest.Users}, "param_in_no_route"},
		{"without it, no default", path, []route.Route{versioned, coretest.Users}, `route_without_param where a request is rejected with 400 missing_version`},
		{"all in namespaces", namespace, []route.Route{inV1}, `default_unused no request has the default version "v1"`},
		{"all under prefixes", verso.PathPrefix("/{version}"), []route.Route{inV1}, `default_unused no request has the default version "v1"`},
		{"a route without a prefix", verso.PathPrefix("/{version}"), []route.Route{inV1, coretest.Users}, ""},
		{"a route without a prefix, no default", verso.PathPrefix("/{version}"), []route.Route{inV1, rooms}, `prefix_missing "/rooms" has no listed version in its path, unlike other routes, so a request is served without a version`},
		{"the path of a version without it, no default", verso.PathPrefix("/{version}"), []route.Route{inV1, coretest.Users}, `prefix_missing "/users"`},
		{"a route without EachVersion", verso.PathPrefix("/{version}"), []route.Route{inV1, {Pattern: route.Colons("/v1/beds"), RegisteredPath: "/beds"}, rooms}, `prefix_missing so a request is served as version "v1"`},
		{"header, and a version in the path", verso.Header("Api-Version"), []route.Route{inV1}, `version_in_path the version in the path "/v1/users" has no part in that of a request, which is read from header "Api-Version"`},
		{"header, and another text in the path", verso.Header("Api-Version"), []route.Route{{Pattern: route.Colons("/v9/users")}}, ""},
		{"header or prefix, and a version in the path", verso.First(verso.PathPrefix("/{version}"), verso.Header("Api-Version")), []route.Route{inV1}, ""},
		{"none in one", namespace, []route.Route{coretest.Users}, `no_namespaces so every request is served as version "v1": put the routes of a version into a namespace`},
		{"some in none", namespace, []route.Route{coretest.Users, inV1}, `route_without_namespace "/users" is in no namespace, so a request is served as version "v1"`},
		{"a namespace that is no version", namespace, []route.Route{{Name: "V1:users", Pattern: route.Colons("/v1/users")}}, `route_in_no_version no version has "/v1/users"`},
		{"several sources: none in one", verso.First(namespace, verso.Header("Api-Version")), []route.Route{coretest.Users}, "no_namespaces or remove the source"},
		{"several sources: some in none", verso.First(namespace, path), []route.Route{coretest.Users, versioned}, ""},
		{"header", verso.Header("Api-Version"), []route.Route{coretest.Users}, ""},
		{"text that the versions have", verso.First(path, verso.Header("Api-Version")), []route.Route{{Pattern: route.Braces("/v{version}/users")}}, `version_doubled "/v{version}/users" has text before the version which the versions have already, so that clients would write "vv1"`},
		{"text that the versions do not have", verso.First(path, verso.Header("Api-Version")), []route.Route{{Pattern: route.Braces("/api-{version}/users")}, {Pattern: route.Braces("/v{id}/{version}")}}, ""},
		{"header, and a parameter", verso.Header("Api-Version"), []route.Route{versioned}, `param_not_read the path parameter "version" of "/:version/users"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			config := coretest.WithDefault("v1")
			if strings.HasSuffix(test.name, "no default") {
				config.DefaultVersion = verso.Version{}
			}
			config.Links.Relative = true
			api := coretest.Bound(verso.MustNew(test.source, config), test.routes...)
			log := coretest.Logging(t)
			explanation := api.Explain()
			code, message, _ := strings.Cut(test.want, " ")
			if test.want == "" {
				if len(explanation.Findings) != 0 {
					t.Errorf("found %v", explanation.Findings)
				}
				return
			}
			if len(explanation.Findings) != 1 || explanation.Findings[0].Code != code || explanation.Findings[0].Field == "" || !strings.Contains(explanation.Findings[0].Message, message) {
				t.Errorf("found %v, want %s", explanation.Findings, test.want)
			}
			api.Explain()
			coretest.Outcome(api, coretest.Ask{}.Request())
			if got := coretest.Codes(t, log); !slices.Equal(got, []string{code}) {
				t.Errorf("logged %q", got)
			}
		})
	}
}

func TestFindingsOfOptions(t *testing.T) {
	tests := []struct {
		name     string
		source   source.Source
		versions []string
		route    route.Route
		option   verso.RouteOption
		want     []string
	}{
		{"newest first", verso.Header("Api-Version"), []string{"v10", "v2", "v1"}, coretest.Users, verso.Since("v2"), []string{"newest_first"}},
		{"dates, newest first", verso.Header("Api-Version"), []string{"2026-02-01", "2025-11-30"}, coretest.Users, verso.RemovedIn("2025-11-30"), []string{"newest_first"}},
		{"sorted as text", verso.Header("Api-Version"), []string{"v1", "v10", "v2"}, coretest.Users, verso.Since("v2"), []string{"sorted_as_text"}},
		{"sorted as text, in a part", verso.Header("Api-Version"), []string{"v1.10", "v1.8", "v1.9"}, coretest.Users, verso.Since("v1.9"), []string{"sorted_as_text"}},
		{"sorted as text, where the order does not matter", verso.Header("Api-Version"), []string{"v1", "v10", "v2"}, coretest.Users, verso.SunsetAt(time.Unix(1798761600, 0)), nil},
		{"in no order", verso.Header("Api-Version"), []string{"v3", "v1", "v2"}, coretest.Users, verso.Since("v2"), nil},
		{"dates, and then numbers", verso.Header("Api-Version"), []string{"2026-01-01", "v1", "v2"}, coretest.Users, verso.Since("v1"), nil},
		{"newest first, where the order does not matter", verso.Header("Api-Version"), []string{"v2", "v1"}, coretest.Users, verso.SunsetAt(time.Unix(1798761600, 0)), nil},
		{"oldest first", verso.Header("Api-Version"), []string{"v1", "v2", "v10"}, coretest.Users, verso.Since("v2"), nil},
		{"without numbers", verso.Header("Api-Version"), []string{"beta", "alpha"}, coretest.Users, verso.Since("alpha"), nil},
		{"a namespace without the route", verso.Namespace(), []string{"v1", "v2"}, route.Route{Name: "v1:", Pattern: route.Colons("/v1/users")}, verso.Since("v2"), []string{"route_in_no_version"}},
		{"a prefix without the route", verso.PathPrefix("/{version}"), []string{"v1", "v2"}, route.Route{Pattern: route.Colons("/v1/users")}, verso.Since("v2"), []string{"route_in_no_version", "prefix_empty"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := coretest.Bound(verso.MustNew(test.source, verso.Config{AllowedVersions: test.versions, Links: verso.LinkConfig{Relative: true}}))
			coretest.Register(b, test.route, test.option)
			if got := coretest.Findings(b.Explain()); !slices.Equal(got, test.want) {
				t.Errorf("findings %q, want %q", got, test.want)
			}
		})
	}
}

// Warnings that are acknowledged stay in Explain and are not logged.
func TestAcknowledged(t *testing.T) {
	config := verso.Config{AllowedVersions: []string{"v1", "v-2"}, DefaultVersion: verso.V("v0"), Acknowledged: []string{
		"default_not_listed", "host_unchecked", "no_place_for_version", "short_notice",
		"preflight_unanswered", "middleware_apart", "no_method", "route_without_param", "rewritten_passed_on", "errors_not_rewritten",
		"clock_still", "handler_dropped", "not_found_elsewhere", "answered_early", // of requests
	}}
	log := coretest.Logging(t)
	b := coretest.Bound(verso.MustNew(verso.HostLabel(""), config), coretest.Users)
	r := coretest.Host("localhost").Request()
	result, _ := coretest.Begin(b, r)
	if _, err := adapter.LinkFor(result, r, verso.Target{Name: "users"}); err != nil {
		t.Fatal(err)
	}
	e := b.Explain()
	if got, want := coretest.Codes(t, log), []string{"version_unreachable", "accepted_unknown"}; !slices.Equal(got, want) {
		t.Errorf("logged %q, want %q", got, want)
	}
	for _, f := range e.Findings {
		if want := slices.Contains(config.Acknowledged, f.Code); f.Acknowledged != want {
			t.Errorf("%s: acknowledged %t", f.Code, f.Acknowledged)
		}
	}
	if got, want := coretest.Findings(e), []string{"default_not_listed", "version_unreachable", "host_unchecked", "accepted_unknown"}; !slices.Equal(got, want) {
		t.Errorf("findings %q, want %q", got, want)
	}
	text := e.String()
	for _, want := range []string{"\n  acknowledged default_not_listed: ", "\n  warning accepted_unknown: Acknowledged: no finding has the code \"short_notice\""} {
		if !strings.Contains(text, want) {
			t.Errorf("explained as\n%s\nwithout %q", text, want)
		}
	}
	if got := coretest.Findings(adapter.Bind(verso.MustNew(verso.HostLabel(""), config), nil).Explain()); slices.Contains(got, "accepted_unknown") {
		t.Errorf("found %q where the routes are not known", got)
	}
}

// Warnings are logged once, at the first request, however many come at once; and
// by each middleware, which has its own routes.
func TestWarningsAreLoggedOnce(t *testing.T) {
	buffer := coretest.Logging(t)
	api := verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v0")}))
	if buffer.Len() > 0 {
		t.Errorf("logged before a request: %s", buffer)
	}
	first, second := coretest.Bound(api, coretest.Users), coretest.Bound(api)
	options := coretest.Preflight(nil)
	options.Route = &route.Route{Method: "OPTIONS"}
	coretest.Outcome(first, options.Request())
	if buffer.Len() > 0 {
		t.Errorf("a preflight logged: %s", buffer)
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 50 {
				coretest.Outcome(first, coretest.In("v1").Request())
				coretest.Outcome(first, coretest.In("v9").Request())
			}
		})
	}
	group.Wait()
	want := []string{"default_not_listed", "param_in_no_route"}
	if got := coretest.Codes(t, buffer); !slices.Equal(got, want) {
		t.Errorf("logged %q, want %q", got, want)
	}
	coretest.Outcome(second, coretest.In("v1").Request())
	if got := coretest.Codes(t, buffer); !slices.Equal(got, append(want, want[0])) {
		t.Errorf("another middleware logged %q", got)
	}
	first.Explain()
	if got := coretest.Codes(t, buffer); len(got) != 3 {
		t.Errorf("Explain logged %q", got)
	}
}

// The first absolute link that begins with the Host of a client says so, once.
func TestRequestsWithoutAPlaceAreLoggedOnce(t *testing.T) {
	for name, test := range map[string]struct {
		source source.Source
		strict verso.Strictness
		host   string
		want   []string
	}{
		"a hyphen":    {verso.HostLabel(""), verso.Strictness{}, "v2.my-shop.com", []string{"no_place_for_version"}},
		"four labels": {verso.HostLabel(""), verso.Strictness{}, "v2.api.example.com:8080", []string{"no_place_for_version"}},
		"two labels":  {verso.HostLabel(""), verso.Strictness{}, "example.com", []string{"no_place_for_version"}},
		"a pattern":   {verso.HostLabel(`(v[0-9]+)\.example\.com`), verso.Strictness{}, "example.com", []string{"no_place_for_version"}},
		"localhost":   {verso.HostLabel(""), verso.Strictness{}, "LOCALHOST:8080", nil},
		"an address":  {verso.HostLabel(""), verso.Strictness{}, "10.0.0.7:8080", nil},
		"IPv6":        {verso.HostLabel(""), verso.Strictness{}, "[::1]:8080", nil},
		"no host":     {verso.HostLabel(""), verso.Strictness{}, "", nil},
		"rejected":    {verso.HostLabel(""), verso.Strict(), "example.com", nil},
		"namespace":   {verso.Namespace(), verso.Strictness{}, "example.com", nil}, // the routes say it
	} {
		t.Run(name, func(t *testing.T) {
			buffer := coretest.Logging(t)
			api := coretest.Bound(verso.MustNew(test.source, coretest.With(coretest.List("v1"), func(c *verso.Config) { c.Strict = test.strict })))
			for range 3 {
				_, call := coretest.Begin(api, coretest.Host(test.host).Request())
				if rejected := test.strict.RefuseUnversioned; (call.Err != nil) != rejected {
					t.Fatal(call.Err)
				}
			}
			if got := coretest.Codes(t, buffer); !slices.Equal(got, test.want) {
				t.Errorf("logged %q, want %q", got, test.want)
			}
		})
	}
}

func TestUncheckedHostIsLoggedOnce(t *testing.T) {
	for name, test := range map[string]struct {
		config verso.Config
		want   int
	}{
		"unchecked":     {coretest.List("v1"), 1},
		"origin":        {coretest.With(coretest.List("v1"), func(c *verso.Config) { c.Links.Origin = "https://a.com" }), 0},
		"origin func":   {coretest.With(coretest.List("v1"), func(c *verso.Config) { c.Links.OriginFunc = func(source.Request) string { return "" } }), 0},
		"trusted hosts": {coretest.With(coretest.List("v1"), func(c *verso.Config) { c.Links.TrustedHosts = []string{"a.com"} }), 0},
		"relative":      {coretest.With(coretest.List("v1"), func(c *verso.Config) { c.Links.Relative = true }), 0},
		"allowed hosts": {coretest.With(coretest.List("v1"), func(c *verso.Config) { c.Strict.AllowedHosts = []string{"a.com"} }), 0},
	} {
		t.Run(name, func(t *testing.T) {
			buffer := coretest.Logging(t)
			api := coretest.Bound(verso.MustNew(verso.Header("Api-Version"), test.config), coretest.Users)
			r := coretest.Ask{Host: "a.com", Header: coretest.Field("v1").Header}.Request()
			result, call := coretest.Begin(api, r)
			if call.Err != nil || buffer.Len() > 0 {
				t.Fatalf("%v, logged %s", call.Err, buffer)
			}
			var group sync.WaitGroup
			for range 4 {
				group.Go(func() {
					for range 20 {
						if _, err := adapter.LinkFor(result, r, verso.Target{Name: "users"}); err != nil {
							t.Error(err)
						}
					}
				})
			}
			group.Wait()
			got := coretest.Codes(t, buffer)
			if len(got) != test.want || test.want == 1 && got[0] != "host_unchecked" {
				t.Errorf("logged %q", got)
			}
		})
	}
}

// Links to the successor of a version have the host of the request too, without a handler
// that asks for one.
func TestUncheckedHostOfSuccessors(t *testing.T) {
	for name, test := range map[string]struct {
		source source.Source
		links  verso.LinkConfig
		want   []string
	}{
		"unchecked": {verso.PathParam("version"), verso.LinkConfig{}, []string{"host_unchecked"}},
		"origin":    {verso.PathParam("version"), verso.LinkConfig{Origin: "https://a.com"}, nil},
		"relative":  {verso.PathParam("version"), verso.LinkConfig{Relative: true}, nil},
		"no links":  {verso.Header("Api-Version"), verso.LinkConfig{}, []string{"param_not_read", "successor_unlinked"}},
	} {
		t.Run(name, func(t *testing.T) {
			log := coretest.Logging(t)
			b := coretest.Bound(verso.MustNew(test.source, verso.Config{Links: test.links, Catalogue: catalogue.MustNew(catalogue.Config{
				Versions:       []catalogue.Entry{{Version: "v1", Deprecated: coretest.Date(2026, 1, 1), Successor: "v2"}, {Version: "v2"}},
				SuccessorLinks: true,
			})}), route.Route{Method: "GET", Pattern: route.Colons("/:version/users")})
			if got := coretest.Findings(b.Explain()); !slices.Equal(got, test.want) {
				t.Errorf("findings %q", got)
			}
			r := coretest.In("v1")
			r.Host, r.Header = "evil.example", coretest.Field("v1").Header
			for matched := range route.NewTable(route.Route{Method: "GET", Path: "/:version/users", Pattern: route.Colons("/:version/users")}).Routes() {
				r.Route = matched
			}
			for range 2 {
				coretest.Begin(b, r.Request())
			}
			if got := coretest.Codes(t, log); !slices.Equal(got, test.want) {
				t.Errorf("logged %q", got)
			}
		})
	}
}

// A link outside of a request has no host of a client: the warning is kept for
// the first that has.
func TestUncheckedHostOutsideOfARequest(t *testing.T) {
	buffer := coretest.Logging(t)
	api := coretest.Bound(verso.Must(scheme.NewURLPath("version", coretest.List("v1"))), coretest.Users)
	if _, err := api.Link(verso.Target{Name: "users"}); err != nil {
		t.Fatal(err)
	}
	if buffer.Len() > 0 {
		t.Errorf("logged %s", buffer)
	}
	r := coretest.Ask{Host: "a.com", Params: coretest.In("v1").Params}.Request()
	result, _ := coretest.Begin(api, r)
	if _, err := adapter.LinkFor(result, r, verso.Target{Name: "users"}); err != nil {
		t.Fatal(err)
	}
	if got := coretest.Codes(t, buffer); !slices.Contains(got, "host_unchecked") {
		t.Errorf("logged %q", got)
	}
}

// A middleware checks the routes of others, which end with the default version.
func TestOthersThatEnd(t *testing.T) {
	ending := catalogue.Config{
		Versions:    []catalogue.Entry{{Version: "v1", Sunset: coretest.Date(2027, 1, 1)}, {Version: "v2"}},
		AfterSunset: catalogue.Gone, ServedHeader: "Api-Version",
	}
	for _, test := range []struct {
		name      string
		end       verso.AfterDefaultSunset
		unchecked bool
		neutral   bool
		want      bool
	}{
		{"unsaid", "", false, false, true},
		{"reject", verso.RejectUnversioned, false, false, true},
		{"move", verso.MoveUnversioned, false, false, false},
		{"without a middleware", "", true, false, false},
		{"neutral", "", false, true, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := adapter.Bind(verso.MustNew(verso.PathParam("version"), verso.Config{
				Catalogue: catalogue.MustNew(ending), DefaultVersion: verso.V("v1"), AfterDefaultSunset: test.end,
				Clock: func() time.Time { return coretest.Date(2026, 12, 1) },
			}), &growing{routes: []route.Route{
				{Method: "GET", Path: "/health", Pattern: route.Colons("/health")},
				{Method: "GET", Path: "/:version/users", Pattern: route.Colons("/:version/users")},
			}})
			if !test.unchecked {
				b.NoteMiddleware(nil)
			}
			if test.neutral {
				verso.Must(b.Scope("/health", "", verso.Neutral()))
			}
			found := slices.IndexFunc(b.Explain().Findings, func(f verso.Finding) bool { return f.Code == "foreign_routes_end" })
			if (found >= 0) != test.want {
				t.Fatalf("findings %v", b.Explain().Findings)
			}
			if text := "on 2027-01-01: \"/health\", registered by other code, ends with the default version"; test.want && !strings.HasPrefix(b.Explain().Findings[found].Message, text) {
				t.Error(b.Explain().Findings[found].Message)
			}
		})
	}
}

// Routes for which no link to the successor can be sent are named once.
func TestUnlinkedSuccessors(t *testing.T) {
	deprecated := catalogue.Config{
		Versions:       []catalogue.Entry{{Version: "v1", Deprecated: coretest.Date(2026, 1, 1), Successor: "v2"}, {Version: "v2"}},
		SuccessorLinks: true,
	}
	type added struct {
		name, path string
		options    []verso.RouteOption
	}
	at := func(name, path string, options ...verso.RouteOption) added { return added{name, path, options} }
	for _, test := range []struct {
		name   string
		source source.Source
		routes []added
		want   string // in the message, "" for no finding
	}{
		{"path", verso.PathParam("version"), []added{at("", "/:version/users")}, ""},
		{"path, without the parameter", verso.First(verso.PathParam("version"), verso.Header("X")), []added{at("", "/users")}, `for 1 of its routes, such as "/users"`},
		{"path, removed", verso.PathParam("version"), []added{at("", "/:version/users", verso.RemovedIn("v2"))}, ""},
		{"path, neutral", verso.PathParam("version"), []added{at("", "/users", verso.Neutral())}, ""},
		{"query", verso.QueryParam("version"), []added{at("", "/users")}, ""},
		{"header", verso.Header("Api-Version"), []added{at("", "/a"), at("", "/b"), at("", "/c"), at("", "/d")}, `for 4 of its routes, such as "/a", "/b", "/c":`},
		{"prefix", verso.PathPrefix("/{version}"), []added{at("", "/v1/users"), at("", "/v2/users"), at("", "/v1/old")}, `for 1 of its routes, such as "/v1/old"`},
		{"namespace", verso.Namespace(), []added{at("v1:users", "/one/users"), at("v2:users", "/two/users"), at("v1:", "/one/rooms")}, `for 1 of its routes, such as "/one/rooms"`},
		{"namespace, of other parameters", verso.Namespace(), []added{at("v1:users", "/one/users/:id"), at("v2:users", "/two/users")}, `for 1 of its routes, such as "/one/users/:id"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := adapter.Bind(verso.MustNew(test.source, verso.Config{Catalogue: catalogue.MustNew(deprecated), DefaultVersion: verso.V("v1")}), nil)
			for _, r := range test.routes {
				verso.Must(b.Add(route.Route{Method: "GET", Name: r.name, Path: r.path, Pattern: route.Colons(r.path)}, r.options...))
			}
			var messages []string
			for _, f := range b.Explain().Findings {
				if f.Code == "successor_unlinked" {
					messages = append(messages, f.Message)
				}
			}
			got := strings.Join(messages, "\n")
			if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

// Mistakes in the routes under a path prefix are findings.
func TestPrefixFindings(t *testing.T) {
	for _, test := range []struct {
		name  string
		paths []string
		code  string // "" for none
	}{
		{"each version", []string{"/api/users", "/api/v2/users", "/api/v3/users"}, ""},
		{"each version, with what is not understood behind it", []string{"/api/users/:id?", "/api/v2/users/:id?", "/api/v3/users/:id?"}, ""},
		{"outside", []string{"/api/v2/users", "/api/v3/users", "/health"}, "prefix_outside"},
		{"unlisted", []string{"/api/v2/users", "/api/v3/users", "/api/v4/users"}, "prefix_unlisted"},
		{"a version without routes", []string{"/api/users", "/api/v2/users"}, "prefix_empty"},
		{"a parameter in the place of the version", []string{"/api/users", "/api/v2/users", "/api/v3/users", "/api/:kind/:id"}, "prefix_parameter"},
		{"a parameter that ends there", []string{"/api/users", "/api/v2/users", "/api/v3/users", "/api/:kind"}, "prefix_parameter"},
		{"a parameter behind fixed text", []string{"/api/users/:id", "/api/v2/users/:id", "/api/v3/users/:id", "/api/users/:id/rooms/:room", "/api/v2/:any"}, ""},
		{"a parameter for the rest", []string{"/api/users", "/api/v2/users", "/api/v3/users", "/api/*"}, ""},
		{
			"a nested noun",
			[]string{"/api/users", "/api/v2/users", "/api/v3/users", "/api/teams/users", "/api/v2/teams/users", "/api/v3/teams/users"},
			"",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := adapter.Bind(verso.MustNew(verso.PathPrefix("/api/{version}"), coretest.WithDefault("v1", "v2", "v3")), nil)
			for _, path := range test.paths {
				pattern := route.Colons(path)
				if strings.Contains(path, "?") {
					pattern = optional(path)
				}
				verso.Must(b.Add(route.Route{Method: "GET", Path: path, Pattern: pattern}))
			}
			var want []string
			if test.code != "" {
				want = []string{test.code}
			}
			if got := coretest.Findings(b.Explain()); !slices.Equal(got, want) {
				t.Errorf("findings %q, want %q", got, want)
			}
		})
	}
}

// TestFindingOfRoutes has the number of its routes: methods of one path are one.
func TestFindingOfRoutes(t *testing.T) {
	for start, others := range map[string]coretest.Others{
		`"/v1/a" is registered `: {"/v1/a": true},
		`each of "/v1/`:          {"/v1/a": true, "/v1/b": true}, // in any order
	} {
		b := adapter.Bind(verso.MustNew(verso.PathPrefix("/{version}"), coretest.List("v1")), others)
		for _, method := range []string{"GET", "POST"} {
			coretest.Register(b, route.Route{Method: method, Pattern: route.Colons("/v1/users")})
		}
		found := b.Explain().Findings
		if len(found) == 0 || !strings.HasPrefix(found[0].Message, start) {
			t.Errorf("%v, want %s", found, start)
		}
	}
}
