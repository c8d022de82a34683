package adapter_test

import (
	"fmt"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/source"
)

func BenchmarkDetermine(b *testing.B) {
	for _, s := range everySource(coretest.WithDefault("v1", "v2", "v3")) {
		b.Run(s.name, func(b *testing.B) { benchmark(b, coretest.Bound(s.api), s.ask.Request(), "v2") })
	}
}

// A catalogue costs nothing more than the clock and the fields that it writes.
func BenchmarkDetermineOverTime(b *testing.B) {
	path := func(config verso.Config) *verso.Versioning { return verso.Must(scheme.NewURLPath("version", config)) }
	undated := catalogue.MustNew(catalogue.Config{Versions: []catalogue.Entry{{Version: "v1"}, {Version: "v2"}, {Version: "v3"}}})
	fixed := func() time.Time { return coretest.Date(2026, 11, 21) }
	r := coretest.In("v1").Request()
	b.Run("list", func(b *testing.B) { benchmark(b, coretest.Bound(path(coretest.List("v1", "v2", "v3"))), r, "v1") })
	b.Run("catalogue without dates", func(b *testing.B) {
		benchmark(b, coretest.Bound(path(verso.Config{Catalogue: undated, Clock: fixed})), r, "v1")
	})
	b.Run("catalogue without dates, time.Now", func(b *testing.B) { benchmark(b, coretest.Bound(path(verso.Config{Catalogue: undated})), r, "v1") })
	six := path(coretest.SixFields())
	b.Run("six fields", func(b *testing.B) { benchmark(b, coretest.Bound(six), r, "v1") })
	planned := coretest.In("v1")
	b.Run("six fields, an option", func(b *testing.B) {
		bound := coretest.Bound(six)
		planned.Route = coretest.Registered(bound, verso.Since("v1"))
		benchmark(b, bound, planned.Request(), "v1")
	})
	b.Run("list, an option", func(b *testing.B) {
		bound := coretest.Bound(path(coretest.List("v1", "v2", "v3")))
		planned.Route = coretest.Registered(bound, verso.Since("v1"))
		benchmark(b, bound, planned.Request(), "v1")
	})

	large := catalogue.Config{Report: true}
	for i := range catalogue.MaxVersions {
		start := coretest.Date(2026, 1, 1).Add(time.Duration(i) * time.Hour)
		large.Versions = append(large.Versions, catalogue.Entry{
			Version: fmt.Sprintf("v%d", i), Deprecated: start, Sunset: coretest.Date(2028, 1, 1),
			Brownouts: []catalogue.Brownout{
				{From: start.Add(300 * time.Hour), Until: start.Add(300*time.Hour + time.Minute)}, {From: start.Add(900 * time.Hour), Until: start.Add(900*time.Hour + time.Minute)},
			},
		})
	}
	large.Versions[0].Brownouts = nil // 997 instants are left
	many := path(verso.Config{Catalogue: catalogue.MustNew(large), Clock: fixed})
	b.Run("200 versions", func(b *testing.B) { benchmark(b, coretest.Bound(many), coretest.In("v150").Request(), "v150") })
	b.Run("200 versions, made", func(b *testing.B) {
		for b.Loop() {
			path(verso.Config{Catalogue: catalogue.MustNew(large), Clock: fixed})
		}
	})
}

// A successor link is built for each response of a version that ends.
func BenchmarkSuccessorLink(b *testing.B) {
	for name, s := range successors() {
		for _, links := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/%t", name, links), func(b *testing.B) {
				api, r := s.bind(links)
				benchmark(b, api, r.Request(), "v1")
			})
		}
	}
}

func benchmark(b *testing.B, api *adapter.Binding, r source.Request, want string) {
	b.Helper()
	if got := coretest.Outcome(api, r); got != "= "+want {
		b.Fatal(got)
	}
	fields := 0
	count := func(catalogue.Field, adapter.FieldMode) { fields++ }
	c, seam, next := new(coretest.Checked), coretest.SeamOf(api), func(c *coretest.Checked) { c.Fields.Each(count) }
	b.ReportAllocs()
	for b.Loop() {
		var call adapter.Call
		call.Request = r
		if _ = seam.Check(c, &call, next); c.Err != nil {
			b.Fatal(c.Err)
		}
	}
}

func BenchmarkLink(b *testing.B) {
	for _, s := range everySource(coretest.WithDefault("v1", "v2", "v3")) {
		b.Run(s.name, func(b *testing.B) {
			if s.ask.Host == "" {
				s.ask.Host = "example.com"
			}
			api, r := coretest.Bound(s.api, coretest.LinkedRoutes...), s.ask.Request()
			api.Lookup("", "GET", "/users") // until a route is looked up, each link asks for all
			result, _ := coretest.Decided(b, api, r)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := adapter.LinkFor(result, r, verso.Target{Name: "users"}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
