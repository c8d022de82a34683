package main

import (
	"net/http"
	"slices"
	"strings"

	"github.com/goverso/verso/bench/internal/report"
	"github.com/goverso/verso/bench/internal/service"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
)

var noAllocs = report.AtMost(0, "allocations of Verso beyond the store")

// added are the bounds on the nanoseconds that a scheme adds to the store, and asked
// those on lean and on usual code by hand over Verso.
var (
	few    = report.AtMost(80, "ns beyond the store: path, host, query, namespace, prefix")
	accept = report.AtMost(160, "ns beyond the store: Accept")
	added  = map[string]*report.Bound{
		"path": few, "host": few, "query": few, "namespace": few, "prefix": few, "accept": accept,
		"header":     report.AtMost(100, "ns beyond the store: header"),
		"media type": report.AtMost(250, "ns beyond the store: media type"),
	}
	byGroup = report.AtLeast(0.7, "lean code / Verso: namespace, prefix")
	lean    = map[string]*report.Bound{
		"path":       report.AtLeast(0.95, "lean code / Verso: path"),
		"host":       report.AtLeast(0.95, "lean code / Verso: host"),
		"header":     report.AtLeast(1.15, "lean code / Verso: header"),
		"query":      report.AtLeast(1.1, "lean code / Verso: query"),
		"accept":     report.AtLeast(1, "lean code / Verso: Accept"),
		"media type": report.AtLeast(0.77, "lean code / Verso: media type"),
		"namespace":  byGroup, "prefix": byGroup,
	}
	usual = map[string]*report.Bound{"accept": report.AtLeast(1.6, "usual code / Verso: Accept")}
)

// addRequests compares a request for v2 through Verso with one through the
// framework's store, through the least code, and through code by hand.
func addRequests(c *contest) {
	t := c.table("a request for v2", "store", "floor", "lean", "usual", "Verso")
	t.columns = []column{
		beyond(4, func(s string) *report.Bound { return added[s] }),
		over(2, 4, func(s string) *report.Bound { return lean[s] }),
		over(3, 4, func(s string) *report.Bound { return usual[s] }),
		allocations(4, 0, noAllocs),
	}
	for _, f := range service.Frameworks {
		for _, s := range service.Schemes {
			var row []*contender
			for _, variant := range []service.Variant{service.Store, service.Floor, service.Lean, service.Usual,
				service.Verso} {
				row = append(row, c.serve(f.New(service.Options{Scheme: s, Variant: variant}), s.Request("v2"),
					http.StatusOK))
			}
			t.add(f.Name, s.Name, row...)
		}
	}

	t = c.table("a request with a path", "a route of Verso", "Middleware")
	t.columns = []column{over(1, 0, nil), allocations(1, 0, nil)}
	for _, f := range service.WithMiddleware {
		s := service.Named("path")
		own := c.serve(f.New(service.Options{Scheme: s, Variant: service.Verso}), s.Request("v2"), http.StatusOK)
		t.add(f.Name, "", own, c.serve(f.New(service.Options{Scheme: s, Variant: service.Middleware}), s.Request("v2"),
			http.StatusOK))
	}
}

// addPrefixes compares the check of a route under a prefix, whose version is known when it
// is registered, with that of a route with a path parameter.
func addPrefixes(c *contest) {
	t := c.table("a check of v2", "store, path", "path", "store, prefix", "prefix")
	t.columns = []column{excess(3, 2, 1, 0, one(report.AtMost(1, "ns beyond the store: prefix / path"))),
		allocations(3, 2, noAllocs)}
	for _, f := range service.Frameworks {
		for _, dates := range []struct {
			name   string
			config verso.Config
		}{{"without dates", service.Config}, {"with dates", withCatalogue(announced)}} {
			var row []*contender
			for _, name := range []string{"path", "prefix"} {
				s := service.Named(name)
				for _, variant := range []service.Variant{service.Store, service.Verso} {
					row = append(row, c.serve(f.New(service.Options{Scheme: s, Variant: variant,
						API: s.API(dates.config)}), s.Request("v2"), http.StatusOK))
				}
			}
			t.add(f.Name, dates.name, row...)
		}
	}
}

// addCollected compares them as a service has them, which collects its garbage.
func addCollected(c *contest) {
	t := c.table("processor time, with a collector", "store", "lean", "Verso")
	t.columns = []column{over(1, 2, func(s string) *report.Bound { return collected[s] }), allocations(2, 0, nil)}
	for _, f := range service.Frameworks {
		for _, name := range []string{"path", "header", "accept"} {
			s := service.Named(name)
			var row []*contender
			for _, variant := range []service.Variant{service.Store, service.Lean, service.Verso} {
				of := c.serve(f.New(service.Options{Scheme: s, Variant: variant}), s.Request("v2"), http.StatusOK)
				of.measure, of.seldom = of.collecting, 40
				row = append(row, of)
			}
			t.add(f.Name, name, row...)
		}
	}
}

var collected = map[string]*report.Bound{
	"path":   report.AtLeast(1, "lean code / Verso with a collector: path"),
	"header": report.AtLeast(1.3, "lean code / Verso with a collector: header"),
	"accept": report.AtLeast(1.5, "lean code / Verso with a collector: Accept"),
}

// problem is what Verso answers a rejected request with in the query scheme.
var problem = verso.Problem{
	Type:            verso.ProblemURI(source.InvalidVersion),
	Title:           "Invalid API version",
	Status:          http.StatusNotFound,
	Detail:          "Invalid version in query parameter.",
	Code:            source.InvalidQueryParameterVersion,
	AllowedVersions: service.Config.AllowedVersions,
}

// addRejections compares them with a handler that answers with the same body. Echo's
// own error handler has no bound: it is encoding/json.
func addRejections(c *contest) {
	direct := report.AtMost(0.8, "rejection / a handler's answer with the same body")
	t := c.table("a rejected request", "handler", "Verso")
	t.columns = []column{
		over(1, 0, func(scheme string) *report.Bound {
			if strings.HasSuffix(scheme, "error handler") {
				return nil
			}
			return direct
		}),
		allocations(1, 0, nil),
	}
	query := service.Named("query")
	for _, f := range service.Frameworks {
		answer := func(string) (int, any) { return problem.Status, problem }
		handler := c.serve(f.New(service.Options{Scheme: query, Variant: service.Bare, Answer: answer}),
			query.Request("v9"), problem.Status)
		for _, s := range []*service.Scheme{query, service.Named("accept")} {
			add := func(how string, writeProblem bool) {
				server := f.New(service.Options{Scheme: s, Variant: service.Verso, WriteProblem: writeProblem})
				t.add(f.Name, s.Name+how, handler, c.serve(server, s.Request("v9"), s.Status))
			}
			if !slices.Contains([]string{"echo", "echo5"}, f.Name) {
				add("", false)
				continue
			}
			add(", error handler", false)
			add(", WriteProblem", true)
		}
	}
}
