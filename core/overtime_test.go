package verso_test

import (
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/core/versotest"
)

// lives is a catalogue of versions in all states on 2026-11-21 and around it.
func lives() catalogue.Config {
	return catalogue.Config{
		Versions: []catalogue.Entry{
			{Version: "v0", Deprecated: date(2025, 1, 1), Sunset: date(2026, 1, 1), Successor: "v2", AfterSunset: catalogue.Gone},
			{
				Version: "v1", Deprecated: date(2026, 1, 1), Sunset: date(2027, 1, 1), Successor: "v2", AfterSunset: catalogue.FallForward,
				Brownouts: []catalogue.Brownout{{From: date(2026, 12, 1), Until: date(2026, 12, 2)}, {From: date(2026, 12, 24), Until: date(2027, 1, 1), Status: 503}},
			},
			{Version: "v2"},
			{Version: "v3", Released: date(2026, 12, 1)},
			{Version: "beta", Preview: true},
		},
		Report: true, ServedHeader: "Api-Version", SuccessorLinks: true, ExposeHeaders: true,
	}
}

// overTime returns the path scheme over the catalogue, and its clock.
func overTime(tb testing.TB, change func(*verso.Config)) (*verso.Versioning, *versotest.Clock) {
	tb.Helper()
	clock := versotest.NewClock(date(2026, 11, 21))
	config := verso.Config{Clock: clock.Now, Catalogue: catalogue.MustNew(lives())}
	if change != nil {
		change(&config)
	}
	api, err := scheme.NewURLPath("version", config)
	if err != nil {
		tb.Fatal(err)
	}
	return api, clock
}

const (
	exposed = "Access-Control-Expose-Headers: Deprecation, Sunset, Link, Retry-After, Api-Supported-Versions, Api-Deprecated-Versions, Api-Version 1"
	v1Dates = "Deprecation: @1767225600 2"
	v1Ends  = "Sunset: Fri, 01 Jan 2027 00:00:00 GMT 2"
	newest  = "Api-Supported-Versions: v2 0"
	older   = "Api-Deprecated-Versions: v1 0"
	to2     = `Link: <http://example.com/v2/users>; rel="successor-version" 1`
)

func TestOverTime(t *testing.T) {
	api, clock := overTime(t, nil)
	b := bound(api)
	matched := register(b, route.Route{Method: "GET", Name: "users", Pattern: route.Colons("/:version/users")}).Route()
	at := func(version string) source.Request {
		return ask{host: "example.com", params: in(version).params, route: matched}.request()
	}
	first := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	tests := []struct {
		name    string
		now     time.Time
		version string
		want    string
		fields  []string
	}{
		{"supported", date(2026, 11, 21), "v2", "= v2", []string{newest, older, "Api-Version: v2 0", exposed}},
		{"deprecated", date(2026, 11, 21), "v1", "= v1", []string{v1Dates, v1Ends, to2, newest, older, "Api-Version: v1 0", exposed}},
		{"deprecation in the future", date(2025, 6, 1), "v1", "= v1", []string{v1Dates, v1Ends, to2, "Api-Supported-Versions: v1, v2 0", "Api-Deprecated-Versions: v0 0", "Api-Version: v1 0", exposed}},
		{"preview", date(2026, 11, 21), "beta", "= beta", []string{newest, older, "Api-Version: beta 0", exposed}},
		{"unknown", date(2026, 11, 21), "v9", "404 invalid_url_path_version", []string{newest, older, exposed}},
		{"unreleased", first.Add(-time.Second), "v3", "404 invalid_url_path_version", []string{newest, older, exposed}},
		{"unreleased, to the nanosecond", first.Add(-1), "v3", "404 invalid_url_path_version", []string{newest, older, exposed}},
		{"released", first, "v3", "= v3", []string{"Api-Supported-Versions: v2, v3 0", older, "Api-Version: v3 0", exposed}},
		{"gone", date(2026, 11, 21), "v0", "410 version_gone", []string{"Deprecation: @1735689600 2", "Sunset: Thu, 01 Jan 2026 00:00:00 GMT 2", to2, newest, older, exposed}},
		{"brownout", first.Add(time.Hour), "v1", "410 version_brownout", []string{
			v1Dates, v1Ends, to2, "Cache-Control: no-store 0", "Retry-After: 82800 0", "Api-Supported-Versions: v2, v3 0", older, exposed,
		}},
		{"last second of a brownout", first.Add(24*time.Hour - time.Nanosecond), "v1", "410 version_brownout", []string{
			v1Dates, v1Ends, to2, "Cache-Control: no-store 0", "Retry-After: 1 0", "Api-Supported-Versions: v2, v3 0", older, exposed,
		}},
		{"after the brownout", first.Add(24 * time.Hour), "v1", "= v1", []string{v1Dates, v1Ends, to2, "Api-Supported-Versions: v2, v3 0", older, "Api-Version: v1 0", exposed}},
		{"brownout up to the end", date(2026, 12, 25), "v1", "503 version_brownout", []string{
			v1Dates, v1Ends, to2, "Cache-Control: no-store 0", "Api-Supported-Versions: v2, v3 0", older, exposed,
		}},
		{"fallen forward", date(2027, 1, 1), "v1", "= v2", []string{v1Dates, v1Ends, to2, "Api-Supported-Versions: v2, v3 0", "Api-Version: v2 0", exposed}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			clock.Set(test.now)
			r := at(test.version)
			if got := outcome(b, r); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
			_, call := begin(b, r)
			if got := fields(call); !slices.Equal(got, test.fields) {
				t.Errorf("fields\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.fields, "\n"))
			}
		})
	}
	clock.Set(date(2026, 11, 21)) // back: it is as it was
	if got := outcome(b, at("v1")); got != "= v1" {
		t.Errorf("after the clock ran back: %s", got)
	}
}

