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
		report.AtMost(15, "start-up, µs a route"), report.AtMost(2, "start-up, kB a route"),
		report.AtMost(1.5, "start-up of 10,000 routes / of 1,000, a route"),
		report.AtMost(10, "a catalogue of 200 versions and 1,000 instants, ms"), report.AtMost(4, "the same, MB"),
	}
	t := report.NewTable("what Verso adds at the start", "10,000 routes: µs a route", "kB a route",
		"1,000 routes: µs a route", "10,000 / 1,000")
	s := service.Named("header")
	for _, f := range service.Frameworks {
		start := func(routes []service.Route, o service.Options) (µs, kB float64) {
			o.Scheme, o.Routes = s, routes
			ms, mb := build(func() any {
				server := f.New(o)
				server.Bind(s.Request("v1"))()
				return server
			})
			return ms * 1e3 / float64(len(routes)), mb * 1024 / float64(len(routes))
		}
		added := func(count int) (µs, kB float64) {
			routes := orders(s, count)
			bareTime, bareMemory := start(routes, service.Options{Variant: service.Bare})
			µs, kB = start(routes, service.Options{Variant: service.Verso,
				Inside: func(link linker) { byName(link)() }})
			return µs - bareTime, kB - bareMemory
		}
		fewTime, _ := added(1000)
		µs, kB := added(10_000)
		t.Add(f.Name, bounds[0].Judge(µs, f.Name), bounds[1].Judge(kB, f.Name), fmt.Sprintf("%.2f", fewTime),
			bounds[2].Judge(µs/fewTime, f.Name))
	}
	text = t.String()
	ms, mb := build(func() any { return withCatalogue(manyVersions()) })
	t = report.NewTable("a catalogue of 200 versions", "ms", "MB")
	t.Add("core", bounds[3].Judge(ms, "core"), bounds[4].Judge(mb, "core"))
	return text + t.String(), bounds
}

// build returns the processor time to build something, the least of a few times,
// and what that then holds.
func build(what func() any) (ms, mb float64) {
	var before, after runtime.MemStats
	var times report.Sample
	for range 5 {
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
