package main

import (
	"fmt"
	"strings"

	"github.com/goverso/verso/bench/internal/report"
)

// writeReport writes the bounds and what was measured, and returns how many
// bounds do not hold.
func writeReport(w *strings.Builder, measured []*measurement) (missed int) {
	throughput := report.AtLeast(0.97, "requests in a second, with / without Verso")
	latency := report.AtMost(1.1, "99th percentile of the latency, with / without Verso")

	t := report.NewTable("request for v2", "with", "requests/s: without", "with", "with / without", "p99: without", "with", "with / without",
		"processor time a request: without", "with", "with / without")
	for _, m := range measured {
		for _, row := range []struct {
			with               string
			c                  *comparison
			perSecond, latency func(value float64) string
		}{
			{"store", &m.store, plain, plain},
			{
				"Verso", &m.verso,
				func(ratio float64) string { return throughput.Judge(ratio, m.where) },
				func(ratio float64) string { return latency.Judge(ratio, m.where) },
			},
		} {
			c := row.c
			rate, rateInterval := c.perSecond.Ratio()
			p99, p99Interval := c.p99.Ratio()
			cpuTime, cpuTimeInterval := c.cpuTime.Ratio()
			t.Add(m.where, row.with,
				fmt.Sprintf("%.0f", c.perSecond.Without()), fmt.Sprintf("%.0f", c.perSecond.With()), row.perSecond(rate)+" "+rateInterval,
				report.Duration(c.p99.Without()), report.Duration(c.p99.With()), row.latency(p99)+" "+p99Interval,
				report.Duration(c.cpuTime.Without()), report.Duration(c.cpuTime.With()), plain(cpuTime)+" "+cpuTimeInterval)
		}
	}
	bounds, missed := report.Bounds([]*report.Bound{throughput, latency})
	bounds.Write(w)
	t.Write(w)
	return missed
}

// plain writes a ratio that has no bound.
func plain(ratio float64) string {
	return fmt.Sprintf("%.2f", ratio)
}
