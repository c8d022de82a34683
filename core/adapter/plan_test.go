package adapter_test

import (
	"errors"
	"slices"
	"strings"
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

func TestOptionErrors(t *testing.T) {
	listed := verso.Must(scheme.NewURLPath("version", coretest.List("v1", "v2")))
	open := verso.Must(scheme.NewURLPath("version", verso.Config{AnyVersion: true}))
	dated, _ := coretest.OverTime(t, nil)
	unlisted := verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1"}, DefaultVersion: verso.V("v0")}))
	for _, test := range []struct {
		name    string
		api     *verso.Versioning
		options []verso.RouteOption
		code    string
		field   string
	}{
		{"neutral and since", listed, []verso.RouteOption{verso.Neutral(), verso.Since("v1")}, "neutral_and_versioned", "Routes"},
		{"neutral and removed", listed, []verso.RouteOption{verso.RemovedIn("v2"), verso.Neutral()}, "neutral_and_versioned", "Routes"},
		{"neutral, ended before it is deprecated", listed, []verso.RouteOption{verso.Neutral(), verso.DeprecatedAt(coretest.Date(2027, 1, 1)), verso.SunsetAt(coretest.Date(2026, 1, 1))}, "sunset_before_deprecation", "Routes.sunset"},
		{"no list", open, []verso.RouteOption{verso.Since("v1")}, "route_needs_catalogue", "Routes"},
		{"a default that is not listed, since", unlisted, []verso.RouteOption{verso.Since("v1")}, "default_not_listed", "DefaultVersion"},
		{"a default that is not listed, removed in", unlisted, []verso.RouteOption{verso.RemovedIn("v1")}, "default_not_listed", "DefaultVersion"},
		{"a default that is not listed, links", unlisted, []verso.RouteOption{verso.Related(catalogue.Link{Rel: "help", Href: "/help"})}, "default_not_listed", "DefaultVersion"},
		{"since unknown", listed, []verso.RouteOption{verso.Since("v9")}, "since_unknown", "Routes.since"},
		{"removed in unknown", dated, []verso.RouteOption{verso.RemovedIn("v9")}, "removed_unknown", "Routes.removed_in"},
		{"in no version", listed, []verso.RouteOption{verso.Since("v2"), verso.RemovedIn("v2")}, "range_empty", "Routes"},
		{"since before that of the group", listed, []verso.RouteOption{verso.Since("v2"), verso.Since("v1")}, "route_widened", "Routes"},
		{"since before that of a group around it", dated, []verso.RouteOption{verso.Since("v1"), verso.Since("v3"), verso.Since("v2")}, "route_widened", "Routes"},
		{"removed in after that of the group", dated, []verso.RouteOption{verso.RemovedIn("v2"), verso.RemovedIn("v3")}, "route_widened", "Routes"},
		{"sunset before deprecation", dated, []verso.RouteOption{verso.DeprecatedAt(coretest.Date(2027, 1, 1)), verso.SunsetAt(coretest.Date(2026, 1, 1))}, "sunset_before_deprecation", "Routes.sunset"},
		{"zero sunset", dated, []verso.RouteOption{verso.SunsetAt(time.Time{})}, "date_unset", "Routes"},
		{"zero deprecation of a neutral route", dated, []verso.RouteOption{verso.Neutral(), verso.DeprecatedAt(time.Time{}), verso.SunsetAt(coretest.Date(2027, 1, 1))}, "date_unset", "Routes"},
		{"wrong link", dated, []verso.RouteOption{verso.Related(catalogue.Link{Rel: "help", Href: "javascript:x"})}, "link_target", "Routes.links[0].href"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := adapter.Bind(test.api, nil)
			added, err := b.Add(route.Route{Path: "/users"}, test.options...)
			checkRefused(t, added == nil, err, test.code, test.field)
			scope, err := b.Scope("/", "", test.options...)
			checkRefused(t, scope == nil, err, test.code, test.field)
			if got := b.Explain().Routes; got != nil {
				t.Errorf("refused, and kept as %v", got)
			}
		})
	}
	for _, options := range [][]verso.RouteOption{nil, {verso.Neutral()}, {verso.Since("v1"), verso.RemovedIn("v2")},
		{verso.Since("v1"), verso.Since("v1"), verso.Since("v2")}, {verso.RemovedIn("v2"), verso.RemovedIn("v2"), verso.Since("v1")}} {
		if _, err := adapter.Bind(listed, nil).Add(route.Route{}, options...); err != nil {
			t.Error(err)
		}
	}
	for name, api := range map[string]*verso.Versioning{"every version is served": open, "the default is not listed": unlisted} {
		if _, err := adapter.Bind(api, nil).Add(route.Route{}, verso.Neutral()); err != nil {
			t.Errorf("neutral where %s: %v", name, err)
		}
	}
}

