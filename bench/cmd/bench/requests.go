package main

import (
	"net/http"
	"slices"
	"strings"

	"github.com/goverso/verso/bench/internal/report"
	"github.com/goverso/verso/bench/internal/service"
	verso "github.com/goverso/verso/core"
)

// addRequests compares a request for v2 through Verso with one through the
// framework's store, and one through code by hand with that.
func addRequests(c *contest) {
	paths := report.AtLeast(1, "by hand / Verso, path and namespace")
	others := report.AtLeast(1.8, "by hand / Verso, host, query, header, media type")
	allocs := report.AtMost(0, "allocations of Verso beyond store")
	overStore := report.AtMost(1.4, "Verso / store, all schemes but Accept and media type")
	sources := report.AtMost(1.15, "path or header / path alone")
	bounds := map[string][2]*report.Bound{ // Verso / store, by hand / Verso
		"accept":        {report.AtMost(1.8, "Verso / store, Accept"), report.AtLeast(1.6, "by hand / Verso, Accept")},
		"path":          {overStore, paths},
		"namespace":     {overStore, paths},
		"host":          {overStore, others},
		"query":         {overStore, others},
		"header":        {overStore, others},
		"media type":    {nil, others},
		"three sources": {overStore, nil},
	}
	stores := c.table("a request for v2", "Verso", "store")
	hands := c.table("a request for v2", "by hand", "Verso")
	more := c.table("a request with a path", "path or header", "path alone")
	early := c.table("a request with a path", "Middleware", "a route of Verso")
	for _, f := range service.Frameworks {
		add := func(s *service.Scheme, variant service.Variant) *contender {
			return c.serve(f.New(service.Options{Scheme: s, Variant: variant}), s.Request("v2"), http.StatusOK)
		}
		for _, s := range service.Schemes {
			where, with, bound := f.Name+", "+s.Name, add(s, service.Verso), bounds[s.Name]
			if where == "echo, path" {
				bound[1] = report.AtLeast(0.9, "by hand / Verso, path, Echo v4")
			}
			stores.compare(where, with, add(s, service.Store), bound[0], allocs)
			hands.compare(where, add(s, service.ByHand), with, bound[1], nil)
			if s.Name == "path" {
				more.compare(f.Name, add(service.ByPathOrHeader, service.Verso), with, sources, nil)
			}
			if s.Name == "path" && slices.Contains(service.WithMiddleware, f) {
				early.compare(f.Name, add(s, service.Middleware), with, nil, nil)
			}
		}
	}
}

// addPeers compares requests through Iris and its package versioning with the
// same through Verso.
func addPeers(c *contest) {
	t := c.table("a request for 2.0.0", "Iris", "Verso")
	for i, bound := range []*report.Bound{report.AtLeast(2.5, "Iris / Verso, Accept"), report.AtLeast(4, "Iris / Verso, query")} {
		s := service.Named([]string{"accept", "query"}[i])
		api, r := s.API(verso.Config{AllowedVersions: service.IrisVersions}), s.Request("2.0.0")
		iris := c.serve(service.InIris(s), r, http.StatusOK)
		for _, f := range service.Frameworks {
			server := f.New(service.Options{Scheme: s, Variant: service.Verso, API: api})
			t.compare(f.Name+", "+s.Name, iris, c.serve(server, r, http.StatusOK), bound, nil)
		}
	}
}

// problem is what Verso answers a rejected request with in the query scheme.
var problem = verso.Problem{
	Type:            verso.ProblemInvalidVersion,
	Title:           "Invalid API version",
	Status:          http.StatusNotFound,
	Detail:          "Invalid version in query parameter.",
	Code:            verso.InvalidQueryParameterVersion,
	AllowedVersions: service.Config.AllowedVersions,
}

// addRejections compares them with a handler that answers with the same body.
func addRejections(c *contest) {
	direct := report.AtMost(0.8, "rejection / a handler's answer with the same body")
	byHandler := report.AtMost(1.5, "the same through Echo's own error handler")
	t := c.table("a rejected request", "Verso", "handler")
	for _, f := range service.Frameworks {
		query := service.Named("query")
		answer := func(string) (int, any) { return problem.Status, problem }
		handler := c.serve(f.New(service.Options{Scheme: query, Answer: answer}), query.Request("v9"), problem.Status)
		for _, s := range []*service.Scheme{query, service.Named("accept")} {
			add := func(how string, bound *report.Bound, writeProblem bool) {
				server := f.New(service.Options{Scheme: s, Variant: service.Verso, WriteProblem: writeProblem})
				t.compare(f.Name+", "+s.Name+how, c.serve(server, s.Request("v9"), s.Status), handler, bound, nil)
			}
			if !strings.HasPrefix(f.Name, "echo") {
				add("", direct, false)
				continue
			}
			add(", error handler", byHandler, false)
			add(", WriteProblem", direct, true)
		}
	}
}
