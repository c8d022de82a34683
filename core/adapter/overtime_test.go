package adapter_test

import (
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/core/versotest"
)

const (
	exposed = "Access-Control-Expose-Headers: Deprecation, Sunset, Link, Retry-After, Api-Supported-Versions, Api-Deprecated-Versions, Api-Version 1"
	v1Dates = "Deprecation: @1767225600 2"
	v1Ends  = "Sunset: Fri, 01 Jan 2027 00:00:00 GMT 2"
	newest  = "Api-Supported-Versions: v2 0"
	older   = "Api-Deprecated-Versions: v1 0"
	to2     = `Link: <http://example.com/v2/users>; rel="successor-version" 1`
)

func TestOverTime(t *testing.T) {
	api, clock := coretest.OverTime(t, nil)
	b := coretest.Bound(api)
	matched := coretest.Register(b, route.Route{Method: "GET", Name: "users", Pattern: route.Colons("/:version/users")}).Route()
	at := func(version string) source.Request {
		return coretest.Ask{Host: "example.com", Params: coretest.In(version).Params, Route: matched}.Request()
	}
	first := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	tests := []struct {
		name    string
		now     time.Time
		version string
		want    string
		fields  []string
	}{
		{"supported", coretest.Date(2026, 11, 21), "v2", "= v2", []string{newest, older, "Api-Version: v2 0", exposed}},
		{"deprecated", coretest.Date(2026, 11, 21), "v1", "= v1", []string{v1Dates, v1Ends, to2, newest, older, "Api-Version: v1 0", exposed}},
		{"deprecation in the future", coretest.Date(2025, 6, 1), "v1", "= v1", []string{v1Dates, v1Ends, to2, "Api-Supported-Versions: v1, v2 0", "Api-Deprecated-Versions: v0 0", "Api-Version: v1 0", exposed}},
		{"preview", coretest.Date(2026, 11, 21), "beta", "= beta", []string{newest, older, "Api-Version: beta 0", exposed}},
		{"unknown", coretest.Date(2026, 11, 21), "v9", "404 invalid_url_path_version", []string{newest, older, exposed}},
		{"unreleased", first.Add(-time.Second), "v3", "404 invalid_url_path_version", []string{newest, older, exposed}},
		{"unreleased, to the nanosecond", first.Add(-1), "v3", "404 invalid_url_path_version", []string{newest, older, exposed}},
		{"released", first, "v3", "= v3", []string{"Api-Supported-Versions: v2, v3 0", older, "Api-Version: v3 0", exposed}},
		{"gone", coretest.Date(2026, 11, 21), "v0", "410 version_gone", []string{"Deprecation: @1735689600 2", "Sunset: Thu, 01 Jan 2026 00:00:00 GMT 2", to2, newest, older, exposed}},
		{"brownout", first.Add(time.Hour), "v1", "410 version_brownout", []string{
			v1Dates, v1Ends, to2, "Cache-Control: no-store 0", "Retry-After: 82800 0", "Api-Supported-Versions: v2, v3 0", older, exposed,
		}},
		{"last second of a brownout", first.Add(24*time.Hour - time.Nanosecond), "v1", "410 version_brownout", []string{
			v1Dates, v1Ends, to2, "Cache-Control: no-store 0", "Retry-After: 1 0", "Api-Supported-Versions: v2, v3 0", older, exposed,
		}},
		{"after the brownout", first.Add(24 * time.Hour), "v1", "= v1", []string{v1Dates, v1Ends, to2, "Api-Supported-Versions: v2, v3 0", older, "Api-Version: v1 0", exposed}},
		{"brownout up to the end", coretest.Date(2026, 12, 25), "v1", "503 version_brownout", []string{
			v1Dates, v1Ends, to2, "Cache-Control: no-store 0", "Api-Supported-Versions: v2, v3 0", older, exposed,
		}},
		{"fallen forward", coretest.Date(2027, 1, 1), "v1", "= v2", []string{v1Dates, v1Ends, to2, "Api-Supported-Versions: v2, v3 0", "Api-Version: v2 0", exposed}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			clock.Set(test.now)
			r := at(test.version)
			coretest.Expect(t, b, r, test.want)
			_, call := coretest.Begin(b, r)
			if got := coretest.Fields(call); !slices.Equal(got, test.fields) {
				t.Errorf("fields\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.fields, "\n"))
			}
		})
	}
	clock.Set(coretest.Date(2026, 11, 21)) // back: it is as it was
	coretest.Expect(t, b, at("v1"), "= v1", "after the clock ran back")
}

