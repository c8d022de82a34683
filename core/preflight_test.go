package verso_test

import (
	"cmp"
	"net/http"
	"strings"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/scheme"
)

// unknownEverywhere is a preflight that names an unknown version wherever one can be.
func unknownEverywhere(matched *route.Route) ask {
	a := preflight(in("v9").params)
	a.host, a.query, a.route = "v9.example.com", "version=v9", matched
	a.header = http.Header{"Origin": {"https://a.com"}, "Access-Control-Request-Method": {"PUT"}, "Accept": {"x/y;version=v9"}, "Api-Version": {"v9, v8"}}
	return a
}

// A preflight to a route for OPTIONS alone is never versioned, in any scheme; a plain
// OPTIONS is.
func TestPreflight(t *testing.T) {
	config := with(list("v1", "v2"), func(c *verso.Config) {
		c.Strict = verso.Strict()
		c.Strict.AllowedHosts = []string{"example.com"}
	})
	options := &route.Route{Name: "v9:x", Method: http.MethodOptions}
	for _, s := range everySource(config) {
		result, call := begin(bound(s.api), unknownEverywhere(options).request())
		if call.err != nil || !result.Version().IsNone() {
			t.Errorf("%s: %v, %v", s.name, result, call.err)
		}
		call.fields.Each(func(f catalogue.Field, _ adapter.FieldMode) { t.Errorf("%s: field %v", s.name, f) })
		for _, missing := range []string{"Origin", "Access-Control-Request-Method"} {
			other := unknownEverywhere(options)
			other.header.Del(missing)
			if _, err := adapter.Bind(s.api, nil).DetermineVersion(other.request()); err == nil {
				t.Errorf("%s, without %s: served", s.name, missing)
			}
		}
		get := unknownEverywhere(named("v9:x").route)
		get.method = http.MethodGet
		if _, err := adapter.Bind(s.api, nil).DetermineVersion(get.request()); err == nil {
			t.Errorf("%s, GET: served", s.name)
		}
		overridden := unknownEverywhere(&route.Route{Name: "v9:x", Method: http.MethodPost})
		if _, err := adapter.Bind(s.api, nil).DetermineVersion(overridden.request()); err == nil {
			t.Errorf("%s, a route for POST: served", s.name)
		}
	}
}

// On a route whose handler serves other methods too, and on one that is not known, a
// preflight is rejected when it names a version that does not answer, wherever that is.
func TestPreflightToAnyMethod(t *testing.T) {
	config := with(list("v1", "v2"), func(c *verso.Config) { c.Strict = verso.Strict() })
	for _, s := range everySource(config) {
		for name, matched := range map[string]*route.Route{
			"one route":                {Name: "v9:x"},
			"one of several":           {Name: "v9:x", Method: http.MethodOptions, AnyMethod: true},
			"one of several, prepared": route.Route{Name: "v9:x", Method: http.MethodOptions, AnyMethod: true}.Prepare(),
			"one of some":              {Name: "v9:x", Method: http.MethodOptions, SharesHandler: true},
		} {
			if _, call := begin(bound(s.api), unknownEverywhere(matched).request()); (call.err == nil) != (s.name == "media type" || s.name == "pattern") {
				t.Errorf("%s, %s: error %v", s.name, name, call.err) // x/y is no media type of these
			}
		}
		served, want := preflight(s.ask.params), "none"
		served.host, served.query, served.route = s.ask.host, s.ask.query, cmp.Or(s.ask.route, &route.Route{})
		if s.ask.header == nil || s.ask.params != nil {
			want = "= v2"
		}
		if got := outcome(bound(s.api), served.request()); got != want {
			t.Errorf("%s: %s, want %s", s.name, got, want)
		}
	}
}

