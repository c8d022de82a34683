package adapter_test

import (
	"cmp"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/scheme"
)

// unknownEverywhere is a preflight that names an unknown version wherever one can be, also in the
// headers that a kind of source reads.
func unknownEverywhere(kind string, matched *route.Route) coretest.Ask {
	a := coretest.Preflight(coretest.In("v9").Params)
	a.Host, a.Query, a.Route = "v9.example.com", "version=v9", matched
	a.Header = http.Header{"Origin": {"https://a.com"}, "Access-Control-Request-Method": {"PUT"}, "Accept": {"x/y;version=v9"}, "Api-Version": {"v9, v8"}}
	if s, ok := coretest.Sources()[kind]; ok {
		for name, lines := range s.Ask("v9").Header {
			if a.Header[name] == nil {
				a.Header[name] = lines
			}
		}
	}
	return a
}

// A preflight to a route for OPTIONS alone is never versioned, in any scheme; a plain
// OPTIONS is.
func TestPreflight(t *testing.T) {
	config := coretest.With(coretest.List("v1", "v2"), func(c *verso.Config) {
		c.Strict = verso.Strict()
		c.Strict.AllowedHosts = []string{"example.com"}
	})
	options := &route.Route{Name: "v9:x", Method: http.MethodOptions}
	for _, s := range everySource(config) {
		result, call := coretest.Begin(coretest.Bound(s.api), unknownEverywhere(s.name, options).Request())
		if call.Err != nil || !result.Version().IsNone() {
			t.Errorf("%s: %v, %v", s.name, result, call.Err)
		}
		call.Fields.Each(func(f catalogue.Field, _ adapter.FieldMode) { t.Errorf("%s: field %v", s.name, f) })
		for _, missing := range []string{"Origin", "Access-Control-Request-Method"} {
			other := unknownEverywhere(s.name, options)
			other.Header.Del(missing)
			if _, err := adapter.Bind(s.api, nil).DetermineVersion(other.Request()); err == nil {
				t.Errorf("%s, without %s: served", s.name, missing)
			}
		}
		get := unknownEverywhere(s.name, coretest.Named("v9:x").Route)
		get.Method = http.MethodGet
		if _, err := adapter.Bind(s.api, nil).DetermineVersion(get.Request()); err == nil {
			t.Errorf("%s, GET: served", s.name)
		}
		overridden := unknownEverywhere(s.name, &route.Route{Name: "v9:x", Method: http.MethodPost})
		if _, err := adapter.Bind(s.api, nil).DetermineVersion(overridden.Request()); err == nil {
			t.Errorf("%s, a route for POST: served", s.name)
		}
	}
}

// On a route whose handler serves other methods too, and on one that is not known, a
// preflight is rejected when it names a version that does not answer, wherever that is.
func TestPreflightToAnyMethod(t *testing.T) {
	config := coretest.With(coretest.List("v1", "v2"), func(c *verso.Config) { c.Strict = verso.Strict() })
	for _, s := range everySource(config) {
		for name, matched := range map[string]*route.Route{
			"one route":                {Name: "v9:x"},
			"one of several":           {Name: "v9:x", Method: http.MethodOptions, AnyMethod: true},
			"one of several, prepared": route.Route{Name: "v9:x", Method: http.MethodOptions, AnyMethod: true}.Prepare(),
			"one of some":              {Name: "v9:x", Method: http.MethodOptions, SharesHandler: true},
		} {
			if _, call := coretest.Begin(coretest.Bound(s.api), unknownEverywhere(s.name, matched).Request()); (call.Err == nil) != (s.name == "media_type" || s.name == "pattern") {
				t.Errorf("%s, %s: error %v", s.name, name, call.Err) // x/y is no media type of these
			}
		}
		served, want := coretest.Preflight(s.ask.Params), "none"
		served.Host, served.Query, served.Route = s.ask.Host, s.ask.Query, cmp.Or(s.ask.Route, &route.Route{})
		if s.ask.Header == nil || s.ask.Params != nil {
			want = "= v2"
		}
		coretest.Expect(t, coretest.Bound(s.api), served.Request(), want, s.name)
	}
}

