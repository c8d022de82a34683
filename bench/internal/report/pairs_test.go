package report

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPairs(t *testing.T) {
	for _, test := range []struct {
		name                 string
		pairs                [][2]float64
		without, with, ratio float64
	}{
		{"one", [][2]float64{{100, 90}}, 100, 90, 0.9},
		{"the machine is slower for a while", [][2]float64{{100, 98}, {50, 49}, {100, 98}}, 100, 98, 0.98},
		{"one pair is disturbed", [][2]float64{{100, 98}, {100, 20}, {100, 98}}, 100, 98, 0.98},
	} {
		t.Run(test.name, func(t *testing.T) {
			var p Pairs
			for _, pair := range test.pairs {
				p.Add(pair[0], pair[1])
			}
			ratio, _ := p.Ratio()
			assert.InDelta(t, test.without, p.Without(), 1e-9)
			assert.InDelta(t, test.with, p.With(), 1e-9)
			assert.InDelta(t, test.ratio, ratio, 1e-9)
		})
	}
}
