package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/goverso/verso/bench/internal/report"
)

// verdict is what the soak is there to find out.
type verdict struct {
	answers, failures, heap, goroutines *report.Bound
	p50, p99                            *report.Bound
}

func newVerdict() *verdict {
	return &verdict{
		answers:    report.AtMost(0, "wrong answers"),
		failures:   report.AtMost(0, "answers of 500 and more"),
		heap:       report.AtMost(256, "growth of the heap in use, KiB"),
		goroutines: report.AtMost(0, "growth of the number of goroutines"),
		p50:        report.AtMost(1.5, "median latency of good requests, among hostile / among good ones"),
		p99:        report.AtMost(1.5, "99th percentile of that latency, among hostile / among good ones"),
	}
}

func (v *verdict) bounds() []*report.Bound {
	return []*report.Bound{v.answers, v.failures, v.heap, v.goroutines, v.p50, v.p99}
}

// correct reports whether the answers were right and the memory flat.
func (v *verdict) correct() bool {
	return v.answers.Holds() && v.failures.Holds() && v.heap.Holds() && v.goroutines.Holds()
}

// fast reports whether the bounds on the latency hold.
func (v *verdict) fast() bool {
	return v.p50.Holds() && v.p99.Holds()
}

// writeReport writes the bounds and what was seen.
func writeReport(w *strings.Builder, all []*soaked) *verdict {
	v := newVerdict()
	var details strings.Builder
	writeAnswers(&details, all, v)
	writeLatency(&details, all, v)
	writeMemory(&details, all, v)
	bounds, _ := report.Bounds(v.bounds())
	bounds.Write(w)
	w.WriteString(details.String())
	return v
}

func writeAnswers(w *strings.Builder, all []*soaked, v *verdict) {
	headings := []string{"requests with"}
	for _, s := range all {
		headings = append(headings, s.framework+": right", "wrong")
		v.answers.Judge(float64(s.versioned.wrong()), s.framework)
		v.failures.Judge(float64(s.versioned.Failures), s.framework)
	}
	t := report.NewTable(headings...)
	for _, k := range append(ordinary[len(ordinary)-3:], hostile...) { // good is there several times
		cells := []string{k.name}
		for _, s := range all {
			cells = append(cells, strconv.Itoa(s.versioned.Right[k.name]), strconv.Itoa(s.versioned.Wrong[k.name]))
		}
		t.Add(cells...)
	}
	t.Write(w)
}

func writeLatency(w *strings.Builder, all []*soaked, v *verdict) {
	t := report.NewTable("good requests", "among good ones", "among hostile ones", "hostile / good", "among hostile ones, no Verso", "Verso / no Verso")
	for _, s := range all {
		for _, row := range []struct {
			name       string
			good, bare *report.Pairs
			bound      *report.Bound
		}{
			{"p50", &s.p50, &s.bareP50, v.p50},
			{"p99", &s.p99, &s.bareP99, v.p99},
		} {
			overGood, goodInterval := row.good.Ratio()
			overBare, bareInterval := row.bare.Ratio()
			t.Add(s.framework+": "+row.name, report.Duration(row.good.Without()), report.Duration(row.good.With()),
				row.bound.Judge(overGood, s.framework)+" "+goodInterval,
				report.Duration(row.bare.Without()), fmt.Sprintf("%.2f %s", overBare, bareInterval))
		}
	}
	t.Write(w)
}

func writeMemory(w *strings.Builder, all []*soaked, v *verdict) {
	headings := []string{"memory after", "warming up"}
	for round := range rounds {
		headings = append(headings, fmt.Sprintf("round %d", round+1))
	}
	t := report.NewTable(headings...)
	for _, s := range all {
		heapKiB, goroutines := s.growth()
		v.heap.Judge(heapKiB, s.framework)
		v.goroutines.Judge(goroutines, s.framework)
		heaps, counts := []string{s.framework + ": heap in use, KiB"}, []string{s.framework + ": goroutines"}
		for _, m := range s.memory {
			heaps = append(heaps, strconv.FormatUint(m.Heap>>10, 10))
			counts = append(counts, strconv.Itoa(m.Goroutines))
		}
		t.Add(heaps...)
		t.Add(counts...)
	}
	t.Write(w)
}