func TestGoneErrors(t *testing.T) {
	api, clock := coretest.OverTime(t, nil)
	b := coretest.Bound(api)
	for _, test := range []struct {
		version           string
		now               time.Time
		sunset, successor string
		body              string
	}{
		{"v0", coretest.Date(2026, 11, 21), "2026-01-01T00:00:00Z", "v2", `"code":"version_gone","allowed_versions":["v1","v2"],"sunset":"2026-01-01T00:00:00Z","successor":"v2"}`},
		{"v1", coretest.Date(2026, 12, 1), "2027-01-01T00:00:00Z", "v2", `"code":"version_brownout","allowed_versions":["v1","v2","v3"],"sunset":"2027-01-01T00:00:00Z","successor":"v2"}`},
	} {
		clock.Set(test.now)
		r := coretest.In(test.version).Request()
		_, call := coretest.Begin(b, r)
		rejected, answer, ok := call.Rejected()
		if !ok || !errors.Is(rejected, verso.ErrGone) || errors.Is(rejected, verso.ErrNotFound) || rejected.Sunset != test.sunset || rejected.Successor != test.successor {
			t.Fatalf("%s: error %#v", test.version, call.Err)
		}
		if body := string(answer.Body); !strings.HasSuffix(body, test.body) {
			t.Errorf("%s: answered %s", test.version, body)
		}
		if &answer.Body[0] != &coretest.AnswerTo(b, r).Body[0] {
			t.Error("the answer is made anew")
		}
	}
	hidden, _ := coretest.OverTime(t, func(c *verso.Config) { c.HideAllowedVersions = true })
	if body := string(coretest.AnswerTo(coretest.Bound(hidden), coretest.In("v9").Request()).Body); strings.Contains(body, "allowed_versions") {
		t.Errorf("answered %s", body)
	}
}

// The clock is read once for each request that is looked at, however it ends.
func TestClockIsReadOnce(t *testing.T) {
	reads := 0
	api, _ := coretest.OverTime(t, func(c *verso.Config) {
		c.DefaultVersion = verso.V("v2")
		c.Clock = func() time.Time { reads++; return coretest.Date(2026, 11, 21) }
	})
	b := coretest.Bound(api)
	neutral := coretest.Registered(b, verso.Neutral())
	coretest.Outcome(b, coretest.Ask{}.Request()) // logs the warnings
	options := coretest.Preflight(coretest.In("v1").Params)
	options.Route = &route.Route{Method: http.MethodOptions}
	for name, test := range map[string]struct {
		ask  coretest.Ask
		want int
	}{
		"served": {coretest.In("v1"), 1}, "default": {coretest.Ask{}, 1}, "unknown": {coretest.In("v9"), 1}, "gone": {coretest.In("v0"), 1},
		"preflight": {options, 0}, "neutral": {coretest.Ask{Route: neutral}, 0},
	} {
		reads = 0
		_, call := coretest.Begin(b, test.ask.Request())
		coretest.Fields(call)
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
		{"supported", "v2", nil, coretest.Date(2026, 11, 21), "= v2", ""},
		{"deprecated", "v1", nil, coretest.Date(2026, 11, 21), "= v1", "default_deprecated"},
		{"gone", "v0", nil, coretest.Date(2026, 11, 21), "410 version_gone", "default_gone"},
		{"fallen forward", "v1", nil, coretest.Date(2027, 6, 1), "= v2", "default_gone"},
		{"unreleased", "v3", nil, coretest.Date(2026, 11, 21), "404 invalid_url_path_version", "default_unreleased"},
		{"released since", "v3", nil, coretest.Date(2026, 12, 1), "= v3", ""},
		{"none", "", nil, coretest.Date(2026, 11, 21), "404 invalid_url_path_version", ""},
		{"none, allowed", "", func(c *verso.Config) { c.AllowUnversioned = true }, coretest.Date(2026, 11, 21), "none", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			api, clock := coretest.OverTime(t, func(c *verso.Config) {
				if test.version != "" {
					c.DefaultVersion = verso.V(test.version)
				}
				if test.change != nil {
					test.change(c)
				}
			})
			clock.Set(test.now)
			coretest.Expect(t, api, coretest.Ask{}.Request(), test.want)
			if got := coretest.Findings(adapter.Bind(api, nil).Explain()); test.finding != "" && !slices.Contains(got, test.finding) {
				t.Errorf("findings %q, want %s", got, test.finding)
			}
		})
	}
}