// A preflight is rejected neither for lacking a version nor because the default has
// ended, but because its host or the version that it names is.
func TestPreflightOverTime(t *testing.T) {
	ended := catalogue.Config{
		Versions:    []catalogue.Entry{{Version: "v1", Sunset: date(2026, 1, 1)}, {Version: "v2"}},
		AfterSunset: catalogue.Gone,
	}
	config := func(change func(*verso.Config)) verso.Config {
		return with(verso.Config{Catalogue: catalogue.MustNew(ended), Clock: func() time.Time { return date(2026, 11, 21) }}, change)
	}
	nothing := func(*verso.Config) {}
	endedDefault := func(c *verso.Config) { c.DefaultVersion = verso.V("v1") }
	path := verso.First(verso.PathParam("version"), verso.Header("Api-Version"))
	for _, test := range []struct {
		name   string
		change func(*verso.Config)
		ask    ask
		want   string
	}{
		{"no version", nothing, preflight(nil), "none"},
		{"no version, ended default", endedDefault, preflight(nil), "none"},
		{"ended version in the path", nothing, preflight(in("v1").params), "410 version_gone"},
		{"ended default in the path", endedDefault, preflight(in("v1").params), "410 version_gone"},
		{"unknown version in the path", nothing, preflight(in("v9").params), "404 invalid_url_path_version"},
		{"version in the path", nothing, preflight(in("v2").params), "= v2"},
		{"ended version in a header", nothing, func() ask {
			a := preflight(nil)
			a.header.Set("Api-Version", "v1")
			return a
		}(), "410 version_gone"},
		{"empty version in the path", func(c *verso.Config) { c.Strict = verso.Strict() }, preflight(in("").params), "400 empty_version"},
		{"unknown host", func(c *verso.Config) { c.Strict.AllowedHosts = []string{"b.com"} }, preflight(in("v2").params), "421 unknown_host"},
		{"unknown host and version", func(c *verso.Config) { c.Strict.AllowedHosts = []string{"b.com"} }, preflight(in("v9").params), "421 unknown_host"},
		{"unknown host and no version", func(c *verso.Config) { c.Strict.AllowedHosts = []string{"b.com"} }, preflight(nil), "421 unknown_host"},
	} {
		b := bound(verso.MustNew(path, config(test.change)))
		test.ask.route = &route.Route{}
		if got := outcome(b, test.ask.request()); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// A route that is not in every version determines the version of a preflight. Where
// nothing can be determined, no handler is called.
func TestPreflightToOptions(t *testing.T) {
	for name, method := range map[string]string{"OPTIONS": http.MethodOptions, "any method": ""} {
		t.Run(name, func(t *testing.T) {
			log := logging(t)
			api := verso.Must(scheme.NewURLPath("version", list("v1", "v2", "v3")))
			_, handlers, err := adapter.Picker(verso.Handlers[string]{"v2": "two", "v3": ""}, bound(api))
			if err != nil {
				t.Fatal(err)
			}
			pattern := route.Route{Method: method, Pattern: route.Colons("/:version/users")}
			for name, option := range map[string]verso.RouteOption{"handlers": handlers, "Since": verso.Since("v2")} {
				b := bound(api)
				matched := register(b, pattern, option).Route()
				for version, want := range map[string]string{"v1": "404 not_in_version", "v2": "= v2", "v9": "404 invalid_url_path_version", "": "204"} {
					a := preflight(nil)
					if version != "" {
						a = preflight(in(version).params)
					}
					a.route = matched
					if got := outcome(b, a.request()); got != want {
						t.Errorf("%s, %q: %s, want %s", name, version, got, want)
					}
				}
			}
			if text := log.String(); strings.Count(text, "preflight_unanswered") != 2 { // by the bindings of two routes
				t.Errorf("logged %s", text)
			}
		})
	}
}

// A neutral route stays neutral.
func TestPreflightToNeutral(t *testing.T) {
	b := bound(verso.Must(scheme.NewURLPath("version", list("v1"))))
	a := preflight(in("v9").params)
	a.route = registered(b, verso.Neutral())
	if got := outcome(b, a.request()); got != "none" {
		t.Error(got)
	}
}
