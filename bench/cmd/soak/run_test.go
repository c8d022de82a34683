//go:build !race

package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/bench/internal/service"
)

// TestSoak puts services under load. The race detector makes that slow; it runs
// on the same code in the tests of the adapters.
func TestSoak(t *testing.T) {
	s, err := soak(t.Context(), service.Frameworks[1], 200*time.Millisecond)
	require.NoError(t, err)
	assert.Empty(t, s.tally.first+s.bare.first)
	assert.Len(t, s.heap, 1+rounds)
	sent := 0 // on a slow machine not all kinds have their turn
	for _, k := range hostile {
		sent += s.tally.right[k.name]
	}
	assert.Positive(t, sent)
	assert.GreaterOrEqual(t, s.tally.right[good.name], rounds*probeRate/5) // those that are measured

	text, bounds := judge([]*soaked{s}, false)
	assert.True(t, bounds[0].Holds())
	assert.Contains(t, text, "| gin: p99 ")
}
