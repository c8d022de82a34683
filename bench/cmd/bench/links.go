package main

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/goverso/verso/bench/internal/report"
	"github.com/goverso/verso/bench/internal/service"
	verso "github.com/goverso/verso/core"
)

// orders returns the routes of a scheme, the same for the orders of a user, and
// as many others as make count routes.
func orders(s *service.Scheme, count int) []service.Route {
	routes := slices.Clone(s.Routes)
	for _, r := range s.Routes {
		routes = append(routes, service.Route{Name: strings.Replace(r.Name, "user", "order", 1),
			Pattern: r.Pattern + "/orders/{order}"})
	}
	for i := len(routes); i < count; i++ {
		routes = append(routes, service.Route{Name: fmt.Sprint("route-", i),
			Pattern: fmt.Sprintf("/r%d/{id}/orders/{order}", i)})
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
		Scheme: s, Variant: service.Verso, Routes: orders(s, routes),
		Inside: func(link linker) { links <- link; select {} },
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

var joined string // on the heap, as one that is used

// addLinks compares URLs in the version of the request, absolute, with the path that
// code by hand joins.
func addLinks(c *contest) {
	position := report.AtMost(4, "link by position / code that joins strings")
	grown := report.AtMost(1.1, "link among 10,000 routes / among 10")
	allocs := report.AtMost(3, "allocations of a link by position")
	s := service.Named("accept")
	t := c.table("a link", "by hand", "by position", "of 10,000 routes", "by name")
	t.columns = []column{over(1, 0, one(position)), over(2, 1, one(grown)), over(3, 0, nil), allocations(1, -1, allocs)}
	id, order := "alice", 42
	byHand := c.add(func() {
		joined = "/users/" + url.PathEscape(id) + "/orders/" + url.PathEscape(strconv.Itoa(order))
		must(joined, nil)
	})
	for _, f := range service.Frameworks {
		short := inside(f, s, 10)
		t.add(f.Name, "", byHand, c.add(byPosition(short)), c.add(byPosition(inside(f, s, 10_000))),
			c.add(byName(short)))
	}
}
