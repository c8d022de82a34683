package verso_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/route"
)

func TestPlanErrors(t *testing.T) {
	listed := verso.Must(verso.NewURLPath(list("v1", "v2")))
	open := verso.Must(verso.NewURLPath(verso.Config{AnyVersion: true}))
	dated, _ := overTime(t, nil)
	for _, test := range []struct {
		name    string
		api     *verso.Versioning
		options []verso.RouteOption
		code    string
		field   string
	}{
		{"neutral and since", listed, []verso.RouteOption{verso.Neutral(), verso.Since("v1")}, "neutral_and_versioned", "Routes"},
		{"neutral and removed", listed, []verso.RouteOption{verso.RemovedIn("v2"), verso.Neutral()}, "neutral_and_versioned", "Routes"},
		{"neutral and dates", listed, []verso.RouteOption{verso.Neutral(), verso.SunsetAt(date(2027, 1, 1))}, "neutral_and_versioned", "Routes"},
		{"neutral and deprecated", listed, []verso.RouteOption{verso.Neutral(), verso.DeprecatedAt(date(2027, 1, 1))}, "neutral_and_versioned", "Routes"},
		{"neutral and links", listed, []verso.RouteOption{verso.Neutral(), verso.Related(catalogue.Link{Rel: "help", Href: "/help"})}, "neutral_and_versioned", "Routes"},
		{"no list", open, []verso.RouteOption{verso.Since("v1")}, "route_needs_catalogue", "Routes"},
		{"since unknown", listed, []verso.RouteOption{verso.Since("v9")}, "since_unknown", "Routes.since"},
		{"removed in unknown", dated, []verso.RouteOption{verso.RemovedIn("v9")}, "removed_unknown", "Routes.removed_in"},
		{"in no version", listed, []verso.RouteOption{verso.Since("v2"), verso.RemovedIn("v2")}, "range_empty", "Routes"},
		{"sunset before deprecation", dated, []verso.RouteOption{verso.DeprecatedAt(date(2027, 1, 1)), verso.SunsetAt(date(2026, 1, 1))}, "sunset_before_deprecation", "Routes.sunset"},
		{"wrong link", dated, []verso.RouteOption{verso.Related(catalogue.Link{Rel: "help", Href: "javascript:x"})}, "link_target", "Routes.links[0].href"},
	} {
		t.Run(test.name, func(t *testing.T) {
			plan, err := test.api.Plan(test.options...)
			all := configErrors(err)
			if plan != nil || len(all) == 0 || all[0].Code != test.code || all[0].Field != test.field || all[0].Message == "" {
				t.Errorf("%v, %v, want %s of %s", plan, err, test.code, test.field)
			}
		})
	}
	for _, options := range [][]verso.RouteOption{nil, {verso.Neutral()}, {verso.Since("v1"), verso.RemovedIn("v2")}} {
		if _, err := listed.Plan(options...); err != nil {
			t.Error(err)
		}
	}
	if _, err := open.Plan(verso.Neutral()); err != nil {
		t.Errorf("neutral where every version is served: %v", err)
	}
}

func TestPlans(t *testing.T) {
	api := verso.Must(verso.NewURLPath(with(list("v1", "v2", "v3"), func(c *verso.Config) { c.AllowUnversioned = true })))
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
			matched := &route.Route{Plan: verso.Must(api.Plan(test.options...))}
			for i, version := range []string{"v1", "v2", "v3"} {
				a := in(version)
				a.route = matched
				if got := outcome(api, a.request()); got != test.want[i] {
					t.Errorf("%s: %s, want %s", version, got, test.want[i])
				}
				_, err := api.Determine(a.request())
				if rejected, ok := errors.AsType[*verso.Error](err); ok {
					if !errors.Is(err, verso.ErrNotFound) || errors.Is(err, verso.ErrGone) || rejected.Asked != version || rejected.Source != `path parameter "version"` {
						t.Errorf("rejected with %+v", rejected)
					}
					if body := string(api.Answer(a.request(), rejected).Body); strings.Contains(body, `"`+version+`"`) || !strings.Contains(body, `"allowed_versions":[`) {
						t.Errorf("%s: answered %s", version, body)
					}
				}
			}
			a := in("v9")
			a.route = matched
			if got := outcome(api, a.request()); got != "404 invalid_url_path_version" && test.name != "neutral" {
				t.Errorf("unknown: %s", got)
			}
			if got := outcome(api, ask{route: matched}.request()); got != "none" {
				t.Errorf("without a version: %s", got)
			}
		})
	}
}

