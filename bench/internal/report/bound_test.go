package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestJudge(t *testing.T) {
	for _, test := range []struct {
		name    string
		bound   *Bound
		figures []float64
		worst   float64
		holds   bool
	}{
		{"below at most", AtMost(1.25, ""), []float64{1.1, 1.2, 0.9}, 1.2, true},
		{"beyond the limit within the tolerance", AtMost(1.25, ""), []float64{1.31}, 1.31, true},
		{"above at most", AtMost(1.25, ""), []float64{1.1, 1.4, 1.2}, 1.4, false},
		{"above at least", AtLeast(3, ""), []float64{4, 3.5}, 3.5, true},
		{"below at least", AtLeast(3, ""), []float64{4, 2.5, 3}, 2.5, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, figure := range test.figures {
				cell := test.bound.Judge(figure, fmt.Sprint(figure))
				assert.Equal(t, !test.bound.admits(figure), strings.HasPrefix(cell, "**"), cell)
			}
			assert.Equal(t, test.worst, test.bound.worst)
			assert.Equal(t, fmt.Sprint(test.worst), test.bound.where)
			assert.Equal(t, test.holds, test.bound.Holds())
			assert.Equal(t, !test.holds, strings.Contains(Bounds(test.bound), "**no**"))
		})
	}
}

func TestJudgeWithoutFigures(t *testing.T) {
	assert.False(t, AtMost(1, "").Holds())
	assert.Equal(t, "2.00 [1.00..3.00]", (*Bound)(nil).JudgeRatio(Ratio{2, 1, 3}, "here"))
}
