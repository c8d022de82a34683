package report

import (
	"slices"

	"golang.org/x/perf/benchmath"
)

// confidence is that of the intervals, as benchstat has it.
const confidence = 0.95

// Pairs are figures measured in turns, without something and with it. What
// else the machine does changes from minute to minute and less between
// neighbours, so that the ratio is taken within each pair.
type Pairs struct {
	without, with []float64
}

// Add adds two figures that were measured one right after the other.
func (p *Pairs) Add(without, with float64) {
	p.without = append(p.without, without)
	p.with = append(p.with, with)
}

// Without returns the median of the figures without.
func (p *Pairs) Without() float64 { return median(p.without).Center }

// With returns the median of the figures with.
func (p *Pairs) With() float64 { return median(p.with).Center }

// Ratio returns the median of the ratios with / without, and its 95 %
// confidence interval as a text: see [benchmath.Summary.PctRangeString].
func (p *Pairs) Ratio() (ratio float64, interval string) {
	ratios := make([]float64, len(p.with))
	for i := range ratios {
		ratios[i] = p.with[i] / p.without[i]
	}
	s := median(ratios)
	return s.Center, s.PctRangeString()
}

func median(values []float64) benchmath.Summary {
	sample := benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds)
	return benchmath.AssumeNothing.Summary(sample, confidence)
}
