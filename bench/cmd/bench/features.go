package main

import (
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/goverso/verso/bench/internal/report"
	"github.com/goverso/verso/bench/internal/service"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
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

// announced has a date, and sends nothing of it.
var announced = catalogue.Config{Versions: []catalogue.Entry{{Version: "v1"}, {Version: "v2"},
	{Version: "v3", Released: year(2099)}}}

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

// tenThousand are versions, of which v2 is one.
func tenThousand() (versions []string) {
	for i := range 10_000 {
		versions = append(versions, fmt.Sprint("v", i))
	}
	return versions
}

// addFeatures tells what each adds to a request for v2 in the header scheme: in
// core alone, and in the frameworks.
func addFeatures(c *contest) {
	strict, many := service.Config, service.Config
	strict.Strict, many.AllowedVersions = verso.Strict(), tenThousand()
	list := []catalogue.Entry{{Version: "v1"}, {Version: "v2"}, {Version: "v3"}}
	t := c.table("what a feature adds", "without", "with")
	bounds := map[string]*report.Bound{
		"strict": report.AtMost(5, "ns that Strict adds"), "observe": report.AtMost(100, "ns that Observe adds"),
		"a handler per version": report.AtMost(120, "ns that a handler per version adds"),
	}
	t.columns = []column{beyond(1, func(feature string) *report.Bound { return bounds[feature] }),
		allocations(1, 0, noAllocs)}
	fields := c.table("six fields", "by hand", "Verso")
	fields.columns = []column{over(1, 0, one(report.AtMost(1.2, "six fields, Verso / by hand"))),
		allocations(1, 0, nil)}
	s := service.Named("header")
	r := s.Request("v2")
	for _, f := range append([]*service.Framework{{Name: "core"}}, service.Frameworks...) {
		add := func(o service.Options) *contender {
			if o.Scheme = s; f.Serve != nil {
				return c.serve(f.New(o), r, http.StatusOK)
			}
			return c.add(inCore(o, r, nil))
		}
		with := func(config verso.Config, options ...verso.RouteOption) *contender {
			return add(service.Options{Variant: service.Verso, API: s.API(config), Options: options})
		}
		base := with(service.Config)
		dates := with(withCatalogue(dated))
		t.add(f.Name, "strict", base, with(strict))
		t.add(f.Name, "10,000 versions", base, with(many))
		t.add(f.Name, "catalogue without dates", base, with(withCatalogue(catalogue.Config{Versions: list})))
		t.add(f.Name, "six fields", base, dates)
		t.add(f.Name, "a neutral route", base, with(service.Config, verso.Neutral()))
		t.add(f.Name, "a route since v2", base, with(service.Config, verso.Since("v2")))
		t.add(f.Name, "a handler per version", base,
			add(service.Options{Variant: service.Verso, API: s.API(service.Config), HandleVersions: true}))
		t.add(f.Name, "observe", base, with(observed(count)))
		t.add(f.Name, "usage", base, add(service.Options{Variant: service.Verso, API: s.API(observed(seen().Observe)),
			Client: oneClient}))
		if f.Serve != nil {
			fields.add(f.Name, "", add(service.Options{Variant: service.Lean, Fields: sixFields}), dates)
		}
	}

	addSuccessorLinks(c)

	asked, is, nothing := verso.V("v2"), false, c.add(func() {})
	t = c.table("asking for the version", "nothing", "Verso")
	t.columns = []column{beyond(1, one(report.AtMost(3, "ns of Version.Is"))), allocations(1, 0, noAllocs)}
	t.add("Version.Is", "", nothing, c.add(func() { is = asked.Is("v2") }))
	_ = is
}

// addSuccessorLinks tells what a link to the successor adds to a response of a deprecated
// version in the path scheme, and what a line by hand does.
func addSuccessorLinks(c *contest) {
	s := service.Named("path")
	r := s.Request("v2")
	ending := catalogue.Config{Versions: []catalogue.Entry{
		{Version: "v1"}, {Version: "v2", Deprecated: year(2024), Sunset: year(2099), Successor: "v3"}, {Version: "v3"},
	}}
	linked := ending
	linked.SuccessorLinks = true
	most, two := one(report.AtMost(250, "ns that a successor link adds")),
		report.AtMost(2, "allocations of a successor link")
	t := c.table("a successor link", "without", "with")
	t.columns = []column{beyond(1, most), allocations(1, 0, two)}
	for _, f := range service.Frameworks {
		serve := func(config catalogue.Config) *contender {
			return c.serve(f.New(service.Options{Scheme: s, Variant: service.Verso, API: s.API(withCatalogue(config))}),
				r, http.StatusOK)
		}
		t.add(f.Name, "", serve(ending), serve(linked))
	}
	t = c.table("a successor link", "without", "by hand", "with")
	t.columns = []column{beyond(1, nil), beyond(2, most), allocations(2, 0, two)}
	id := "42"
	byHand := func(header http.Header) {
		header.Add("Link", "<http://"+r.Host+"/v3/users/"+url.PathEscape(id)+`>; rel="successor-version"`)
	}
	check := func(config catalogue.Config, handler func(http.Header)) *contender {
		return c.add(inCore(service.Options{Scheme: s, API: s.API(withCatalogue(config))}, r, handler))
	}
	t.add("core", "", check(ending, nil), check(ending, byHand), check(linked, nil))
}

// exchange is a request without a framework.
type exchange struct {
	header http.Header // of the response
	kept   *verso.Result
}

// newSeam returns what checks requests without a framework.
func newSeam(api *verso.Versioning, client func(*exchange) string) *adapter.Seam[*exchange, func()] {
	return adapter.NewSeam(adapter.Seam[*exchange, func()]{
		Binding: adapter.Bind(api, nil),
		Load:    func(e *exchange) *verso.Result { return e.kept },
		Store:   func(e *exchange, result *verso.Result) { e.kept = result },
		Header:  func(e *exchange) http.Header { return e.header },
		Next: func(_ *exchange, next func()) error {
			next()
			return nil
		},
		NoContent: func(*exchange) error { return nil },
		Reject:    func(_ *exchange, rejected *verso.Error, _ *verso.Answer) error { return rejected },
		Fail:      func(_ *exchange, err error) error { return err },
		Client:    client,
	})
}

// inCore returns what checks a request without a framework. inside is what the handler
// does with the response, or nil.
func inCore(o service.Options, r service.Request, inside func(http.Header)) func() {
	var client func(*exchange) string
	if o.Client != "" {
		client = func(*exchange) string { return o.Client }
	}
	seam, options := newSeam(o.API, client), o.Options
	e := &exchange{header: make(http.Header)}
	handler := func() {
		if inside != nil {
			inside(e.header)
		}
	}
	var pick func(*verso.Result) func()
	if o.HandleVersions {
		var option verso.RouteOption
		var err error
		if pick, option, err = adapter.Picker((verso.Handlers[func()]{"v1": handler, "v2": func() {}}),
			seam.Binding); err != nil {
			panic(err)
		}
		options = append(options, option)
	}
	pattern := route.Braces(o.Scheme.Routes[0].Pattern)
	described := route.Route{Name: "user", Method: http.MethodGet, Path: pattern.String(), Pattern: pattern}
	added := verso.Must(seam.Add(described, options...))
	request := versotest.Request(r.HTTP(r.Host), map[string]string{"version": "v2", "id": "42"}, added.Route())
	return func() {
		clear(e.header)
		e.kept = nil
		var call adapter.Call
		call.Request = request
		var err error
		if pick != nil {
			err = seam.HandleVersions(e, &call, pick)
		} else {
			err = seam.Check(e, &call, handler)
		}
		if err != nil {
			panic(err)
		}
	}
}
