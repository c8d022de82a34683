//go:build !race

package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/bench/internal/service"
)

// TestSoak puts a server under load. The race detector makes that slow; it runs
// on the same code in the tests of the adapters.
func TestSoak(t *testing.T) {
	o := options{duration: minDuration}
	s, err := o.soak(t.Context(), service.InGin)
	require.NoError(t, err)
	assert.Empty(t, s.versioned.First)
	assert.Empty(t, s.bare.First)
	assert.Len(t, s.memory, 1+rounds)
	sent := 0 // on a slow machine not all kinds have their turn
	for _, k := range hostile {
		sent += s.versioned.Right[k.name]
	}
	assert.Positive(t, sent)
	measured := rounds * probeRate / 10 // in each kind of traffic
	assert.Greater(t, s.versioned.Right[good.name], 2*measured)

	var text strings.Builder
	v := writeReport(&text, []*soaked{s})
	assert.True(t, v.answers.Holds())
	assert.Contains(t, text.String(), "| gin: p99 ")
}
