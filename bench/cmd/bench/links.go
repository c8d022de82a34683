package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/goverso/verso/bench/internal/report"
	"github.com/goverso/verso/bench/internal/service"
	verso "github.com/goverso/verso/core"
)

// orders returns the routes of a scheme, the same for the orders of a user, and
// as many others as make count routes.
func orders(s *service.Scheme, count int) []service.Route {
	routes := slices.Clone(s.Routes)
	for _, r := range s.Routes {
		routes = append(routes, service.Route{Name: strings.Replace(r.Name, "user", "order", 1), Pattern: r.Pattern + "/orders/{order}"})
	}
	for i := len(routes); i < count; i++ {
		routes = append(routes, service.Route{Name: fmt.Sprint("route-", i), Pattern: fmt.Sprintf("/r%d/{id}/orders/{order}", i)})
	}
	return routes
}

// linker builds a link.
type linker = func(verso.Target) (string, error)

// inside returns what builds links in a request for v2, which lasts until the
// program ends.
func inside(f *service.Framework, s *service.Scheme, routes int) linker {
	links := make(chan linker)
	server := f.New(service.Options{
		Scheme: s, Variant: service.Verso, Routes: orders(s, routes), Inside: func(link linker) { links <- link; select {} },
	})
	go server.Bind(s.Request("v2"))()
	return <-links
}

func byName(link linker) func() {
	return func() { must(link(verso.Target{Name: "order", Params: verso.Params{"id": "alice", "order": 42}})) }
}

func byPosition(link linker) func() {
	return func() { must(link(verso.Target{Name: "order", Args: []any{"alice", 42}})) }
}

func must(built string, err error) {
	if err != nil || built == "" {
		panic(fmt.Sprint("no link: ", err))
	}
}

// addLinks compares URLs in the version of the request, absolute, with the paths
// that Echo's own Reverse builds.
func addLinks(c *contest) {
	allocs := report.AtMost(3, "allocations of a link by named parameters, the caller's map included")
	nothing := &contender{times: report.Sample{0}}
	for i, bound := range []*report.Bound{
		report.AtMost(0.8, "link by position / echo.Reverse, 10 routes"),
		report.AtMost(0.3, "link by position / echo.Reverse, 200 routes"),
	} {
		count := []int{10, 200}[i]
		e, routes := echo.New(), orders(service.Named("accept"), count)
		routes[1], routes[count/2] = routes[count/2], routes[1] // Echo searches: it finds this one half way
		for _, r := range routes {
			e.GET(strings.NewReplacer("{", ":", "}", "").Replace(r.Pattern), echo.NotFoundHandler).Name = r.Name
		}
		t := c.table(fmt.Sprintf("a link, %d routes", count), "Verso", "echo.Reverse")
		reverse := c.add(func() { must(e.Reverse("order", "alice", 42), nil) })
		for _, f := range service.Frameworks {
			t.compare(f.Name+", by position", c.add(byPosition(inside(f, service.Named("accept"), count))), reverse, bound, nil)
		}
	}
	t := c.table("a link by named parameters", "Verso", "nothing")
	for _, f := range service.Frameworks {
		for _, s := range service.Schemes[:5] {
			t.compare(f.Name+", "+s.Name, c.add(byName(inside(f, s, 10))), nothing, nil, allocs)
		}
	}
}
