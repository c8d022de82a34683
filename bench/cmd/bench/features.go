package main

import (
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/goverso/verso/bench/internal/report"
	"github.com/goverso/verso/bench/internal/service"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/versotest"
)

// withCatalogue returns the configuration of all services, with a catalogue in
// place of the list.
func withCatalogue(config catalogue.Config) verso.Config {
	made, err := catalogue.New(config)
	if err != nil {
		panic(err)
	}
	return verso.Config{Catalogue: made, DefaultVersion: service.Config.DefaultVersion}
}

func year(y int) time.Time { return time.Date(y, 1, 1, 0, 0, 0, 0, time.UTC) }

// dated has v2 send the six fields.
var dated = catalogue.Config{Report: true, ServedHeader: "Served-Version", Versions: []catalogue.Entry{
	{Version: "v1"},
	{
		Version: "v2", Deprecated: year(2024), Sunset: year(2099),
		Links: []catalogue.Link{{Rel: "deprecation", Href: "https://example.com/v3"}},
	},
	{Version: "v3"},
}}

var sixFields = [][2]string{
	{"Deprecation", "@1704067200"},
	{"Sunset", "Thu, 01 Jan 2099 00:00:00 GMT"},
	{"Link", `<https://example.com/v3>; rel="deprecation"`},
	{"Api-Supported-Versions", "v1, v3"},
	{"Api-Deprecated-Versions", "v2"},
	{"Served-Version", "v2"},
}

// addFeatures tells what each adds to a request for v2 in the header scheme: in
// core alone, and in the frameworks.
func addFeatures(c *contest) {
	six := report.AtMost(1.3, "six fields, Verso / by hand")
	fewer := report.AtMost(-1, "six fields, allocations of Verso beyond those by hand")
	strict := service.Config
	strict.Strict = verso.Strict()
	list := []catalogue.Entry{{Version: "v1"}, {Version: "v2"}, {Version: "v3"}}
	t := c.table("what a feature adds", "with", "without")
	fields := c.table("six fields", "Verso", "by hand")
	s := service.Named("header")
	r := s.Request("v2")
	nothing := c.add(func() {})
	for _, f := range append([]*service.Framework{{Name: "core"}}, service.Frameworks...) {
		add := func(o service.Options) *contender {
			if o.Scheme = s; f.Serve != nil {
				return c.serve(f.New(o), r, http.StatusOK)
			}
			if o.Variant != service.Verso {
				return nothing
			}
			return c.add(inCore(o, r))
		}
		with := func(config verso.Config, options ...verso.RouteOption) *contender {
			return add(service.Options{Variant: service.Verso, API: s.API(config), Options: options})
		}
		base := with(service.Config)
		dates := with(withCatalogue(dated))
		t.compare(f.Name+", determining", base, add(service.Options{Variant: service.Bare}), nil, nil)
		t.compare(f.Name+", strict", with(strict), base, nil, nil)
		t.compare(f.Name+", catalogue without dates", with(withCatalogue(catalogue.Config{Versions: list})), base, nil, nil)
		t.compare(f.Name+", six fields", dates, base, nil, nil)
		t.compare(f.Name+", a neutral route", with(service.Config, verso.Neutral()), base, nil, nil)
		t.compare(f.Name+", a route since v2", with(service.Config, verso.Since("v2")), base, nil, nil)
		choices := service.Options{Variant: service.Verso, API: s.API(service.Config), Choose: true}
		t.compare(f.Name+", a handler per version", add(choices), base, nil, nil)
		t.compare(f.Name+", observe", with(observed(count)), base, nil, nil)
		counted := service.Options{Variant: service.Verso, API: s.API(observed(seen().Observe)), Client: oneClient}
		t.compare(f.Name+", usage", add(counted), base, nil, nil)
		if f.Serve != nil {
			byHand := add(service.Options{Variant: service.ByHand, Fields: sixFields})
			fields.compare(f.Name, dates, byHand, six, fewer)
		}
	}
}

// addDispatch compares a handler for each version with a switch on the version,
// in core: what is around them is the same in all frameworks.
func addDispatch(c *contest) {
	t := c.table("a handler per version", "choices", "switch")
	s := service.Named("header")
	api, r := s.API(service.Config), s.Request("v2")
	answered := 0
	old, recent := func() { answered++ }, func() { answered += 2 }
	binding := api.Bind(nil)
	pick, option, err := verso.Handlers[func()]{"v1": old, "v2": recent}.Bind(binding)
	if err != nil {
		panic(err)
	}
	decide := func(path string, options ...verso.RouteOption) func() *verso.Result {
		added := verso.Must(binding.Add(route.Route{Method: http.MethodGet, Path: path, Pattern: route.Colons(path)}, options...))
		request := versotest.Request(r.HTTP(r.Host), nil, added.Route())
		return func() *verso.Result {
			var call verso.Call
			return binding.Begin(&call, request, nil)
		}
	}
	planned, plain := decide("/dispatching", option), decide("/plain")
	byHand := c.add(func() {
		switch plain().Version().String() {
		case "v1":
			old()
		case "v2", "v3":
			recent()
		default:
			panic("no handler")
		}
	})
	t.compare("core, the look-up alone", c.add(func() {
		if handler, ok := pick(plain()); ok {
			handler()
		}
	}), byHand, nil, nil)
	t.compare("core, with the route's versions checked", c.add(func() {
		if handler, ok := pick(planned()); ok {
			handler()
		}
	}), byHand, nil, nil)
}

// inCore returns what decides on a request without a framework, sets the fields,
// chooses the handler, and tells who calls.
func inCore(o service.Options, r service.Request) func() {
	binding, options := o.API.Bind(nil), o.Options
	var pick func(*verso.Result) (func(), bool)
	if o.Choose {
		var option verso.RouteOption
		var err error
		if pick, option, err = (verso.Handlers[func()]{"v1": func() {}, "v2": func() {}}).Bind(binding); err != nil {
			panic(err)
		}
		options = append(options, option)
	}
	described := route.Route{Name: "user", Method: http.MethodGet, Path: r.Path, Pattern: route.Colons(r.Path)}
	added := verso.Must(binding.Add(described, options...))
	var client func(request any) string
	if o.Client != "" {
		client = func(any) string { return o.Client }
	}
	request, w := versotest.Request(r.HTTP(r.Host), nil, added.Route()), httptest.NewRecorder()
	return func() {
		clear(w.Header())
		var call verso.Call
		result := binding.Begin(&call, request, nil)
		if result == nil {
			panic(call.Err)
		}
		call.SetFields(w)
		if pick != nil {
			if handler, ok := pick(result); ok {
				handler()
			}
		}
		if binding.Observes() {
			call.End(result, client)
		}
	}
}
