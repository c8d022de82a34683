package main

import (
	"fmt"
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
		p50:        report.AtMost(1.5, "median latency of good requests, with / without hostile ones"),
		p99:        report.AtMost(1.5, "99th percentile of that latency, with / without hostile ones"),
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
		v.answers.Judge(float64(s.tally.allWrong()), s.framework)
		v.failures.Judge(float64(s.tally.failures), s.framework)
	}
	t := report.NewTable(headings...)
	for _, k := range append(ordinary[len(ordinary)-3:], hostile...) { // good is there several times
		cells := []string{k.name}
		for _, s := range all {
			cells = append(cells, fmt.Sprint(s.tally.right[k]), fmt.Sprint(s.tally.wrong[k]))
		}
		t.Add(cells...)
	}
	t.Write(w)
}

func writeLatency(w *strings.Builder, all []*soaked, v *verdict) {
	t := report.NewTable("good requests", "p50: without", "with", "with / without", "p99: without", "with", "with / without")
	for _, s := range all {
		p50, p50Interval := s.p50.Ratio()
		p99, p99Interval := s.p99.Ratio()
		t.Add(s.framework,
			report.Duration(s.p50.Without()), report.Duration(s.p50.With()), v.p50.Judge(p50, s.framework)+" "+p50Interval,
			report.Duration(s.p99.Without()), report.Duration(s.p99.With()), v.p99.Judge(p99, s.framework)+" "+p99Interval)
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
			heaps = append(heaps, fmt.Sprint(m.Heap>>10))
			counts = append(counts, fmt.Sprint(m.Goroutines))
		}
		t.Add(heaps...)
		t.Add(counts...)
	}
	t.Write(w)
}
