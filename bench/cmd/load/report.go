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

	t := report.NewTable("request for v2", "requests/s: without", "with", "with / without", "p99: without", "with", "with / without",
		"processor time a request: without", "with", "with / without")
	for _, m := range measured {
		rate, rateInterval := m.perSecond.Ratio()
		p99, p99Interval := m.p99.Ratio()
		cpuTime, cpuTimeInterval := m.cpuTime.Ratio()
		t.Add(m.where,
			fmt.Sprintf("%.0f", m.perSecond.Without()), fmt.Sprintf("%.0f", m.perSecond.With()), throughput.Judge(rate, m.where)+" "+rateInterval,
			report.Duration(m.p99.Without()), report.Duration(m.p99.With()), latency.Judge(p99, m.where)+" "+p99Interval,
			report.Duration(m.cpuTime.Without()), report.Duration(m.cpuTime.With()), fmt.Sprintf("%.2f %s", cpuTime, cpuTimeInterval))
	}
	bounds, missed := report.Bounds([]*report.Bound{throughput, latency})
	bounds.Write(w)
	t.Write(w)
	return missed
}
