package report

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPercentile(t *testing.T) {
	s := Sample{5, 1, 4, 2, 3, 9, 8, 7, 6, 10}
	for p, want := range map[float64]float64{0: 1, 10: 1, 11: 2, 50: 5, 99: 10, 100: 10} {
		assert.Equal(t, want, s.Percentile(p), "%v %%", p)
	}
	assert.True(t, math.IsNaN(Sample{}.Percentile(50)))
	assert.Equal(t, 5.0, s[0], "the order stays")
}

func TestOver(t *testing.T) {
	for _, test := range []struct {
		name        string
		with, other Sample
		want        string
	}{
		{"one", Sample{90}, Sample{100}, "0.90 [0.90..0.90]"},
		{"the machine is slower for a fifth", Sample{98, 98, 980, 98, 98}, Sample{100, 100, 1000, 100, 100}, "0.98 [0.98..0.98]"},
		{"a fifth scatters", Sample{100, 100, 150, 100, 80}, Sample{100, 100, 100, 100, 100}, "1.00 [0.80..1.50]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.want, test.with.Over(test.other, 50).String())
		})
	}
}

func TestExcess(t *testing.T) {
	this := Excess{Sample{130, 130, 160, 130, 130}, Sample{100, 100, 100, 100, 100}}
	that := Excess{Sample{90, 90, 90, 90, 90}, Sample{50, 50, 50, 50, 50}}
	assert.Equal(t, "0.75 [0.75..1.50]", this.Over(that, 50).String())
}