// A request without a version gets the lists, and no dates nor served version.
func TestUnversionedOverTime(t *testing.T) {
	api, _ := coretest.OverTime(t, func(c *verso.Config) { c.AllowUnversioned = true })
	_, call := coretest.Begin(coretest.Bound(api), coretest.Ask{}.Request())
	if got := coretest.Fields(call); call.Err != nil || !slices.Equal(got, []string{newest, older, exposed}) {
		t.Errorf("%v, fields %q", call.Err, got)
	}
}

func TestSetFields(t *testing.T) {
	config := verso.Config{Clock: versotest.NewClock(coretest.Date(2026, 11, 21)).Now, Catalogue: catalogue.MustNew(coretest.Lives())}
	b := coretest.Bound(verso.MustNew(verso.AcceptParam("version"), config))
	_, call := coretest.Decided(t, b, coretest.Accept("a/b;version=v1").Request())
	w := httptest.NewRecorder()
	header := w.Header()
	maps.Copy(header, http.Header{
		"Vary": {"Origin"}, "Link": {"<a>; rel=up"}, "Sunset": {"an outer layer's"}, "Api-Version": {"wrong"}, "Access-Control-Expose-Headers": {"X-A"},
	})
	call.Fields.Set(w.Header())
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
	call.Fields.Set(first.Header())
	for name := range first.Header() {
		first.Header().Add(name, "added")
	}
	call.Fields.Set(second.Header())
	for name, lines := range second.Header() {
		if slices.Contains(lines, "added") {
			t.Errorf("%s is shared", name)
		}
	}
}

// A media type of a version that has ended is 410, where nothing else that the
// client accepts is served.
func TestMediaTypeOverTime(t *testing.T) {
	clock := versotest.NewClock(coretest.Date(2026, 11, 21))
	config := verso.Config{
		Clock: clock.Now, Catalogue: catalogue.MustNew(coretest.Lives()), DefaultVersion: verso.V("v2"), Produces: []string{"application/json"},
	}
	api := verso.MustNew(verso.MediaType(coretest.Vendor), config)
	vendored := func(version string) string { return strings.Replace(coretest.Vendor, "{version}", version, 1) }
	for _, test := range []struct{ accept, want string }{
		{vendored("v2"), "= v2"}, {vendored("v1"), "= v1"}, {vendored("v0"), "410 version_gone"}, {vendored("v3"), "406 not_acceptable"},
		{vendored("v0") + ", " + vendored("v1") + ";q=0.1", "= v1"}, {vendored("v0") + ", application/json;q=0.1", "= v2"},
		{vendored("v0") + ", " + vendored("v9"), "410 version_gone"}, {"*/*", "= v2"}, {"image/png", "= v2"}, {"image/png, " + vendored("v9"), "406 not_acceptable"}, {vendored("beta"), "= beta"},
		{vendored("beta") + ", " + vendored("v1"), "= v1"},
	} {
		coretest.Expect(t, api, coretest.Accept(test.accept).Request(), test.want, test.accept)
	}
	clock.Set(coretest.Date(2026, 12, 1))
	coretest.Expect(t, api, coretest.Accept(vendored("v3")).Request(), "= v3", "released")
	config.DefaultVersion = verso.V("v0")
	coretest.Expect(t, verso.MustNew(verso.MediaType(coretest.Vendor), config),
		coretest.Accept(vendored("v9")+", */vnd.acme.v2+json").Request(), "410 version_gone", "the default has ended")
	config.DefaultVersion = verso.Version{}
	none := strings.Join([]string{vendored("v1"), vendored("v2"), vendored("v3"), vendored("beta"), "application/json", "*/*"}, ";q=0, ")
	coretest.Expect(t, verso.MustNew(verso.MediaType(coretest.Vendor), config), coretest.Accept(none).Request(), "406 not_acceptable", "only ended versions are left")
}