// checkRefused sees that a registration is refused with a [*verso.Finding].
func checkRefused(t *testing.T, none bool, err error, code, field string) {
	t.Helper()
	all := coretest.ConfigErrors(err)
	if !none || len(all) == 0 || all[0].Code != code || all[0].Field != field || all[0].Message == "" {
		t.Errorf("%v, want %s of %s", err, code, field)
	}
}

func TestOptions(t *testing.T) {
	api := verso.Must(scheme.NewURLPath("version", coretest.With(coretest.List("v1", "v2", "v3"), func(c *verso.Config) { c.AllowUnversioned = true })))
	const absent = "404 not_in_version"
	for _, test := range []struct {
		name    string
		options []verso.RouteOption
		want    [3]string // in v1, v2, v3
	}{
		{"no options", nil, [3]string{"= v1", "= v2", "= v3"}},
		{"since", []verso.RouteOption{verso.Since("v2")}, [3]string{absent, "= v2", "= v3"}},
		{"removed", []verso.RouteOption{verso.RemovedIn("v2")}, [3]string{"= v1", absent, absent}},
		{"both", []verso.RouteOption{verso.RemovedIn("v3"), verso.Since("v2")}, [3]string{absent, "= v2", absent}},
		{"neutral", []verso.RouteOption{verso.Neutral()}, [3]string{"none", "none", "none"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := coretest.Bound(api)
			matched := coretest.Registered(b, test.options...)
			for i, version := range []string{"v1", "v2", "v3"} {
				a := coretest.In(version)
				a.Route = matched
				coretest.Expect(t, b, a.Request(), test.want[i], version)
				_, call := coretest.Begin(b, a.Request())
				if rejected, answer, ok := call.Rejected(); ok {
					if !errors.Is(rejected, verso.ErrNotFound) || errors.Is(rejected, verso.ErrGone) || rejected.Requested != version || rejected.Source != `path parameter "version"` {
						t.Errorf("rejected with %+v", rejected)
					}
					if body := string(answer.Body); strings.Contains(body, `"`+version+`"`) || !strings.Contains(body, `"allowed_versions":[`) {
						t.Errorf("%s: answered %s", version, body)
					}
				}
			}
			a := coretest.In("v9")
			a.Route = matched
			if got := coretest.Outcome(b, a.Request()); got != "404 invalid_url_path_version" && test.name != "neutral" {
				t.Errorf("unknown: %s", got)
			}
			coretest.Expect(t, b, coretest.Ask{Route: matched}.Request(), "none", "without a version")
		})
	}
}

// A neutral route is not looked at: no rejection, no Vary, no field, also by a
// strict service.
func TestNeutral(t *testing.T) {
	api, _ := coretest.OverTime(t, func(c *verso.Config) {
		c.Strict = verso.Strict()
		c.Strict.AllowedHosts = []string{"example.com"}
	})
	b := coretest.Bound(api)
	neutral := coretest.Registered(b, verso.Neutral())
	for name, a := range map[string]coretest.Ask{"gone": coretest.In("v0"), "unknown": coretest.In("v9"), "none": {}, "empty": coretest.In(""), "unknown host": coretest.Host("evil.com")} {
		a.Route = neutral
		result, call := coretest.Begin(b, a.Request())
		if call.Err != nil || !result.Version().IsNone() || coretest.Varies(call) != nil || coretest.Fields(call) != nil {
			t.Errorf("%s: %v, %v", name, call, call.Err)
		}
	}
}

