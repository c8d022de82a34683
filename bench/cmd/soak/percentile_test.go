package main

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestPercentile(t *testing.T) {
	var hundred []time.Duration
	for i := range 100 {
		hundred = append(hundred, time.Duration(100-i)) // 100 to 1
	}
	for _, test := range []struct {
		name   string
		values []time.Duration
		p      float64
		want   float64
	}{
		{"none", nil, 50, math.NaN()},
		{"one", []time.Duration{7}, 99, 7},
		{"the lower one of two in the middle", []time.Duration{2, 1}, 50, 1},
		{"median of a hundred", hundred, 50, 50},
		{"99 of a hundred", hundred, 99, 99},
		{"the least", hundred, 0, 1},
		{"the greatest", hundred, 100, 100},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := percentile(test.values, test.p)
			if math.IsNaN(test.want) {
				assert.True(t, math.IsNaN(got))
				return
			}
			assert.Equal(t, test.want, got)
		})
	}
}