// There is a successor link where a URL carries the version and the successor has a
// route of the path, whatever its method, in the source of the request. Names are
// needed for namespaces, and where a version has the resource at another path.
func TestSuccessorLinks(t *testing.T) {
	clock := versotest.NewClock(coretest.Date(2026, 11, 21))
	config := verso.Config{Clock: clock.Now, Catalogue: catalogue.MustNew(coretest.Lives()), Links: verso.LinkConfig{Origin: "https://v1.a.com"}}
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
		ask    coretest.Ask
		routes []planned // the request is to the first
		want   string
	}{
		"path, other parameters": {path, coretest.Ask{Params: map[string]string{"version": "v1", "id": "a b"}},
			[]planned{plain("GET", "user", "/:version/users/:id")}, "<https://v1.a.com/v2/users/a%20b>"},
		"path, no name":                 {path, coretest.In("v1"), []planned{plain("GET", "", "/:version/users")}, "<https://v1.a.com/v2/users>"},
		"query":                         {param, coretest.Query("v=v1&page=2"), []planned{plain("GET", "user", "/users")}, "<https://v1.a.com/users?v=v2>"},
		"query, no name":                {param, coretest.Query("v=v1"), []planned{plain("GET", "", "/users")}, "<https://v1.a.com/users?v=v2>"},
		"host, no name":                 {verso.HostLabel(""), coretest.Host("v1.a.com"), []planned{plain("GET", "", "/users")}, "<https://v2.a.com/users>"},
		"header":                        {verso.Header("Api-Version"), coretest.Field("v1"), []planned{plain("GET", "user", "/users")}, ""},
		"first, in the path":            {verso.First(path, verso.Header("Api-Version")), coretest.In("v1"), []planned{plain("GET", "user", "/:version/users")}, "<https://v1.a.com/v2/users>"},
		"first, in the header":          {verso.First(path, verso.Header("Api-Version")), coretest.Field("v1"), []planned{plain("GET", "user", "/users")}, ""},
		"no parameter to write it into": {path, coretest.Ask{Params: coretest.In("v1").Params}, []planned{plain("GET", "", "/users")}, ""},
		"a parameter without a value":   {path, coretest.In("v1"), []planned{plain("GET", "user", "/:version/:id")}, ""},
		"another method of the path": {path, coretest.In("v1"), []planned{plain("PUT", "", "/:version/users/:version", verso.RemovedIn("v2")), plain("PATCH", "", "/:version/users/:version", verso.Since("v2"))},
			"<https://v1.a.com/v2/users/v2>"},
		"another name of a parameter": {path, coretest.Ask{Params: map[string]string{"version": "v1", "id": "7"}},
			[]planned{plain("PUT", "", "/:version/users/:id", verso.RemovedIn("v2")), plain("PATCH", "", "/:version/users/:user", verso.Since("v2"))}, "<https://v1.a.com/v2/users/7>"},
		"another path, by the name": {path, coretest.Ask{Params: map[string]string{"version": "v1", "id": "7"}},
			[]planned{plain("GET", "user", "/:version/users/:id", verso.RemovedIn("v2")), plain("GET", "user", "/:version/people/:id", verso.Since("v2"))}, "<https://v1.a.com/v2/people/7>"},
		"another path, other parameters": {path, coretest.Ask{Params: map[string]string{"version": "v1", "id": "7"}},
			[]planned{plain("GET", "user", "/:version/users/:id", verso.RemovedIn("v2")), plain("GET", "user", "/:version/people/:key", verso.Since("v2"))}, ""},
		"another path, later than the successor": {path, coretest.Ask{Params: map[string]string{"version": "v1", "id": "7"}},
			[]planned{plain("GET", "user", "/:version/users/:id", verso.RemovedIn("v2")), plain("GET", "user", "/:version/people/:id", verso.Since("v3"))}, ""},
		"not in the successor":                {path, coretest.In("v1"), []planned{plain("GET", "", "/:version/users", verso.RemovedIn("v2"))}, ""},
		"later than the successor":            {path, coretest.In("v1"), []planned{plain("GET", "", "/:version/users", verso.RemovedIn("v2")), plain("POST", "", "/:version/users", verso.Since("v3"))}, ""},
		"only methods that frameworks answer": {path, coretest.In("v1"), []planned{plain("GET", "", "/:version/users", verso.RemovedIn("v2")), plain("OPTIONS", "", "/:version/users"), plain("HEAD", "", "/:version/users")}, ""},
		"a neutral route of the path":         {path, coretest.In("v1"), []planned{plain("GET", "", "/:version/users", verso.RemovedIn("v2")), plain("POST", "", "/:version/users", verso.Neutral())}, "<https://v1.a.com/v2/users>"},
		"namespace":                           {verso.Namespace(), coretest.Ask{}, []planned{plain("GET", "v1:user", "/v1/users"), plain("GET", "v2:user", "/second/users")}, "<https://v1.a.com/second/users>"},
		"namespace, no route":                 {verso.Namespace(), coretest.Ask{}, []planned{plain("GET", "v1:user", "/v1/users")}, ""},
		"namespace, no name":                  {verso.Namespace(), coretest.Ask{}, []planned{plain("GET", "v1:", "/v1/users"), plain("GET", "v2:", "/v2/users")}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := coretest.Bound(verso.MustNew(test.source, config))
			var first *adapter.Registration
			for _, r := range test.routes {
				if added := coretest.Register(b, r.route, r.options...); first == nil {
					first = added
				}
			}
			test.ask.Route = first.Route()
			if got := successorIn(t, b, test.ask); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

// A value with a slash that the client has sent as %2F would be two segments in the link.
func TestNoSuccessorLinkOfASplitValue(t *testing.T) {
	config := verso.Config{Clock: versotest.NewClock(coretest.Date(2026, 11, 21)).Now, Catalogue: catalogue.MustNew(coretest.Lives())}
	b := coretest.Bound(verso.MustNew(verso.PathParam("version"), config))
	at := coretest.Register(b, route.Route{Method: http.MethodGet, Pattern: route.Colons("/:version/files/*path")}).Route()
	for path, want := range map[string]bool{"/v1/files/a/b": true, "/v1/files/a%2Fb": false, "/v1/files/a%2fb": false} {
		r := versotest.Request(httptest.NewRequest(http.MethodGet, path, nil), map[string]string{"version": "v1", "path": "a/b"}, at)
		_, call := coretest.Begin(b, r)
		if got := strings.Contains(strings.Join(coretest.Fields(call), " "), "v2/files/a/b>; rel"); got != want {
			t.Errorf("%s: %t, want %t: %q", path, got, want, coretest.Fields(call))
		}
	}
}

// successorIn returns what the successor link of a response leads to.
func successorIn(t *testing.T, b *adapter.Binding, a coretest.Ask) (link string) {
	t.Helper()
	_, call := coretest.Decided(t, b, a.Request())
	call.Fields.Each(func(f catalogue.Field, _ adapter.FieldMode) {
		if f.Name == "Link" {
			link = strings.TrimSuffix(f.Lines[0], `; rel="successor-version"`)
		}
	})
	return link
}

// The link leads to the first in the chain of successors that is released and has the
// path.
func TestSuccessorLinksFollowTheChain(t *testing.T) {
	api, clock := coretest.OverTime(t, func(c *verso.Config) {
		c.Links.Relative = true
		config := coretest.Lives()
		config.Versions[2].Deprecated, config.Versions[2].Successor = coretest.Date(2026, 11, 1), "v3"
		c.Catalogue = catalogue.MustNew(config)
	})
	b := coretest.Bound(api)
	users := coretest.Register(b, route.Route{Method: "GET", Pattern: route.Colons("/:version/users")}, verso.RemovedIn("v2"))
	coretest.Register(b, route.Route{Method: "POST", Pattern: route.Colons("/:version/users")}, verso.Since("v3"))
	a := coretest.In("v1")
	a.Route = users.Route()
	for day, want := range map[time.Time]string{coretest.Date(2026, 11, 21): "", coretest.Date(2026, 12, 10): "</v3/users>"} {
		clock.Set(day)
		if got := successorIn(t, b, a); got != want {
			t.Errorf("%v: %q, want %q", day, got, want)
		}
	}
}

// A route that the router lists is of the path too, also if others register it.
func TestSuccessorLinkToAForeignRoute(t *testing.T) {
	api, _ := coretest.OverTime(t, func(c *verso.Config) { c.Links.Relative = true })
	patch := route.Route{Method: "PATCH", Path: "/:version/users", Pattern: route.Colons("/:version/users")}
	for want, router := range map[string]adapter.Router{"": coretest.Listing(nil), "</v2/users>": coretest.Listing{patch}} {
		b := adapter.Bind(api, router)
		a := coretest.In("v1")
		a.Route = coretest.Register(b, route.Route{Method: "GET", Pattern: route.Colons("/:version/users")}, verso.RemovedIn("v2")).Route()
		if got := successorIn(t, b, a); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