// A path that a version has with other methods is 405 there, with these methods.
func TestMethodNotInVersion(t *testing.T) {
	api := verso.Must(scheme.NewURLPath("version", coretest.List("v1", "v2", "v3")))
	b := coretest.Bound(api)
	added := make(map[string]*adapter.Registration)
	for _, r := range []struct {
		host, method, path string
		options            []verso.RouteOption
	}{
		{"", "GET", "/:version/users", []verso.RouteOption{verso.RemovedIn("v3")}},
		{"", "POST", "/:version/users", []verso.RouteOption{verso.Since("v2"), verso.RemovedIn("v3")}},
		{"", "HEAD", "/:version/users", []verso.RouteOption{verso.Since("v1")}},
		{"", "OPTIONS", "/:version/users", []verso.RouteOption{verso.Since("v1")}},
		{"", "DELETE", "/:version/users", []verso.RouteOption{verso.Neutral()}},
		{"other.example.com", "PUT", "/:version/users", nil},
		{"", "GET", "/:version/alone", []verso.RouteOption{verso.Since("v2")}},
	} {
		added[r.method+r.path] = coretest.Register(b, route.Route{Host: r.host, Method: r.method, Pattern: route.Colons(r.path)}, r.options...)
	}
	for _, test := range []struct {
		method, path, version string
		want                  string
		allow                 []string
	}{
		{"GET", "/:version/users", "v1", "= v1", nil},
		{"POST", "/:version/users", "v1", "405 method_not_in_version", []string{"Allow: DELETE, GET 0"}},
		{"POST", "/:version/users", "v2", "= v2", nil},
		{"GET", "/:version/users", "v3", "405 method_not_in_version", []string{"Allow: DELETE 0"}},
		{"GET", "/:version/alone", "v1", "404 not_in_version", nil},
	} {
		a := coretest.In(test.version)
		a.Method, a.Route = test.method, added[test.method+test.path].Route()
		coretest.Expect(t, b, a.Request(), test.want, test.method, test.path, test.version)
		_, call := coretest.Begin(b, a.Request())
		if got := coretest.Fields(call); !slices.Equal(got, test.allow) {
			t.Errorf("%s %s: fields %q, want %q", test.method, test.version, got, test.allow)
		}
		if test.allow != nil && (!errors.Is(call.Err, verso.ErrMethodNotAllowed) || errors.Is(call.Err, verso.ErrNotFound)) {
			t.Errorf("error %v", call.Err)
		}
	}
}

// Links lead to routes that the version has.
func TestLinkNotInVersion(t *testing.T) {
	api := coretest.Bound(verso.Must(scheme.NewURLPath("version", coretest.List("v1", "v2"))))
	coretest.Register(api, route.Route{Name: "new", Pattern: route.Colons("/:version/new")}, verso.Since("v2"))
	coretest.Register(api, route.Route{Name: "health", Pattern: route.Colons("/health")}, verso.Neutral())
	coretest.Register(api, route.Route{Name: "users", Method: "POST", Pattern: route.Colons("/:version/users")}, verso.Since("v2"))
	coretest.Register(api, route.Route{Name: "users", Method: "GET", Pattern: route.Colons("/:version/users")}, verso.RemovedIn("v2"))
	r := coretest.In("v1").Request()
	result, _ := coretest.Decided(t, api, r)
	if got, err := adapter.LinkFor(result, r, verso.Target{Name: "new"}); got != "" || !errors.Is(err, verso.ErrNotInVersion) ||
		err.Error() != `verso: route not in version: version "v1" does not have "/:version/new": link to it in a version that has it` {
		t.Errorf("built %q, %v", got, err)
	}
	if got, err := adapter.LinkFor(result, r, verso.Target{Name: "new", Version: verso.V("v2")}); got != "/v2/new" || err != nil {
		t.Errorf("in a version that has it: %q, %v", got, err)
	}
	if got, err := adapter.LinkFor(result, r, verso.Target{Name: "health"}); got != "/health" || err != nil {
		t.Errorf("a neutral route: %q, %v", got, err)
	}
	for _, version := range []string{"v1", "v2"} { // GET, then POST
		if got, err := api.Link(verso.Target{Name: "users", Version: verso.V(version)}); got != "/"+version+"/users" || err != nil {
			t.Errorf("methods in different versions: %q, %v", got, err)
		}
	}
	if got, err := api.Link(verso.Target{Name: "new", Version: verso.V("v1")}); got != "" || !errors.Is(err, verso.ErrNotInVersion) {
		t.Errorf("outside of a request: %q, %v", got, err)
	}
}