func TestGoneErrors(t *testing.T) {
	api, clock := overTime(t, nil)
	b := bound(api)
	for _, test := range []struct {
		version           string
		now               time.Time
		sunset, successor string
		body              string
	}{
		{"v0", date(2026, 11, 21), "2026-01-01T00:00:00Z", "v2", `"code":"version_gone","allowed_versions":["v1","v2"],"sunset":"2026-01-01T00:00:00Z","successor":"v2"}`},
		{"v1", date(2026, 12, 1), "2027-01-01T00:00:00Z", "v2", `"code":"version_brownout","allowed_versions":["v1","v2","v3"],"sunset":"2027-01-01T00:00:00Z","successor":"v2"}`},
	} {
		clock.Set(test.now)
		r := in(test.version).request()
		_, call := begin(b, r)
		rejected, answer, ok := call.rejected()
		if !ok || !errors.Is(rejected, verso.ErrGone) || errors.Is(rejected, verso.ErrNotFound) || rejected.Sunset != test.sunset || rejected.Successor != test.successor {
			t.Fatalf("%s: error %#v", test.version, call.err)
		}
		if body := string(answer.Body); !strings.HasSuffix(body, test.body) {
			t.Errorf("%s: answered %s", test.version, body)
		}
		if answer != answerTo(b, r) {
			t.Error("the answer is made anew")
		}
	}
	hidden, _ := overTime(t, func(c *verso.Config) { c.HideAllowedVersions = true })
	if body := string(answerTo(bound(hidden), in("v9").request()).Body); strings.Contains(body, "allowed_versions") {
		t.Errorf("answered %s", body)
	}
}

// The clock is read once for each request that is looked at, however it ends.
func TestClockIsReadOnce(t *testing.T) {
	reads := 0
	api, _ := overTime(t, func(c *verso.Config) {
		c.DefaultVersion = verso.V("v2")
		c.Clock = func() time.Time { reads++; return date(2026, 11, 21) }
	})
	b := bound(api)
	neutral := registered(b, verso.Neutral())
	outcome(b, ask{}.request()) // logs the warnings
	options := preflight(in("v1").params)
	options.route = &route.Route{Method: http.MethodOptions}
	for name, test := range map[string]struct {
		ask  ask
		want int
	}{
		"served": {in("v1"), 1}, "default": {ask{}, 1}, "unknown": {in("v9"), 1}, "gone": {in("v0"), 1},
		"preflight": {options, 0}, "neutral": {ask{route: neutral}, 0},
	} {
		reads = 0
		_, call := begin(b, test.ask.request())
		fields(call)
		if reads != test.want {
			t.Errorf("%s: the clock is read %d times, want %d", name, reads, test.want)
		}
	}
}

