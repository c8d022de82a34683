package main

import (
	"fmt"
	"strings"

	"github.com/goverso/verso/bench/internal/report"
)

var (
	versionCounts = []int{2, 10, 100, 1000, 10_000}
	lengths       = []int{256, 1 << 10, 4 << 10, 8 << 10, 16 << 10, 64 << 10, 1 << 20}
)

func writeGrowth(w *strings.Builder, r *results) []*report.Bound {
	flat := report.AtMost(1.15, "10,000 allowed versions / 2")
	linear := report.AtMost(1.15, "Accept of 8 KiB / 8 times one of 1 KiB")
	bounded := report.AtMost(1, "Accept of 1 MiB / one of 8 KiB, the cap")
	queryLinear := report.AtMost(1.15, "query of 64 KiB / 8 times one of 8 KiB")

	w.WriteString("### Growth\n\n")
	t := report.NewTable("allowed versions", "2", "10", "100", "1,000", "10,000", "10,000 / 2")
	cells := []string{"echo/query_parameter"}
	for _, count := range versionCounts {
		s := r.time(growth("versions", count))
		cells = append(cells, report.Duration(s.Center)+" "+s.PctRangeString())
	}
	t.Add(append(cells, flat.Judge(r.ratio(growth("versions", 10_000), growth("versions", 2)), "echo/query_parameter"))...)
	t.Write(w)

	t = report.NewTable("length of the header or query", "256 B", "1 KiB", "4 KiB", "8 KiB", "16 KiB", "64 KiB", "1 MiB", "linear", "1 MiB / 8 KiB")
	addRow := func(what string) (nanoseconds map[int]float64, cells []string) {
		nanoseconds = make(map[int]float64)
		cells = []string{what}
		for _, length := range lengths {
			nanoseconds[length] = r.nanoseconds(growth(what, length))
			cells = append(cells, report.Duration(nanoseconds[length]))
		}
		return nanoseconds, cells
	}
	for _, shape := range []string{"accept-ranges", "accept-params", "accept-quoted"} {
		at, cells := addRow(shape)
		t.Add(append(cells, linear.Judge(at[8<<10]/at[1<<10]/8, shape), bounded.Judge(at[1<<20]/at[8<<10], shape))...)
	}
	for _, shape := range []string{"query-short", "query-alike", "query-encoded"} {
		at, cells := addRow(shape)
		t.Add(append(cells, queryLinear.Judge(at[64<<10]/at[8<<10]/8, shape), fmt.Sprintf("%.0f", at[1<<20]/at[8<<10]))...)
	}
	t.Write(w)
	return []*report.Bound{flat, linear, bounded, queryLinear}
}

func growth(what string, size int) string {
	return fmt.Sprintf("Growth/%s/%d", what, size)
}
