package main

import (
	"fmt"
	"strings"

	"github.com/goverso/verso/bench/internal/report"
)

var routeCounts = []int{10, 200, 1000, 10_000}

var (
	coreBuilders    = []string{"append", "path", "path-arguments"}
	adapters        = []string{"versoecho", "versogin", "versoecho5", "versohttp"}
	adapterBuilders = []string{
		"accept_header-positional", "accept_header-named", "url_path-named", "namespace-named", "hostname-named", "query_parameter-named",
	}
	peerBuilders = []string{"echo", "echo5", "gorilla", "fiber"}
)

func writeReversal(w *strings.Builder, r *results) []*report.Bound {
	few := report.AtLeast(3, "echo.Reverse / path of core, 10 routes")
	many := report.AtLeast(10, "echo.Reverse / path of core, 1,000 routes")
	flat := report.AtMost(1.15, "building at 10,000 routes / at 10, core and each adapter")
	coreAllocs := report.AtMost(2, "allocations to build a path, core")
	allocs := report.AtMost(2, "allocations to build a URL, adapters, without its arguments")

	w.WriteString("### Reversal\n\n")
	t := report.NewTable("builder", "10 routes", "200", "1,000", "10,000", "10,000 / 10", "allocs", "echo.Reverse / this: 10", "200", "1,000", "10,000")
	addRow := func(what string) {
		cells := []string{what}
		for _, count := range routeCounts {
			s := r.time(reversal(what, count))
			cells = append(cells, report.Duration(s.Center)+" "+s.PctRangeString())
		}
		cells = append(cells, fmt.Sprintf("%.2f", r.ratio(reversal(what, 10_000), reversal(what, 10))),
			fmt.Sprint(r.allocations(reversal(what, 10_000))))
		for _, count := range routeCounts {
			ratio := r.ratio(reversal("peer/echo", count), reversal(what, count))
			cell := fmt.Sprintf("%.2f", ratio)
			if what == "core/path" && count == 10 {
				cell = few.Judge(ratio, what)
			}
			if what == "core/path" && count == 1000 {
				cell = many.Judge(ratio, what)
			}
			cells = append(cells, cell)
		}
		t.Add(cells...)
	}

	for _, builder := range coreBuilders {
		addRow("core/" + builder)
	}
	flat.Judge(r.ratio(reversal("core/path", 10_000), reversal("core/path", 10)), "core/path")
	coreAllocs.Judge(r.allocations(reversal("core/path", 10_000)), "core/path")
	for _, adapter := range adapters {
		var atFew, atMany float64 // together, since one builder alone is at the mercy of the noise
		for _, builder := range adapterBuilders {
			what := adapter + "/" + builder
			addRow(what)
			atFew += r.nanoseconds(reversal(what, 10))
			atMany += r.nanoseconds(reversal(what, 10_000))
			arguments := 2.0 // a map
			if strings.HasSuffix(builder, "-positional") {
				arguments = 1 // a slice
			}
			allocs.Judge(r.allocations(reversal(what, 10_000))-arguments, what)
		}
		flat.Judge(atMany/atFew, adapter)
	}
	for _, peer := range peerBuilders {
		addRow("peer/" + peer)
	}
	t.Write(w)
	return []*report.Bound{few, many, flat, coreAllocs, allocs}
}

func reversal(what string, routes int) string {
	return fmt.Sprintf("Reverse/%s/%d", what, routes)
}