// A neutral route is not looked at: no rejection, no Vary, no field, also by a
// strict service.
func TestNeutral(t *testing.T) {
	api, _ := overTime(t, func(c *verso.Config) {
		c.Strict = verso.Strict()
		c.Strict.AllowedHosts = []string{"example.com"}
	})
	neutral := &route.Route{Plan: verso.Must(api.Plan(verso.Neutral()))}
	for name, a := range map[string]ask{"gone": in("v0"), "unknown": in("v9"), "none": {}, "empty": in(""), "unknown host": host("evil.com")} {
		a.route = neutral
		decision, err := api.Determine(a.request())
		if err != nil || !decision.Result.Version.IsNone() || decision.Vary != nil || fields(decision) != nil {
			t.Errorf("%s: %v, %v", name, decision, err)
		}
		if _, ok := (*verso.Choices[int]).For(new(verso.Choices[int]), decision.Result); ok {
			t.Errorf("%s: there is a choice", name)
		}
	}
}

// A path that a version has with other methods is 405 there, with these methods.
func TestMethodNotInVersion(t *testing.T) {
	api := verso.Must(verso.NewURLPath(list("v1", "v2", "v3")))
	planned := func(method string, options ...verso.RouteOption) route.Route {
		return route.Route{Method: method, Pattern: route.Colons("/:version/users"), Plan: verso.Must(api.Plan(options...))}
	}
	table := route.NewTable(
		planned("GET", verso.RemovedIn("v3")), planned("POST", verso.Since("v2"), verso.RemovedIn("v3")), planned("HEAD", verso.Since("v1")),
		planned("OPTIONS", verso.Since("v1")), planned("DELETE", verso.Neutral()),
		route.Route{Method: "PUT", Pattern: route.Colons("/:version/users"), Host: "other.example.com"},
		route.Route{Method: "GET", Pattern: route.Colons("/:version/alone"), Plan: verso.Must(api.Plan(verso.Since("v2")))},
	)
	api = api.WithRoutes(func(verso.Request) *route.Table { return table })
	find := func(method, path string) *route.Route {
		for r := range table.Routes() {
			if r.Method == method && r.Pattern.String() == path {
				return r
			}
		}
		t.Fatal(method, path)
		return nil
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
		a := in(test.version)
		a.method, a.route = test.method, find(test.method, test.path)
		if got := outcome(api, a.request()); got != test.want {
			t.Errorf("%s %s %s: %s, want %s", test.method, test.path, test.version, got, test.want)
		}
		decision, err := api.Determine(a.request())
		if got := fields(decision); !slices.Equal(got, test.allow) {
			t.Errorf("%s %s: fields %q, want %q", test.method, test.version, got, test.allow)
		}
		if test.allow != nil && (!errors.Is(err, verso.ErrMethodNotAllowed) || errors.Is(err, verso.ErrNotFound)) {
			t.Errorf("error %v", err)
		}
	}
}