func TestDefaultOverTime(t *testing.T) {
	for _, test := range []struct {
		name, version string
		change        func(*verso.Config)
		now           time.Time
		want          string
		finding       string
	}{
		{"supported", "v2", nil, date(2026, 11, 21), "= v2", ""},
		{"deprecated", "v1", nil, date(2026, 11, 21), "= v1", "default_deprecated"},
		{"gone", "v0", nil, date(2026, 11, 21), "410 version_gone", "default_gone"},
		{"fallen forward", "v1", nil, date(2027, 6, 1), "= v2", "default_gone"},
		{"unreleased", "v3", nil, date(2026, 11, 21), "404 invalid_url_path_version", "default_unreleased"},
		{"released since", "v3", nil, date(2026, 12, 1), "= v3", ""},
		{"none", "", nil, date(2026, 11, 21), "404 invalid_url_path_version", ""},
		{"none, allowed", "", func(c *verso.Config) { c.AllowUnversioned = true }, date(2026, 11, 21), "none", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			api, clock := overTime(t, func(c *verso.Config) {
				if test.version != "" {
					c.DefaultVersion = verso.V(test.version)
				}
				if test.change != nil {
					test.change(c)
				}
			})
			clock.Set(test.now)
			if got := outcome(api, ask{}.request()); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
			if got := findings(adapter.Bind(api, nil).Explain()); test.finding != "" && !slices.Contains(got, test.finding) {
				t.Errorf("findings %q, want %s", got, test.finding)
			}
		})
	}
}

// A request without a version gets the lists, and no dates nor served version.
func TestUnversionedOverTime(t *testing.T) {
	api, _ := overTime(t, func(c *verso.Config) { c.AllowUnversioned = true })
	_, call := begin(bound(api), ask{}.request())
	if got := fields(call); call.err != nil || !slices.Equal(got, []string{newest, older, exposed}) {
		t.Errorf("%v, fields %q", call.err, got)
	}
}

func TestSetFields(t *testing.T) {
	config := verso.Config{Clock: versotest.NewClock(date(2026, 11, 21)).Now, Catalogue: catalogue.MustNew(lives())}
	b := bound(verso.MustNew(verso.AcceptParam("version"), config))
	_, call := begin(b, accept("a/b;version=v1").request())
	if call.err != nil {
		t.Fatal(call.err)
	}
	w := httptest.NewRecorder()
	header := w.Header()
	maps.Copy(header, http.Header{
		"Vary": {"Origin"}, "Link": {"<a>; rel=up"}, "Sunset": {"an outer layer's"}, "Api-Version": {"wrong"}, "Access-Control-Expose-Headers": {"X-A"},
	})
	call.fields.Set(w.Header())
	for name, want := range map[string][]string{
		"Vary": {"Origin, Accept"}, "Link": {"<a>; rel=up"}, "Sunset": {"an outer layer's"}, "Deprecation": {"@1767225600"}, "Api-Version": {"v1"},
		"Access-Control-Expose-Headers": {"X-A", "Deprecation, Sunset, Link, Retry-After, Api-Supported-Versions, Api-Deprecated-Versions, Api-Version"},
	} {
		if !slices.Equal(header[name], want) {
			t.Errorf("%s is %q, want %q", name, header[name], want)
		}
	}
	// What a handler adds to its response is in no other.
	first, second := httptest.NewRecorder(), httptest.NewRecorder()
	call.fields.Set(first.Header())
	for name := range first.Header() {
		first.Header().Add(name, "added")
	}
	call.fields.Set(second.Header())
	for name, lines := range second.Header() {
		if slices.Contains(lines, "added") {
			t.Errorf("%s is shared", name)
		}
	}
}

