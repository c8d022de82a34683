package main

import (
	"fmt"
	"runtime"
	"time"

	"github.com/goverso/verso/bench/internal/report"
	"github.com/goverso/verso/bench/internal/service"
	"github.com/goverso/verso/core/catalogue"
)

// manyVersions returns a catalogue of 200 versions, in which something changes at
// 1,000 instants.
func manyVersions() catalogue.Config {
	var config catalogue.Config
	for i := range 200 {
		at := func(day int) time.Time { return year(2030).AddDate(0, 0, 5*i+day) }
		config.Versions = append(config.Versions, catalogue.Entry{
			Version: fmt.Sprint("v", i+1), Released: at(0), Deprecated: at(1), Sunset: at(4),
			Brownouts: []catalogue.Brownout{{From: at(2), Until: at(3)}},
		})
	}
	return config
}

// startUp measures what Verso adds until the first request is answered and the
// first link is built, once for each framework: it takes no part in the contest.
func startUp() (text string, bounds []*report.Bound) {
	bounds = []*report.Bound{
		report.AtMost(50, "start-up with 10,000 routes and 200 versions, ms"), report.AtMost(20, "the same, MB"),
		report.AtMost(10, "a catalogue of 200 versions and 1,000 instants, ms"), report.AtMost(4, "the same, MB"),
	}
	t := report.NewTable("what Verso adds at the start", "ms", "MB")
	ms, mb := build(func() any { return withCatalogue(manyVersions()) })
	t.Add("a catalogue", bounds[2].Judge(ms, "core"), bounds[3].Judge(mb, "core"))
	s := service.Named("header")
	routes := orders(s, 10_000)
	for _, f := range service.Frameworks {
		start := func(o service.Options) any {
			o.Scheme, o.Routes = s, routes
			server := f.New(o)
			server.Bind(s.Request("v1"))()
			return server
		}
		without, alone := build(func() any { return start(service.Options{Variant: service.Bare}) })
		ms, mb := build(func() any {
			config := withCatalogue(manyVersions())
			config.Clock = func() time.Time { return year(2029) }
			return start(service.Options{Variant: service.Verso, API: s.API(config), Inside: func(link linker) { byName(link)() }})
		})
		t.Add(f.Name, bounds[0].Judge(ms-without, f.Name), bounds[1].Judge(mb-alone, f.Name))
	}
	return t.String(), bounds
}

// build returns the processor time to build something, the least of a few times,
// and what that then holds.
func build(what func() any) (ms, mb float64) {
	var before, after runtime.MemStats
	var times report.Sample
	for range 3 {
		runtime.GC()
		runtime.ReadMemStats(&before)
		start := report.CPUTime()
		built := what()
		times = append(times, float64(report.CPUTime()-start)/1e6)
		runtime.GC()
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(built)
	}
	return times.Percentile(0), (float64(after.HeapAlloc) - float64(before.HeapAlloc)) / (1 << 20)
}