// Links lead to routes that the version has.
func TestLinkNotInVersion(t *testing.T) {
	api := verso.Must(verso.NewURLPath(list("v1", "v2")))
	table := route.NewTable(
		route.Route{Name: "new", Pattern: route.Colons("/:version/new"), Plan: verso.Must(api.Plan(verso.Since("v2")))},
		route.Route{Name: "health", Pattern: route.Colons("/health"), Plan: verso.Must(api.Plan(verso.Neutral()))},
		route.Route{Name: "users", Method: "POST", Pattern: route.Colons("/:version/users"), Plan: verso.Must(api.Plan(verso.Since("v2")))},
		route.Route{Name: "users", Method: "GET", Pattern: route.Colons("/:version/users"), Plan: verso.Must(api.Plan(verso.RemovedIn("v2")))},
	)
	api = api.WithRoutes(func(verso.Request) *route.Table { return table })
	r := in("v1").request()
	decision, err := api.Determine(r)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := decision.Result.Link(r, verso.Target{Name: "new"}); got != "" || !errors.Is(err, verso.ErrNotInVersion) ||
		err.Error() != `verso: route not in version: version "v1" does not have "/:version/new": link to it in a version that has it` {
		t.Errorf("built %q, %v", got, err)
	}
	if got, err := decision.Result.Link(r, verso.Target{Name: "new", Version: verso.V("v2")}); got != "/v2/new" || err != nil {
		t.Errorf("in a version that has it: %q, %v", got, err)
	}
	if got, err := decision.Result.Link(r, verso.Target{Name: "health"}); got != "/health" || err != nil {
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
	api, clock := overTime(t, nil)
	matched := &route.Route{Plan: verso.Must(api.Plan(verso.DeprecatedAt(date(2026, 6, 1)), verso.SunsetAt(date(2026, 12, 20)),
		verso.Related(catalogue.Link{Rel: "help", Href: "/help"}), verso.Related(catalogue.Link{Rel: "deprecation", Href: "/why"})))}
	const own, links = "Sunset: Sun, 20 Dec 2026 00:00:00 GMT 2", `Link: </help>; rel="help" | </why>; rel="deprecation" 1`
	for version, want := range map[string][]string{
		"v1": {v1Dates, own, links}, "v2": {"Deprecation: @1780272000 2", own, links},
	} {
		a := in(version)
		a.route = matched
		decision, err := api.Determine(a.request())
		if got := fields(decision); err != nil || !slices.Equal(got[:3], want) {
			t.Errorf("%s: %v, %q", version, err, got)
		}
	}
	clock.Set(date(2026, 12, 20))
	a := in("v2")
	a.route = matched
	_, err := api.Determine(a.request())
	rejected, ok := errors.AsType[*verso.Error](err)
	if ok { // the catalogue's own action is to serve
		t.Errorf("rejected with %+v", rejected)
	}
	gone, _ := overTime(t, func(c *verso.Config) {
		config := lives()
		config.AfterSunset = catalogue.Gone
		c.Catalogue, c.Clock, c.AllowUnversioned = verso.Must(catalogue.New(config)), clock.Now, true
	})
	a.route = &route.Route{Plan: verso.Must(gone.Plan(verso.SunsetAt(date(2026, 12, 20))))}
	for name, r := range map[string]verso.Request{"in a version": a.request(), "without one": ask{route: a.route}.request()} {
		_, err := gone.Determine(r)
		rejected, ok = errors.AsType[*verso.Error](err)
		if !ok || rejected.Status != 410 || rejected.MessageID != verso.RouteGone || rejected.Sunset != "2026-12-20T00:00:00Z" || rejected.Successor != "" || !errors.Is(err, verso.ErrGone) {
			t.Errorf("%s: error %#v", name, err)
		}
	}
}

func TestChoices(t *testing.T) {
	api := verso.Must(verso.NewURLPath(with(list("v1", "v2", "v3", "v4"), func(c *verso.Config) { c.AllowUnversioned = true })))
	choices, err := verso.NewChoices(api, verso.From("v3", "three"), verso.Removed[string]("v4"), verso.From("v2", "two")) // in any order
	if err != nil {
		t.Fatal(err)
	}
	matched := &route.Route{Plan: verso.Must(api.Plan(choices.Option()))}
	for version, want := range map[string]string{"v1": "404 not_in_version", "v2": "two", "v3": "three", "v4": "404 not_in_version", "": "404 invalid_url_path_version"} {
		a := in(version)
		a.route = matched
		decision, err := api.Determine(a.request())
		handler, ok := choices.For(decision.Result)
		if err != nil {
			handler = outcome(api, a.request())
		}
		if handler != want || ok != (err == nil) {
			t.Errorf("%q: %q, %v, want %q", version, handler, ok, want)
		}
	}
	if got := outcome(api, ask{route: matched}.request()); got != "404 not_in_version" {
		t.Errorf("without a version: %s", got)
	}
	if _, ok := choices.For(nil); ok {
		t.Error("no result has a choice")
	}
	for name, test := range map[string]struct {
		choices []verso.Choice[int]
		code    string
	}{
		"none":                      {nil, "dispatch_empty"},
		"only a removal":            {[]verso.Choice[int]{verso.Removed[int]("v1")}, "dispatch_empty"},
		"removal first":             {[]verso.Choice[int]{verso.Removed[int]("v1"), verso.From("v2", 2)}, "dispatch_empty"},
		"twice":                     {[]verso.Choice[int]{verso.From("v1", 1), verso.From("v1", 2)}, "dispatch_twice"},
		"unknown":                   {[]verso.Choice[int]{verso.From("v9", 1)}, "since_unknown"},
		"removal of an unknown one": {[]verso.Choice[int]{verso.From("v1", 1), verso.Removed[int]("v9")}, "removed_unknown"},
	} {
		made, err := verso.NewChoices(api, test.choices...)
		if all := configErrors(err); made != nil || len(all) == 0 || all[0].Code != test.code {
			t.Errorf("%s: %v, %v, want %s", name, made, err, test.code)
		}
	}
}

// What falls forward gets the handler of the version that answers.
func TestChoicesFallForward(t *testing.T) {
	api, clock := overTime(t, nil)
	clock.Set(date(2027, 1, 1))
	choices := verso.Must(verso.NewChoices(api, verso.From("v1", "one"), verso.From("v2", "two")))
	a := in("v1")
	a.route = &route.Route{Plan: verso.Must(api.Plan(choices.Option()))}
	decision, err := api.Determine(a.request())
	if handler, ok := choices.For(decision.Result); err != nil || !ok || handler != "two" || decision.Result.Version != verso.V("v2") {
		t.Errorf("%q, %v, %v", handler, ok, err)
	}
}