// A media type of a version that has ended is 410, where nothing else that the
// client accepts is served.
func TestMediaTypeOverTime(t *testing.T) {
	clock := versotest.NewClock(date(2026, 11, 21))
	api := verso.MustNew(verso.MediaType(vendor), verso.Config{
		Clock: clock.Now, Catalogue: catalogue.MustNew(lives()), DefaultVersion: verso.V("v2"), Produces: []string{"application/json"},
	})
	vendored := func(version string) string { return strings.Replace(vendor, "{version}", version, 1) }
	for _, test := range []struct{ accept, want string }{
		{vendored("v2"), "= v2"}, {vendored("v1"), "= v1"}, {vendored("v0"), "410 version_gone"}, {vendored("v3"), "406 not_acceptable"},
		{vendored("v0") + ", " + vendored("v1") + ";q=0.1", "= v1"}, {vendored("v0") + ", application/json;q=0.1", "= v2"},
		{vendored("v0") + ", " + vendored("v9"), "410 version_gone"}, {"*/*", "= v2"}, {"image/png", "= v2"}, {"image/png, " + vendored("v9"), "406 not_acceptable"}, {vendored("beta"), "= beta"},
		{vendored("beta") + ", " + vendored("v1"), "= v1"},
	} {
		if got := outcome(api, accept(test.accept).request()); got != test.want {
			t.Errorf("%s: %s, want %s", test.accept, got, test.want)
		}
	}
	clock.Set(date(2026, 12, 1))
	if got := outcome(api, accept(vendored("v3")).request()); got != "= v3" {
		t.Errorf("released: %s", got)
	}
}

