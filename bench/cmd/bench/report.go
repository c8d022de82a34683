package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goverso/verso/bench/internal/report"
)

// section is a part of the report: its tables, and the bounds that they judge.
type section func(w *strings.Builder, r *results) []*report.Bound

// writeReport writes all bounds and all tables, and returns how many bounds do
// not hold. It fails when a benchmark is missing.
func writeReport(w *strings.Builder, r *results) (missed int, err error) {
	var details strings.Builder
	var bounds []*report.Bound
	for _, write := range []section{writeMiddleware, writePeers, writeReversal, writeRefusal, writeGrowth} {
		bounds = append(bounds, write(&details, r)...)
	}
	if len(r.absent) > 0 {
		absent := slices.Sorted(maps.Keys(r.absent))
		return 0, fmt.Errorf("%d benchmarks did not run, %s the first of them", len(absent), absent[0])
	}
	w.WriteString("### Bounds\n\n")
	all, missed := report.Bounds(bounds)
	all.Write(w)
	w.WriteString(details.String())
	return missed, nil
}
