// Command soak keeps services in Echo v4 and in Gin busy with requests of all
// kinds, hostile ones among them, over loopback. It fails when an answer is
// wrong, when memory grows, or when hostile requests slow the good ones down too
// much. Run it in the folder of the module:
//
//	go run ./cmd/soak [-duration d] [-tolerate-latency] [-write]
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goverso/verso/bench/internal/report"
	"github.com/goverso/verso/bench/internal/service"
)

func main() {
	duration := flag.Duration("duration", 30*time.Second,
		"how long the services of a framework are busy with Verso, and how long without")
	tolerate := flag.Bool("tolerate-latency", false, "do not fail for the latency, which a busy machine disturbs")
	report.Main("soak", func(ctx context.Context) (text string, bounds []*report.Bound, err error) {
		var all []*soaked
		for _, f := range service.Frameworks[:2] {
			fmt.Fprintln(os.Stderr, f.Name)
			s, err := soak(ctx, f, *duration/rounds)
			if err != nil {
				return "", nil, fmt.Errorf("%s: %w", f.Name, err)
			}
			all = append(all, s)
			if first := s.tally.first + s.bare.first; first != "" {
				fmt.Fprintf(os.Stderr, "soak: %s: the first wrong answer: %s\n", s.framework, first)
			}
		}
		text, bounds = judge(all, !*tolerate)
		return fmt.Sprintf("%s for each kind of traffic, in %d turns; %d clients, and %d measured requests in a second.\n\n",
			*duration, rounds, workers, probeRate) + text, bounds, nil
	})
}

// judge returns the tables of what was seen, and the bounds.
func judge(all []*soaked, fast bool) (text string, bounds []*report.Bound) {
	wrong, failures := report.AtMost(0, "wrong answers"), report.AtMost(0, "answers of 500 and more")
	heap, goroutines := report.AtMost(256, "growth of the heap in use, KiB"),
		report.AtMost(0, "growth of the number of goroutines")
	p50 := report.AtMost(1.5, "median latency of good requests among hostile ones, with / without Verso")
	p99 := report.AtMost(1.5, "99th percentile of that latency, with / without Verso")
	bounds = []*report.Bound{wrong, failures, heap, goroutines, p50, p99}
	for _, b := range bounds {
		b.Required = fast || b != p50 && b != p99
	}
	answers := report.NewTable("requests with", "framework", "right", "wrong")
	latency := report.NewTable("good requests among hostile ones", "without Verso", "with Verso", "with / without")
	memory := report.NewTable("after warming up and each round", "heap in use, bytes", "goroutines")
	for _, s := range all {
		all := 0
		for _, k := range slices.Concat(ordinary[3:], hostile) { // good is there several times
			answers.Add(k.name, s.framework, strconv.Itoa(s.tally.right[k.name]), strconv.Itoa(s.tally.wrong[k.name]))
			all += s.tally.wrong[k.name] + s.bare.wrong[k.name] // there it is a missing one
		}
		wrong.Judge(float64(all), s.framework)
		failures.Judge(float64(s.tally.failures), s.framework)
		for i, of := range []*[2]report.Sample{&s.p50, &s.p99} {
			latency.Add(s.framework+[]string{": p50", ": p99"}[i], report.Duration(of[0].Percentile(50)),
				report.Duration(of[1].Percentile(50)),
				bounds[4+i].JudgeRatio(of[1].Over(of[0], 50), s.framework))
		}
		heap.Judge(growth(s.heap)/(1<<10), s.framework)
		goroutines.Judge(growth(s.goroutines), s.framework)
		memory.Add(s.framework, strings.Trim(fmt.Sprint(s.heap), "[]"), strings.Trim(fmt.Sprint(s.goroutines), "[]"))
	}
	return answers.String() + latency.String() + memory.String(), bounds
}