// There is a successor link where a URL carries the version and the successor has a
// route of the path, whatever its method, in the source of the request. Names are
// needed for namespaces only.
func TestSuccessorLinks(t *testing.T) {
	clock := versotest.NewClock(date(2026, 11, 21))
	config := verso.Config{Clock: clock.Now, Catalogue: catalogue.MustNew(lives()), Links: verso.LinkConfig{Origin: "https://v1.a.com"}}
	type planned struct {
		route   route.Route
		options []verso.RouteOption
	}
	plain := func(method, name, pattern string, options ...verso.RouteOption) planned {
		return planned{route.Route{Method: method, Name: name, Pattern: route.Colons(pattern)}, options}
	}
	path, param := verso.PathParam("version"), verso.QueryParam("v")
	for name, test := range map[string]struct {
		source source.Source
		ask    ask
		routes []planned // the request is to the first
		want   string
	}{
		"path, other parameters": {path, ask{params: map[string]string{"version": "v1", "id": "a b"}},
			[]planned{plain("GET", "user", "/:version/users/:id")}, "<https://v1.a.com/v2/users/a%20b>"},
		"path, no name":                 {path, in("v1"), []planned{plain("GET", "", "/:version/users")}, "<https://v1.a.com/v2/users>"},
		"query":                         {param, query("v=v1&page=2"), []planned{plain("GET", "user", "/users")}, "<https://v1.a.com/users?v=v2>"},
		"query, no name":                {param, query("v=v1"), []planned{plain("GET", "", "/users")}, "<https://v1.a.com/users?v=v2>"},
		"host, no name":                 {verso.HostLabel(""), host("v1.a.com"), []planned{plain("GET", "", "/users")}, "<https://v2.a.com/users>"},
		"header":                        {verso.Header("Api-Version"), field("v1"), []planned{plain("GET", "user", "/users")}, ""},
		"first, in the path":            {verso.First(path, verso.Header("Api-Version")), in("v1"), []planned{plain("GET", "user", "/:version/users")}, "<https://v1.a.com/v2/users>"},
		"first, in the header":          {verso.First(path, verso.Header("Api-Version")), field("v1"), []planned{plain("GET", "user", "/users")}, ""},
		"no parameter to write it into": {path, ask{params: in("v1").params}, []planned{plain("GET", "", "/users")}, ""},
		"a parameter without a value":   {path, in("v1"), []planned{plain("GET", "user", "/:version/:id")}, ""},
		"another method of the path": {path, in("v1"), []planned{plain("PUT", "", "/:version/users/:version", verso.RemovedIn("v2")), plain("PATCH", "", "/:version/users/:version", verso.Since("v2"))},
			"<https://v1.a.com/v2/users/v2>"},
		"another name of a parameter": {path, ask{params: map[string]string{"version": "v1", "id": "7"}},
			[]planned{plain("PUT", "", "/:version/users/:id", verso.RemovedIn("v2")), plain("PATCH", "", "/:version/users/:user", verso.Since("v2"))}, "<https://v1.a.com/v2/users/7>"},
		"not in the successor":                {path, in("v1"), []planned{plain("GET", "", "/:version/users", verso.RemovedIn("v2"))}, ""},
		"later than the successor":            {path, in("v1"), []planned{plain("GET", "", "/:version/users", verso.RemovedIn("v2")), plain("POST", "", "/:version/users", verso.Since("v3"))}, ""},
		"only methods that frameworks answer": {path, in("v1"), []planned{plain("GET", "", "/:version/users", verso.RemovedIn("v2")), plain("OPTIONS", "", "/:version/users"), plain("HEAD", "", "/:version/users")}, ""},
		"a neutral route of the path":         {path, in("v1"), []planned{plain("GET", "", "/:version/users", verso.RemovedIn("v2")), plain("POST", "", "/:version/users", verso.Neutral())}, "<https://v1.a.com/v2/users>"},
		"namespace":                           {verso.Namespace(), ask{}, []planned{plain("GET", "v1:user", "/v1/users"), plain("GET", "v2:user", "/second/users")}, "<https://v1.a.com/second/users>"},
		"namespace, no route":                 {verso.Namespace(), ask{}, []planned{plain("GET", "v1:user", "/v1/users")}, ""},
		"namespace, no name":                  {verso.Namespace(), ask{}, []planned{plain("GET", "v1:", "/v1/users"), plain("GET", "v2:", "/v2/users")}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := bound(verso.MustNew(test.source, config))
			var first *adapter.Registration
			for _, r := range test.routes {
				if added := register(b, r.route, r.options...); first == nil {
					first = added
				}
			}
			test.ask.route = first.Route()
			if got := successorIn(t, b, test.ask); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

// successorIn returns what the successor link of a response leads to.
func successorIn(t *testing.T, b *adapter.Binding, a ask) (link string) {
	t.Helper()
	_, call := begin(b, a.request())
	if call.err != nil {
		t.Fatal(call.err)
	}
	call.fields.Each(func(f catalogue.Field, _ adapter.FieldMode) {
		if f.Name == "Link" {
			link = strings.TrimSuffix(f.Lines[0], `; rel="successor-version"`)
		}
	})
	return link
}

// The link leads to the first in the chain of successors that is released and has the
// path.
func TestSuccessorLinksFollowTheChain(t *testing.T) {
	api, clock := overTime(t, func(c *verso.Config) {
		c.Links.Relative = true
		config := lives()
		config.Versions[2].Deprecated, config.Versions[2].Successor = date(2026, 11, 1), "v3"
		c.Catalogue = catalogue.MustNew(config)
	})
	b := bound(api)
	users := register(b, route.Route{Method: "GET", Pattern: route.Colons("/:version/users")}, verso.RemovedIn("v2"))
	register(b, route.Route{Method: "POST", Pattern: route.Colons("/:version/users")}, verso.Since("v3"))
	a := in("v1")
	a.route = users.Route()
	for day, want := range map[time.Time]string{date(2026, 11, 21): "", date(2026, 12, 10): "</v3/users>"} {
		clock.Set(day)
		if got := successorIn(t, b, a); got != want {
			t.Errorf("%v: %q, want %q", day, got, want)
		}
	}
}

// A route that the router lists is of the path too, also if others register it.
func TestSuccessorLinkToAForeignRoute(t *testing.T) {
	api, _ := overTime(t, func(c *verso.Config) { c.Links.Relative = true })
	patch := route.Route{Method: "PATCH", Path: "/:version/users", Pattern: route.Colons("/:version/users")}
	for want, router := range map[string]adapter.Router{"": listing(nil), "</v2/users>": listing{patch}} {
		b := adapter.Bind(api, router)
		a := in("v1")
		a.route = register(b, route.Route{Method: "GET", Pattern: route.Colons("/:version/users")}, verso.RemovedIn("v2")).Route()
		if got := successorIn(t, b, a); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A clock that stands still is told once a minute has gone by.
func TestStoppedClock(t *testing.T) {
	config := verso.Config{Catalogue: catalogue.MustNew(catalogue.Config{Versions: []catalogue.Entry{{Version: "v1", Sunset: date(2031, 1, 1)}, {Version: "v2"}}})}
	for name, clock := range map[string]func() time.Time{"stopped": func() time.Time { return date(2030, 1, 1) }, "running": nil} {
		synctest.Test(t, func(t *testing.T) {
			config.Clock = clock
			b := adapter.Bind(verso.MustNew(verso.Header("Api-Version"), config), nil)
			early := findings(b.Explain())
			time.Sleep(2 * time.Minute)
			late := findings(b.Explain())
			if slices.Contains(early, "clock_stopped") || slices.Contains(late, "clock_stopped") != (name == "stopped") {
				t.Errorf("%s: findings %q, and later %q", name, early, late)
			}
		})
	}
}