// A route has dates of its own, and the earlier ones count.
func TestRouteDates(t *testing.T) {
	api, clock := coretest.OverTime(t, nil)
	b := coretest.Bound(api)
	matched := coretest.Registered(b, verso.DeprecatedAt(coretest.Date(2026, 6, 1)), verso.SunsetAt(coretest.Date(2026, 12, 20)),
		verso.Related(catalogue.Link{Rel: "help", Href: "/help"}), verso.Related(catalogue.Link{Rel: "deprecation", Href: "/why"}))
	const own, links = "Sunset: Sun, 20 Dec 2026 00:00:00 GMT 2", `Link: </help>; rel="help" | </why>; rel="deprecation" 1`
	for version, want := range map[string][]string{
		"v1": {v1Dates, own, links}, "v2": {"Deprecation: @1780272000 2", own, links},
	} {
		a := coretest.In(version)
		a.Route = matched
		_, call := coretest.Begin(b, a.Request())
		if got := coretest.Fields(call); call.Err != nil || !slices.Equal(got[:3], want) {
			t.Errorf("%s: %v, %q", version, call.Err, got)
		}
	}
	clock.Set(coretest.Date(2026, 12, 20))
	a := coretest.In("v2")
	a.Route = matched
	if _, call := coretest.Begin(b, a.Request()); call.Err != nil { // the catalogue's own action is to serve
		t.Errorf("rejected with %v", call.Err)
	}
	gone, _ := coretest.OverTime(t, func(c *verso.Config) {
		config := coretest.Lives()
		config.AfterSunset = catalogue.Gone
		c.Catalogue, c.Clock, c.AllowUnversioned = catalogue.MustNew(config), clock.Now, true
	})
	b = coretest.Bound(gone)
	a.Route = coretest.Registered(b, verso.SunsetAt(coretest.Date(2026, 12, 20)))
	for name, r := range map[string]source.Request{"in a version": a.Request(), "without one": coretest.Ask{Route: a.Route}.Request()} {
		_, call := coretest.Begin(b, r)
		rejected, _, ok := call.Rejected()
		if !ok || rejected.Status != 410 || rejected.MessageID != verso.RouteGone || rejected.Sunset != "2026-12-20T00:00:00Z" || rejected.Successor != "" || !errors.Is(rejected, verso.ErrGone) {
			t.Errorf("%s: error %#v", name, call.Err)
		}
	}
}

// A neutral route announces its own end, and nothing of a version.
func TestNeutralDates(t *testing.T) {
	clock := versotest.NewClock(coretest.Date(2026, 1, 1))
	api := verso.MustNew(verso.Header("Api-Version"), ending(clock, catalogue.Gone, ""))
	b := adapter.Bind(api, nil)
	added, err := b.Add(route.Route{Path: "/login"}, verso.Neutral(), verso.DeprecatedAt(coretest.Date(2026, 1, 1)), verso.SunsetAt(coretest.Date(2027, 6, 30)))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		now    time.Time
		want   verso.MessageID
		fields string
	}{
		{coretest.Date(2027, 6, 29), "", "Deprecation Sunset"},
		{coretest.Date(2027, 6, 30), verso.RouteGone, "Deprecation Sunset"},
	} {
		clock.Set(test.now)
		c, call, ran := new(coretest.Checked), new(adapter.Call), false
		call.Request.SetHTTP(anyRequest, anyRequest, added.Route())
		_ = coretest.SeamOf(b).Check(c, call, func(*coretest.Checked) { ran = true })
		var names []string
		c.Fields.Each(func(field catalogue.Field, _ adapter.FieldMode) { names = append(names, field.Name) })
		got := verso.MessageID("")
		if rejected, _, ok := c.Rejected(); ok {
			got = rejected.MessageID
		}
		if got != test.want || ran != (test.want == "") || strings.Join(names, " ") != test.fields {
			t.Errorf("%s: %q, %v, handler %v", test.now, got, names, ran)
		}
	}
}

// A pattern of net/http in place of a method, for a framework that takes both, and a method
// that no client sends, for a framework that takes any.
func TestMethodsRefused(t *testing.T) {
	for method, want := range map[string]string{
		"GET /users": `the method "GET /users" has a space or a comma: write each method by itself, apart from the path, such as "GET" and "/users"`,
		"GET,POST":   `the method "GET,POST" has a space or a comma`,
		"get":        `the method "get" is not in upper case: write "GET"`,
		"Delete":     `the method "Delete" is not in upper case: write "DELETE"`,
	} {
		b := adapter.Bind(verso.MustNew(verso.Header("Api-Version"), coretest.List("v1")), nil)
		_, err := b.Add(route.Route{Method: method})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", method, err)
		}
		if _, err := b.Add(route.Route{Method: "GET", Path: "/v1/GET /users"}); err == nil ||
			!strings.Contains(err.Error(), `the path "/v1/GET /users" has a method in it: write the path alone`) {
			t.Errorf("a method in a path: %v", err)
		}
		if _, err := b.Add(route.Route{Method: "purge"}); err != nil {
			t.Errorf("a method of the service: %v", err)
		}
	}
}
