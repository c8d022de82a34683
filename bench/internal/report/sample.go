// Package report judges and writes what the commands of module bench measure:
// samples and their ratios, the bounds that figures must keep, tables of
// Markdown, and the pages that hold them.
package report

import (
	"fmt"
	"math"
	"slices"
)

// Sample is the figures of one thing, in the order in which they were measured.
type Sample []float64

// Percentile returns the smallest figure that at least p percent of the figures
// do not exceed, NaN without figures.
func (s Sample) Percentile(p float64) float64 {
	if len(s) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(s))
	rank := int(math.Ceil(p / 100 * float64(len(sorted))))
	return sorted[max(rank, 1)-1]
}

// fifth returns the i-th of five parts, all when there are fewer figures.
func (s Sample) fifth(i int) Sample {
	if len(s) < 5 {
		return s
	}
	return s[i*len(s)/5 : (i+1)*len(s)/5]
}

// Ratio is by how many times one sample is another, and how far the fifths of the
// run scatter around that.
type Ratio struct{ Value, Low, High float64 }

// Over returns the ratio of the p-th percentiles of two samples that were
// measured by turns.
func (s Sample) Over(other Sample, p float64) Ratio {
	return newRatio(func(part func(Sample) Sample) float64 {
		return part(s).Percentile(p) / part(other).Percentile(p)
	})
}

// Excess is how much one sample takes beyond another.
type Excess struct{ Of, Beyond Sample }

// Over is [Sample.Over] for the differences of percentiles.
func (e Excess) Over(other Excess, p float64) Ratio {
	return newRatio(func(part func(Sample) Sample) float64 {
		difference := func(e Excess) float64 { return part(e.Of).Percentile(p) - part(e.Beyond).Percentile(p) }
		return difference(e) / difference(other)
	})
}

// newRatio returns the ratio that compare returns for the whole run, and those for its
// fifths. part returns the figures of a part of the run.
func newRatio(compare func(part func(Sample) Sample) float64) Ratio {
	r := Ratio{compare(func(s Sample) Sample { return s }), math.Inf(1), math.Inf(-1)}
	for i := range 5 {
		fifth := compare(func(s Sample) Sample { return s.fifth(i) })
		r.Low, r.High = min(r.Low, fifth), max(r.High, fifth)
	}
	return r
}

// String returns "1.20 [1.18..1.25]".
func (r Ratio) String() string { return fmt.Sprintf("%.2f %s", r.Value, r.Interval()) }

// Interval returns "[1.18..1.25]".
func (r Ratio) Interval() string { return fmt.Sprintf("[%.2f..%.2f]", r.Low, r.High) }