// A preflight is rejected neither for lacking a version nor because the default has
// ended, but because its host or the version that it names is.
func TestPreflightOverTime(t *testing.T) {
	ended := catalogue.Config{
		Versions:    []catalogue.Entry{{Version: "v1", Sunset: coretest.Date(2026, 1, 1)}, {Version: "v2"}},
		AfterSunset: catalogue.Gone,
	}
	config := func(change func(*verso.Config)) verso.Config {
		return coretest.With(verso.Config{Catalogue: catalogue.MustNew(ended), Clock: func() time.Time { return coretest.Date(2026, 11, 21) }}, change)
	}
	nothing := func(*verso.Config) {}
	endedDefault := func(c *verso.Config) { c.DefaultVersion = verso.V("v1") }
	path := verso.First(verso.PathParam("version"), verso.Header("Api-Version"))
	for _, test := range []struct {
		name   string
		change func(*verso.Config)
		ask    coretest.Ask
		want   string
	}{
		{"no version", nothing, coretest.Preflight(nil), "none"},
		{"no version, ended default", endedDefault, coretest.Preflight(nil), "none"},
		{"ended version in the path", nothing, coretest.Preflight(coretest.In("v1").Params), "410 version_gone"},
		{"ended default in the path", endedDefault, coretest.Preflight(coretest.In("v1").Params), "410 version_gone"},
		{"unknown version in the path", nothing, coretest.Preflight(coretest.In("v9").Params), "404 invalid_url_path_version"},
		{"version in the path", nothing, coretest.Preflight(coretest.In("v2").Params), "= v2"},
		{"ended version in a header", nothing, func() coretest.Ask {
			a := coretest.Preflight(nil)
			a.Header.Set("Api-Version", "v1")
			return a
		}(), "410 version_gone"},
		{"empty version in the path", func(c *verso.Config) { c.Strict = verso.Strict() }, coretest.Preflight(coretest.In("").Params), "400 empty_version"},
		{"unknown host", func(c *verso.Config) { c.Strict.AllowedHosts = []string{"b.com"} }, coretest.Preflight(coretest.In("v2").Params), "421 unknown_host"},
		{"unknown host and version", func(c *verso.Config) { c.Strict.AllowedHosts = []string{"b.com"} }, coretest.Preflight(coretest.In("v9").Params), "421 unknown_host"},
		{"unknown host and no version", func(c *verso.Config) { c.Strict.AllowedHosts = []string{"b.com"} }, coretest.Preflight(nil), "421 unknown_host"},
	} {
		b := coretest.Bound(verso.MustNew(path, config(test.change)))
		test.ask.Route = &route.Route{}
		coretest.Expect(t, b, test.ask.Request(), test.want, test.name)
	}
}

// A route that is not in every version determines the version of a preflight. Where
// nothing can be determined, no handler is called.
func TestPreflightToOptions(t *testing.T) {
	for name, method := range map[string]string{"OPTIONS": http.MethodOptions, "any method": ""} {
		t.Run(name, func(t *testing.T) {
			log := coretest.Logging(t)
			api := verso.Must(scheme.NewURLPath("version", coretest.List("v1", "v2", "v3")))
			_, handlers, err := adapter.Picker(verso.Handlers[string]{"v2": "two", "v3": ""}, coretest.Bound(api))
			if err != nil {
				t.Fatal(err)
			}
			pattern := route.Route{Method: method, Pattern: route.Colons("/:version/users")}
			for name, option := range map[string]verso.RouteOption{"handlers": handlers, "Since": verso.Since("v2")} {
				b := coretest.Bound(api)
				matched := coretest.Register(b, pattern, option).Route()
				for version, want := range map[string]string{"v1": "404 not_in_version", "v2": "= v2", "v9": "404 invalid_url_path_version", "": "204"} {
					a := coretest.Preflight(nil)
					if version != "" {
						a = coretest.Preflight(coretest.In(version).Params)
					}
					a.Route = matched
					coretest.Expect(t, b, a.Request(), want, name, version)
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
	b := coretest.Bound(verso.Must(scheme.NewURLPath("version", coretest.List("v1"))))
	a := coretest.Preflight(coretest.In("v9").Params)
	a.Route = coretest.Registered(b, verso.Neutral())
	coretest.Expect(t, b, a.Request(), "none")
}

// What a middleware has stored for a preflight before its check is not read, and is not late.
func TestPreflightWithStored(t *testing.T) {
	log := coretest.Logging(t)
	b := coretest.Bound(verso.MustNew(verso.First(verso.Header("Api-Version"), verso.Stored("pin", "Authorization")), coretest.WithDefault("v1", "v2")))
	r := httptest.NewRequest(http.MethodOptions, "/", nil)
	r.Header.Set("Origin", "https://a.com")
	r.Header.Set("Access-Control-Request-Method", "GET")
	r = r.WithContext(context.WithValue(r.Context(), "pin", "v2")) //nolint:staticcheck // frameworks have texts
	seam := *coretest.SeamOf(b)
	seam.Current = func(*coretest.Checked) *http.Request { return r }
	var version verso.Version
	var call adapter.Call
	call.Request.SetHTTP(r, r, coretest.Registered(b, verso.Since("v1")))
	if err := seam.Check(new(coretest.Checked), &call, func(c *coretest.Checked) { version = c.Kept.Version() }); err != nil || !version.Is("v1") {
		t.Fatal(version, err)
	}
	if text := log.String(); strings.Contains(text, "stored_late") {
		t.Errorf("logged %s", text)
	}
}
