package main

import (
	"math"
	"slices"
	"time"
)

// percentile returns the smallest value that at least p percent of the values
// do not exceed, in nanoseconds; NaN without values.
func percentile(values []time.Duration, p float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	rank := int(math.Ceil(p / 100 * float64(len(sorted))))
	return float64(sorted[max(rank, 1)-1])
}
