package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// section is a part of the report: its tables, and the bounds that they judge.
type section func(w *strings.Builder, r *results) []*bound

// writeReport writes all bounds and all tables, and returns how many bounds do
// not hold. It fails when a benchmark is missing.
func writeReport(w *strings.Builder, r *results) (missed int, err error) {
	var details strings.Builder
	all := newTable("bound", "asked", "worst", "where", "holds")
	for _, write := range []section{writeMiddleware, writePeers, writeReversal, writeRefusal, writeGrowth} {
		for _, b := range write(&details, r) {
			holds := "yes"
			if !b.admits(b.worst) {
				holds = "**no**"
				missed++
			}
			all.add(b.what, b.String(), fmt.Sprintf("%.2f", b.worst), b.where, holds)
		}
	}
	if len(r.absent) > 0 {
		absent := slices.Sorted(maps.Keys(r.absent))
		return 0, fmt.Errorf("%d benchmarks did not run, %s the first of them", len(absent), absent[0])
	}
	w.WriteString("### Bounds\n\n")
	all.write(w)
	w.WriteString(details.String())
	return missed, nil
}
