package main

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"
)

// results are the measurements of all benchmarks, by name without "Benchmark".
type results struct {
	times  map[string][]float64 // nanoseconds
	allocs map[string][]float64
	absent map[string]bool // benchmarks asked for that did not run
}

// confidence is that of the intervals, as benchstat has it.
const confidence = 0.95

// parse reads the output of benchmarks.
func parse(output io.Reader) (*results, error) {
	r := &results{times: make(map[string][]float64), allocs: make(map[string][]float64), absent: make(map[string]bool)}
	reader := benchfmt.NewReader(output, "benchmarks")
	for reader.Scan() {
		switch record := reader.Result().(type) {
		case *benchfmt.SyntaxError:
			return nil, record
		case *benchfmt.Result:
			name := record.Name.String()
			seconds, ok := record.Value("sec/op")
			if !ok {
				return nil, fmt.Errorf("benchmark %s has no time", name)
			}
			r.times[name] = append(r.times[name], seconds*1e9)
			if allocs, ok := record.Value("allocs/op"); ok {
				r.allocs[name] = append(r.allocs[name], allocs)
			}
		}
	}
	if len(r.times) == 0 {
		return nil, errors.New("there are no benchmarks in the output")
	}
	return r, reader.Err()
}

// time returns the median time of a benchmark and its confidence interval.
func (r *results) time(name string) benchmath.Summary {
	return r.summary(r.times, name)
}

// nanoseconds returns the median time of a benchmark.
func (r *results) nanoseconds(name string) float64 {
	return r.time(name).Center
}

// allocations returns the median of the allocations of a benchmark.
func (r *results) allocations(name string) float64 {
	return r.summary(r.allocs, name).Center
}

// ratio returns by how many times the median of a is that of b.
func (r *results) ratio(a, b string) float64 {
	return r.nanoseconds(a) / r.nanoseconds(b)
}

func (r *results) summary(of map[string][]float64, name string) benchmath.Summary {
	values := of[name]
	if len(values) == 0 {
		r.absent[name] = true
		return benchmath.Summary{}
	}
	sample := benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds)
	return benchmath.AssumeNothing.Summary(sample, confidence)
}
